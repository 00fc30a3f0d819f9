import type { Collection } from 'mongodb';
import { foldCase, type User } from '#src/directory/index.js';
import { type PacedReader, takePage } from '#src/platform/mongo/paced-reads.js';
import { readSortedPortions, type SortOrder, type SortPosition } from '#src/platform/mongo/read-sorted.js';
import { userCondition } from '../queries/condition.js';
import { userNameOf, userPlanner } from '../queries/plan.js';
import type { ResourceQuery } from '../queries/query.js';
import { positionOf, toUser, type UserDocument, userFields, withoutSecrets } from './user-document.js';
import { createUserLookUp } from './user-look-up.store.js';
import { createUserMatches } from './user-matches.store.js';

/** A page of users in the order of `sort`. The identifier breaks ties. */
export interface UserPageQuery {
  readonly filter?: ResourceQuery;
  readonly sort: SortOrder;
  readonly skip: number;
  readonly limit: number;
  /** Continue after this position instead of skipping users. */
  readonly after?: SortPosition;
}

/** A page that was read. An empty page has no position. */
export interface ReadUserPage {
  /** The number of users that the reader took. */
  readonly taken: number;
  /** The position of the last of them. */
  readonly last?: SortPosition | undefined;
  /** Present if more users follow. */
  readonly more?: true | undefined;
  /** The number of users that match the filter, if the page told it. */
  readonly total?: number | undefined;
}

/** A page with its users. */
export interface UserPage extends Omit<ReadUserPage, 'taken'> {
  readonly users: User[];
}

/**
 * Returns a function that reads pages of the users of an organization. The matches of a filter that indexes find are merged and
 * sorted in memory, if they are not too many. All other pages are ranges of the index in whose order they are, and the filter tests each
 * user.
 */
export function createUserPages(
  users: Collection<UserDocument>,
): (orgId: string, query: UserPageQuery, reader: PacedReader<User>) => Promise<ReadUserPage> {
  const findMatches = createUserMatches(users);
  const findByUserName = createUserLookUp(users, {
    field: 'search.userName',
    read: ({ userName }) => foldCase(userName),
    projection: withoutSecrets,
  });

  return async (orgId, query, reader) => {
    const { filter, sort, skip, limit, after } = query;
    const { field } = sort;
    const userName = userNameOf(query);
    if (userName !== undefined) {
      const document = await findByUserName({ orgId, value: userName });
      if (document === undefined) return { taken: 0 };
      return {
        taken: await reader.take([toUser(document)]),
        last: { value: document._id, id: document._id },
      };
    }
    const branches = userPlanner.union(query);
    const matches = branches && (await findMatches(orgId, branches, { ...query, pace: reader.pace }));
    if (matches !== undefined) {
      const { taken, last, more } = await takePage(matches.portions, reader, { limit, toItem: toUser });
      const position = more ? last && positionOf(last, field) : matches.last;
      return {
        taken,
        total: matches.total,
        ...(position && { last: position }),
        ...((more ?? matches.more) && { more: true }),
      };
    }
    const portions = readSortedPortions(
      users,
      { orgId, filter: filter && userCondition(filter) },
      {
        sort,
        skip,
        limit: limit + 1,
        after,
        index: userPlanner.sortIndexName(field),
        isUnique: field === 'search.userName',
        projection: userFields(field),
      },
      reader.pace,
    );
    const { last, ...page } = await takePage(portions, reader, { limit, toItem: toUser });
    return { ...page, ...(last && { last: positionOf(last, field) }) };
  };
}
