import type { Collection, UpdateFilter } from 'mongodb';
import { foldCase, type Role } from '#src/directory/index.js';
import { insertAll, lockDocument } from '#src/platform/mongo/documents.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { pacedBy, quickNames, readPaced } from '#src/platform/mongo/paced-reads.js';
import { prefixRange } from '#src/platform/mongo/prefix-range.js';
import { batchReads, usualBatches } from '#src/platform/work/batcher.js';
import type { Group } from './group.js';
import { type GroupDocument, toGroup, toGroupDocument } from './group-document.js';
import { createGroupList, type GroupList } from './group-list.store.js';
import { createGroupPages, type GroupPages } from './group-pages.store.js';

/** Finds groups, and what they hold. */
interface GroupFinds {
  find(orgId: string, id: string): Promise<Group | undefined>;
  /** Returns those of these groups that exist. */
  findMany(orgId: string, ids: readonly string[]): Promise<Group[]>;
  /** Returns the folded forms of those of these displayNames that a group has. */
  takenNames(orgId: string, displayNames: readonly string[]): Promise<Set<string>>;
  /** Returns the groups of the organization with one of these displayNames, whatever their letter case. */
  findNamed(orgId: string, displayNames: readonly string[]): Promise<Group[]>;
  /** Returns the roles that the group holds; undefined if there is no such group. */
  held(orgId: string, id: string): Promise<readonly Role[] | undefined>;
  /** Returns the versions and the roles of these groups, by group. Unknown ones are left out. */
  heldByMany(
    orgId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<Map<string, { readonly version: number; readonly roles: readonly Role[] }>>;
  /** Returns the roles of those of these groups that hold any, by group. */
  rolesOf(
    orgId: string,
    ids: readonly string[],
  ): Promise<Map<string, { readonly roles: readonly Role[]; readonly created: Date }>>;
  /** Returns the groups that hold the role. It reads every group of the organization. */
  holding(orgId: string, role: Role, transaction?: Transaction): Promise<string[]>;
  /** Returns whether the organization has a group. */
  any(orgId: string): Promise<boolean>;
  /**
   * Returns the displayNames of these groups, by identifier. Unknown ones are left out. Simultaneous calls for few groups share one query.
   * @param prefix only groups whose displayName begins with it, in any letter case
   */
  namesOf(orgId: string, ids: readonly string[], prefix?: string): Promise<Map<string, string>>;
}

/** Adds, changes and removes groups. */
interface GroupWrites {
  /** @throws the duplicate-key error of MongoDB if the identifier or the displayName is taken */
  insert(orgId: string, group: Group, transaction: Transaction): Promise<void>;
  /** {@link insert} for many groups. `isDated`: an import gave the group its dates. */
  insertMany(
    orgId: string,
    groups: readonly (Group & { readonly isDated?: boolean })[],
    transaction: Transaction,
  ): Promise<void>;
  /**
   * Writes the group if its version is `expectedVersion`. Returns whether it wrote the group. `isDated`: an import gave the group the date of
   * its last change.
   * @throws the duplicate-key error of MongoDB if the displayName is taken
   */
  replace(
    orgId: string,
    change: { group: Group & { readonly isDated?: boolean }; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /**
   * Adds `by` to the version, for changes of members. MongoDB repeats one of two transactions that do so at once.
   * @param change `expectedVersion`: only if the group has this version. `keepsDate`: `lastModified` stays, if it came from an import
   * and only imports have changed the group since
   * @returns the version before and the roles, or undefined if there is no such group
   */
  advance(
    orgId: string,
    change: { id: string; by: number; date: Date; expectedVersion?: number | undefined; keepsDate?: boolean },
    transaction: Transaction,
  ): Promise<{ version: number; roles: readonly Role[] } | undefined>;
  /**
   * {@link GroupWrites.advance} for several groups, which the transaction has read with {@link GroupFinds.heldByMany}.
   * @param changes `version`: the version that was read
   * @returns false if one of the groups has another version, or is gone. The caller then aborts the transaction
   */
  advanceMany(
    orgId: string,
    changes: readonly { readonly id: string; readonly version: number; readonly by: number }[],
    date: Date,
    transaction: Transaction,
  ): Promise<boolean>;
  /**
   * Returns whether the group exists. The call writes to the document. If another transaction removes the group at the same time,
   * MongoDB aborts one of the two, and that one runs again.
   */
  lock(orgId: string, id: string, transaction: Transaction): Promise<boolean>;
  /** Writes to every group that holds the role. MongoDB aborts one of two transactions that do so at once, and that one runs again. */
  lockHolding(orgId: string, role: Role, transaction: Transaction): Promise<void>;
  /** Adds one to the versions of these groups, because members are gone. */
  touch(orgId: string, ids: readonly string[], date: Date): Promise<void>;
  /** Removes the group if its version is `expectedVersion`. Returns whether it removed the group. */
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
}

/** Stores the groups of one organization, without their members. */
export interface GroupsStore extends GroupFinds, GroupList, GroupPages, GroupWrites {}

export function createGroupsStore(mongo: Mongo): GroupsStore {
  const groups = mongo.collection<GroupDocument>('groups');
  return {
    ...groupFinds(groups),
    ...createGroupList(groups),
    ...createGroupPages(groups),
    ...groupWrites(groups),
  };
}

function groupFinds(groups: Collection<GroupDocument>): GroupFinds {
  const nameOf = createNameLookUp(groups);
  return {
    async find(orgId, id) {
      const document = await groups.findOne({ _id: id, orgId });
      return document === null ? undefined : toGroup(document);
    },
    async findMany(orgId, ids) {
      if (ids.length === 0) return [];
      const found = await groups
        .find({ _id: { $in: [...ids] }, orgId })
        .batchSize(ids.length + 1)
        .toArray();
      return found.map(toGroup);
    },
    async takenNames(orgId, displayNames) {
      if (displayNames.length === 0) return new Set();
      const names = [...new Set(displayNames.map(foldCase))];
      const found = await groups
        .find({ orgId, 'search.displayName': { $in: names } }, { projection: { 'search.displayName': 1 } })
        .batchSize(names.length + 1)
        .toArray();
      return new Set(found.map(({ search }) => search.displayName));
    },
    async findNamed(orgId, displayNames) {
      if (displayNames.length === 0) return [];
      const names = [...new Set(displayNames.map(foldCase))];
      const found = await groups.find({ orgId, 'search.displayName': { $in: names } }).toArray();
      return found.map(toGroup);
    },
    async held(orgId, id) {
      const document = await groups.findOne({ _id: id, orgId }, { projection: { roles: 1 } });
      return document === null ? undefined : (document.roles ?? []);
    },
    async heldByMany(orgId, ids, session) {
      const found = await groups
        .find({ _id: { $in: [...ids] }, orgId }, { projection: { version: 1, roles: 1 }, session })
        .batchSize(ids.length + 1)
        .toArray();
      return new Map(found.map(({ _id, version, roles = [] }) => [_id, { version, roles }]));
    },
    async rolesOf(orgId, ids) {
      if (ids.length === 0) return new Map();
      const found = await groups
        .find(
          { _id: { $in: [...ids] }, orgId, roles: { $exists: true } },
          { projection: { roles: 1, created: 1 } },
        )
        .toArray();
      return new Map(found.map(({ _id, roles = [], created }) => [_id, { roles, created }]));
    },
    async holding(orgId, role, session) {
      const options = { projection: { _id: 1 }, ...(session && { session }) };
      return (await groups.find({ orgId, roles: role }, options).toArray()).map(({ _id }) => _id);
    },
    async any(orgId) {
      return (await groups.findOne({ orgId }, { projection: { _id: 1 } })) !== null;
    },
    async namesOf(orgId, ids, prefix = '') {
      if (ids.length === 0) return new Map();
      if (prefix !== '' || ids.length > fewNames) return readNames(groups, orgId, { ids, prefix });
      const names = new Map<string, string>();
      const add = async (id: string) => {
        const name = await nameOf({ orgId, id });
        if (name !== undefined) names.set(id, name);
      };
      await Promise.all(ids.map(add));
      return names;
    },
  };
}

/** The names of more groups than these are read by a query of their own. */
const fewNames = 20;

/** Returns a function that finds the displayName of a group. It combines simultaneous calls of an organization into one query. */
function createNameLookUp(
  groups: Collection<GroupDocument>,
): (group: { readonly orgId: string; readonly id: string }) => Promise<string | undefined> {
  return batchReads(
    async (asked: readonly { readonly orgId: string; readonly id: string }[]) => {
      const ids = [...new Set(asked.map(({ id }) => id))];
      const names = await readNames(groups, asked[0]?.orgId ?? '', { ids });
      return ({ id }) => names.get(id);
    },
    usualBatches,
    ({ orgId }) => orgId,
  );
}

async function readNames(
  groups: Collection<GroupDocument>,
  orgId: string,
  { ids, prefix = '' }: { ids: readonly string[]; prefix?: string },
): Promise<Map<string, string>> {
  const where = {
    _id: { $in: [...ids] },
    orgId,
    ...(prefix !== '' && { 'search.displayName': prefixRange(foldCase(prefix)) }),
  };
  const found = await readPaced(
    (raw) => groups.find(where, { projection: { displayName: 1 }, ...raw }).batchSize(ids.length + 1),
    pacedBy(orgId, quickNames),
  );
  return new Map(found.map(({ _id, displayName }) => [_id, displayName]));
}

function groupWrites(groups: Collection<GroupDocument>): GroupWrites {
  return {
    async insert(orgId, group, transaction) {
      await groups.insertOne(toGroupDocument(orgId, group), { session: transaction });
    },
    async insertMany(orgId, added, transaction) {
      const documents = added.map((group) => toGroupDocument(orgId, group));
      await insertAll(groups, documents, transaction);
    },
    async replace(orgId, { group, expectedVersion }, transaction) {
      const { _id, ...document } = toGroupDocument(orgId, group);
      const filter = { _id, orgId, version: expectedVersion };
      return (await groups.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
    async advance(orgId, { id, by, date, expectedVersion, keepsDate = false }, transaction) {
      const filter = { _id: id, orgId, ...(expectedVersion !== undefined && { version: expectedVersion }) };
      const options = {
        projection: { version: 1, roles: 1 },
        returnDocument: 'before',
        session: transaction,
      } as const;
      const dated = keepsDate
        ? await groups.findOneAndUpdate({ ...filter, isDated: true }, { $inc: { version: by } }, options)
        : null;
      const before = dated ?? (await groups.findOneAndUpdate(filter, advancedBy(by, date), options));
      return before === null ? undefined : { version: before.version, roles: before.roles ?? [] };
    },
    async advanceMany(orgId, changes, date, session) {
      const updates = changes.map(({ id, version, by }) => ({
        updateOne: { filter: { _id: id, orgId, version }, update: advancedBy(by, date) },
      }));
      return (await groups.bulkWrite(updates, { session })).matchedCount === changes.length;
    },
    async lockHolding(orgId, role, session) {
      await groups.updateMany({ orgId, roles: role }, { $inc: { locked: 1 } }, { session });
    },
    lock: (orgId, id, transaction) => lockDocument(groups, { _id: id, orgId }, transaction),
    async touch(orgId, ids, date) {
      const filter = { _id: { $in: [...ids] }, orgId };
      await groups.updateMany(filter, advancedBy(1, date));
    },
    async remove(orgId, { id, expectedVersion }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion };
      return (await groups.deleteOne(filter, { session: transaction })).deletedCount === 1;
    },
  };
}

/** The change of a group by a change of its members that has so many events. */
function advancedBy(by: number, date: Date): UpdateFilter<GroupDocument> {
  return { $inc: { version: by }, $set: { lastModified: date }, $unset: { isDated: '' } };
}
