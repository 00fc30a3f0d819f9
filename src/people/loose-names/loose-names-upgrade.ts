import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import {
  type LooseNameDocument,
  looseNameIds,
  looseNamesOf,
  type UserWithNames,
} from './loose-names.store.js';

const batch = 500;

/** What the names of a stored user depend on, and the names that processes of earlier versions wrote. */
type NamedDocument = Omit<UserWithNames, 'id'> & {
  readonly _id: string;
  readonly orgId: string;
  readonly search: { readonly loose?: unknown };
};

const withId = <T extends { readonly _id: string }>({ _id, ...fields }: T) => ({ id: _id, ...fields });

/**
 * Makes the loose names as they are in the users. Processes of earlier versions do not write them. A name that another process changes
 * meanwhile is looked at once more in the next pass.
 */
export function looseNamesUpgrade(mongo: Mongo): Upgrade {
  const users = mongo.collection<NamedDocument>('users');
  const names = mongo.collection<LooseNameDocument>('looseNames');
  return {
    name: 'loose-names',
    async next(position) {
      const rest = position === undefined ? {} : { _id: { $gt: position } };
      // Every user is read, and no client waits for them.
      const projection = { orgId: 1, userName: 1, name: 1, created: 1, 'search.loose': 1 } as const;
      const read = await users
        .find(rest, { maxTimeMS: 0, projection })
        .sort({ _id: 1 })
        .limit(batch)
        .toArray();
      const last = read.at(-1);
      if (last === undefined) return undefined;
      const wanted = read.flatMap((document) => looseNamesOf(document.orgId, withId(document)));
      const ids = read.flatMap((document) => looseNameIds(withId(document)));
      const stored = new Map(
        (await names.find({ _id: { $in: ids } }).toArray()).map((name) => [name._id, name]),
      );
      const written = wanted
        .filter(({ _id, key }) => stored.get(_id)?.key !== key)
        .map((name) => ({ replaceOne: { filter: { _id: name._id }, replacement: name, upsert: true } }));
      for (const { _id } of wanted) stored.delete(_id);
      // A key that another process wrote meanwhile stays.
      const removed = [...stored.values()].map(({ _id, key }) => ({ deleteOne: { filter: { _id, key } } }));
      if (written.length + removed.length > 0) await names.bulkWrite([...written, ...removed]);
      const former = read.filter(({ search }) => search.loose !== undefined).map(({ _id }) => _id);
      if (former.length > 0)
        await users.updateMany({ _id: { $in: former } }, { $unset: { 'search.loose': '' } });
      return { position: last._id, changed: written.length + removed.length > 0 };
    },
  };
}

/** Removes the loose names of users whom a process of an earlier version removed. */
export function removedLooseNamesUpgrade(mongo: Mongo): Upgrade {
  const users = mongo.collection<NamedDocument>('users');
  const names = mongo.collection<LooseNameDocument>('looseNames');
  return {
    name: 'loose-names-of-removed-users',
    async next(position) {
      const rest = position === undefined ? {} : { _id: { $gt: position } };
      const read = await names.find(rest, { maxTimeMS: 0 }).sort({ _id: 1 }).limit(batch).toArray();
      const last = read.at(-1);
      if (last === undefined) return undefined;
      const ids = [...new Set(read.map(({ userId }) => userId))];
      const existing = await users.find({ _id: { $in: ids } }, { projection: { created: 1 } }).toArray();
      const kept = new Set(existing.flatMap((document) => looseNameIds(withId(document))));
      const gone = read.map(({ _id }) => _id).filter((_id) => !kept.has(_id));
      if (gone.length > 0) await names.deleteMany({ _id: { $in: gone } });
      return { position: last._id, changed: false };
    },
  };
}
