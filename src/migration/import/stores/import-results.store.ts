import { Binary, type Collection } from 'mongodb';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { PartComparison, VerifiedCounts } from '../../digest/part-comparison.js';
import type { ImportErrorType, Reservation, SignIns } from '../lists/section/section.js';
import type { ImportPart } from './import-parts.store.js';
import { numberedId, numberedIdsOf } from './numbered-ids.js';

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
  /** Of a verification. */
  readonly comparison?: PartComparison;
  /** Of a part of people, of whom it created or updated some. */
  readonly signIns?: SignIns;
  /** The objects that records of the part name by another identifier. */
  readonly aliases?: readonly Alias[];
  /** Of a dry run. `record` is the index of a record in the part. */
  readonly reservations?: readonly Reservation[];
}

/** An object that a record names by another identifier. */
export interface Alias {
  /** See `reservedName.alias`. */
  readonly name: string;
  /** The identifier of the object. */
  readonly id: string;
}

/** An element of `warnings` in the report: values that reach nothing, or that somebody should look at. */
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

/** Reads the results of parts, each list in the order of the file. */
export interface ReadResults {
  errors(stagingId: string): AsyncGenerator<ReportedError>;
  /** The losses of all parts. */
  losses(stagingId: string): AsyncGenerator<Loss>;
  /** How the people of all parts can sign in. */
  signIns(stagingId: string): AsyncGenerator<SignIns>;
  /** All results with created records, without their errors. */
  creations(
    stagingId: string,
  ): AsyncGenerator<Omit<PartResult, 'errors' | 'losses' | 'reservations' | 'aliases' | 'signIns'>>;
}

/** The results of parts, for the report. A part without anything to report has no document. */
export interface ImportResultsStore extends ReadResults {
  add(result: PartResult, of: { part: ImportPart; expires: Date }, transaction: Transaction): Promise<void>;
  /** Returns those of the names that earlier parts of a dry run reserved. @param of the lists of these parts; by default all */
  findReserved(
    stagingId: string,
    names: readonly string[],
    of?: { readonly sections: readonly string[] },
  ): Promise<Set<string>>;
  /** Returns the identifiers of the objects that records of earlier parts name so. */
  findAliases(stagingId: string, names: readonly string[]): Promise<Map<string, string>>;
  /**
   * Returns the records of a list that reserved one of the names in earlier parts of a dry run: their indexes by part, in
   * the order of the file.
   */
  findReserving(
    stagingId: string,
    wanted: { names: readonly string[]; section: string },
  ): Promise<{ partId: string; records: number[] }[]>;
  /** Reads all results at once, if at most `most` parts have some. Undefined if more have. */
  findFew(stagingId: string, most: number): Promise<ReadResults | undefined>;
  /** What a verification found in each part. */
  comparisons(stagingId: string): AsyncGenerator<PartComparison & Pick<PartResult, 'section'>>;
  /** Keeps the names of objects that the file does not have. @param block from 0; the same block takes the place of an earlier one */
  keepExtra(stagingId: string, block: number, extra: ExtraObjects, expires: Date): Promise<void>;
  /** Removes what {@link keepExtra} kept. */
  removeExtra(stagingId: string): Promise<void>;
  /** What {@link keepExtra} kept, in the order of the blocks. */
  extra(stagingId: string): AsyncGenerator<ExtraObjects>;
}

/** Objects of one list of an organization that the file of a verification does not have. */
interface ExtraObjects {
  readonly orgId: string;
  readonly list: string;
  readonly ids: readonly string[];
}

interface ResultDocument extends Omit<PartResult, 'partId' | 'errors' | 'reservations' | 'comparison'> {
  _id: string;
  stagingId: string;
  errors?: readonly ReportedError[];
  /** The names that a part of a dry run reserved, and those of `aliases`: `{stagingId}/{name}`. */
  claims?: readonly string[];
  /** For each of the reserved `claims`, which come first, the index of its record in the part. */
  claimants?: readonly number[];
  comparison?: ComparisonDocument;
  extra?: ExtraObjects;
  expires: Date;
}

interface ComparisonDocument extends VerifiedCounts {
  source: Binary;
  /** Absent if it is `source`. */
  target?: Binary;
  matched: Binary;
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
    async add(result, { part, expires }, transaction) {
      const document = toResultDocument(result, { part, expires });
      if (document !== undefined) await results.insertOne(document, { session: transaction });
    },
    ...findingReservations(results),
    ...readingResults(results),
    ...keepingExtra(results),
  };
}

