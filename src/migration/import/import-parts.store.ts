import { Binary } from 'mongodb';
import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo.js';
import type { ImportErrorType } from './section.js';

/** A run of records of one list, which is imported in one transaction. */
export interface ImportPart {
  /** `{staging}.{number}`, in the order of the file. */
  readonly id: string;
  readonly stagingId: string;
  readonly jobId: string;
  /** Key of the section. */
  readonly section: string;
  readonly phase: number;
  /** Place of the organization in the file; of the first one in a part of organizations. */
  readonly org: number;
  /** Place of the first record in its list, from 1. */
  readonly first: number;
  /** Where the records are in the staged text: start and end of each. Empty for organizations. */
  readonly places: readonly { readonly start: number; readonly end: number }[];
  /** Organizations of the part; 0 in other sections. */
  readonly orgs: number;
  /** Records that count in the summary. */
  readonly count: number;
}

/** An organization of the file. */
export interface ImportOrganization {
  readonly index: number;
  /** As the file has it; undefined when it is no identifier. */
  readonly orgId?: string;
  readonly org?: unknown;
  /** Its lists that are not imported, also because the form of the import does not have them. */
  readonly leftOut?: readonly string[];
  /** Absent until its part is done. */
  readonly imported?: boolean;
}

/** What is reported of a part: what it created by name, and its errors. */
export interface PartResult {
  readonly partId: string;
  readonly org: number;
  readonly section: string;
  readonly created: readonly string[];
  readonly errors: readonly ReportedError[];
  /** See SectionPlan.claims; of dry runs. */
  readonly claims?: readonly string[];
}

/** An element of `errors`. */
export interface ReportedError {
  readonly type: ImportErrorType;
  readonly id: string;
  readonly message: string;
}

export interface PartCounts {
  readonly created: number;
  readonly skipped: number;
  readonly failed: number;
}

/** Counts over all parts; `open` is what no part has done. */
export interface ImportCounts extends PartCounts {
  readonly total: number;
  readonly open: number;
}

/**
 * The parts of imports, their organizations and what became of them. The state of a part is what fences it: the
 * transaction that imports it also takes it from `waiting` to `done`, and a closed part can never be taken.
 */
export interface ImportPartsStore {
  insert(parts: readonly ImportPart[], expires: Date): Promise<void>;
  insertOrganizations(
    stagingId: string,
    organizations: readonly ImportOrganization[],
    expires: Date,
  ): Promise<void>;
  /** A part that is still to be done. */
  findWaiting(id: string): Promise<ImportPart | undefined>;
  /** Identifiers of the next parts of a phase that are to be done, after the given one. */
  waiting(
    stagingId: string,
    query: { phase: number; after?: string | undefined; limit: number },
  ): Promise<string[]>;
  /** Which of these parts are still to be done. */
  stillWaiting(ids: readonly string[]): Promise<Set<string>>;
  /** The organizations from this place on. */
  organizations(stagingId: string, place: { from: number; count: number }): Promise<ImportOrganization[]>;
  /** Records what became of organizations. */
  markOrganizations(
    stagingId: string,
    imported: ReadonlyMap<number, boolean>,
    transaction: Transaction,
  ): Promise<void>;
  /** Takes a part; false when it was done or closed meanwhile: then the transaction must be given up. */
  finish(part: ImportPart, counts: PartCounts, transaction: Transaction): Promise<boolean>;
  addResult(
    result: PartResult,
    of: { part: ImportPart; expires: Date },
    transaction: Transaction,
  ): Promise<void>;
  /** Puts a part of each record in the place of a part; false when it was done or closed meanwhile. */
  split(part: ImportPart, parts: readonly ImportPart[], transaction: Transaction): Promise<boolean>;
  /** After this no part of the import can be done any more. */
  close(stagingId: string): Promise<void>;
  counts(stagingId: string): Promise<ImportCounts>;
  /** Which of these names earlier parts of a dry run claimed. */
  claimed(stagingId: string, names: readonly string[]): Promise<Set<string>>;
  /** All errors, in the order of the file. */
  errors(stagingId: string): AsyncGenerator<ReportedError>;
  /** Every result that created something, in the order of the file. */
  results(stagingId: string): AsyncGenerator<PartResult>;
  /** Everything of a staging that came to nothing. */
  remove(stagingId: string): Promise<void>;
}

