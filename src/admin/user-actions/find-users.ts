import { directoryErrors } from '#src/directory/index.js';
import type { ListedUser, SearchPosition, UserSearchStore } from '#src/people/search-people/index.js';
import { AppError } from '#src/platform/errors.js';
import { mostUsersOfAction } from './user-action.js';

/** The users of an action: those who are named, or all whom a search finds. */
export type WantedUsers =
  | { readonly userIds: readonly string[] }
  | { readonly search: { readonly text?: string; readonly active?: boolean } };

/** The users who exist, in the order of the list. */
export type FoundForAction = Pick<ListedUser, 'id' | 'userName' | 'displayName'>[];

const pageSize = 500;

/**
 * The most pages that are read. Each reads 600 users at most, and may return none of them: a search for active people reads those who are
 * not active too.
 */
const mostPages = 100;

/** @throws AppError `directory.tooManyUsers` */
export async function findUsersForAction(
  { userSearch }: { readonly userSearch: UserSearchStore },
  orgId: string,
  wanted: WantedUsers,
): Promise<FoundForAction> {
  if ('userIds' in wanted) return userSearch.listed(orgId, [...new Set(wanted.userIds)]);
  const { text = '', active } = wanted.search;
  const found: FoundForAction = [];
  let from: SearchPosition | undefined;
  let pages = 0;
  do {
    const { users, next } = await userSearch.search(orgId, { text, active, limit: pageSize, from });
    for (const { id, userName, displayName } of users) found.push({ id, userName, displayName });
    if (found.length > mostUsersOfAction || (next !== undefined && ++pages === mostPages))
      throw new AppError(directoryErrors.tooManyUsers);
    from = next;
  } while (from !== undefined);
  return found;
}
