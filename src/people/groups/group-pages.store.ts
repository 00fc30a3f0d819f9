import type { Collection, Filter } from 'mongodb';
import { type PacedReader, pacedBy, takePage } from '#src/platform/mongo/paced-reads.js';
import { readSortedPortions, type SortPosition } from '#src/platform/mongo/read-sorted.js';
import { groupCondition } from '../queries/condition.js';
import { groupPlanner } from '../queries/plan.js';
import type { ResourceQuery } from '../queries/query.js';
import type { UserPageQuery } from '../users/user-pages.store.js';
import type { Group } from './group.js';
import { type GroupDocument, toGroup } from './group-document.js';

/** A page that was read. An empty page has no position. */
interface ReadGroupPage {
  /** The number of groups that the reader took. */
  readonly taken: number;
  /** The position of the last of them. */
  readonly last?: SortPosition;
  /** Present if more groups follow. */
  readonly more?: true;
}

/** A page with its groups. */
export interface GroupPage extends Omit<ReadGroupPage, 'taken'> {
  readonly groups: Group[];
}

/** Reads the list of groups of an organization. */
export interface GroupPages {
  page(orgId: string, query: UserPageQuery): Promise<GroupPage>;
  /** Reads a page for a reader that takes the groups in portions. */
  readPage(orgId: string, query: UserPageQuery, reader: PacedReader<Group>): Promise<ReadGroupPage>;
  count(orgId: string, filter?: ResourceQuery): Promise<number>;
}

/** Returns the part of the groups store that reads lists. */
export function createGroupPages(groups: Collection<GroupDocument>): GroupPages {
  const readPage: GroupPages['readPage'] = async (orgId, { filter, sort, skip, limit, after }, reader) => {
    const { field } = sort;
    const isUnique = field === 'search.displayName';
    const query = { sort, skip, limit: limit + 1, after, index: groupPlanner.sortIndexName(field), isUnique };
    const portions = readSortedPortions(
      groups,
      { orgId, filter: filter && groupCondition(filter) },
      query,
      reader.pace,
    );
    const { last, ...page } = await takePage(portions, reader, { limit, toItem: toGroup });
    return { ...page, ...(last && { last: { value: sortValue(last, field), id: last._id } }) };
  };
  return {
    readPage,
    async page(orgId, query) {
      const found: Group[] = [];
      const take = async (portion: readonly Group[]) => found.push(...portion) && portion.length;
      const { taken: _taken, ...page } = await readPage(orgId, query, { pace: pacedBy(orgId), take });
      return { groups: found, ...page };
    },
    count: (orgId, filter) =>
      groups.countDocuments({
        orgId,
        ...(filter && { $and: [groupCondition(filter)] }),
      } as Filter<GroupDocument>),
  };
}

function sortValue(document: GroupDocument, field: string): string | Date | null {
  if (field === '_id') return document._id;
  if (field === 'search.displayName') return document.search.displayName;
  return field === 'created' ? document.created : document.lastModified;
}
