import { isDuplicateKey, type Mongo } from '#src/platform/mongo/mongo.js';
import type { Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import { searchKeys } from './search-keys.js';
import { toUser, type UserDocument } from './user-document.js';

const batch = 500;

/**
 * Gives users the keys again of their employment, of the attributes that their organization has registered, and of values that only one
 * user may have. A process of the earlier version removes these keys when it changes a user, because it does not know them. If it let two
 * users have such a value meanwhile, only one of them gets the key. The other gets it when its value changes.
 */
export function attributeKeysUpgrade(mongo: Mongo): Upgrade {
  const users = mongo.collection<UserDocument>('users');
  const lacks = { 'search.attributes': { $exists: false }, 'search.unique': { $exists: false } };
  return {
    name: 'users-attribute-keys',
    async next(position) {
      const left = {
        $or: ['employeeNumber', 'manager', 'extensions', 'externalIdUnique'].map((field) => ({
          [field]: { $exists: true },
          ...lacks,
        })),
        ...(position !== undefined && { _id: { $gt: position } }),
      };
      // No index finds the remaining users, and no client waits for them.
      const found = await users.find(left, { maxTimeMS: 0 }).sort({ _id: 1 }).limit(batch).toArray();
      const last = found.at(-1);
      if (last === undefined) return undefined;
      const writes = found.flatMap((document) => {
        const { attributes, unique } = searchKeys(toUser(document), document._id);
        const keys = {
          ...(attributes && { 'search.attributes': attributes }),
          ...(unique && { 'search.unique': unique }),
        };
        if (Object.keys(keys).length === 0) return [];
        return [
          { updateOne: { filter: { _id: document._id, version: document.version }, update: { $set: keys } } },
        ];
      });
      if (writes.length > 0) {
        await users.bulkWrite(writes, { ordered: false }).catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
      }
      return last._id;
    },
  };
}
