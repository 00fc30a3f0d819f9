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
 * Lets only callers in whose roles reach the organization of the path. What they may do there is asked later, by
 * each route, and by a Bulk for each of its operations. An organization that does not exist and one out of reach answer alike.
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

/** Lets only callers in that have the permission, before a query or a body is looked at. */
export function permitted(permission: Permission): (request: FastifyRequest) => Promise<void> {
  return async (request) => requirePermission(scimContextOf(request), permission);
}

/** Who calls and where, as {@link requireScimCaller} found out. */
export function scimContextOf(request: FastifyRequest): ScimContext {
  const context = contexts.get(request);
  if (context === undefined) throw new Error('The route is not behind requireScimCaller');
  return context;
}
