import { newId } from '#src/platform/ids.js';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { batchReads } from '#src/platform/work/batcher.js';

/**
 * Stores how many users organizations have, as a sum of changes. A transaction that adds or removes users inserts its change. So the
 * sum is exact at every moment, and no two of these transactions write the same document. Changes are joined later.
 */
export interface UserTotalsStore {
  /** Begins the total of a new organization. */
  begin(orgId: string, transaction: Transaction): Promise<void>;
  /** Adds to the total. */
  add(orgId: string, by: number, transaction: Transaction): Promise<void>;
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

/** A part of the total of an organization. */
interface TotalDocument {
  /** The identifier of the organization: its total has begun. A random one: a change. */
  _id: string;
  orgId: string;
  by: number;
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
      await totals.insertOne({ _id: orgId, orgId, by: 0 }, { session: transaction });
    },
    async add(orgId, by, transaction) {
      await totals.insertOne({ _id: newId(), orgId, by }, { session: transaction });
    },
    read,
    async fold(orgId) {
      await mongo.transaction(async (session) => {
        const changes = await totals
          .find({ orgId, _id: { $ne: orgId } }, { session })
          .limit(mostFolded)
          .toArray();
        if (changes.length < manyChanges) return;
        await join(changes, { _id: newId(), orgId, by: sumOf(changes) }, session);
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
          if (stored !== counted && (hasBegun || begins))
            await join(found, { _id: orgId, orgId, by: counted }, session);
          return { stored, counted };
        }),
      ),
  };
}

function sumOf(changes: readonly TotalDocument[]): number {
  return changes.reduce((sum, { by }) => sum + by, 0);
}
