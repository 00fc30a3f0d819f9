import type { OpenedAccounts } from '#src/accounts/index.js';
import type { OpenedOrganizations } from '#src/organizations/open/index.js';
import type { OpenedPeople } from '#src/people/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Caches } from '#src/platform/redis/cache.js';
import { batchReads } from '#src/platform/work/batcher.js';
import { openAbleOwners } from './memberships/able-owners.js';
import { createEffectiveMemberships } from './memberships/effective-memberships.js';
import { createMembershipsStore, membershipIndexes } from './memberships/memberships.store.js';
import { assignmentIndexes, createAssignmentsStore } from './projects/assignments.store.js';
import { createGroupsOfUsers } from './projects/groups-of-users.js';
import { createProjectRolesOfUsers } from './projects/held-roles.js';
import { createProjectRolesStore, projectRoleIndexes } from './projects/project-roles.store.js';
import { createProjectsStore, projectIndexes } from './projects/projects.store.js';

/** The collections of the room, with their indexes. */
export const accessCollections = [
  projectIndexes,
  projectRoleIndexes,
  ...assignmentIndexes,
  membershipIndexes,
];

interface OpenAccessDeps {
  readonly mongo: Mongo;
  readonly createCache: Caches['create'];
  readonly accounts: Pick<
    OpenedAccounts,
    'accounts' | 'identityLinks' | 'oneTimeLinks' | 'webauthnCredentials'
  >;
  readonly organizations: Pick<OpenedOrganizations, 'caches'>;
  readonly clock: Clock;
  /** The room of connections is above, and open before anybody asks. */
  readonly connectionsOf: Parameters<typeof openAbleOwners>[0]['connectionsOf'];
  /** Whether this instance takes a passkey, and makes one. The room of sign-ins is above. */
  readonly passkeyServes: Parameters<typeof openAbleOwners>[0]['passkeyServes'];
  readonly people: Pick<OpenedPeople, 'users' | 'groups' | 'groupMembers' | 'userGroups' | 'caches'>;
}

/** What the room offers. */
export type OpenedAccess = ReturnType<typeof openAccess>;

/** Opens the roles that people and service users have in organizations and in projects. */
export function openAccess({
  mongo,
  createCache,
  accounts,
  organizations,
  clock,
  people,
  connectionsOf,
  passkeyServes,
}: OpenAccessDeps) {
  const memberships = createMembershipsStore(mongo);
  const stores = {
    memberships,
    projects: createProjectsStore(mongo),
    projectRoles: createProjectRolesStore(mongo),
    userGrants: createAssignmentsStore(mongo, 'grant'),
    groupGrants: createAssignmentsStore(mongo, 'groupGrant'),
    projectMembers: createAssignmentsStore(mongo, 'member'),
  };
  const ownMemberships = createCache({
    name: 'memberships',
    load: (id: string) => memberships.ofUser(id),
  });
  const caches = {
    /** Every role of a user, those of its groups included. Keyed by the identifier of the user. */
    memberships: createEffectiveMemberships({ ...people, ...people.caches, direct: ownMemberships }),
    /** The roles of a service user, which is in no group. An invalidation of `memberships` applies here too. */
    ownMemberships,
    /** The owners of projects, for scopes that name a project. */
    projectClaims: createCache({
      name: 'projectClaim',
      // A scope may name many projects. The requests of one turn share a read.
      load: batchReads(async (ids: readonly string[]) => {
        const claims = await stores.projects.claimsOf(ids);
        return (id) => claims.get(id);
      }),
    }),
  };
  return {
    ...stores,
    caches,
    ableOwners: openAbleOwners({
      ...people,
      ...accounts,
      memberships,
      caches: { ...organizations.caches, ...caches },
      clock,
      connectionsOf,
      passkeyServes,
    }),
    groupsOfUsers: createGroupsOfUsers({ ...people, ...stores }),
    projectRolesOfUsers: createProjectRolesOfUsers({ ...people, ...stores }),
  };
}
