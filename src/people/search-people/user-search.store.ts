import type { Collection } from 'mongodb';
import type { User } from '#src/directory/index.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { readSorted, type SortPosition } from '#src/platform/mongo/read-sorted.js';
import { userPlanner } from '../queries/plan.js';
import { inactiveIndex } from '../queries/user-indexes.js';
import { positionOf, toUser, type UserDocument } from '../users/user-document.js';
import { type SearchStep, searchSteps } from './search-steps.js';

/** What a list shows of a user. */
export type ListedUser = Pick<
  User,
  'id' | 'userName' | 'displayName' | 'active' | 'emails' | 'created' | 'lastModified'
>;

/** Where a search goes on: in which step, and after which user of it. */
export interface SearchPosition {
  readonly step: number;
  readonly after?: SortPosition | undefined;
}

/** An order that an index has. */
export interface UserOrder {
  readonly field: Exclude<SearchStep['field'], '_id' | 'search.givenName' | `search.loose.${string}`>;
  readonly direction: 1 | -1;
}

interface UserSearchQuery {
  /** The beginning of a userName, a name or the primary address, a whole name, or an identifier. Empty for all users. */
  readonly text: string;
  /** Only the users who are active, or those who are not. */
  readonly active?: boolean | undefined;
  /** The order of a list without a text. With a text, the closest matches come first. */
  readonly sort?: UserOrder | undefined;
  readonly limit: number;
  readonly from?: SearchPosition | undefined;
}

interface FoundUsers {
  /** May be fewer than the limit although more follow. */
  readonly users: readonly ListedUser[];
  /** Absent if no user follows. */
  readonly next?: SearchPosition;
}

/** Searches the users of an organization for a person who types. */
export interface UserSearchStore {
  /**
   * Reads one range of an index after the other, and counts nothing. A search reads at most {@link mostRead} users, so that it takes as
   * long in an organization of any size.
   */
  search(orgId: string, query: UserSearchQuery): Promise<FoundUsers>;
  /** Returns these users in the order of the identifiers. Unknown ones are left out. */
  listed(orgId: string, ids: readonly string[]): Promise<ListedUser[]>;
}

/** The most users that one search reads, with those whom it does not return. */
const mostRead = 600;

const projection = {
  userName: 1,
  displayName: 1,
  active: 1,
  emails: 1,
  created: 1,
  lastModified: 1,
  'search.userName': 1,
  'search.familyName': 1,
  'search.givenName': 1,
  'search.primaryEmail': 1,
  'search.loose': 1,
} as const;

export function createUserSearchStore(mongo: Mongo): UserSearchStore {
  const users = mongo.collection<UserDocument>('users');
  return {
    search: (orgId, query) => searchUsers(users, orgId, query),

    async listed(orgId, ids) {
      if (ids.length === 0) return [];
      const found = await users
        .find({ _id: { $in: [...ids] }, orgId }, { projection })
        .batchSize(ids.length + 1)
        .toArray();
      const byId = new Map(found.map((document) => [document._id, document]));
      return ids.flatMap((id) => byId.get(id) ?? []).map(toListed);
    },
  };
}

/** Reads the users of one step after the other until the page is full. Each step leaves out the users of earlier steps. */
async function searchUsers(
  users: Collection<UserDocument>,
  orgId: string,
  { text, active, sort, limit, from = { step: 0 } }: UserSearchQuery,
): Promise<FoundUsers> {
  const steps: readonly SearchStep[] =
    sort === undefined ? searchSteps(text) : [{ field: sort.field, matches: () => true }];
  const direction = sort?.direction ?? 1;
  const isWanted = (document: UserDocument, at: number) =>
    (active === undefined || document.active === active) &&
    steps[at]?.matches(document) === true &&
    !steps.slice(0, at).some((step) => step.matches(document));
  const found: UserDocument[] = [];
  const first = limit + 1;
  let begun: { readonly at: number; readonly parts: UserDocument[][] } | undefined;
  /** If the first step does not fill the page, the others are asked at once. Most of them find few users or none. */
  async function readFirst(step: SearchStep, at: number, after?: SortPosition): Promise<UserDocument[]> {
    if (at === from.step) return readStep(users, orgId, { step, direction, active, limit: first, after });
    begun ??= {
      at,
      parts: await Promise.all(
        steps
          .slice(at)
          .map((other) =>
            readStep(users, orgId, { step: other, direction, active, limit: first, after: undefined }),
          ),
      ),
    };
    return begun.parts[at - begun.at] ?? [];
  }
  let left = mostRead;
  let { step: at, after } = from;
  let isFirst = true;
  for (let step = steps[at]; step !== undefined; step = steps[at]) {
    const asked: number = isFirst ? first : Math.min(left, mostRead / 2);
    const documents: UserDocument[] = isFirst
      ? await readFirst(step, at, after)
      : await readStep(users, orgId, { step, direction, active, limit: asked, after });
    isFirst = false;
    for (const document of documents) {
      if (isWanted(document, at)) {
        if (found.length === limit) return { users: found.map(toListed), next: { step: at, after } };
        found.push(document);
      }
      after = positionOf(document, step.field);
    }
    left -= documents.length;
    if (documents.length < asked) {
      at++;
      after = undefined;
      isFirst = true;
    }
    if (left <= 0) return { users: found.map(toListed), next: { step: at, after } };
  }
  return { users: found.map(toListed) };
}

/** The next users of a step, matching or not. */
function readStep(
  users: Collection<UserDocument>,
  orgId: string,
  {
    step,
    direction,
    active,
    limit,
    after,
  }: {
    step: SearchStep;
    direction: 1 | -1;
    active: boolean | undefined;
    limit: number;
    after: SortPosition | undefined;
  },
): Promise<UserDocument[]> {
  const { field, range } = step;
  const isInactive = field === 'search.userName' && active === false;
  const filter = { ...(range !== undefined && { [field]: range }), ...(isInactive && { active }) };
  return readSorted(
    users,
    { orgId, ...(Object.keys(filter).length > 0 && { filter }) },
    {
      sort: { field, direction },
      limit,
      after,
      index: isInactive ? inactiveIndex : userPlanner.indexName(field),
      isUnique: field === 'search.userName',
      projection,
    },
  );
}

function toListed(document: UserDocument): ListedUser {
  const { id, userName, displayName, active, emails, created, lastModified } = toUser(document);
  return { id, userName, displayName, active, emails, created, lastModified };
}
