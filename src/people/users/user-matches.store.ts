import type { Collection, Document, Filter } from 'mongodb';
import { hinted } from '#src/platform/mongo/hinted.js';
import { pacedBy, type ReadPace, readFew, readPaced, readPortions } from '#src/platform/mongo/paced-reads.js';
import type { SortOrder, SortPosition } from '#src/platform/mongo/read-sorted.js';
import { sortPaced } from '#src/platform/work/sort-paced.js';
import { userCondition } from '../queries/condition.js';
import type { IndexBranch } from '../queries/index-branches.js';
import { userPlanner } from '../queries/plan.js';
import type { ResourceQuery } from '../queries/query.js';
import { positionOf, type UserDocument, userFields } from './user-document.js';

/** A page of the matches of a filter. */
interface MatchesQuery {
  readonly sort: SortOrder;
  readonly skip: number;
  readonly limit: number;
  readonly after?: SortPosition | undefined;
}

/** The documents of a page, and what the other matches tell about it. */
interface MatchesPage {
  /** In the order of the list. They are read while they are taken. */
  readonly portions: AsyncIterable<UserDocument[]>;
  /** The position of the last match on the page. Absent on an empty page. */
  readonly last?: SortPosition | undefined;
  /** Present if more matches follow. */
  readonly more?: true;
  /** The number of all matches. */
  readonly total: number;
}

/** If an index finds more than these, it is faster to read users in the order of the list and test each. */
const mostMatches = 1_000;
/** The least documents of a branch in one batch. Most branches find fewer. */
const leastBatch = 10;
/** Matches with more bytes are not read whole before they are sorted. */
const mostBytes = 1_048_576;
/** Keys of one branch up to this size are parsed at once, in bytes. Those of ten branches may arrive together. */
const quickKeys = 16_384;

/**
 * Returns a function that finds all matches of a filter through the indexes of its branches, merges them by identifier, and sorts them
 * in memory. It returns undefined if an index finds too many.
 */
export function createUserMatches(
  users: Collection<UserDocument>,
): (
  orgId: string,
  branches: readonly IndexBranch[],
  query: MatchesQuery & { readonly pace: ReadPace },
) => Promise<MatchesPage | undefined> {
  return async (orgId, branches, { pace, ...query }) => {
    const { sort, skip, after } = query;
    const projection = userFields(sort.field);
    const readsEverything = branches.some(({ reads }) => reads === 'everything');
    const isPlain = readsEverything || branches.every(({ key, where }) => key === where);
    // Beside another condition, a search for a few matches could read everything that the index finds.
    if (!isPlain && !(await areFew(users, orgId, branches))) return undefined;
    let isHeavy = false;
    if (skip === 0 && after === undefined) {
      // Usually the matches fit on a page, and one read of each index is enough.
      const found = await findWhole(users, orgId, branches, { pace, ...query });
      isHeavy = found === 'heavy';
      if (typeof found !== 'string') {
        const { documents, ...page } = await pageOf(found, query, pace);
        return { ...page, portions: once(documents) };
      }
    }
    // Reading every key again for each page costs more than to continue in the order of the list.
    if (!isHeavy && (readsEverything || (isPlain && !(await areFew(users, orgId, branches)))))
      return undefined;
    const keys = await findKeys(users, orgId, branches, {
      sortField: sort.field,
      most: Math.max(mostMatches, ...branches.map(({ atMost = 0 }) => atMost)),
    });
    if (keys === undefined) return undefined;
    const { documents, ...page } = await pageOf(keys, query, pacedBy(orgId));
    const ids = documents.map(({ _id }) => _id);
    return { ...page, portions: inOrder(users, orgId, ids, { projection, pace }) };
  };
}

function matching(orgId: string, query: ResourceQuery): Filter<UserDocument> {
  return { orgId, $and: [userCondition(query)] } as unknown as Filter<UserDocument>;
}

/** Whether each index finds few users. Counting keys reads no document. */
async function areFew(
  users: Collection<UserDocument>,
  orgId: string,
  branches: readonly IndexBranch[],
): Promise<boolean> {
  const counts = await Promise.all(
    branches.map(({ field, key, atMost }) =>
      atMost !== undefined
        ? 0
        : hinted(userPlanner.indexName(field), (options) =>
            users.countDocuments(matching(orgId, key), { limit: mostMatches + 1, ...options }),
          ),
    ),
  );
  return counts.every((count) => count <= mostMatches);
}

