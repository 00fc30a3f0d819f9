import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AuthorityDeps,
  type Purpose,
  requireAuthority,
  requireOverApplication,
  requireOverServiceUser,
} from '#src/access/authority/index.js';
import type { Editor } from '#src/audit/event.js';
import { adminScope, directoryErrors, type Permission, permissionsIn } from '#src/directory/index.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import { authenticateRequest, requireInOrganization, requireOnInstance } from '#src/http/auth/bearer-auth.js';
import { type FreshSignInDeps, requireFreshFor, requireFreshForRoute } from '#src/http/auth/fresh-sign-in.js';
import { requestNote } from '#src/http/base/request-note.js';
import { limitCaller, type RateLimitDeps } from '#src/http/limits/rate-limit.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import type { AdminNeeds } from '../needs/needs.js';
import { type Hook, needing, rolesWith } from './describe-callers.js';
import { orNotFound } from './or-not-found.js';

const callers = requestNote<Principal>('callers');

/**
 * Authenticates the caller of each request of this scope, before anything else is read. For an operation on the list of
 * `fresh-acts.ts`, a person must have signed in lately. A token for SCIM alone opens only the routes that say so.
 */
export function requireCaller(
  scope: FastifyInstance,
  deps: Pick<AdminNeeds, 'authenticate'> & RateLimitDeps & FreshSignInDeps,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    const caller = await authenticateRequest(request, deps.authenticate);
    const { orgId = caller.orgId } = request.params as { orgId?: string };
    const reached = permissionsIn(caller.memberships, orgId) === undefined ? caller.orgId : orgId;
    limitCaller(deps, reply, { clientId: caller.userId, orgId: reached });
    callers.set(request, caller);
    const { config } = request.routeOptions;
    if (caller.scimAlone && !config.servesScim)
      throw new AppError(tokenErrors.scimAlone, { challenge: scopeChallenge });
    requireFreshForRoute(deps, request, caller);
  });
}

/** RFC 6750 section 3.1. */
const scopeChallenge = `Bearer error="insufficient_scope", scope="${adminScope}"`;

/** Returns the caller that `requireCaller` found. */
export function callerOf(request: FastifyRequest): Principal {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('The route is not behind requireCaller');
  return caller;
}

/**
 * Requires a fresh sign-in in the case that `fresh-acts.ts` names for the operation: see {@link requireFreshFor}.
 * @throws AppError `tokens.signInTooOld`
 */
export function requireFreshCaller(deps: FreshSignInDeps, request: FastifyRequest): void {
  requireFreshFor(deps, request, callerOf(request));
}

/** Returns the caller in the form that events use. */
export function editorOf(request: FastifyRequest): Editor {
  return { userId: callerOf(request).userId, service: 'admin' };
}

/** Requires the permission for the whole instance. */
export function onInstance(permission: Permission): Hook {
  return needing(rolesWith(permission), async (request) => requireOnInstance(callerOf(request), permission));
}

/** Requires the permission in the organization of the path. The organization must exist. */
export function inOrganization({ caches }: Pick<AdminNeeds, 'caches'>, permission: Permission): Hook {
  return needing(rolesWith(permission, 'organization'), async (request) => {
    const { orgId } = request.params as { orgId: string };
    const notFound = directoryErrors.organizationNotFound;
    requireInOrganization(callerOf(request), { orgId, permission, notFound });
    await requireOrganization(caches.organizations.get, orgId);
  });
}

/** Requires authority over the service user of the path: see {@link requireOverServiceUser}. */
export function overServiceUser({
  serviceUsers,
  memberships,
}: Pick<AdminNeeds, 'serviceUsers' | 'memberships'>): Hook {
  return needing('Wherever the service user has a role, the caller must be an owner', async (request) => {
    const { orgId, id } = request.params as { orgId: string; id: string };
    await orNotFound(serviceUsers.find(orgId, id), directoryErrors.serviceUserNotFound);
    const ofServiceUser = await memberships.ofUser(id);
    requireOverServiceUser({ ofCaller: callerOf(request).memberships, ofServiceUser });
  });
}

/** Requires authority over the application of the path: see {@link requireOverApplication}. An unknown one passes. */
export function overApplication({ applications }: Pick<AdminNeeds, 'applications'>): Hook {
  return needing(
    'If people administer through the application, the caller needs the role IAM_OWNER',
    async (request) => {
      const { orgId, id } = request.params as { orgId: string; id: string };
      const found = await applications.find(orgId, id);
      if (found !== undefined) requireOverApplication(callerOf(request).memberships, found);
    },
  );
}

/** Requires that the user of the path has no more rights than the caller: see {@link requireAuthority}. */
export function overPerson(deps: Pick<AdminNeeds, 'users'> & AuthorityDeps, purpose: Purpose): Hook {
  return needing('The user must not have more rights than the caller', async (request) => {
    const { orgId, id: userId } = request.params as { orgId: string; id: string };
    await orNotFound(deps.users.find(orgId, userId), directoryErrors.userNotFound);
    await requireAuthority(deps, { callerId: callerOf(request).userId, orgId, userId, purpose });
  });
}

/**
 * Requires that the user or service user of the path has no more rights than the caller: see {@link requireAuthority}. An
 * unknown user passes, because the route responds with 404.
 */
export function overSubject(deps: Pick<AdminNeeds, 'users' | 'serviceUsers'> & AuthorityDeps): Hook {
  return needing('The user must not have more rights than the caller', async (request) => {
    const { orgId, userId } = request.params as { orgId: string; userId: string };
    const found = (await deps.users.find(orgId, userId)) ?? (await deps.serviceUsers.find(orgId, userId));
    if (found === undefined) return;
    const callerId = callerOf(request).userId;
    await requireAuthority(deps, { callerId, orgId, userId, purpose: 'change' });
  });
}
