import { covers, type Membership, permissionsIn } from '#src/directory/index.js';
import { type Features, readFeatures } from '#src/organizations/features/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { findSubject, type Subject, type SubjectDeps } from './subject.js';

export interface ImpersonationDeps extends SubjectDeps {
  readonly users: { organizationOf(id: string): Promise<string | undefined> };
  readonly caches: SubjectDeps['caches'] & {
    readonly memberships: Cache<Membership[]>;
    readonly features: Cache<Features>;
  };
}

/** What an impersonation consists of. */
export interface Impersonation {
  /** All actors, earlier and indirect ones included. Any of them may have lost the role. */
  readonly actors: readonly string[];
  readonly target: Subject;
  /** The organization of the client that has the token. */
  readonly clientOrgId: string;
}

/**
 * Whether token exchange is on and all actors may impersonate the target at the client. Without an actor there is no
 * impersonation, and the result is true. Everything but people comes from caches, which every change invalidates.
 */
export async function mayAllImpersonate(
  deps: ImpersonationDeps,
  { actors, target, clientOrgId }: Impersonation,
): Promise<boolean> {
  if (actors.length === 0) return true;
  if (!(await readFeatures(deps)).tokenExchange) return false;
  const allowed = await Promise.all(
    [...new Set(actors)].map((actorId) => mayImpersonate(deps, { actorId, target, clientOrgId })),
  );
  return allowed.every(Boolean);
}

/**
 * Whether the actor is active, belongs to the organization of the client, and has the role IMPERSONATOR in the organization of
 * the target. A client of another organization could otherwise use the token of everybody who signs in to it. Nobody
 * impersonates a service user, or a person whose roles permit more than the actor's: the actor would gain those permissions.
 */
async function mayImpersonate(
  deps: ImpersonationDeps,
  { actorId, target, clientOrgId }: Omit<Impersonation, 'actors'> & { actorId: string },
): Promise<boolean> {
  if (target.kind !== 'person') return false;
  const actor = await findById(deps, actorId);
  if (actor === undefined || actor.user.orgId !== clientOrgId) return false;
  const { memberships } = deps.caches;
  const [mine, theirs] = await Promise.all([memberships.get(actorId), memberships.get(target.user.id)]);
  return permissionsIn(mine, target.user.orgId)?.has('user.impersonate') === true && covers(mine, theirs);
}

/** The active person or service user with this identifier. */
export async function findById(
  deps: Omit<ImpersonationDeps, 'caches'> & SubjectDeps,
  id: string,
): Promise<Subject | undefined> {
  const serviceUser = await deps.caches.serviceUsers.get(id);
  const org = serviceUser?.orgId ?? (await deps.users.organizationOf(id));
  return org === undefined ? undefined : findSubject(deps, { sub: id, org });
}
