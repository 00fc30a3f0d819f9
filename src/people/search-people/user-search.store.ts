import type { Collection } from 'mongodb';
import type { User } from '#src/directory/index.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { readSorted, type SortPosition } from '#src/platform/mongo/read-sorted.js';
import type { LooseNameDocument } from '../loose-names/loose-names.store.js';
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
  readonly field: Exclude<SearchStep['field'], '_id' | 'search.givenName' | 'looseName'>;
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
} as const;

export function createUserSearchStore(mongo: Mongo): UserSearchStore {
  const users = mongo.collection<UserDocument>('users');
  const looseNames = mongo.collection<LooseNameDocument>('looseNames');
  return {
    search: (orgId, query) => searchUsers({ users, looseNames }, orgId, query),

    async listed(orgId, ids) {
      if (ids.length === 0) return [];
      const byId = await readListed(users, orgId, ids);
      return ids.flatMap((id) => byId.get(id) ?? []).map(toListed);
    },
  };
}

async function readListed(
  users: Collection<UserDocument>,
  orgId: string,
  ids: readonly string[],
): Promise<Map<string, UserDocument>> {
  const found = await users
    .find({ _id: { $in: [...ids] }, orgId }, { projection })
    .batchSize(ids.length + 1)
    .toArray();
  return new Map(found.map((document) => [document._id, document]));
}

/** Reads the users of one step after the other until the page is full. Each step leaves out the users of earlier steps. */
async function searchUsers(
  stored: Stored,
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
  let begun: { readonly at: number; readonly parts: Found[][] } | undefined;
  /** If the first step does not fill the page, the others are asked at once. Most of them find few users or none. */
  async function readFirst(step: SearchStep, at: number, after?: SortPosition): Promise<Found[]> {
    if (at === from.step) return readStep(stored, orgId, { step, direction, active, limit: first, after });
    begun ??= {
      at,
      parts: await Promise.all(
        steps
          .slice(at)
          .map((other) =>
            readStep(stored, orgId, { step: other, direction, active, limit: first, after: undefined }),
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
    const read: Found[] = isFirst
      ? await readFirst(step, at, after)
      : await readStep(stored, orgId, { step, direction, active, limit: asked, after });
    isFirst = false;
    for (const { document, position } of read) {
      if (document !== undefined && isWanted(document, at)) {
        if (found.length === limit) return { users: found.map(toListed), next: { step: at, after } };
        found.push(document);
      }
      after = position;
    }
    left -= read.length;
    if (read.length < asked) {
      at++;
      after = undefined;
      isFirst = true;
    }
    if (left <= 0) return { users: found.map(toListed), next: { step: at, after } };
  }
  return { users: found.map(toListed) };
}

/** What a search reads. */
interface Stored {
  readonly users: Collection<UserDocument>;
  readonly looseNames: Collection<LooseNameDocument>;
}

/** An entry of an index, and its user. The user is absent if it was removed meanwhile. */
interface Found {
  readonly document: UserDocument | undefined;
  readonly position: SortPosition;
}

interface StepQuery {
  readonly step: SearchStep;
  readonly direction: 1 | -1;
  readonly active: boolean | undefined;
  readonly limit: number;
  readonly after: SortPosition | undefined;
}

/** The next users of a step, matching or not. */
async function readStep(stored: Stored, orgId: string, query: StepQuery): Promise<Found[]> {
  const { step, direction, active, limit, after } = query;
  const { field, range } = step;
  if (field === 'looseName') return readLooseNames(stored, orgId, query);
  const isInactive = field === 'search.userName' && active === false;
  const filter = { ...(range !== undefined && { [field]: range }), ...(isInactive && { active }) };
  const read = await readSorted(
    stored.users,
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
  return read.map((document) => ({ document, position: positionOf(document, field) }));
}

/** The users of the next loose names in a range. */
async function readLooseNames(
  { users, looseNames }: Stored,
  orgId: string,
  { step, direction, limit, after }: StepQuery,
): Promise<Found[]> {
  const names = await readSorted(
    looseNames,
    { orgId, filter: { key: step.range } },
    { sort: { field: 'key', direction }, limit, after, index: 'orgId_1_key_1__id_1' },
  );
  if (names.length === 0) return [];
  const ids = names.map(({ userId }) => userId);
  const byId = await readListed(users, orgId, ids);
  return names.map(({ _id, key, userId }) => ({
    document: byId.get(userId),
    position: { value: key, id: _id },
  }));
}

function toListed(document: UserDocument): ListedUser {
  const { id, userName, displayName, active, emails, created, lastModified } = toUser(document);
  return { id, userName, displayName, active, emails, created, lastModified };
}
