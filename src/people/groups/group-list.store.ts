import type { Collection, Filter } from 'mongodb';
import { nameSearchKey } from '#src/directory/index.js';
import { prefixRange } from '#src/platform/mongo/prefix-range.js';
import { readSorted, type SortPosition } from '#src/platform/mongo/read-sorted.js';
import { groupPlanner } from '../queries/plan.js';
import type { Group } from './group.js';
import { type GroupDocument, toGroup } from './group-document.js';

/** An order that an index has. That of `search.loose` is the order of the names. */
export interface GroupOrder {
  readonly field: 'search.loose' | 'created' | 'lastModified';
  readonly direction: 1 | -1;
}

interface GroupListQuery {
  /** The beginning of a name, however it is written. Empty for all groups. A text that is not empty needs the order of the names. */
  readonly text: string;
  readonly sort: GroupOrder;
  readonly limit: number;
  readonly after?: SortPosition | undefined;
}

/** Lists the groups of an organization for a person who types. */
export interface GroupList {
  /** `next` is the position of the last group if others follow. */
  list(
    orgId: string,
    query: GroupListQuery,
  ): Promise<{ readonly groups: Group[]; readonly next?: SortPosition }>;
  /** How many groups {@link GroupList.list} finds with this text. */
  countListed(orgId: string, text: string): Promise<number>;
}

/** Returns the part of the groups store that a person searches. */
export function createGroupList(groups: Collection<GroupDocument>): GroupList {
  return {
    async list(orgId, { text, sort, limit, after }) {
      const found = await readSorted(
        groups,
        { orgId, filter: named(text) },
        { sort, limit: limit + 1, after, index: groupPlanner.sortIndexName(sort.field) },
      );
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      return {
        groups: shown.map(toGroup),
        ...(found.length > limit && last && { next: { value: valueIn(last, sort.field), id: last._id } }),
      };
    },
    countListed: (orgId, text) => groups.countDocuments({ orgId, ...named(text) } as Filter<GroupDocument>),
  };
}

function named(text: string) {
  const key = nameSearchKey(text);
  return key === '' ? undefined : { 'search.loose': prefixRange(key) };
}

function valueIn({ search, ...document }: GroupDocument, field: GroupOrder['field']): SortPosition['value'] {
  return field === 'search.loose' ? (search.loose ?? null) : document[field];
}
