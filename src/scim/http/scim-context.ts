import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { directoryErrors } from '#src/directory/errors.js';
import { type Permission, permissionsIn } from '#src/directory/memberships/roles.js';
import { authenticateRequest } from '#src/http/auth/bearer-auth.js';
import { limitCaller } from '#src/http/limits/rate-limit.js';
import { AppError } from '#src/platform/errors.js';
import { requirePermission, type ScimContext } from '../operations/context.js';
import { scimBaseUrl } from './base-url.js';

const contexts = new WeakMap<FastifyRequest, ScimContext>();

/**
 * Refuses callers without a role that reaches the organization of the path. Routes check the permission later, and a Bulk
 * checks it for each operation. The answer is the same for an organization that does not exist.
 */
export function requireScimCaller(scope: FastifyInstance, container: Container): void {
  scope.addHook('onRequest', async (request, reply) => {
    const principal = await authenticateRequest(request, container.authenticate);
    const { orgId } = request.params as { orgId: string };
    const permissions = permissionsIn(principal.memberships, orgId);
    const organization = permissions && (await container.caches.organizations.get(orgId));
    if (permissions === undefined || organization === undefined) {
      throw new AppError(directoryErrors.organizationNotFound);
    }
    limitCaller(container, reply, { clientId: principal.userId, orgId });
    contexts.set(request, {
      organization,
      editor: { userId: principal.userId, service: 'scim' },
      permissions: permissions as ReadonlySet<Permission>,
      ignorePasswordOnCreate: principal.serviceUser.ignorePasswordOnCreate,
      baseUrl: scimBaseUrl(container.config.baseUrl, orgId),
    });
  });
}

/** Refuses callers without the permission, before the query and the body are read. */
export function permitted(permission: Permission): (request: FastifyRequest) => Promise<void> {
  return async (request) => requirePermission(scimContextOf(request), permission);
}

/** The caller and the organization that {@link requireScimCaller} found. */
export function scimContextOf(request: FastifyRequest): ScimContext {
  const context = contexts.get(request);
  if (context === undefined) throw new Error('The route is not behind requireScimCaller');
  return context;
}
