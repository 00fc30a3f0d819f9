import type {
  GroupSelection,
  GroupsOfUsers,
  HeldRoles,
  ProjectRolesOfUsers,
  SelectedGroups,
} from '#src/access/projects/index.js';
import { scopeContains, scopeToConsent } from '#src/authorization/requested-claims.js';
import { parseScope, projectRolesScope } from '#src/authorization/scope.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import type { Organization, User } from '#src/directory/index.js';
import { organizationStands } from '#src/organizations/index.js';
import type { People } from '#src/people/users/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { groupClaims } from './group-claims.js';
import { projectRoleClaims } from './project-role-claims.js';
import {
  type ClaimsReader,
  needsOrganization,
  serviceUserClaims,
  type UserClaims,
  userClaims,
} from './user-claims.js';

/** The user that a token stands for. */
export type Subject =
  | { readonly kind: 'person'; readonly user: User }
  | { readonly kind: 'serviceUser'; readonly user: ServiceUser };

export interface SubjectDeps {
  readonly people: People;
  readonly groupsOfUsers: GroupsOfUsers;
  readonly projectRolesOfUsers: ProjectRolesOfUsers;
  readonly caches: {
    readonly serviceUsers: Cache<ServiceUser | undefined>;
    readonly organizations: Cache<Organization | undefined>;
  };
}

/**
 * The active user that a token names, or undefined.
 * @param named the subject of the token, its organization and client, and the stamp of the subject; without a
 * stamp, a person costs a read of MongoDB
 */
export async function findSubject(
  deps: SubjectDeps,
  named: { sub: string; org: string; clientId?: string; stamp?: string | undefined },
): Promise<Subject | undefined> {
  // A service user's own token names it as the client too.
  if (named.sub === named.clientId) return findServiceUser(deps, named);
  const user = await deps.people.find(named.org, named.sub, named.stamp);
  if (user !== undefined) return user.active ? { kind: 'person', user } : undefined;
  return findServiceUser(deps, named);
}

async function findServiceUser(
  { caches }: SubjectDeps,
  { sub, org }: { sub: string; org: string },
): Promise<Subject | undefined> {
  const user = await caches.serviceUsers.get(sub);
  if (user === undefined || !user.active || user.orgId !== org) return undefined;
  if (!(await organizationStands({ caches }, org))) return undefined;
  return { kind: 'serviceUser', user };
}

/** What the claims about a subject are made of, besides the subject. Each part is the same object until it changes. */
export interface ClaimSources {
  readonly organization?: Organization | undefined;
  readonly groups?: SelectedGroups | undefined;
  readonly projectRoles?: HeldRoles | undefined;
}

/** Reads what the claims of the scope need. */
export async function claimSourcesOf(
  { caches, groupsOfUsers, projectRolesOfUsers }: SubjectDeps,
  { kind, user }: Subject,
  reader: ClaimsReader,
): Promise<ClaimSources> {
  const { scope, claims = [], audience } = reader;
  const wanted = scopeToConsent(scope, claims);
  const { known } = parseScope(wanted);
  const [organization, groups, projectRoles] = await Promise.all([
    needsOrganization(wanted) ? caches.organizations.get(user.orgId) : undefined,
    kind === 'person' && known.includes('groups')
      ? groupsOfUsers.of(user, groupSelection(reader))
      : undefined,
    known.includes(projectRolesScope) ? projectRolesOfUsers.of(user, audience) : undefined,
  ]);
  return { organization, groups, projectRoles };
}

/** Which groups of a person the reader gets. */
export function groupSelection({ groupsClaim, projectId = '' }: ClaimsReader): GroupSelection {
  const assigned = groupsClaim?.groupsClaimSelection === 'assigned';
  return { prefix: groupsClaim?.groupsClaimPrefix ?? '', ...(assigned && { assignedIn: projectId }) };
}

/** The claims that the reader may know about the subject: those of the scope, and those that the reader asked for one by one. */
export async function claimsOf(
  deps: SubjectDeps,
  subject: Subject,
  reader: ClaimsReader,
): Promise<UserClaims> {
  return claimsFrom(await claimSourcesOf(deps, subject, reader), subject, reader);
}

/** {@link claimsOf}, from sources that were read. */
export function claimsFrom(
  { organization, groups, projectRoles }: ClaimSources,
  subject: Subject,
  reader: ClaimsReader,
): UserClaims {
  const { claims = [], clientOrgId, groupsClaim } = reader;
  const scope = scopeToConsent(reader.scope, claims);
  const all = {
    ...(subject.kind === 'person'
      ? userClaims(subject.user, organization, { scope, clientOrgId })
      : serviceUserClaims(subject.user, organization, scope)),
    ...(groups && groupClaims(groups, groupsClaim?.groupsClaim)),
    ...(organization && projectRoles && projectRoleClaims(projectRoles, organization, reader)),
  };
  if (claims.length === 0) return all;
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => claims.includes(name) || scopeContains(reader.scope, name)),
  );
}
