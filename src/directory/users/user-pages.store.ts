import type { Collection, Filter } from 'mongodb';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import { type NarrowCondition, narrowCondition } from './narrow-condition.js';
import { foldCase } from './search-keys.js';
import type { User } from './user.js';
import { toUser, type UserDocument, withoutSecrets } from './user-document.js';
import { indexName } from './user-indexes.js';
import { createUserLookUp } from './user-look-up.store.js';

/** A page of users in the order of `sort`. The identifier breaks ties. */
export interface UserPageQuery {
  /** Condition on the document, from the filter compiler. */
  readonly filter?: Record<string, unknown>;
  readonly sort: { readonly field: string; readonly direction: 1 | -1 };
  readonly skip: number;
  readonly limit: number;
  /** Continue after this position instead of skipping users. */
  readonly after?: UserPosition;
}

/** A position in a sorted list: the sort value (null if absent) and the identifier. */
export interface UserPosition {
  readonly value: string | Date | null;
  readonly id: string;
}

/** A page, and the position of its last user. An empty page has no position. */
export interface UserPage {
  readonly users: User[];
  readonly last?: UserPosition;
}

/** With this many matches or more, reading in the order of the page is faster than sorting the matches. */
const manyMatches = 1_000;

interface PageOrder extends Pick<UserPageQuery, 'sort' | 'skip' | 'limit'> {
  readonly hint?: string;
}

/** Returns a function that reads pages of the users of an organization, each with the cheapest index. */
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
    // A userName has no ties, so its order needs no identifier.
    const unique = field === '_id' || field === 'search.userName';
    const order = unique ? { [field]: direction } : { [field]: direction, _id: direction };
    // A projection either includes or excludes fields. The position of the last user needs the sort key.
    const projection = field.startsWith('search.')
      ? { password: 0, locked: 0, schemaVersion: 0 }
      : withoutSecrets;
    const read = (options: { readonly hint?: string }) =>
      users
        .find(where, { projection, ...options })
        .sort(order)
        .skip(skip)
        .limit(limit)
        .batchSize(limit + 1)
        .toArray();
    return hint === undefined ? read({}) : hinted(hint, read);
  }

  /**
   * Returns a page in the order of identifiers, for a condition that probably matches few users. For a sorted query,
   * MongoDB may read the whole organization in that order until the page is full. This function therefore reads the
   * matches of one page unsorted, and sorts them here. If there are more matches, it gives MongoDB a hint for the
   * cheaper index.
   */
  async function narrowPage(where: Filter<UserDocument>, narrow: NarrowCondition, page: PageOrder) {
    const { sort, skip, limit } = page;
    const byField = indexName(narrow.field);
    if (skip === 0) {
      const read = (options: { readonly hint?: string }) =>
        users
          .find(where, { projection: withoutSecrets, ...options })
          .limit(limit + 1)
          .batchSize(limit + 2)
          .toArray();
      const found = await (narrow.exact ? read({}) : hinted(byField, read));
      if (found.length <= limit) return found.sort((a, b) => sort.direction * compareIds(a._id, b._id));
    }
    const matches = await hinted(byField, (options) =>
      users.countDocuments(where, { limit: manyMatches, ...options }),
    );
    return sortedPage(where, { ...page, hint: matches === manyMatches ? byId : byField });
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

/**
 * Returns the folded userName if the filter asks for nothing else. Provisioning clients send such a filter before they
 * create a user.
 */
function onlyUserName(filter: Record<string, unknown> = {}): string | undefined {
  const { 'search.userName': userName, ...others } = filter;
  return typeof userName === 'string' && Object.keys(others).length === 0 ? userName : undefined;
}

/** Compares in the order of UTF-8 bytes, like MongoDB. */
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

/** Returns the condition for users after a position. Absent values sort before all others, as in MongoDB. */
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
