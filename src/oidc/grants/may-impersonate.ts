import { covers } from '#src/directory/memberships/require-covers.js';
import { type Membership, permissionsIn } from '#src/directory/memberships/roles.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { findSubject, type Subject, type SubjectDeps } from '../issuance/subject.js';

export interface ImpersonationDeps extends SubjectDeps {
  readonly users: { organizationOf(id: string): Promise<string | undefined> };
  readonly caches: SubjectDeps['caches'] & { readonly memberships: Cache<Membership[]> };
}

/**
 * Whether the actor is active and has the role IMPERSONATOR over the organization of the target. Service users are
 * never impersonated, and nobody whose roles permit what the actor's do not: the actor would gain it.
 */
async function mayImpersonate(deps: ImpersonationDeps, actorId: string, target: Subject): Promise<boolean> {
  if (target.kind !== 'person') return false;
  if ((await findById(deps, actorId)) === undefined) return false;
  const { memberships } = deps.caches;
  const [mine, theirs] = await Promise.all([memberships.get(actorId), memberships.get(target.user.id)]);
  return permissionsIn(mine, target.user.orgId)?.has('user.impersonate') === true && covers(mine, theirs);
}

/** Whether everybody who acts may, also those who act through others or acted before: any of them may lose the role. */
export async function mayAllImpersonate(
  deps: ImpersonationDeps,
  actors: readonly string[],
  target: Subject,
): Promise<boolean> {
  const allowed = await Promise.all(actors.map((actorId) => mayImpersonate(deps, actorId, target)));
  return allowed.every(Boolean);
}

/** The active user of this identifier, person or service user. */
export async function findById(deps: ImpersonationDeps, id: string): Promise<Subject | undefined> {
  const serviceUser = await deps.caches.serviceUsers.get(id);
  const org = serviceUser?.orgId ?? (await deps.users.organizationOf(id));
  return org === undefined ? undefined : findSubject(deps, { sub: id, org });
}
