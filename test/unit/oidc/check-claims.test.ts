import t from 'tap';
import { checkClaims } from '#src/oidc/authorize/checks/check-claims.js';
import { readAuthorizeParameters } from '#src/oidc/authorize/request/authorize-parameters.js';
import { RedirectedError } from '#src/oidc/authorize/request/errors.js';

const read = (claims: unknown) =>
  checkClaims(
    readAuthorizeParameters({ claims: typeof claims === 'string' ? claims : JSON.stringify(claims) }),
  );

function errorOf(claims: unknown): string | undefined {
  try {
    read(claims);
    return undefined;
  } catch (error) {
    if (error instanceof RedirectedError) return error.code;
    throw error;
  }
}

t.test('the claims that exist are kept, for userinfo and for the ID token, essential or not', async (t) => {
  t.same(checkClaims(readAuthorizeParameters({})), {});
  t.same(read({}), {});
  t.same(read({ userinfo: null, id_token: {}, other: { email: null } }), {});
  t.same(
    read({
      userinfo: { email: { essential: true }, given_name: null, 'family_name#de': null, shoe_size: null },
      id_token: { birthdate: { essential: false }, auth_time: { essential: true }, sub: null },
    }),
    { claims: { userinfo: ['given_name', 'email'], idToken: ['birthdate'] } },
  );
  t.same(read('{"userinfo":{"__proto__":{"email":null},"constructor":null}}'), {});
});

t.test('values of sub say who must sign in, and values of an essential acr how', async (t) => {
  t.same(read({ id_token: { sub: { value: 'a' } } }), { subjects: ['a'] });
  t.same(read({ id_token: { sub: { values: ['a', 'b'] } } }), { subjects: ['a', 'b'] });
  t.same(read({ id_token: { sub: { values: ['a', 'b'] } }, userinfo: { sub: { value: 'b' } } }), {
    subjects: ['b'],
  });
  t.same(read({ id_token: { sub: { essential: true } } }), {});
  t.same(read({ id_token: { acr: { essential: true, values: ['2', 'x'] } } }), {
    claims: { acrs: ['2'] },
  });
  t.same(
    read({ id_token: { acr: { essential: true, values: ['x', 'y'] } } }),
    { claims: { acrs: [] } },
    'no sign-in reaches an unknown level',
  );
  t.same(read({ id_token: { acr: { essential: true, value: '2' } } }), { claims: { acrs: ['2'] } });
  t.same(read({ id_token: { acr: { values: ['2'] } } }), {}, 'a wish that may stay one');
  t.same(read({ id_token: { acr: { essential: true } } }), {}, 'there always is one');
  t.same(read({ userinfo: { acr: { essential: true, value: '2' } } }), {}, 'acr is in the ID token alone');
  t.same(read({ userinfo: { email: { value: 'a@example.com' } } }), { claims: { userinfo: ['email'] } });
});

t.test('what is no request for claims is refused', async (t) => {
  for (const claims of [
    ...['x', '[]', '1', 'null', '"x"', '{', '{"userinfo":[]}', '{"id_token":"x"}', '{"userinfo":true}'],
    JSON.stringify({ id_token: { sub: { values: Array.from({ length: 11 }, (_, n) => `user-${n}`) } } }),
    JSON.stringify({ id_token: { sub: { value: 'a' } }, userinfo: { sub: { value: 'b' } } }),
    JSON.stringify({ userinfo: { ['界'.repeat(1_500)]: null } }),
    JSON.stringify({ id_token: { acr: { essential: true, value: 'a'.repeat(256) } } }),
    JSON.stringify({ id_token: { sub: { value: 'a'.repeat(256) } } }),
    // A restriction that was ignored would let others in.
    ...[
      { values: [2] },
      { value: 2 },
      { values: [] },
      { value: null },
      { values: ['2', 2] },
      { values: {} },
    ].flatMap((restriction) => [
      JSON.stringify({ id_token: { acr: { essential: true, ...restriction } } }),
      JSON.stringify({ id_token: { sub: restriction } }),
      JSON.stringify({ userinfo: { sub: restriction } }),
    ]),
  ]) {
    t.equal(errorOf(claims), 'invalid_request', claims.slice(0, 60));
  }
});
