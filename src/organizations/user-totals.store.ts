import type { Collection } from 'mongodb';
import type { FactorChange, FactorClass } from '#src/directory/index.js';
import { newId } from '#src/platform/ids.js';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { batchReads } from '#src/platform/work/batcher.js';

/** Tells how many users have each class of factors. */
interface FactorTotals {
  /**
   * Returns how many users have each class of factors. Undefined if this has not begun, or a process of an earlier version changed users without
   * telling their classes.
   */
  readFactors(orgId: string): Promise<ReadonlyMap<FactorClass, number> | undefined>;
  /**
   * Counts the users of each class of factors, and corrects the numbers. An organization without these numbers gets them only if `begins` is set. An
   * organization without a total gets none.
   * @param options `count`: counts the users in the transaction
   * @returns whether numbers that had begun were wrong
   */
  correctFactors(orgId: string, options: { begins?: boolean; count: CountFactors }): Promise<boolean>;
}

/**
 * Stores how many users organizations have, and how many of each class of factors, as sums of changes. A transaction that adds or removes users,
 * or gives one of them another class, inserts its change. So the sums are exact at every moment, and no two of these transactions write the same
 * document. Changes are joined later.
 */
export interface UserTotalsStore extends FactorTotals {
  /** Begins the total of a new organization. */
  begin(orgId: string, transaction: Transaction): Promise<void>;
  /** Adds to the total, and to the classes of factors. Without any change it writes nothing. */
  add(orgId: string, change: UserTotalsChange, transaction: Transaction): Promise<void>;
  /** Returns the total. Undefined if it has not begun, because an earlier version of Muster added the organization. */
  read(orgId: string): Promise<number | undefined>;
  /** Joins up to 1,000 changes of an organization, if there are many. The total stays the same. */
  fold(orgId: string): Promise<void>;
  /**
   * Counts the users of an organization, and corrects its total. An organization without a total gets one only if `begins` is set.
   * @returns the total before, and the count
   */
  correct(
    orgId: string,
    options?: { begins?: boolean },
  ): Promise<{ readonly stored: number | undefined; readonly counted: number }>;
}

/** Counts the users of an organization by their classes of factors. It reads every user. */
export type CountFactors = (
  orgId: string,
  transaction?: Transaction,
) => Promise<ReadonlyMap<FactorClass, number>>;

/** What a transaction changes. */
interface UserTotalsChange {
  /** By how many the number of users grows. */
  readonly by: number;
  /** By how many each class of factors grows. */
  readonly factors: FactorChange;
}

/** A part of the total of an organization. */
interface TotalDocument {
  /** The identifier of the organization: its total has begun. A random one: a change. */
  _id: string;
  orgId: string;
  by: number;
  /** The part of each class of factors. Absent in documents of earlier versions. */
  factors?: FactorChange;
}

/** Fewer changes cost a read nothing. */
const manyChanges = 32;
const mostFolded = 1_000;

export const userTotalIndexes: CollectionIndexes = {
  collection: 'userTotals',
  indexes: [{ key: { orgId: 1 } }],
};

