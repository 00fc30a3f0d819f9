import type { ResourceQuery } from '#src/people/queries/index.js';
import { AppError } from '#src/platform/errors.js';
import type { PacedReader } from '#src/platform/mongo/paced-reads.js';
import type { SortPosition } from '#src/platform/mongo/read-sorted.js';
import { readsMemberships } from '../filter/resolve-relation.js';
import { type CursorList, decodeCursor, encodeCursor } from '../list/cursor.js';
import type { ListPermits, ListWork } from '../list/list-permits.js';
import type { ListQuery } from '../list/list-query.js';
import { scimErrors } from '../protocol/errors.js';
import type { ScimDeps } from './context.js';

/** Runs searches that read many resources one after the other for each holder, which is an organization. */
interface Scans {
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
}

/** What lists of one organization share. */
export interface Lists {
  readonly scans: Scans;
  readonly permits: ListPermits;
}

export type ListDeps = Pick<ScimDeps, 'config'> & Lists;

/** A part of a sorted list. */
export interface SourceQuery {
  readonly filter?: ResourceQuery;
  readonly sort: ListQuery['sort'];
  readonly skip: number;
  readonly limit: number;
  /** Continue after this position instead of skipping resources. */
  readonly after?: SortPosition;
}

/** What the store learned while it read the resources of a page. */
export interface SourcePage {
  /** The number of resources that the reader took. */
  readonly taken: number;
  /** The position of the last of them. Absent on an empty page. */
  readonly last?: SortPosition | undefined;
  /** Present if more resources follow. */
  readonly more?: true | undefined;
  /** The number of all resources that match, if the page told it. */
  readonly total?: number | undefined;
}

/** The stored resources of one type. */
export interface ListSource<R> {
  readonly noun: 'user' | 'group';
  page(query: SourceQuery, reader: PacedReader<R>): Promise<SourcePage>;
  /** Whether the page is found like a single resource. It then takes no permit of the lists. */
  isLookUp?(query: SourceQuery): boolean;
  count(filter?: ResourceQuery): Promise<number>;
}

/** What the response says about the resources of a page. */
export interface FoundPage {
  readonly taken: number;
  readonly totalResults: number;
  readonly startIndex?: number;
  readonly nextCursor?: string | undefined;
}

/**
 * A search does not wait for others of its organization if it reads at most this part of what is possible. It then takes a
 * few milliseconds.
 */
const quickPart = 1 / 100;
/** The store reads all resources before this index to find the page. */
const quickStart = 10_000;

/**
 * Finds resources: a page by index (RFC 7644 section 3.4.2.4) or by cursor (RFC 9865). A search that reads many
 * resources waits until no other such search of its organization runs. One organization can then not use up MongoDB.
 * @param list `take`: takes the resources while they are read. If it takes fewer than all, the page ends before the first of the others
 * @throws AppError `scim.badCursor`, `scim.filterTooCostly`, `scim.startIndexTooDeep`, `scim.tooManySearches`, `scim.tooManyLists`
 */
export async function listResources<R>(
  deps: ListDeps,
  source: ListSource<R>,
  list: ReadList<R>,
): Promise<FoundPage> {
  const { orgId, query } = list;
  const isDeep = query.cursor === undefined && query.count > 0 && query.startIndex > quickStart;
  if (isDeep) await requireReachable(deps, source, query);
  const isQuick = query.scanning.length === 0 || (await affordable(deps, source, query.scanning));
  const scansQuickly = isQuick && !readsMemberships(query.filter);
  const run = () => readList(source, list);
  return scansQuickly && !isDeep ? run() : deps.scans.run(orgId, run);
}

/** To skip a resource takes about ten times as long as to test one condition. */
const conditionsOfSkip = 10;

/**
 * Checks that the store need not read too many resources to find the first one of a page. A page behind all resources is
 * possible, because it is empty.
 * @throws AppError `scim.startIndexTooDeep`
 */
async function requireReachable<R>(
  { config }: ListDeps,
  source: ListSource<R>,
  { startIndex }: ListQuery,
): Promise<void> {
  const limit = Math.floor(config.scimScanLimit / conditionsOfSkip);
  if (config.scimScanLimit === 0 || startIndex <= limit || startIndex > (await source.count())) return;
  const detail = `startIndex is above ${limit}. Page by cursor: send an empty cursor first (RFC 9865)`;
  throw new AppError(scimErrors.startIndexTooDeep, { detail });
}

/**
 * @returns whether so little is read that the search need not wait
 * @throws AppError `scim.filterTooCostly`
 */
async function affordable(
  { config }: Pick<ScimDeps, 'config'>,
  source: Pick<ListSource<unknown>, 'count' | 'noun'>,
  scanning: readonly string[],
): Promise<boolean> {
  const limit = config.scimScanLimit;
  if (limit === 0) return false;
  const all = await source.count();
  const conditions = all * scanning.length;
  // A search with one condition must be possible in an organization of any size.
  if (conditions <= limit || scanning.length === 1) return conditions <= limit * quickPart;
  throw new AppError(scimErrors.filterTooCostly, {
    detail: `Every one of ${all} ${source.noun}s is read for ${scanning.length} conditions, such as ${scanning[0]}. At most ${Math.max(1, Math.floor(limit / all))} are possible`,
  });
}

/** A list, and what takes its resources. */
interface ReadList<R> {
  readonly orgId: string;
  readonly query: ListQuery;
  readonly work: ListWork;
  readonly take: PacedReader<R>['take'];
}

async function readList<R>(
  source: ListSource<R>,
  { orgId, query, work, take }: ReadList<R>,
): Promise<FoundPage> {
  const { filter, sort, startIndex, count, cursor } = query;
  const list: CursorList = { orgId, noun: source.noun, query };
  const state = cursor ? decodeCursor(cursor, list) : undefined;
  if (cursor && state === undefined) throw new AppError(scimErrors.badCursor);
  if (count === 0) return { taken: 0, totalResults: await source.count(filter), startIndex };
  const after = state?.position;
  const byCursor = cursor !== undefined;
  const skip = byCursor ? 0 : startIndex - 1;
  if (skip >= quickStart && skip >= (await source.count()))
    return { taken: 0, totalResults: await source.count(filter), startIndex };
  const order = { field: sort.field, direction: sort.direction };
  const range = { ...(filter && { filter }), sort: order, skip, limit: count, ...(after && { after }) };
  if (!source.isLookUp?.(range)) await work.begin();
  const page = await source.page(range, { pace: work, take });
  const { taken, last, more } = page;
  // The last page of a list by index tells the total.
  const isEnd = after === undefined && !more && (taken > 0 || skip === 0);
  const counted = page.total ?? (isEnd ? skip + taken : undefined);
  const totalResults = counted ?? state?.total ?? (await source.count(filter));
  if (!byCursor) return { taken, totalResults, startIndex };
  const total = counted === undefined && filter !== undefined ? totalResults : undefined;
  const nextCursor = more && last && encodeCursor({ position: last, total }, list);
  return { taken, totalResults, nextCursor };
}
