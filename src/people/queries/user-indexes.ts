import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';

const exists = (field: string) => ({ [field]: { $exists: true } });

/** Fields of a sort. Their indexes have every user, and the identifier, which breaks ties. A userName has no ties. */
const sortedFields = new Set([
  'created',
  'lastModified',
  'search.primaryEmail',
  'search.familyName',
  'search.givenName',
]);

/** The fields of the index that serves a condition on the field and a sort by the field. */
function indexKey(field: string): Record<string, 1> {
  return { orgId: 1, [field]: 1, ...(sortedFields.has(field) && { _id: 1 as const }) };
}

/** The index of the users who are not active, in the order of userNames. Writes of active users do not touch it. */
export const inactiveIndex = 'inactive';

/**
 * At most twelve for a user, because each makes every write slower. One more has the inactive users alone, and three have the users whose
 * names can be written in several ways. They serve equality, prefixes and sorts of what clients search for, and the
 * ends of userNames and addresses. Every other filter reads users in the order of the list and tests each (decision 0030).
 */
export const userIndexes: CollectionIndexes = {
  collection: 'users',
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { orgId: 1, 'search.userName': 1 }, unique: true, name: 'userName' },
    {
      key: { orgId: 1, active: 1, 'search.userName': 1 },
      name: inactiveIndex,
      partialFilterExpression: { active: false },
    },
    { key: indexKey('created') },
    { key: indexKey('lastModified') },
    { key: { orgId: 1, externalId: 1 }, partialFilterExpression: exists('externalId') },
    {
      key: { orgId: 1, 'search.unique': 1 },
      unique: true,
      name: 'uniqueValues',
      partialFilterExpression: exists('search.unique'),
    },
    { key: indexKey('search.primaryEmail') },
    { key: indexKey('search.familyName') },
    { key: indexKey('search.givenName') },
    { key: indexKey('search.emails') },
    { key: indexKey('search.attributes'), partialFilterExpression: exists('search.attributes') },
    // Few users have a name that can be written in several ways. Writes of all others do not touch these.
    ...(['userName', 'familyName', 'givenName'] as const).map((name) => ({
      key: { orgId: 1, [`search.loose.${name}`]: 1, _id: 1 } as const,
      partialFilterExpression: exists(`search.loose.${name}`),
    })),
    // The only index across all organizations. A user who signs in need not know the organization. Of the users with a
    // name, it finds those first who have it for the longest time.
    { key: { 'search.loginNames': 1, 'search.loginNamesChanged': 1, created: 1 } },
  ],
};
