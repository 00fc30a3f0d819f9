import type { UserTotalsStore } from '#src/organizations/index.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Caches } from '#src/platform/redis/cache.js';
import type { GroupGeneration } from './groups/group.js';
import { createGroupMembersStore, groupMemberIndexes } from './groups/group-members.store.js';
import { createGroupNames } from './groups/group-names.js';
import { createGroupsStore } from './groups/groups.store.js';
import { createRememberedGroups } from './groups/remembered-groups.js';
import { createUserGroups } from './groups/user-groups.js';
import { createWriteMembers } from './groups/write-members.js';
import { createUserMetadataStore, userMetadataIndexes } from './metadata/user-metadata.store.js';
import { groupIndexes } from './queries/group-indexes.js';
import { userIndexes } from './queries/user-indexes.js';
import { createUserSearchStore, type UserSearchStore } from './search-people/user-search.store.js';
import { createUserCounter } from './totals/user-counter.js';
import { createChangedUserBatcher } from './users/batch-changed-users.js';
import { createPeople } from './users/people.js';
import { createSeenUsers } from './users/seen-users.js';
import { createUsersStore } from './users/users.store.js';
import { createNewUserBatcher } from './users/write-new-users.js';

/** The collections of the room, with their indexes. */
export const peopleCollections = [userIndexes, userMetadataIndexes, groupIndexes, groupMemberIndexes];

/** What the stores and caches of the room need of other rooms. */
interface StoresDeps {
  readonly mongo: Mongo;
  readonly userTotals: UserTotalsStore;
  readonly createCache: Caches['create'];
}

type OpenPeopleDeps = StoresDeps &
  Omit<
    Parameters<typeof createPeople>[0] &
      Parameters<typeof createSeenUsers>[0] &
      Parameters<typeof createRememberedGroups>[0] &
      Parameters<typeof createUserGroups>[0] &
      Parameters<typeof createWriteMembers>[0] &
      Parameters<typeof createNewUserBatcher>[0] &
      Parameters<typeof createChangedUserBatcher>[0] &
      Parameters<typeof createUserCounter>[0],
    keyof ReturnType<typeof openStores> | 'seenUsers' | 'groupNames'
  >;

/** What the room offers. */
export type OpenedPeople = ReturnType<typeof openPeople>;

/** Opens users and groups: their stores, cached people and their groups, the writers that combine simultaneous calls, and the count of users. */
export function openPeople(needs: OpenPeopleDeps) {
  const stores = openStores(needs);
  const seenUsers = createSeenUsers({ ...needs, ...stores });
  const groupNames = createGroupNames(stores);
  const deps = { ...needs, ...stores, seenUsers, groupNames };
  return {
    ...stores,
    seenUsers,
    groupNames,
    rememberedGroups: createRememberedGroups(deps),
    people: createPeople(deps),
    userGroups: createUserGroups(deps),
    writeMembers: createWriteMembers(deps),
    batchNewUser: createNewUserBatcher(deps),
    batchChangedUser: createChangedUserBatcher(deps),
    userCounter: createUserCounter(deps),
  };
}

function openStores({ mongo, userTotals, createCache }: StoresDeps) {
  const groups = createGroupsStore(mongo);
  const userSearch: UserSearchStore = createUserSearchStore(mongo);
  return {
    users: createUsersStore(mongo, userTotals),
    userSearch,
    userMetadata: createUserMetadataStore(mongo),
    groups,
    groupMembers: createGroupMembersStore(mongo),
    caches: {
      /** Keyed by the organization. The value is another object after each change of names or roles of its groups, and after the first group. */
      groupGenerations: createCache({
        name: 'groupGeneration',
        load: async (orgId): Promise<GroupGeneration> => ({ hasGroups: await groups.any(orgId) }),
      }),
    },
  };
}
