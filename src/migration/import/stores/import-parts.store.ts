import { Binary, type Collection } from 'mongodb';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** Bytes of a staged text, from `start` up to `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Where a record is in a staged text. */
export interface RecordPlace extends ByteRange {
  /** The line of its first byte, from 1. */
  readonly line?: number;
}

/** Consecutive records of one list. They are imported in one transaction. */
export interface ImportPart {
  /** `{stagingId}.{number}`. Identifiers sort in the order of the file. */
  readonly id: string;
  readonly stagingId: string;
  readonly jobId: string;
  /** Key of the section. */
  readonly section: string;
  readonly phase: number;
  /** Index of the organization in the file. In a part of organizations: of the first organization. */
  readonly org: number;
  /** Number of the first record in its list, from 1. */
  readonly first: number;
  /** Where the records are in the staged text. Empty in a part of organizations. */
  readonly ranges: readonly RecordPlace[];
  /** The number of organizations in a part of organizations; 0 in other parts. */
  readonly orgs: number;
  /** The number of records that count in the summary. */
  readonly count: number;
}

export interface PartCounts {
  readonly created: number;
  /** Always 0 unless the import updates. */
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

/** The end of a part. `quotaOf`: in a dry run, the organization and the quota that the created records would take from. */
interface PartEnd extends PartCounts {
  readonly quotaOf?: string;
}

/** The sums over all parts. */
export interface ImportCounts extends PartCounts {
  readonly total: number;
  /** The records of parts that were not imported, or not yet. */
  readonly remaining: number;
}

/**
 * The parts of imports. The state of a part is its fence: the transaction that imports a part also ends it, and a part
 * that has ended is never imported. src/jobs/README.md defines the words of the methods.
 */
export interface ImportPartsStore {
  insert(parts: readonly ImportPart[], expires: Date, transaction?: Transaction): Promise<void>;
  find(id: string): Promise<ImportPart | undefined>;
  /** The part, if it has not ended. */
  findWaiting(id: string): Promise<ImportPart | undefined>;
  /** Identifiers of the next parts of a phase that have not ended, after the given one. */
  waiting(
    stagingId: string,
    query: { phase: number; after?: string | undefined; limit: number },
  ): Promise<string[]>;
  /** The first phase from `from` on with a part that has not ended. Undefined if there is none. */
  nextPhase(stagingId: string, from: number): Promise<number | undefined>;
  /** Those of these parts that have not ended. */
  stillWaiting(ids: readonly string[]): Promise<Set<string>>;
  /** Ends a part in the transaction that imports it. False if it has ended: the caller then aborts the transaction. */
  end(part: ImportPart, ended: PartEnd, transaction: Transaction): Promise<boolean>;
  /** The number of records that earlier parts of a dry run would create and take from this quota. */
  countCreated(stagingId: string, taken: { phase: number; quotaOf: string }): Promise<number>;
  /** Puts smaller parts in the place of a part. False if the part has ended. */
  replace(part: ImportPart, parts: readonly ImportPart[], transaction: Transaction): Promise<boolean>;
  /** Ends all parts that are left, without importing them. */
  endAll(stagingId: string): Promise<void>;
  counts(stagingId: string): Promise<ImportCounts>;
  /** Removes the parts of a text that belongs to no import. */
  remove(stagingId: string): Promise<void>;
}

/** `done`: ended by its import. `closed`: ended without it. */
type PartState = 'waiting' | 'done' | 'closed';

interface PartDocument extends Omit<ImportPart, 'id' | 'ranges'>, Partial<PartEnd> {
  _id: string;
  state: PartState;
  /** `ranges`, as pairs of unsigned 64-bit numbers. */
  places: Binary;
  /** The line of each record, as 64-bit floating-point numbers. Absent in parts of the version before. */
  lines?: Binary;
  expires: Date;
}

export const importPartIndexes: CollectionIndexes = {
  collection: 'importParts',
  indexes: [
    { key: { stagingId: 1, phase: 1, state: 1, _id: 1 } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

export function createImportPartsStore(mongo: Mongo): ImportPartsStore {
  const parts = mongo.collection<PartDocument>('importParts');
  return { ...findingParts(parts), ...changingParts(parts), ...countingParts(parts) };
}

type Finding = 'find' | 'findWaiting' | 'waiting' | 'nextPhase' | 'stillWaiting';
type Counting = 'countCreated' | 'counts';

function findingParts(parts: Collection<PartDocument>): Pick<ImportPartsStore, Finding> {
  return {
    async find(id) {
      const found = await parts.findOne({ _id: id });
      return found === null ? undefined : toPart(found);
    },

    async findWaiting(id) {
      const found = await parts.findOne({ _id: id, state: 'waiting' });
      return found === null ? undefined : toPart(found);
    },

    async waiting(stagingId, { phase, after, limit }) {
      const found = await parts
        .find(
          {
            stagingId,
            phase,
            state: 'waiting',
            ...(after !== undefined && { _id: { $gt: after } }),
          },
          { projection: { _id: 1 } },
        )
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    async nextPhase(stagingId, from) {
      const found = await parts
        .find({ stagingId, phase: { $gte: from }, state: 'waiting' }, { projection: { phase: 1 } })
        .sort({ phase: 1 })
        .limit(1)
        .next();
      return found?.phase;
    },

    async stillWaiting(ids) {
      const found = await parts
        .find({ _id: { $in: [...ids] }, state: 'waiting' }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}

function changingParts(parts: Collection<PartDocument>): Omit<ImportPartsStore, Finding | Counting> {
  return {
    async insert(added, expires, transaction) {
      if (added.length === 0) return;
      const options = transaction === undefined ? {} : { session: transaction };
      await parts.insertMany(
        added.map((part) => toDocument(part, expires)),
        options,
      );
    },

    async end({ id }, ended, transaction) {
      const updated = await parts.updateOne(
        { _id: id, state: 'waiting' },
        { $set: { state: 'done', ...ended } },
        { session: transaction },
      );
      return updated.matchedCount === 1;
    },

    async replace({ id }, smaller, transaction) {
      const found = await parts.findOneAndDelete({ _id: id, state: 'waiting' }, { session: transaction });
      if (found === null) return false;
      await parts.insertMany(
        smaller.map((part) => toDocument(part, found.expires)),
        { session: transaction },
      );
      return true;
    },

    async endAll(stagingId) {
      await parts.updateMany({ stagingId, state: 'waiting' }, { $set: { state: 'closed' } });
    },

    async remove(stagingId) {
      await parts.deleteMany({ stagingId });
    },
  };
}

function countingParts(parts: Collection<PartDocument>): Pick<ImportPartsStore, Counting> {
  return {
    async countCreated(stagingId, { phase, quotaOf }) {
      const stages = [
        { $match: { stagingId, phase, state: 'done', quotaOf } },
        { $group: { _id: null, created: { $sum: '$created' } } },
      ];
      const [sum] = await parts.aggregate<Pick<PartCounts, 'created'>>(stages, { maxTimeMS: 0 }).toArray();
      return sum?.created ?? 0;
    },

    async counts(stagingId) {
      const stages = [
        { $match: { stagingId } },
        {
          $group: {
            _id: '$state',
            count: { $sum: '$count' },
            created: { $sum: '$created' },
            // Parts of the version before have no such number, which counts as 0.
            updated: { $sum: '$updated' },
            skipped: { $sum: '$skipped' },
            failed: { $sum: '$failed' },
          },
        },
      ];
      // Without a time limit: an import cannot end without its counts, however many parts it has.
      const groups = await parts
        .aggregate<{ _id: PartState; count: number } & PartCounts>(stages, { maxTimeMS: 0 })
        .toArray();
      const sum = { total: 0, remaining: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
      for (const { _id, count, created, updated, skipped, failed } of groups) {
        sum.total += count;
        sum.created += created;
        sum.updated += updated;
        sum.skipped += skipped;
        sum.failed += failed;
        if (_id !== 'done') sum.remaining += count;
      }
      return sum;
    },
  };
}

function toDocument({ id, ranges, ...fields }: ImportPart, expires: Date): PartDocument {
  const numbers = BigUint64Array.from(ranges.flatMap(({ start, end }) => [BigInt(start), BigInt(end)]));
  return {
    _id: id,
    ...fields,
    state: 'waiting',
    places: new Binary(Buffer.from(numbers.buffer)),
    lines: new Binary(Buffer.from(Float64Array.from(ranges, ({ line = 0 }) => line).buffer)),
    expires,
  };
}

function toPart(document: PartDocument): ImportPart {
  const {
    _id,
    places,
    lines,
    state: _state,
    expires: _expires,
    created: _c,
    updated: _u,
    skipped: _s,
    failed: _f,
    quotaOf: _q,
    ...fields
  } = document;
  const bytes = Buffer.from(places.buffer);
  const count = bytes.length / 16;
  const lineNumbers = lines && Buffer.from(lines.buffer);
  return {
    id: _id,
    ...fields,
    ranges: Array.from({ length: count }, (_, index) => {
      const line = lineNumbers?.readDoubleLE(index * 8) ?? 0;
      return {
        start: Number(bytes.readBigUInt64LE(index * 16)),
        end: Number(bytes.readBigUInt64LE(index * 16 + 8)),
        ...(line > 0 && { line }),
      };
    }),
  };
}
