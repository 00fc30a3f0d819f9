import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';

/** Organizations have few groups beside their users. Other filters and sorts read all groups of the organization. */
export const groupIndexes: CollectionIndexes = {
  collection: 'groups',
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { orgId: 1, 'search.displayName': 1 }, unique: true },
    { key: { orgId: 1, 'search.loose': 1, _id: 1 } },
    { key: { orgId: 1, externalId: 1 }, partialFilterExpression: { externalId: { $exists: true } } },
    { key: { orgId: 1, created: 1, _id: 1 } },
    { key: { orgId: 1, lastModified: 1, _id: 1 } },
  ],
};
