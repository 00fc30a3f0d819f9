import t from 'tap';
import type { User } from '#src/directory/user.js';
import { extensionClaims, extensionsClaim } from '#src/oidc/issuance/extension-claims.js';
import { withSchema } from '#src/people/extension-schemas/extension-schema-rules.js';
import { badgeSchema, badgeUrn, extensionAttribute } from '../../support/scim/extension-schema.js';

const other = 'urn:example:other:1.0:User';
const registered = withSchema(withSchema({ schemas: [], lastKey: 0 }, badgeSchema), {
  ...badgeSchema,
  id: other,
  attributes: [extensionAttribute('note'), extensionAttribute('long', { multiValued: true })],
});
const claimsOf = (extensions: User['extensions']) => extensionClaims({ extensions } as User, registered);

t.test('values stand under the URN of their schema', async (t) => {
  t.strictSame(claimsOf({ u1: 'A', s2: ['x'], a5: false, a9: 'n' }), {
    [extensionsClaim]: { [badgeUrn]: { number: 'A', areas: ['x'], escort: false }, [other]: { note: 'n' } },
  });
});

t.test('no values, or only those of attributes that were removed', async (t) => {
  t.strictSame(claimsOf(undefined), {});
  t.strictSame(claimsOf({ u99: 'gone' }), {});
  t.strictSame(extensionClaims({ extensions: { u1: 'A' } } as unknown as User, undefined), {});
});

t.test('at most 8 KiB', async (t) => {
  const long = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(500, 'ä'));
  const claims = claimsOf({ u1: 'A', a9: 'n', a10: long });
  t.strictSame(claims, {
    [extensionsClaim]: { [badgeUrn]: { number: 'A' }, [other]: { note: 'n' } },
    [`${extensionsClaim}:truncated`]: true,
  });
  const fits = claimsOf({ s2: long.slice(0, 8) });
  t.ok(Buffer.byteLength(JSON.stringify(fits)) <= 8_192 + 100);
  t.notOk(`${extensionsClaim}:truncated` in fits);
});
