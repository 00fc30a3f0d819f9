/**
 * Who may do what to a user:
 * - `user.read` of its organization reads it. `user.write` adds and changes it, and `user.delete` removes it. `org.read` and `org.write`
 *   do so with its metadata.
 * - Whoever changes or removes a user has at least the rights of the user ({@link requireAuthority}).
 * - `user.impersonate` acts as the user (`src/oidc/issuance/may-impersonate.ts`).
 * - A person needs a fresh sign-in for what is in `fresh-acts.ts`.
 */

import {
  covers,
  directoryErrors,
  type Membership,
  permissionsIn,
  permittedOnInstance,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { AssignmentsStore } from '../projects/assignments.store.js';
import type { Assignment } from '../projects/project.js';
import { mayTakeAway } from './may-take-away.js';

export interface AuthorityDeps {
  /** Keyed by the identifier of the user. Every change of a role invalidates its entry. */
  readonly caches: { readonly memberships: Cache<Membership[]> };
  readonly projectMembers: Pick<AssignmentsStore, 'ofHolder'>;
}

/**
 * What the caller wants. Whoever changes the credentials of a user can sign in as the user, and so needs every permission of
 * the user. For any other change it is enough that the caller could take the role away from the user.
 */
export type Purpose = 'change' | 'credentials';

/**
 * Requires that the user has no more rights than the caller: in any organization, in the instance, and in projects. Equal
 * rights are enough.
 * @param orgId the organization of the user
 * @throws AppError `directory.userOutranksCaller`
 */
export async function requireAuthority(
  { caches, projectMembers }: AuthorityDeps,
  { callerId, orgId, userId, purpose }: { callerId: string; orgId: string; userId: string; purpose: Purpose },
): Promise<void> {
  const mine = await caches.memberships.get(callerId);
  if (purpose === 'change' && permittedOnInstance(mine, 'instance.manage')) return;
  // Whoever may write the organization may write each of its projects.
  const ownsProjects = permissionsIn(mine, orgId)?.has('org.write') === true;
  const [theirs, projects] = await Promise.all([
    caches.memberships.get(userId),
    ownsProjects ? [] : projectMembers.ofHolder(orgId, userId),
  ]);
  const isAbove = theirs.every(
    (membership) => covers(mine, [membership]) || (purpose === 'change' && mayTakeAway(mine, membership)),
  );
  const ownProjects = projects.length > 0 ? await projectMembers.ofHolder(orgId, callerId) : [];
  const mayRead = permissionsIn(mine, orgId)?.has('org.read') === true;
  if (!isAbove || !projects.every((project) => coversProject({ mayRead, ownProjects }, project))) {
    throw new AppError(directoryErrors.userOutranksCaller);
  }
}

/** `PROJECT_OWNER` may do what `PROJECT_OWNER_VIEWER` may: see `memberMay` in `over-project.ts`. */
function coversProject(
  { mayRead, ownProjects }: { mayRead: boolean; ownProjects: readonly Assignment[] },
  { projectId, roles }: Assignment,
): boolean {
  const callerRoles = ownProjects.find((project) => project.projectId === projectId)?.roles ?? [];
  if (callerRoles.includes('PROJECT_OWNER')) return true;
  return !roles.includes('PROJECT_OWNER') && (mayRead || callerRoles.length > 0);
}
