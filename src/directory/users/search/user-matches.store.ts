import type { Collection, Document, Filter } from 'mongodb';
import { hinted } from '#src/platform/mongo/hinted.js';
import type { SortOrder, SortPosition } from '#src/platform/mongo/read-sorted.js';
import { positionOf, type UserDocument, userFields } from '../user-document.js';
import type { IndexBranch } from './index-branches.js';
import { indexName } from './user-indexes.js';

/** A page of the matches of a filter. */
interface MatchesQuery {
  readonly sort: SortOrder;
  readonly skip: number;
  readonly limit: number;
  readonly after?: SortPosition | undefined;
}

/** The documents of a page, and what the other matches tell about it. */
export interface MatchesPage {
  readonly documents: UserDocument[];
  /** The position of the last match on the page. Absent on an empty page. */
  readonly last?: SortPosition | undefined;
  /** Present if more matches follow. */
  readonly more?: true;
  /** The number of all matches. */
  readonly total: number;
}

/** If an index finds more than these, it is faster to read users in the order of the list and test each. */
const mostMatches = 1_000;

/**
 * Returns a function that finds all matches of a filter through the indexes of its branches, merges them by identifier, and sorts them
 * in memory. It returns undefined if an index finds too many.
 */
export function createUserMatches(
  users: Collection<UserDocument>,
): (
  orgId: string,
  branches: readonly IndexBranch[],
  query: MatchesQuery,
) => Promise<MatchesPage | undefined> {
  const matching = (orgId: string, condition: Document) =>
    ({ orgId, $and: [condition] }) as unknown as Filter<UserDocument>;

  /** Whether each index finds few users. Counting keys reads no document. */
  async function areFew(orgId: string, branches: readonly IndexBranch[]): Promise<boolean> {
    const counts = await Promise.all(
      branches.map(({ field, key, atMost }) =>
        atMost !== undefined
          ? 0
          : hinted(indexName(field), (options) =>
              users.countDocuments(matching(orgId, key), { limit: mostMatches + 1, ...options }),
            ),
      ),
    );
    return counts.every((count) => count <= mostMatches);
  }

  /** Returns all matches. Undefined if a branch has more than `most`. */
  async function findAll(
    orgId: string,
    branches: readonly IndexBranch[],
    { projection, most }: { projection: Document; most: number },
  ): Promise<UserDocument[] | undefined> {
    const parts = await Promise.all(
      branches.map(({ field, where }) =>
        hinted(indexName(field), (options) =>
          users
            .find(matching(orgId, where), { projection, ...options })
            .limit(most + 1)
            .batchSize(most + 2)
            .toArray(),
        ),
      ),
    );
    if (parts.some((found) => found.length > most)) return undefined;
    return [...new Map(parts.flat().map((document) => [document._id, document])).values()];
  }

  return async (orgId, branches, query) => {
    const { sort, skip, limit, after } = query;
    const projection = userFields(sort.field);
    const readsEverything = branches.some(({ reads }) => reads === 'everything');
    const isPlain = readsEverything || branches.every(({ key, where }) => key === where);
    // Beside another condition, a search for a few matches could read everything that the index finds.
    if (!isPlain && !(await areFew(orgId, branches))) return undefined;
    if (skip === 0 && after === undefined) {
      // Usually the matches fit on a page, and one read of each index is enough.
      const found = await findAll(orgId, branches, { projection, most: limit });
      if (found !== undefined) return pageOf(found, query);
    }
    // Reading every key again for each page costs more than to continue in the order of the list.
    if (readsEverything || (isPlain && !(await areFew(orgId, branches)))) return undefined;
    const keys = await findAll(orgId, branches, {
      projection: sort.field === '_id' ? { _id: 1 } : { _id: 1, [sort.field]: 1 },
      most: Math.max(mostMatches, ...branches.map(({ atMost = 0 }) => atMost)),
    });
    if (keys === undefined) return undefined;
    const page = pageOf(keys, query);
    const ids = page.documents.map(({ _id }) => _id);
    const found = await users
      .find({ orgId, _id: { $in: ids } }, { projection })
      .batchSize(ids.length + 1)
      .toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    return { ...page, documents: ids.flatMap((id) => byId.get(id) ?? []) };
  };
}

/** The page of all matches, in the order of the list. */
function pageOf(all: readonly UserDocument[], { sort, skip, limit, after }: MatchesQuery): MatchesPage {
  const { field, direction } = sort;
  const place = after && placeOf(after);
  const sorted = all
    .map((document) => ({ document, ...placeOf(positionOf(document, field)) }))
    .filter((one) => place === undefined || direction * compare(one, place) > 0)
    .sort((a, b) => direction * compare(a, b));
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