function findingReservations(
  results: Collection<ResultDocument>,
): Pick<ImportResultsStore, 'findAliases' | 'findReserved' | 'findReserving'> {
  return {
    async findAliases(stagingId, names) {
      const wanted = new Set(names);
      if (wanted.size === 0) return new Map();
      const found = await results
        .find(
          { claims: { $in: [...wanted].map((name) => `${stagingId}/${name}`) } },
          { projection: { aliases: 1 } },
        )
        .toArray();
      const aliases = found.flatMap((one) => one.aliases ?? []).filter(({ name }) => wanted.has(name));
      return new Map(aliases.map(({ name, id }) => [name, id]));
    },
    async findReserved(stagingId, names, of) {
      const wanted = new Set(names.map((name) => `${stagingId}/${name}`));
      if (wanted.size === 0) return new Set();
      const found = await results
        .find(
          { claims: { $in: [...wanted] }, ...(of && { section: { $in: [...of.sections] } }) },
          { projection: { claims: 1 } },
        )
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
  };
}

function readingResults(
  results: Collection<ResultDocument>,
): Pick<ImportResultsStore, 'findFew' | 'errors' | 'losses' | 'signIns' | 'creations' | 'comparisons'> {
  return {
    async findFew(stagingId, most) {
      const found = await results
        .find(
          { _id: numberedIdsOf(stagingId) },
          { projection: { claims: 0, claimants: 0, aliases: 0, comparison: 0, extra: 0 } },
        )
        .sort({ _id: 1 })
        .limit(most + 1)
        .toArray();
      if (found.length > most) return undefined;
      return readResultsFrom(
        found.map(({ _id, errors = [], ...result }) => ({ partId: _id, errors, ...result })),
      );
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
    async *signIns(stagingId) {
      const cursor = results.find(
        { _id: numberedIdsOf(stagingId), signIns: { $exists: true } },
        { projection: { signIns: 1 }, maxTimeMS: 0 },
      );
      for await (const one of cursor) if (one.signIns) yield one.signIns;
    },
    async *creations(stagingId) {
      const cursor = results
        .find(
          { _id: numberedIdsOf(stagingId), created: { $ne: [] } },
          {
            projection: {
              errors: 0,
              losses: 0,
              claims: 0,
              claimants: 0,
              aliases: 0,
              signIns: 0,
              comparison: 0,
            },
            maxTimeMS: 0,
          },
        )
        .sort({ _id: 1 });
      for await (const { _id, org, section, created } of cursor) yield { partId: _id, org, section, created };
    },
    async *comparisons(stagingId) {
      const cursor = results.find(
        { _id: numberedIdsOf(stagingId), comparison: { $exists: true } },
        { projection: { section: 1, comparison: 1 }, maxTimeMS: 0 },
      );
      for await (const { section, comparison } of cursor)
        if (comparison) yield { section, ...toComparison(comparison) };
    },
  };
}

function keepingExtra(
  results: Collection<ResultDocument>,
): Pick<ImportResultsStore, 'keepExtra' | 'removeExtra' | 'extra'> {
  return {
    async keepExtra(stagingId, block, extra, expires) {
      const document = { stagingId, org: 0, section: extra.list, created: [], extra, expires };
      await results.replaceOne({ _id: numberedId(`${stagingId}.extra`, block) }, document, { upsert: true });
    },
    async removeExtra(stagingId) {
      await results.deleteMany({ _id: numberedIdsOf(`${stagingId}.extra`) });
    },
    async *extra(stagingId) {
      const cursor = results
        .find({ _id: numberedIdsOf(`${stagingId}.extra`) }, { projection: { extra: 1 }, maxTimeMS: 0 })
        .sort({ _id: 1 });
      for await (const { extra } of cursor) if (extra) yield extra;
    },
  };
}

/** The document of a result. Undefined if there is nothing to report, and nothing for later parts. */
function toResultDocument(
  { partId, errors, ...result }: PartResult,
  { part, expires }: { readonly part: ImportPart; readonly expires: Date },
): ResultDocument | undefined {
  const { reservations = [], losses = [], aliases = [], comparison, ...fields } = result;
  const isEmpty = result.created.length === 0 && errors.length === 0 && losses.length === 0;
  const names = [
    ...reservations.flatMap((reservation) => reservation.names),
    ...aliases.map(({ name }) => name),
  ];
  const isSilent = names.length === 0 && comparison === undefined && fields.signIns === undefined;
  if (isEmpty && isSilent) return undefined;
  return {
    _id: partId,
    stagingId: part.stagingId,
    ...fields,
    ...(errors.length > 0 && { errors }),
    ...(losses.length > 0 && { losses }),
    ...(comparison && { comparison: toComparisonDocument(comparison) }),
    ...(names.length > 0 && {
      claims: names.map((name) => `${part.stagingId}/${name}`),
      claimants: reservations.flatMap(({ record, names }) => names.map(() => record)),
    }),
    ...(aliases.length > 0 && { aliases }),
    expires,
  };
}

/** Results that are in memory. They are of one text, so its identifier does not matter. */
export function readResultsFrom(
  found: readonly Omit<PartResult, 'reservations' | 'comparison'>[],
): ReadResults {
  return {
    async *errors() {
      for (const { errors } of found) yield* errors;
    },
    async *losses() {
      for (const { losses = [] } of found) yield* losses;
    },
    async *signIns() {
      for (const { signIns } of found) if (signIns) yield signIns;
    },
    async *creations() {
      for (const { partId, org, section, created } of found) {
        if (created.length > 0) yield { partId, org, section, created };
      }
    },
  };
}

function toComparisonDocument({ source, target, matched, ...counts }: PartComparison): ComparisonDocument {
  const differs = !source.equals(target);
  const sums = { source: new Binary(source), ...(differs && { target: new Binary(target) }) };
  return { ...counts, ...sums, matched: new Binary(matched) };
}

function toComparison({ source, target = source, matched, ...counts }: ComparisonDocument): PartComparison {
  const bytes = ({ buffer }: Binary) => Buffer.from(buffer);
  return { ...counts, source: bytes(source), target: bytes(target), matched: bytes(matched) };
}
