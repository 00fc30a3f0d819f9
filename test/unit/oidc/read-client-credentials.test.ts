import t from 'tap';
import { readClientCredentials } from '#src/oidc/clients/read-client-credentials.js';
import { OAuthError } from '#src/oidc/protocol/oauth-error.js';

const read = (authorization: string | undefined, form: Record<string, string> = {}) =>
  readClientCredentials(authorization, new Map(Object.entries(form)));
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

function codeOf(work: () => unknown): { code: string; challenge: boolean } | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof OAuthError) return { code: error.code, challenge: error.challenge };
    throw error;
  }
}

t.test('each way to authenticate is told apart', async (t) => {
  t.same(read(basic('c:s')), { method: 'client_secret_basic', clientId: 'c', clientSecret: 's' });
  t.same(read(basic('c%3Ad+e:s%25:t')), {
    method: 'client_secret_basic',
    clientId: 'c:d e',
    clientSecret: 's%:t',
  });
  t.match(read(basic('c:s'), { client_id: 'c' }), { method: 'client_secret_basic' });
  t.match(read(`basic ${Buffer.from('c:s').toString('base64')}`), { clientId: 'c' });
  t.same(read(undefined, { client_id: 'c', client_secret: 's' }), {
    method: 'client_secret_post',
    clientId: 'c',
    clientSecret: 's',
  });
  t.same(read(undefined, { client_id: 'c' }), { method: 'none', clientId: 'c' });
  t.same(read(undefined, { client_assertion: 'a.b.c', client_assertion_type: type }), {
    method: 'private_key_jwt',
    assertion: 'a.b.c',
  });
});

t.test('two at once are a bad request', async (t) => {
  const assertion = { client_assertion: 'a.b.c', client_assertion_type: type };
  for (const [header, form] of [
    [basic('c:s'), { client_secret: 's' }],
    [basic('c:s'), assertion],
    [basic('c:s'), { client_id: 'd' }],
    [undefined, { client_id: 'c', client_secret: 's', ...assertion }],
    ['Bearer x', { client_id: 'c', client_secret: 's' }],
    [undefined, { client_assertion: 'a.b.c' }],
    [undefined, { client_assertion_type: type }],
    [undefined, { client_id: 'c', client_secret: 's', client_assertion_type: type }],
    [undefined, { client_assertion: 'a', client_assertion_type: 'urn:ietf:params:oauth:grant-type:saml2' }],
  ] as const) {
    t.same(
      codeOf(() => read(header, form)),
      { code: 'invalid_request', challenge: false },
      JSON.stringify(form),
    );
  }
});

t.test('none, or a broken header, is no client', async (t) => {
  t.same(
    codeOf(() => read(undefined)),
    { code: 'invalid_client', challenge: false },
  );
  for (const header of ['', 'Basic', 'Basic ***', 'Bearer x', basic('c'), basic(':s'), basic('%zz:s')]) {
    t.same(
      codeOf(() => read(header)),
      { code: 'invalid_client', challenge: true },
      header,
    );
  }
});
