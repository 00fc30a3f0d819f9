import type { Collection } from 'mongodb';
import { readSorted, type SortOrder, type SortPosition } from '#src/platform/mongo/read-sorted.js';
import type { User } from '../user.js';
import { positionOf, toUser, type UserDocument, userFields, withoutSecrets } from '../user-document.js';
import { createUserLookUp } from '../user-look-up.store.js';
import { indexBranches } from './index-branches.js';
import { foldCase } from './search-keys.js';
import { sortIndexName } from './user-indexes.js';
import { createUserMatches } from './user-matches.store.js';

/** A page of users in the order of `sort`. The identifier breaks ties. */
export interface UserPageQuery {
  /** Condition on the document, from the filter compiler. */
  readonly filter?: Record<string, unknown>;
  readonly sort: SortOrder;
  readonly skip: number;
  readonly limit: number;
  /** Continue after this position instead of skipping users. */
  readonly after?: SortPosition;
}

/** A page. An empty page has no position. */
export interface UserPage {
  readonly users: User[];
  /** The position of the last user. */
  readonly last?: SortPosition;
  /** Present if more users follow. */
  readonly more?: true;
  /** The number of users that match the filter, if the page told it. */
  readonly total?: number;
}

/**
 * Returns a function that reads pages of the users of an organization. The matches of a filter that indexes find are merged and
 * sorted in memory, if they are not too many. All other pages are ranges of the index in whose order they are, and the filter tests each
 * user.
 */
export function createUserPages(
  users: Collection<UserDocument>,
): (orgId: string, query: UserPageQuery) => Promise<UserPage> {
  const findMatches = createUserMatches(users);
  const findByUserName = createUserLookUp(users, {
    field: 'search.userName',
    read: ({ userName }) => foldCase(userName),
    projection: withoutSecrets,
  });

  return async (orgId, query) => {
    const { filter, sort, skip, limit, after } = query;
    const { field } = sort;
    const userName = onlyUserName(filter);
    if (userName !== undefined && field === '_id' && skip === 0 && after === undefined) {
      const document = await findByUserName({ orgId, value: userName });
      return document === undefined
        ? { users: [] }
        : { users: [toUser(document)], last: { value: document._id, id: document._id } };
    }
    const branches = indexBranches(filter);
    const [only, ...others] = branches ?? [];
    // The index of the order serves the condition too.
    const isOwn = only?.field === field && others.length === 0;
    const matches = branches && !isOwn ? await findMatches(orgId, branches, query) : undefined;
    if (matches !== undefined) {
      const { documents, last, more, total } = matches;
      return { users: documents.map(toUser), ...(last && { last }), ...(more && { more }), total };
    }
    const found = await readSorted(
      users,
      { orgId, filter },
      {
        sort,
        skip,
        limit: limit + 1,
        after,
        index: sortIndexName(field),
        isUnique: field === 'search.userName',
        projection: userFields(field),
      },
    );
    const documents = found.slice(0, limit);
    const last = documents.at(-1);
    return {
      users: documents.map(toUser),
      ...(last && { last: positionOf(last, field) }),
      ...(found.length > limit && { more: true }),
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