export function createUserTotalsStore(mongo: Mongo): UserTotalsStore {
  const totals = mongo.collection<TotalDocument>('userTotals');
  const users = mongo.collection<{ _id: string; orgId: string }>('users');

  /** Puts one document in the place of others. Of two that replace the same documents, MongoDB repeats one. */
  async function join(replaced: readonly TotalDocument[], one: TotalDocument, session: Transaction) {
    const filter = { orgId: one.orgId, _id: { $in: replaced.map(({ _id }) => _id) } };
    await totals.deleteMany(filter, { session });
    await totals.insertOne(one, { session });
  }

  /** Every list of users needs a total, so those of simultaneous requests are read together. None is older than its request. */
  const read = batchReads<string, number>(async (orgIds) => {
    // Without a snapshot, the read could miss what is joined meanwhile, or find it twice.
    const found = await totals
      .aggregate<{ _id: string; total: number; hasBegun: boolean }>(
        [
          { $match: { orgId: { $in: [...new Set(orgIds)] } } },
          {
            $group: {
              _id: '$orgId',
              total: { $sum: '$by' },
              hasBegun: { $max: { $eq: ['$_id', '$orgId'] } },
            },
          },
        ],
        { readConcern: { level: 'snapshot' } },
      )
      .toArray();
    const begun = new Map(found.filter(({ hasBegun }) => hasBegun).map(({ _id, total }) => [_id, total]));
    return (orgId) => begun.get(orgId);
  });

  return {
    async begin(orgId, transaction) {
      await totals.insertOne({ _id: orgId, orgId, by: 0, factors: {} }, { session: transaction });
    },
    async add(orgId, { by, factors }, transaction) {
      if (by === 0 && Object.keys(factors).length === 0) return;
      await totals.insertOne({ _id: newId(), orgId, by, factors }, { session: transaction });
    },
    read,
    async fold(orgId) {
      await mongo.transaction(async (session) => {
        const changes = await totals
          .find({ orgId, _id: { $ne: orgId } }, { session })
          .limit(mostFolded)
          .toArray();
        if (changes.length < manyChanges) return;
        await join(changes, { _id: newId(), ...joined(orgId, changes) }, session);
      });
    },
    // An error ends a transaction. So without the index, the whole of it runs again.
    correct: (orgId, { begins = false } = {}) =>
      hinted(byId, (options) =>
        // The transaction sees the users and the changes of the same moment.
        mongo.transaction(async (session) => {
          const found = await totals.find({ orgId }, { session }).toArray();
          const counted = await users.countDocuments({ orgId }, { session, ...options, maxTimeMS: 0 });
          const hasBegun = found.some(({ _id }) => _id === orgId);
          const stored = hasBegun ? sumOf(found) : undefined;
          if (stored !== counted && (hasBegun || begins)) {
            const factors = haveFactorsBegun(found, orgId) && { factors: joined(orgId, found).factors };
            await join(found, { _id: orgId, orgId, by: counted, ...factors }, session);
          }
          return { stored, counted };
        }),
      ),
    ...createFactorTotals(mongo, totals),
  };
}

function createFactorTotals(mongo: Mongo, totals: Collection<TotalDocument>): FactorTotals {
  return {
    async readFactors(orgId) {
      const found = await totals
        .aggregate<TotalDocument>([{ $match: { orgId } }], { readConcern: { level: 'snapshot' } })
        .toArray();
      if (!haveFactorsBegun(found, orgId)) return undefined;
      const sums = factorsOf(found);
      const told = [...sums.values()].reduce((sum, count) => sum + count, 0);
      return told === sumOf(found) ? sums : undefined;
    },
    correctFactors: (orgId, { begins = false, count }) =>
      mongo.transaction(async (session) => {
        const found = await totals.find({ orgId }, { session }).toArray();
        const hadBegun = haveFactorsBegun(found, orgId);
        if (!found.some(({ _id }) => _id === orgId) || (!hadBegun && !begins)) return false;
        const counted = await count(orgId, session);
        const factors = difference(factorsOf(found), counted);
        if (!hadBegun) await totals.updateOne({ _id: orgId }, { $set: { factors: {} } }, { session });
        if (Object.keys(factors).length === 0) return false;
        // A change of its own, so that no change that another transaction makes meanwhile is lost.
        await totals.insertOne({ _id: newId(), orgId, by: 0, factors }, { session });
        return hadBegun;
      }),
  };
}

function sumOf(changes: readonly TotalDocument[]): number {
  return changes.reduce((sum, { by }) => sum + by, 0);
}

function haveFactorsBegun(found: readonly TotalDocument[], orgId: string): boolean {
  return found.some(({ _id, factors }) => _id === orgId && factors !== undefined);
}

/** The sums of the classes that are not 0. */
function factorsOf(changes: readonly TotalDocument[]): Map<FactorClass, number> {
  const sums = new Map<FactorClass, number>();
  for (const { factors = {} } of changes) {
    for (const [name, by] of Object.entries(factors)) sums.set(name, (sums.get(name) ?? 0) + by);
  }
  return new Map([...sums].filter(([, count]) => count !== 0));
}

function joined(orgId: string, changes: readonly TotalDocument[]): Omit<TotalDocument, '_id'> {
  return { orgId, by: sumOf(changes), factors: Object.fromEntries(factorsOf(changes)) };
}

/** What must be added to the stored numbers. */
function difference(
  stored: ReadonlyMap<FactorClass, number>,
  counted: ReadonlyMap<FactorClass, number>,
): FactorChange {
  const names = [...new Set([...stored.keys(), ...counted.keys()])];
  const by = names.map((name) => [name, (counted.get(name) ?? 0) - (stored.get(name) ?? 0)] as const);
  return Object.fromEntries(by.filter(([, count]) => count !== 0));
}
