import { covers, type Membership, permissionsIn } from '#src/directory/memberships/roles.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { findSubject, type Subject, type SubjectDeps } from './subject.js';

export interface ImpersonationDeps extends SubjectDeps {
  readonly users: { organizationOf(id: string): Promise<string | undefined> };
  readonly caches: SubjectDeps['caches'] & { readonly memberships: Cache<Membership[]> };
}

/**
 * Whether the actor is active and has the role IMPERSONATOR in the organization of the target. Nobody
 * impersonates a service user, or a person whose roles permit more than the actor's: the actor would gain
 * those permissions.
 */
async function mayImpersonate(deps: ImpersonationDeps, actorId: string, target: Subject): Promise<boolean> {
  if (target.kind !== 'person') return false;
  if ((await findById(deps, actorId)) === undefined) return false;
  const { memberships } = deps.caches;
  const [mine, theirs] = await Promise.all([memberships.get(actorId), memberships.get(target.user.id)]);
  return permissionsIn(mine, target.user.orgId)?.has('user.impersonate') === true && covers(mine, theirs);
}

/**
 * Whether all actors may impersonate the target, including earlier and indirect ones. Any of them may have
 * lost the role.
 */
export async function mayAllImpersonate(
  deps: ImpersonationDeps,
  actors: readonly string[],
  target: Subject,
): Promise<boolean> {
  const allowed = await Promise.all(actors.map((actorId) => mayImpersonate(deps, actorId, target)));
  return allowed.every(Boolean);
}

/** The active person or service user with this identifier. */
export async function findById(deps: ImpersonationDeps, id: string): Promise<Subject | undefined> {
  const serviceUser = await deps.caches.serviceUsers.get(id);
  const org = serviceUser?.orgId ?? (await deps.users.organizationOf(id));
  return org === undefined ? undefined : findSubject(deps, { sub: id, org });
}
