import { searchKeys, searchKeysVersion } from '#src/directory/index.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import { toUser, type UserDocument } from './user-document.js';

const batch = 500;

/**
 * Gives users the keys of this version: those of one shared index, of the unique index, and of names that can be written in several ways. Processes of earlier versions do not write all of them, and remove
 * them when they change a user. If they let two users have a value that only one may have, only one of them gets its key. The other
 * gets it when its value changes.
 *
 * The reversed copies of texts, which earlier versions search, stay until the user is changed.
 */
export function searchKeysUpgrade(mongo: Mongo): Upgrade {
  const users = mongo.collection<UserDocument>('users');
  const lacks = { 'search.version': { $ne: searchKeysVersion } };
  return {
    // Another name for each version of the keys: an instance that ended the upgrade to the one before runs this one too.
    name: `users-search-keys-${searchKeysVersion}`,
    async next(position) {
      const left = { ...lacks, ...(position !== undefined && { _id: { $gt: position } }) };
      // No index finds the remaining users, and no client waits for them.
      const found = await users.find(left, { maxTimeMS: 0 }).sort({ _id: 1 }).limit(batch).toArray();
      const last = found.at(-1);
      if (last === undefined) return undefined;
      const renewed = found.map((document) => ({ document, keys: searchKeys(toUser(document)) }));
      const set = ({ _id, version }: UserDocument, keys: Record<string, unknown>) => ({
        updateOne: { filter: { _id, version }, update: { $set: keys } },
      });
      const unique = renewed.flatMap(({ document, keys }) =>
        keys.unique === undefined || document.search.unique !== undefined
          ? []
          : [set(document, { 'search.unique': keys.unique })],
      );
      if (unique.length > 0) {
        await users.bulkWrite(unique, { ordered: false }).catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
      }
      await users.bulkWrite(
        renewed.map(({ document, keys: { attributes, loose, version } }) =>
          set(document, {
            'search.attributes': attributes,
            'search.version': version,
            ...(loose !== undefined && { 'search.loose': loose }),
          }),
        ),
        { ordered: false },
      );
      return { position: last._id, changed: true };
    },
  };
}
