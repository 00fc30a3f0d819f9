import { insertAll } from '#src/platform/mongo/documents.js';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { type IdentityLink, identityLinks } from './identity-link.js';
import type { PersonList, PersonListKind } from './person-list.js';
import { type WebauthnCredential, webauthnCredentials } from './webauthn-credential.js';

/** Stores one list for each person of an organization who has items of its kind. */
export interface PersonListsStore<Item> {
  /** Returns the lists of these people that exist, in no order. */
  findMany(orgId: string, userIds: readonly string[], transaction?: Transaction): Promise<PersonList<Item>[]>;
  /** Returns the holders in the organization of these unique keys. */
  holders(orgId: string, keys: readonly string[]): Promise<Map<string, string>>;
  /** Returns lists in the order of their users, after the given one. */
  pageOfAll(orgId: string, query: { after?: string; limit: number }): Promise<PersonList<Item>[]>;
  /** Returns the number of items of all people of the organization. */
  countItems(orgId: string): Promise<number>;
  /** @throws the duplicate-key error of MongoDB if the person has a list, or another one has a unique key */
  insert(orgId: string, added: readonly PersonList<Item>[], transaction: Transaction): Promise<void>;
  /**
   * Writes the list if its version is `expectedVersion`, and nobody used an item since it was read. Returns whether it did.
   * @throws the duplicate-key error of MongoDB
   */
  replace(
    orgId: string,
    change: { list: PersonList<Item>; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /**
   * Writes an item as it is after a use, if nobody wrote the list since it was read. The version of the list stays, because a use is no
   * change. Returns whether it did.
   */
  replaceUsed(orgId: string, used: { list: PersonList<Item>; key: string; item: Item }): Promise<boolean>;
  /** Removes the lists of these users. */
  remove(orgId: string, userIds: readonly string[], transaction: Transaction): Promise<void>;
}

export type IdentityLinksStore = PersonListsStore<IdentityLink>;
export type WebauthnCredentialsStore = PersonListsStore<WebauthnCredential>;

/** A list as it is stored. */
export interface ListDocument<Item> extends Omit<PersonList<Item>, 'items' | 'userId'> {
  /** The identifier of the user. */
  readonly _id: string;
  readonly items: readonly (readonly [key: string, item: Item])[];
  /** Absent if there are none, so that the index has no entry. */
  readonly keys?: readonly string[];
  /** Absent if there are none. */
  readonly instanceKeys?: readonly string[];
  readonly schemaVersion: 1;
}

const indexesOf = (collection: string): CollectionIndexes => ({
  collection,
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { orgId: 1, keys: 1 }, unique: true, partialFilterExpression: { keys: { $exists: true } } },
  ],
});

const has = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

/** A sign-in with a passkey knows the credential before it knows the organization. */
const passkeyIndexes: CollectionIndexes = {
  collection: 'webauthnCredentials',
  indexes: [
    ...indexesOf('webauthnCredentials').indexes,
    { key: { instanceKeys: 1 }, unique: true, ...has('instanceKeys') },
    { key: { keys: 1 }, ...has('keys') },
  ],
};

/** The collections, with their indexes. */
export const personListCollections = [indexesOf('identityLinks'), passkeyIndexes];

export const createIdentityLinksStore = (mongo: Mongo): IdentityLinksStore =>
  createStore(mongo, 'identityLinks', identityLinks);

export const createWebauthnCredentialsStore = (mongo: Mongo): WebauthnCredentialsStore =>
  createStore(mongo, 'webauthnCredentials', webauthnCredentials);

function createStore<Item>(
  mongo: Mongo,
  collection: string,
  { uniqueKey, instanceKey }: PersonListKind<Item>,
): PersonListsStore<Item> {
  const lists = mongo.collection<ListDocument<Item>>(collection);

  function toDocument(orgId: string, { userId: _id, items, ...one }: PersonList<Item>): ListDocument<Item> {
    const keys = Object.values(items).flatMap((item) => uniqueKey(item) ?? []);
    const instanceKeys = Object.values(items).flatMap((item) => instanceKey?.(item) ?? []);
    // Keys of members would be read as paths.
    const entries = Object.entries(items);
    return {
      ...{ ...one, _id, orgId, items: entries, schemaVersion: 1 },
      ...(keys.length > 0 && { keys }),
      ...(instanceKeys.length > 0 && { instanceKeys }),
    };
  }

  return {
    async findMany(orgId, userIds, session) {
      const filter = { _id: { $in: [...userIds] }, orgId } as object;
      const found = await lists.find(filter, session && { session }).toArray();
      return (found as ListDocument<Item>[]).map(toList);
    },
    async holders(orgId, keys) {
      if (keys.length === 0) return new Map();
      const found = await lists
        .find({ orgId, keys: { $in: [...keys] } } as object, { projection: { keys: 1 } })
        .toArray();
      return new Map(
        found.flatMap(({ _id, keys: listed = [] }) => listed.map((key) => [key, String(_id)] as const)),
      );
    },
    async replaceUsed(orgId, { list: { userId: _id, version, uses, items }, key, item }) {
      const update = { $set: { items: Object.entries({ ...items, [key]: item }), uses: (uses ?? 0) + 1 } };
      const written = await lists.updateOne(asRead({ _id, orgId, version }, uses), update as object);
      return written.matchedCount === 1;
    },
    async pageOfAll(orgId, { after, limit }) {
      const filter = { orgId, ...(after !== undefined && { _id: { $gt: after } }) } as object;
      const found = await hinted(byId, (options) =>
        lists.find(filter, options).sort({ _id: 1 }).limit(limit).toArray(),
      );
      return (found as ListDocument<Item>[]).map(toList);
    },
    async countItems(orgId) {
      const stages = [{ $match: { orgId } }, { $group: { _id: null, count: { $sum: { $size: '$items' } } } }];
      const [sum] = await lists.aggregate<{ count: number }>(stages).toArray();
      return sum?.count ?? 0;
    },
    async insert(orgId, added, transaction) {
      await insertAll(
        lists,
        added.map((one) => toDocument(orgId, one)),
        transaction,
      );
    },
    async replace(orgId, { list, expectedVersion }, transaction) {
      const { _id, ...document } = toDocument(orgId, list);
      const filter = asRead({ _id, orgId, version: expectedVersion }, list.uses);
      const replaced = await lists.replaceOne(filter, document as never, { session: transaction });
      return replaced.matchedCount === 1;
    },
    async remove(orgId, userIds, transaction) {
      await lists.deleteMany({ _id: { $in: [...userIds] }, orgId } as object, { session: transaction });
    },
  };
}

/** The filter of a list that nobody changed or used since it was read. */
function asRead(list: { _id: string; orgId: string; version: number }, uses: number | undefined): object {
  return { ...list, uses: uses ?? { $exists: false } };
}

/** Returns the list of a document. It ignores the keys. */
export function toList<Item>({
  _id: userId,
  items,
  keys: _keys,
  instanceKeys: _instanceKeys,
  schemaVersion: _schemaVersion,
  ...one
}: ListDocument<Item>): PersonList<Item> {
  return { ...one, userId, items: Object.fromEntries(items) };
}
