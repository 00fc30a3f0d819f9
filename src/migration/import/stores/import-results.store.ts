import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { ImportErrorType, Reservation } from '../sections/section.js';
import type { ImportPart } from './import-parts.store.js';
import { numberedIdsOf } from './numbered-ids.js';

/** What the report says of a part. */
export interface PartResult {
  readonly partId: string;
  /** Index of the organization in the file. */
  readonly org: number;
  readonly section: string;
  /** The identifiers of created records. */
  readonly created: readonly string[];
  readonly errors: readonly ReportedError[];
  readonly losses?: readonly Loss[];
  /** Of a dry run. `record` is the index of a record in the part. */
  readonly reservations?: readonly Reservation[];
}

/** An element of `warnings` in the report: values that reach nothing. */
export interface Loss {
  /** Such as `orgs[].humanUsers[].user.shoeSize`. */
  readonly path: string;
  /** The number of records that have such a value. */
  readonly count: number;
  /** The line of the first such record in the text, from 1. */
  readonly line?: number;
  /** The first byte of that record in the text, from 0. */
  readonly position?: number;
}

/** An element of `errors` in the report. */
export interface ReportedError {
  readonly type: ImportErrorType;
  readonly id: string;
  readonly message: string;
  /** The line of the record in the text, from 1. */
  readonly line?: number;
  /** The first byte of the record in the text, from 0. */
  readonly position?: number;
  /** The identifiers in the record, by their names. */
  readonly identifiers?: Readonly<Record<string, string>>;
}

/** The results of parts, for the report. A part without anything to report has no document. */
export interface ImportResultsStore {
  add(result: PartResult, of: { part: ImportPart; expires: Date }, transaction: Transaction): Promise<void>;
  /** Returns those of the names that earlier parts of a dry run reserved. */
  findReserved(stagingId: string, names: readonly string[]): Promise<Set<string>>;
  /**
   * Returns the records of a list that reserved one of the names in earlier parts of a dry run: their indexes by part, in
   * the order of the file.
   */
  findReserving(
    stagingId: string,
    wanted: { names: readonly string[]; section: string },
  ): Promise<{ partId: string; records: number[] }[]>;
  /** All errors, in the order of the file. */
  errors(stagingId: string): AsyncGenerator<ReportedError>;
  /** The losses of all parts, in the order of the file. */
  losses(stagingId: string): AsyncGenerator<Loss>;
  /** All results with created records, without their errors, in the order of the file. */
  creations(stagingId: string): AsyncGenerator<Omit<PartResult, 'errors' | 'losses' | 'reservations'>>;
}

interface ResultDocument extends Omit<PartResult, 'partId' | 'errors' | 'reservations'> {
  _id: string;
  stagingId: string;
  errors?: readonly ReportedError[];
  /** The names that a part of a dry run reserved: `{stagingId}/{name}`. */
  claims?: readonly string[];
  /** For each of `claims`, the index of its record in the part. */
  claimants?: readonly number[];
  expires: Date;
}

export const importResultIndexes: CollectionIndexes = {
  collection: 'importResults',
  indexes: [
    { key: { claims: 1 }, partialFilterExpression: { claims: { $exists: true } } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

export function createImportResultsStore(mongo: Mongo): ImportResultsStore {
  const results = mongo.collection<ResultDocument>('importResults');
  return {
    async add({ partId, errors, ...result }, { part, expires }, transaction) {
      const { reservations, losses = [], ...fields } = result;
      const isEmpty = result.created.length === 0 && errors.length === 0 && losses.length === 0;
      if (isEmpty && reservations === undefined) return;
      const document: ResultDocument = {
        _id: partId,
        stagingId: part.stagingId,
        ...fields,
        ...(errors.length > 0 && { errors }),
        ...(losses.length > 0 && { losses }),
        ...(reservations !== undefined && {
          claims: reservations.flatMap(({ names }) => names.map((name) => `${part.stagingId}/${name}`)),
          claimants: reservations.flatMap(({ record, names }) => names.map(() => record)),
        }),
        expires,
      };
      await results.insertOne(document, { session: transaction });
    },
    async findReserved(stagingId, names) {
      const wanted = new Set(names.map((name) => `${stagingId}/${name}`));
      if (wanted.size === 0) return new Set();
      const found = await results
        .find({ claims: { $in: [...wanted] } }, { projection: { claims: 1 } })
        .toArray();
      const reserved = found.flatMap(({ claims = [] }) => claims).filter((name) => wanted.has(name));
      return new Set(reserved.map((name) => name.slice(stagingId.length + 1)));
    },
    async findReserving(stagingId, { names, section }) {
      const wanted = new Set(names.map((name) => `${stagingId}/${name}`));
      if (wanted.size === 0) return [];
      const found = await results
        .find({ claims: { $in: [...wanted] }, section }, { projection: { claims: 1, claimants: 1 } })
        .sort({ _id: 1 })
        .toArray();
      return found.map(({ _id, claims = [], claimants = [] }) => {
        const records = claimants.filter((_, index) => wanted.has(claims[index] ?? ''));
        return { partId: _id, records: [...new Set(records)] };
      });
    },
    async *errors(stagingId) {
      const cursor = results
        .find(
          { _id: numberedIdsOf(stagingId), errors: { $exists: true } },
          { projection: { errors: 1 }, maxTimeMS: 0 },
        )
        .sort({ _id: 1 });
      for await (const { errors = [] } of cursor) yield* errors;
    },
    async *losses(stagingId) {
      const cursor = results
        .find(
          { _id: numberedIdsOf(stagingId), losses: { $exists: true } },
          { projection: { losses: 1 }, maxTimeMS: 0 },
        )
        .sort({ _id: 1 });
      for await (const { losses = [] } of cursor) yield* losses;
    },
    async *creations(stagingId) {
      const cursor = results
        .find(
          { _id: numberedIdsOf(stagingId), created: { $ne: [] } },
          { projection: { errors: 0, losses: 0, claims: 0, claimants: 0 }, maxTimeMS: 0 },
        )
        .sort({ _id: 1 });
      for await (const { _id, org, section, created } of cursor) yield { partId: _id, org, section, created };
    },
  };
}