type PartState = 'waiting' | 'done' | 'closed';

interface PartDocument extends Omit<ImportPart, 'id' | 'places'>, Partial<PartCounts> {
  _id: string;
  state: PartState;
  /** Pairs of unsigned 64-bit numbers. */
  places: Binary;
  expires: Date;
}

interface OrganizationDocument extends Omit<ImportOrganization, 'index'> {
  _id: string;
  expires: Date;
}

interface ResultDocument extends Omit<PartResult, 'partId' | 'errors'> {
  _id: string;
  stagingId: string;
  errors?: readonly ReportedError[];
  expires: Date;
}

const expiry = { key: { expires: 1 }, expireAfterSeconds: 0 } as const;

export const importPartIndexes: CollectionIndexes[] = [
  { collection: 'importParts', indexes: [{ key: { stagingId: 1, phase: 1, state: 1, _id: 1 } }, expiry] },
  { collection: 'importOrganizations', indexes: [expiry] },
  {
    collection: 'importResults',
    indexes: [{ key: { claims: 1 }, partialFilterExpression: { claims: { $exists: true } } }, expiry],
  },
];

/** All identifiers that begin with the one of a staging, which sort in the order of the file. */
function within(stagingId: string) {
  return { $gte: `${stagingId}.`, $lt: `${stagingId}/` };
}

/** Numbers of up to nine digits sort as texts. */
export function numberedId(stagingId: string, number: number): string {
  return `${stagingId}.${String(number).padStart(9, '0')}`;
}

