import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import { searchKeys } from './search-keys.js';
import { toUser, type UserDocument } from './user-document.js';

const batch = 500;

/**
 * Gives users the search keys of their employment again. A process of the earlier version removes these keys when it changes a
 * user, because it does not know them.
 */
export function employmentKeysUpgrade(mongo: Mongo): Upgrade {
  const users = mongo.collection<UserDocument>('users');
  return {
    name: 'users-employment-keys',
    async next(position) {
      const left = {
        $or: [{ employeeNumber: { $exists: true } }, { manager: { $exists: true } }],
        'search.attributes': { $exists: false },
        ...(position !== undefined && { _id: { $gt: position } }),
      };
      // No index finds the remaining users, and no client waits for them.
      const found = await users.find(left, { maxTimeMS: 0 }).sort({ _id: 1 }).limit(batch).toArray();
      const last = found.at(-1);
      if (last === undefined) return undefined;
      await users.bulkWrite(
        found.flatMap((document) => {
          const { attributes } = searchKeys(toUser(document), document._id);
          if (attributes === undefined) return [];
          const filter = { _id: document._id, version: document.version };
          return [{ updateOne: { filter, update: { $set: { 'search.attributes': attributes } } } }];
        }),
        { ordered: false },
      );
      return last._id;
    },
  };
}
