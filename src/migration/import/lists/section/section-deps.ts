import type { MembershipsStore } from '#src/access/memberships/index.js';
import type { AssignmentsStore, ProjectRolesStore, ProjectsStore } from '#src/access/projects/index.js';
import type { AccountsStore, OneTimeLinksStore, RevokeUserTokensDeps } from '#src/accounts/index.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { LoginAttempts } from '#src/authentication/index.js';
import type { ApplicationsStore } from '#src/clients/applications/index.js';
import type { ApplicationGrantsStore } from '#src/clients/grants/index.js';
import type { ServiceUsersStore } from '#src/clients/service-users/index.js';
import type { IdentifiersStore } from '#src/directory/identifiers/index.js';
import type { Membership, Organization } from '#src/directory/index.js';
import type { Fingerprints } from '#src/keys/fingerprints.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import type { OrganizationsStore } from '#src/organizations/index.js';
import type { GroupMembersStore, GroupsStore } from '#src/people/groups/index.js';
import type { UserMetadataStore } from '#src/people/metadata/index.js';
import type { UserCounter } from '#src/people/totals/index.js';
import type { UsersStore } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { RevocationList } from '#src/tokens/revocation.js';

/** The parts of the container that sections use. Each section picks its own. */
export interface SectionDeps {
  readonly accounts: AccountsStore;
  readonly applicationGrants: ApplicationGrantsStore;
  readonly applications: ApplicationsStore;
  readonly caches: {
    readonly memberships: Cache<Membership[]>;
    readonly organizations: Cache<Organization | undefined>;
    readonly applicationGrants: Cache<unknown>;
    readonly applications: Cache<unknown>;
    readonly origins: Cache<unknown>;
    readonly groupGenerations: Cache<unknown>;
    readonly serviceUsers: Cache<unknown>;
  };
  readonly clock: Clock;
  readonly codeAttempts: Pick<LoginAttempts, 'forget'>;
  readonly config: RevokeUserTokensDeps['config'] & { readonly baseUrl: string };
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
  readonly signingKeys: SigningKeys;
  readonly totpSealer: Sealer;
  readonly userCounter: UserCounter;
  readonly userGrants: AssignmentsStore;
  readonly userMetadata: UserMetadataStore;
  readonly users: UsersStore;
}