export function createImportPartsStore(mongo: Mongo): ImportPartsStore {
  const parts = mongo.collection<PartDocument>('importParts');
  const orgs = mongo.collection<OrganizationDocument>('importOrganizations');
  const results = mongo.collection<ResultDocument>('importResults');

  return {
    async insert(added, expires) {
      if (added.length > 0) await parts.insertMany(added.map((part) => toDocument(part, expires)));
    },

    async insertOrganizations(stagingId, organizations, expires) {
      if (organizations.length === 0) return;
      await orgs.insertMany(
        organizations.map(({ index, ...fields }) => ({
          _id: numberedId(stagingId, index),
          ...fields,
          expires,
        })),
      );
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

    async stillWaiting(ids) {
      const found = await parts
        .find({ _id: { $in: [...ids] }, state: 'waiting' }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    async organizations(stagingId, { from, count }) {
      const found = await orgs
        .find({ _id: { $gte: numberedId(stagingId, from), $lt: numberedId(stagingId, from + count) } })
        .sort({ _id: 1 })
        .toArray();
      return found.map(({ _id, expires: _expires, ...fields }) => ({
        index: Number(_id.slice(stagingId.length + 1)),
        ...fields,
      }));
    },

    async markOrganizations(stagingId, imported, transaction) {
      for (const value of [true, false]) {
        const ids = [...imported].filter(([, is]) => is === value).map(([at]) => numberedId(stagingId, at));
        if (ids.length > 0) {
          const options = { session: transaction };
          await orgs.updateMany({ _id: { $in: ids } }, { $set: { imported: value } }, options);
        }
      }
    },

    async finish({ id }, counts, transaction) {
      const updated = await parts.updateOne(
        { _id: id, state: 'waiting' },
        { $set: { state: 'done', ...counts } },
        { session: transaction },
      );
      return updated.matchedCount === 1;
    },

    async addResult({ partId, errors, ...result }, { part, expires }, transaction) {
      if (result.created.length === 0 && errors.length === 0 && result.claims === undefined) return;
      const { claims, ...fields } = result;
      const document: ResultDocument = {
        _id: partId,
        stagingId: part.stagingId,
        ...fields,
        ...(errors.length > 0 && { errors }),
        ...(claims !== undefined && { claims: claims.map((name) => `${part.stagingId}/${name}`) }),
        expires,
      };
      await results.insertOne(document, { session: transaction });
    },

    async split({ id }, smaller, transaction) {
      const found = await parts.findOneAndDelete({ _id: id, state: 'waiting' }, { session: transaction });
      if (found === null) return false;
      await parts.insertMany(
        smaller.map((part) => toDocument(part, found.expires)),
        { session: transaction },
      );
      return true;
    },

    async close(stagingId) {
      await parts.updateMany({ stagingId, state: 'waiting' }, { $set: { state: 'closed' } });
    },

    async counts(stagingId) {
      const groups = await parts
        .aggregate<{ _id: PartState; count: number } & PartCounts>([
          { $match: { stagingId } },
          {
            $group: {
              _id: '$state',
              count: { $sum: '$count' },
              created: { $sum: '$created' },
              skipped: { $sum: '$skipped' },
              failed: { $sum: '$failed' },
            },
          },
        ])
        .toArray();
      const sum = { total: 0, open: 0, created: 0, skipped: 0, failed: 0 };
      for (const { _id, count, created, skipped, failed } of groups) {
        sum.total += count;
        sum.created += created;
        sum.skipped += skipped;
        sum.failed += failed;
        if (_id !== 'done') sum.open += count;
      }
      return sum;
    },

    async claimed(stagingId, names) {
      const wanted = new Set(names.map((name) => `${stagingId}/${name}`));
      if (wanted.size === 0) return new Set();
      const found = await results
        .find({ claims: { $in: [...wanted] } }, { projection: { claims: 1 } })
        .toArray();
      const claims = found.flatMap((result) => result.claims ?? []).filter((claim) => wanted.has(claim));
      return new Set(claims.map((claim) => claim.slice(stagingId.length + 1)));
    },

    async *errors(stagingId) {
      const cursor = results
        .find({ _id: within(stagingId), errors: { $exists: true } }, { projection: { errors: 1 } })
        .sort({ _id: 1 });
      for await (const { errors = [] } of cursor) yield* errors;
    },

    async *results(stagingId) {
      const cursor = results
        .find({ _id: within(stagingId), created: { $ne: [] } }, { projection: { errors: 0, claims: 0 } })
        .sort({ _id: 1 });
      for await (const { _id, org, section, created } of cursor) {
        yield { partId: _id, org, section, created, errors: [] };
      }
    },

    async remove(stagingId) {
      await parts.deleteMany({ stagingId });
      await orgs.deleteMany({ _id: within(stagingId) });
    },
  };
}

function toDocument({ id, places, ...fields }: ImportPart, expires: Date): PartDocument {
  const numbers = BigUint64Array.from(places.flatMap(({ start, end }) => [BigInt(start), BigInt(end)]));
  return {
    _id: id,
    ...fields,
    state: 'waiting',
    places: new Binary(Buffer.from(numbers.buffer)),
    expires,
  };
}

function toPart(document: PartDocument): ImportPart {
  const {
    _id,
    places,
    state: _state,
    expires: _expires,
    created: _c,
    skipped: _s,
    failed: _f,
    ...fields
  } = document;
  const bytes = Buffer.from(places.buffer);
  const count = bytes.length / 16;
  return {
    id: _id,
    ...fields,
    places: Array.from({ length: count }, (_, index) => ({
      start: Number(bytes.readBigUInt64LE(index * 16)),
      end: Number(bytes.readBigUInt64LE(index * 16 + 8)),
    })),
  };
}
