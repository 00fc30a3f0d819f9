import { searchKeys } from '#src/directory/search-keys.js';
import type { User, UserProfileInput } from '#src/directory/user.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';

/** A user as the directory keeps it after a client sent this much. */
export function userOf(
  profile: Partial<UserProfileInput> = {},
  id = '0190a4f0-0000-7000-8000-000000000001',
): User {
  const kept = normalizeProfile({
    userName: 'bjensen@example.com',
    name: { givenName: 'Barbara', familyName: 'Jensen' },
    emails: [{ value: 'bjensen@example.com', type: 'work', primary: true }],
    ...profile,
  });
  return {
    ...kept,
    id,
    orgId: 'org',
    version: 3,
    created: new Date('2024-01-23T04:56:22.123Z'),
    lastModified: new Date('2024-05-13T04:42:34.000Z'),
  };
}

/** The user as a document of the database, with its search keys. */
export function documentOf({ id, ...user }: User): Record<string, unknown> {
  return { _id: id, ...user, search: searchKeys(user) };
}
