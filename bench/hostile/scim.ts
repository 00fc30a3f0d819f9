import { randomBytes } from 'node:crypto';
import type { Target } from './attack.js';
import type { Shot } from './caller.js';
import { times } from './clients.js';

export const urn = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulk: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
};

/** A request of SCIM with the attacker's token. */
export function scim(
  { orgId, token }: Pick<Target, 'orgId' | 'token'>,
  method: string,
  path: string,
  json?: object,
): Shot {
  return {
    method,
    path: `/scim/v2/${orgId}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  };
}

/** A name that no other round has. */
export const unique = () => randomBytes(6).toString('hex');

export const user = (userName: string, more: object = {}) => ({
  schemas: [urn.user],
  userName,
  name: { givenName: 'Given', familyName: 'Family' },
  emails: [{ value: `${userName}@example.com`, primary: true }],
  ...more,
});

/** Letters that carry combining marks. */
export const marks = (count: number) => `a${'\u0301\u0316'.repeat(count / 2)}`;

export const textWithMarks = marks(30).repeat(60).slice(0, 1_900);
/** With 200 of them a user has almost as much text as one may have. */
const storedText = textWithMarks.slice(0, 230);

/** A user with almost as much text as one may have, as long lists. */
export const largeUser = (userName: string) =>
  user(userName, {
    addresses: times(200, (n) => ({ formatted: `${n} ${storedText}`, type: 'work' })),
    roles: times(200, (n) => ({ value: `role ${n}`, display: 'a'.repeat(30) })),
  });
