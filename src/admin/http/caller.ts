import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Editor } from '#src/audit/event.js';
import type { Container } from '#src/container.js';
import { directoryErrors } from '#src/directory/errors.js';
import { requireCovers } from '#src/directory/memberships/require-covers.js';
import { type Permission, permissionsIn, permittedOnInstance } from '#src/directory/memberships/roles.js';
import { requireOrganization } from '#src/directory/organizations/require-organization.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import { authenticateRequest, requireInOrganization, requireOnInstance } from '#src/http/auth/bearer-auth.js';
import { limitCaller, type RateLimitDeps } from '#src/http/limits/rate-limit.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';

const callers = new WeakMap<FastifyRequest, Principal>();

/** Runs before a route: throws where the caller may not. */
export type Hook = (request: FastifyRequest) => Promise<void>;

/** Finds out who sends each request of this scope, before anything else is looked at. */
export function requireCaller(
  scope: FastifyInstance,
  container: Pick<Container, 'authenticate'> & RateLimitDeps,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    const caller = await authenticateRequest(request, container.authenticate);
    const { orgId = caller.orgId } = request.params as { orgId?: string };
    const reached = permissionsIn(caller.memberships, orgId) === undefined ? caller.orgId : orgId;
    limitCaller(container, reply, { clientId: caller.userId, orgId: reached });
    callers.set(request, caller);
  });
}

/** Who sent the request, as the hook above found out. */
export function callerOf(request: FastifyRequest): Principal {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('The route is not behind requireCaller');
  return caller;
}

/** The caller as events name it. */
export function editorOf(request: FastifyRequest): Editor {
  return { userId: callerOf(request).userId, service: 'admin' };
}

/** Lets only callers in that have the permission for the whole instance. */
export function onInstance(permission: Permission): Hook {
  return async (request) => requireOnInstance(callerOf(request), permission);
}

/** Lets only callers in that have the permission in the organization of the path, which must exist. */
export function inOrganization({ caches }: Pick<Container, 'caches'>, permission: Permission): Hook {
  return async (request) => {
    const { orgId } = request.params as { orgId: string };
    const notFound = directoryErrors.organizationNotFound;
    requireInOrganization(callerOf(request), { orgId, permission, notFound });
    await requireOrganization(caches.organizations.get, orgId);
  };
}

/**
 * Lets only callers in that have authority wherever the service user of the path has a role: else who owns the
 * organization of a more powerful service user could act in its name, or stop it.
 */
export function overServiceUser({
  serviceUsers,
  memberships,
}: Pick<Container, 'serviceUsers' | 'memberships'>): Hook {
  return async (request) => {
    const { orgId, id } = request.params as { orgId: string; id: string };
    if ((await serviceUsers.find(orgId, id)) === undefined) {
      throw new AppError(directoryErrors.serviceUserNotFound);
    }
    const mine = callerOf(request).memberships;
    const authorized = (await memberships.ofUser(id)).every((reach) =>
      reach.orgId === undefined
        ? permittedOnInstance(mine, 'instance.manage')
        : permissionsIn(mine, reach.orgId)?.has('org.write'),
    );
    if (!authorized) throw new AppError(tokenErrors.permissionMissing);
  };
}

/** Lets only callers in whose permissions cover those of the person of the path: see {@link requireCovers}. */
export function overPerson({ users, memberships }: Pick<Container, 'users' | 'memberships'>): Hook {
  return async (request) => {
    const { orgId, id } = request.params as { orgId: string; id: string };
    if ((await users.find(orgId, id)) === undefined) throw new AppError(directoryErrors.userNotFound);
    await requireCovers({ memberships }, { mine: callerOf(request).memberships, userId: id });
  };
}