/** The finds of all branches. @param batch the most documents of one batch, of all branches together */
function findsOf(
  users: Collection<UserDocument>,
  orgId: string,
  branches: readonly IndexBranch[],
  { projection, most, batch }: { projection: Document; most: number; batch: number },
) {
  return branches.map(
    ({ field, where }) =>
      (raw: { readonly raw: true }) =>
        hinted(userPlanner.indexName(field), async (options) => {
          const cursor = users
            .find(matching(orgId, where), { projection, ...options, ...raw })
            .limit(most + 1)
            .batchSize(Math.min(most + 2, Math.max(leastBatch, Math.ceil(batch / branches.length))));
          // The first batch tells whether MongoDB knows the index.
          await cursor.hasNext();
          return cursor;
        }),
  );
}

/** Returns all matches, whole. `many` if a branch has more than the limit of the page, `heavy` if they are too many bytes. */
async function findWhole(
  users: Collection<UserDocument>,
  orgId: string,
  branches: readonly IndexBranch[],
  { sort, limit, pace }: MatchesQuery & { readonly pace: ReadPace },
): Promise<UserDocument[] | 'many' | 'heavy'> {
  const all = branches.length === 1 ? limit + 2 : limit + 1;
  const of = { projection: userFields(sort.field), most: limit, batch: pace.batchSize(all) };
  const parts = await readFew(findsOf(users, orgId, branches, of), mostBytes, pace);
  return parts === undefined ? 'heavy' : (joined(parts, limit) ?? 'many');
}

/** Returns the identifier and the sort value of all matches. Undefined if a branch has more than `most`. */
async function findKeys(
  users: Collection<UserDocument>,
  orgId: string,
  branches: readonly IndexBranch[],
  { sortField, most }: { sortField: string; most: number },
): Promise<UserDocument[] | undefined> {
  const projection = sortField === '_id' ? { _id: 1 } : { _id: 1, [sortField]: 1 };
  const finds = findsOf(users, orgId, branches, { projection, most, batch: (most + 2) * branches.length });
  const parts = await Promise.all(finds.map((find) => readPaced(find, pacedBy(orgId, quickKeys))));
  return joined(parts, most);
}

/** Reads documents in this order. */
async function* inOrder(
  users: Collection<UserDocument>,
  orgId: string,
  ids: readonly string[],
  { projection, pace }: { projection: Document; pace: ReadPace },
): AsyncGenerator<UserDocument[]> {
  for (let from = 0; from < ids.length; ) {
    const some = ids.slice(from, from + Math.max(1, pace.batchSize(ids.length - from)));
    from += some.length;
    const open = (raw: { readonly raw: true }) =>
      users.find({ orgId, _id: { $in: [...some] } }, { projection, ...raw }).batchSize(some.length + 1);
    const byId = new Map<string, UserDocument>();
    for await (const portion of readPortions(open, pace))
      for (const document of portion) byId.set(document._id, document);
    yield some.flatMap((id) => byId.get(id) ?? []);
  }
}

/** The matches of all branches, each once. Undefined if a branch has more than `most`. */
function joined(parts: readonly UserDocument[][], most: number): UserDocument[] | undefined {
  if (parts.some(({ length }) => length > most)) return undefined;
  return [...new Map(parts.flat().map((document) => [document._id, document])).values()];
}

async function* once<T>(documents: T[]): AsyncGenerator<T[]> {
  if (documents.length > 0) yield documents;
}

/** The page of all matches, in the order of the list. */
async function pageOf(
  all: readonly UserDocument[],
  { sort, skip, limit, after }: MatchesQuery,
  pace: ReadPace,
): Promise<Omit<MatchesPage, 'portions'> & { readonly documents: UserDocument[] }> {
  const { field, direction } = sort;
  const from = after && placeOf(after);
  const placed: Placed[] = [];
  if (all.length > mostMatches) await pace.turn();
  for (const document of all) {
    const place = placeOf(positionOf(document, field));
    if (from === undefined || direction * compare(place, from) > 0) placed.push({ document, ...place });
    if (pace.isDue()) await pace.turn();
  }
  const sorted = await sortPaced(placed, (a, b) => direction * compare(a, b), pace);
  const documents = sorted.slice(skip, skip + limit).map(({ document }) => document);
  const last = documents.at(-1);
  return {
    documents,
    last: last && positionOf(last, field),
    ...(sorted.length > skip + limit && { more: true }),
    total: all.length,
  };
}

interface Place {
  readonly value: Buffer | number | null;
  readonly id: Buffer;
}

interface Placed extends Place {
  readonly document: UserDocument;
}

function placeOf({ value, id }: SortPosition): Place {
  const place = value instanceof Date ? value.getTime() : value === null ? null : Buffer.from(value);
  return { value: place, id: Buffer.from(id) };
}

/** Compares like MongoDB: absent values first, texts in the order of their UTF-8 bytes, and the identifier last. */
function compare(a: Place, b: Place): number {
  return compareValues(a.value, b.value) || Buffer.compare(a.id, b.id);
}

function compareValues(a: Place['value'], b: Place['value']): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return Buffer.compare(a, b);
}
