import type { SortOrder, SortPosition } from '#src/platform/mongo/read-sorted.js';
import { groupIndexes } from './group-indexes.js';
import { type IndexBranch, indexBranches } from './index-branches.js';
import { IndexedFields } from './indexed-fields.js';
import type { ResourceQuery } from './query.js';
import { scanningConditions } from './scanning-conditions.js';
import { userIndexes } from './user-indexes.js';

/** A part of a sorted list. */
interface PlannedPage {
  readonly filter?: ResourceQuery | undefined;
  readonly sort: SortOrder;
  readonly skip: number;
  readonly after?: SortPosition | undefined;
}

/** Says which indexes of a collection serve a query, and what the query costs. */
export class QueryPlanner extends IndexedFields {
  /** The conditions for which the store reads every resource of the organization, as a client writes them: `title co`. */
  scanning(query: ResourceQuery): string[] {
    return scanningConditions(query, this);
  }

  /**
   * Returns the branches that find the resources of a page. Undefined if the page is read in the order of its index, which may also be the
   * index that serves its filter.
   */
  union({ filter, sort }: PlannedPage): readonly IndexBranch[] | undefined {
    const branches = filter && indexBranches(filter, this);
    const isOwn = branches?.length === 1 && branches[0]?.field === sort.field;
    return isOwn ? undefined : branches;
  }
}

/** Plans searches for users. */
export const userPlanner = new QueryPlanner(
  userIndexes,
  new Map([
    ['search.userName', 'userName'],
    ['search.emails', 'emails'],
  ]),
);

/** Plans searches for groups. */
export const groupPlanner = new QueryPlanner(groupIndexes);

/**
 * Returns the folded userName if the first page of a filter for nothing else is asked. Provisioning clients send such a filter before they
 * create a user. The page has at most one user.
 */
export function userNameOf({ filter, sort, skip, after }: PlannedPage): string | undefined {
  if (filter?.kind !== 'equal' || filter.field !== 'search.userName') return undefined;
  const { value } = filter;
  const isFirst = sort.field === '_id' && skip === 0 && after === undefined;
  return isFirst && typeof value === 'string' ? value : undefined;
}
