import type { Collection } from 'mongodb';
import { type LooseName, looseNames, type User } from '#src/directory/index.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** A name that can be written in several ways, as a search for people finds it. */
export interface LooseNameDocument {
  /** Of {@link looseNameIds}. */
  readonly _id: string;
  readonly orgId: string;
  readonly userId: string;
  /** Of `looseNames`. */
  readonly key: string;
}

/**
 * The names that can be written in several ways have a collection of their own. As fields of the users they would need three more indexes,
 * and each index slows every read and every write of all users (decision 0089).
 */
export const looseNameIndexes: CollectionIndexes = {
  collection: 'looseNames',
  indexes: [{ key: { orgId: 1, key: 1, _id: 1 } }],
};

/** What the names of a user depend on. */
export type UserWithNames = Pick<User, 'id' | 'userName' | 'name' | 'created'>;

/** Keeps the loose names of users as they are in the users, in the same transactions. */
export interface LooseNameWrites {
  add(orgId: string, users: readonly UserWithNames[], transaction: Transaction): Promise<void>;
  change(
    orgId: string,
    changes: readonly { readonly current: UserWithNames; readonly user: UserWithNames }[],
    transaction: Transaction,
  ): Promise<void>;
  remove(orgId: string, users: readonly UserWithNames[], transaction: Transaction): Promise<void>;
}

/** The identifier of a name. A user who was removed and added again with the same identifier has other names. */
function looseNameId({ id, created }: Pick<User, 'id' | 'created'>, name: LooseName): string {
  return `${id}.${created.getTime()}.${name}`;
}

/** The identifiers of all names that a user could have. */
export function looseNameIds(user: Pick<User, 'id' | 'created'>): string[] {
  return (['userName', 'familyName', 'givenName'] as const).map((name) => looseNameId(user, name));
}

/** The loose names of a user, as they are stored. Most users have none. */
export function looseNamesOf(orgId: string, user: UserWithNames): LooseNameDocument[] {
  return looseNames(user).map(({ name, key }) => ({
    _id: looseNameId(user, name),
    orgId,
    userId: user.id,
    key,
  }));
}

export function createLooseNameWrites(mongo: Mongo): LooseNameWrites {
  const names: Collection<LooseNameDocument> = mongo.collection('looseNames');
  return {
    async add(orgId, users, session) {
      const added = users.flatMap((user) => looseNamesOf(orgId, user));
      if (added.length > 0) await names.insertMany(added, { session });
    },

    async change(orgId, changes, session) {
      const each = changes.flatMap(({ current, user }) => difference(orgId, current, user));
      if (each.length > 0) await names.bulkWrite(each, { session });
    },

    async remove(orgId, users, session) {
      const ids = users.flatMap((user) => looseNamesOf(orgId, user)).map(({ _id }) => _id);
      if (ids.length > 0) await names.deleteMany({ _id: { $in: ids }, orgId }, { session });
    },
  };
}

/** What a change of a user changes in its loose names. */
function difference(orgId: string, current: UserWithNames, user: UserWithNames) {
  if (current.userName === user.userName && current.name === user.name) return [];
  const before = new Map(looseNamesOf(orgId, current).map((one) => [one._id, one]));
  const after = looseNamesOf(orgId, user);
  const written = after
    .filter(({ _id, key }) => before.get(_id)?.key !== key)
    .map((replacement) => ({
      replaceOne: { filter: { _id: replacement._id, orgId }, replacement, upsert: true },
    }));
  for (const { _id } of after) before.delete(_id);
  const removed = [...before.keys()].map((_id) => ({ deleteOne: { filter: { _id, orgId } } }));
  return [...written, ...removed];
}
