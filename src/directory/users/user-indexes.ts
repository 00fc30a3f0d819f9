import type { CollectionIndexes } from '#src/platform/mongo/mongo.js';

const present = (field: string) => ({ [field]: { $exists: true } });

/** Twins that are always there; each serves equality, a prefix and a sort (`search-keys.ts`). */
const requiredKeys = ['userName', 'familyName', 'givenName', 'displayName', 'emails', 'preferredLanguage'];
/** Twins of attributes that many users lack: the index holds only those who have it. */
const optionalKeys = ['nickName', 'title', 'userType', 'phoneNumbers', 'emailsByType'];

const both = (key: string) => [`search.${key}`, `search.${key}Reversed`];

/** Not unique and sorted by: the identifier, which breaks ties, is part of the index. */
const sortedFields = new Set(['search.familyName', 'search.givenName']);

/** The index that serves a condition on the field; sorting by it too. */
export function indexKey(field: string): Record<string, 1> {
  return { orgId: 1, [field]: 1, ...(sortedFields.has(field) && { _id: 1 as const }) };
}

export const userIndexes: CollectionIndexes = {
  collection: 'users',
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { orgId: 1, 'search.userName': 1 }, unique: true, name: 'userName' },
    { key: { orgId: 1, 'search.userNameReversed': 1 } },
    { key: { orgId: 1, created: 1, _id: 1 } },
    { key: { orgId: 1, lastModified: 1, _id: 1 } },
    { key: { orgId: 1, externalId: 1 }, partialFilterExpression: present('externalId') },
    { key: { orgId: 1, 'search.idReversed': 1 } },
    { key: { orgId: 1, 'search.primaryEmail': 1, _id: 1 } },
    // The one index over all organizations: somebody who signs in need not know theirs.
    { key: { 'search.loginNames': 1 } },
    ...requiredKeys
      .filter((key) => key !== 'userName')
      .flatMap(both)
      .map((field) => ({ key: indexKey(field) })),
    ...optionalKeys
      .flatMap(both)
      .map((field) => ({ key: { orgId: 1, [field]: 1 }, partialFilterExpression: present(field) })),
  ],
};
