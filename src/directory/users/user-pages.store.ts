import type { Collection, Filter } from 'mongodb';
import { type NarrowCondition, narrowCondition } from './narrow-condition.js';
import { foldCase } from './search-keys.js';
import type { User } from './user.js';
import { toUser, type UserDocument, withoutSecrets } from './user-document.js';
import { indexKey } from './user-indexes.js';
import { createUserLookUp } from './user-look-up.store.js';

/** A page of users in the order of `sort`; the identifier breaks ties. */
export interface UserPageQuery {
  /** Condition on the document, as the filter compiler makes it. */
  readonly filter?: Record<string, unknown>;
  readonly sort: { readonly field: string; readonly direction: 1 | -1 };
  readonly skip: number;
  readonly limit: number;
  /** Continue after this place instead of skipping. */
  readonly after?: UserPosition;
}

/** A place in a sorted list: the sort value (null where absent) and the identifier. */
export interface UserPosition {
  readonly value: string | Date | null;
  readonly id: string;
}

/** A page, and the place of its last user; none when it is empty. */
export interface UserPage {
  readonly users: User[];
  readonly last?: UserPosition;
}

/** Above this many matches, reading in the order of the page until it is full is shorter than sorting them. */
const manyMatches = 1_000;

interface PageOrder extends Pick<UserPageQuery, 'sort' | 'skip' | 'limit'> {
  readonly hint?: Readonly<Record<string, 1>>;
}

/** Pages of the users of an organization, each by the shortest way that an index offers. */
export function createUserPages(
  users: Collection<UserDocument>,
): (orgId: string, query: UserPageQuery) => Promise<UserPage> {
  const findByUserName = createUserLookUp(users, {
    field: 'search.userName',
    read: ({ userName }) => foldCase(userName),
    projection: withoutSecrets,
  });

  function sortedPage(where: Filter<UserDocument>, { sort, skip, limit, hint }: PageOrder) {
    const { field, direction } = sort;
    // userNames have no ties, and an index of their own that holds nothing else.
    const unique = field === '_id' || field === 'search.userName';
    const order = unique ? { [field]: direction } : { [field]: direction, _id: direction };
    // A projection either names or leaves out: the sort twin is needed for the position of the last user.
    const projection = field.startsWith('search.')
      ? { password: 0, locked: 0, schemaVersion: 0 }
      : withoutSecrets;
    return users
      .find(where, { projection, ...(hint && { hint }) })
      .sort(order)
      .skip(skip)
      .limit(limit)
      .batchSize(limit + 1)
      .toArray();
  }

  /**
   * A page in the order of identifiers of likely few users. Asked for it at once some engines read the whole
   * organization in that order until the page is full, so what a page holds is fetched first and sorted here; where
   * there is more, the engine is told which index is the shorter way.
   */
  async function narrowPage(where: Filter<UserDocument>, narrow: NarrowCondition, page: PageOrder) {
    const { sort, skip, limit } = page;
    const byField = indexKey(narrow.field);
    if (skip === 0) {
      const options = { projection: withoutSecrets, ...(!narrow.exact && { hint: byField }) };
      const found = await users
        .find(where, options)
        .limit(limit + 1)
        .batchSize(limit + 2)
        .toArray();
      if (found.length <= limit) return found.sort((a, b) => sort.direction * compareIds(a._id, b._id));
    }
    const counting = { limit: manyMatches, hint: byField };
    const many = (await users.countDocuments(where, counting)) === manyMatches;
    return sortedPage(where, { ...page, hint: many ? { orgId: 1, _id: 1 } : byField });
  }

  return async (orgId, { filter, sort, skip, limit, after }) => {
    const userName = onlyUserName(filter);
    if (userName !== undefined && sort.field === '_id' && skip === 0 && after === undefined) {
      const document = await findByUserName({ orgId, value: userName });
      return document === undefined
        ? { users: [] }
        : { users: [toUser(document)], last: { value: document._id, id: document._id } };
    }
    const conditions = [filter, after && afterPosition(sort, after)].filter((c) => c !== undefined);
    const where = (conditions.length === 0 ? { orgId } : { orgId, $and: conditions }) as Filter<UserDocument>;
    const narrow = sort.field === '_id' ? narrowCondition(filter) : undefined;
    const documents =
      narrow === undefined
        ? await sortedPage(where, { sort, skip, limit })
        : await narrowPage(where, narrow, { sort, skip, limit });
    const last = documents.at(-1);
    return {
      users: documents.map(toUser),
      ...(last && { last: { value: sortValue(last, sort.field), id: last._id } }),
    };
  };
}

/** The folded userName that a filter asks for alone, as provisioning clients do before they create somebody. */
function onlyUserName(filter: Record<string, unknown> = {}): string | undefined {
  const { 'search.userName': userName, ...others } = filter;
  return typeof userName === 'string' && Object.keys(others).length === 0 ? userName : undefined;
}

/** The order of UTF-8 bytes, as the engine has it. */
function compareIds(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function sortValue(document: Partial<UserDocument>, field: string): string | Date | null {
  if (field.startsWith('search.')) {
    return (
      (document.search as unknown as Record<string, string> | undefined)?.[field.slice('search.'.length)] ??
      null
    );
  }
  const value = (document as Record<string, unknown>)[field];
  return typeof value === 'string' || value instanceof Date ? value : null;
}

/** What comes after a position. Absent values sort before all others, as MongoDB orders them. */
function afterPosition(
  { field, direction }: UserPageQuery['sort'],
  { value, id }: UserPosition,
): Record<string, unknown> {
  const beyond = direction === 1 ? '$gt' : '$lt';
  if (field === '_id') return { _id: { [beyond]: id } };
  const tie = { [field]: value, _id: { [beyond]: id } };
  if (value === null) return direction === 1 ? { $or: [{ [field]: { $ne: null } }, tie] } : tie;
  const further = { [field]: { [beyond]: value } };
  return { $or: direction === 1 ? [further, tie] : [further, tie, { [field]: null }] };
}
