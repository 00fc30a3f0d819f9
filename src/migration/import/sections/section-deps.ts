import type { EventsStore } from '#src/audit/events.store.js';
import type { ApplicationsStore } from '#src/directory/applications/applications.store.js';
import type { GroupMembersStore } from '#src/directory/groups/group-members.store.js';
import type { GroupsStore } from '#src/directory/groups/groups.store.js';
import type { IdentifiersStore } from '#src/directory/identifiers/identifiers.store.js';
import type { MembershipsStore } from '#src/directory/memberships/memberships.store.js';
import type { Membership } from '#src/directory/memberships/roles.js';
import type { Organization } from '#src/directory/organizations/organization.js';
import type { OrganizationsStore } from '#src/directory/organizations/organizations.store.js';
import type { AssignmentsStore } from '#src/directory/projects/assignments.store.js';
import type { ProjectRolesStore } from '#src/directory/projects/project-roles.store.js';
import type { ProjectsStore } from '#src/directory/projects/projects.store.js';
import type { ServiceUsersStore } from '#src/directory/service-users/service-users.store.js';
import type { AccountsStore } from '#src/directory/sign-in/accounts.store.js';
import type { LoginAttempts } from '#src/directory/sign-in/login-attempts.store.js';
import type { OneTimeLinksStore } from '#src/directory/sign-in/one-time-links.store.js';
import type { RevokeUserTokensDeps } from '#src/directory/sign-in/revoke-user-tokens.js';
import type { UserMetadataStore } from '#src/directory/user-metadata/user-metadata.store.js';
import type { UserCounter } from '#src/directory/user-totals/user-counter.js';
import type { UsersStore } from '#src/directory/users/users.store.js';
import type { Fingerprints } from '#src/keys/fingerprints.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { RevocationList } from '#src/tokens/revocation.js';

/** The parts of the container that sections use. Each section picks its own. */
export interface SectionDeps {
  readonly accounts: AccountsStore;
  readonly applications: ApplicationsStore;
  readonly caches: {
    readonly memberships: Cache<Membership[]>;
    readonly organizations: Cache<Organization | undefined>;
    readonly applications: Cache<unknown>;
    readonly origins: Cache<unknown>;
    readonly groupGenerations: Cache<unknown>;
    readonly serviceUsers: Cache<unknown>;
  };
  readonly clock: Clock;
  readonly codeAttempts: Pick<LoginAttempts, 'forget'>;
  readonly config: RevokeUserTokensDeps['config'];
  readonly events: EventsStore;
  readonly groups: GroupsStore;
  readonly groupMembers: GroupMembersStore;
  readonly groupGrants: AssignmentsStore;
  readonly identifiers: IdentifiersStore;
  /** Recognizes the password hashes of earlier imports. */
  readonly hashFingerprints: Fingerprints;
  readonly memberships: MembershipsStore;
  readonly mongo: Mongo;
  readonly oneTimeLinks: Pick<OneTimeLinksStore, 'removeAllOf'>;
  readonly organizations: OrganizationsStore;
  readonly passwords: PasswordHasher;
  readonly projectMembers: AssignmentsStore;
  readonly projectRoles: ProjectRolesStore;
  readonly projects: ProjectsStore;
  readonly refreshTokens: Pick<RefreshTokens, 'removeAllOf'>;
  readonly revocations: RevocationList;
  readonly serviceUsers: ServiceUsersStore;
  readonly totpSealer: Sealer;
  readonly userCounter: UserCounter;
  readonly userGrants: AssignmentsStore;
  readonly userMetadata: UserMetadataStore;
  readonly users: UsersStore;
}
