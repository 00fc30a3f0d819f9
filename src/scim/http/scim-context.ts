import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { directoryErrors, type Organization, type Permission, permissionsIn } from '#src/directory/index.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import { authenticateRequest } from '#src/http/auth/bearer-auth.js';
import { isFreshlySignedIn, requireFreshForRoute, signInTooOld } from '#src/http/auth/fresh-sign-in.js';
import { requestNote } from '#src/http/base/request-note.js';
import { limitCaller } from '#src/http/limits/rate-limit.js';
import { AppError } from '#src/platform/errors.js';
import type { ScimNeeds } from '../needs/needs.js';
import {
  connectionClientOf,
  ignoredPasswordsOf,
  requirePermission,
  type ScimContext,
  wantsPlainErrors,
} from '../operations/context.js';
import { userSchemaFor } from '../schema/registered-schema.js';
import { scimBaseUrl } from './base-url.js';

const contexts = requestNote<ScimContext>('contexts');
/** The callers, also of requests that have no context because an error came first. */
const callers = requestNote<Principal>('callers');

/**
 * Refuses callers without a role that reaches the organization of the path, and people who signed in too long ago for an operation that
 * always needs a fresh sign-in. Routes check the permission later, and a Bulk checks it for each operation. The answer is the same for
 * an organization that does not exist.
 */
export function requireScimCaller(
  scope: FastifyInstance,
  deps: Pick<
    ScimNeeds,
    'addressBound' | 'authenticate' | 'caches' | 'clock' | 'config' | 'provenCredentials' | 'rateCounts'
  >,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    const principal = await authenticateRequest(request, deps.authenticate);
    const { serviceUser } = principal;
    callers.set(request, principal);
    const { orgId } = request.params as { orgId: string };
    const permissions = permissionsIn(principal.memberships, orgId);
    const organization = permissions && (await deps.caches.organizations.get(orgId));
    if (permissions === undefined || organization === undefined) {
      throw new AppError(directoryErrors.organizationNotFound);
    }
    const connectionClient = await connectionClientOf(deps.caches, serviceUser, orgId);
    contexts.set(request, {
      organization,
      editor: { userId: principal.userId, service: 'scim' },
      ...(!isFreshlySignedIn(deps, principal) && {
        refuseOldSignIn: () => {
          throw signInTooOld(deps.config, principal);
        },
      }),
      permissions: permissions as ReadonlySet<Permission>,
      ignoredPasswords: serviceUser === undefined ? 'never' : ignoredPasswordsOf(serviceUser),
      plainErrors: wantsPlainErrors(organization, serviceUser),
      userSchema: userSchemaFor(organization, connectionClient),
      ...(connectionClient && { connectionClient }),
      baseUrl: scimBaseUrl(deps.config.baseUrl, orgId),
    });
    limitCaller(deps, reply, { clientId: principal.userId, orgId });
    requireFreshForRoute(deps, request, principal);
  });
}

/** Refuses callers without the permission, before the query and the body are read. */
export function permitted(permission: Permission): onRequestHookHandler {
  return (request, _reply, done) => {
    requirePermission(scimContextOf(request), permission);
    done();
  };
}

/**
 * Whether an error of the request is plain, as the caller or the organization has it. The organization counts only if the caller
 * has a role that reaches it. Otherwise the form of the error would tell everybody whether the organization exists. While the
 * service is overloaded, nothing is read for this.
 */
export async function errorIsPlain(
  { authenticate, caches }: Pick<ScimNeeds, 'authenticate' | 'caches'>,
  request: FastifyRequest,
  { definition: { kind } }: AppError,
): Promise<boolean> {
  const context = contexts.get(request);
  if (context !== undefined) return context.plainErrors;
  const known = callers.get(request);
  if (kind === 'unauthenticated' || kind === 'rateLimited' || kind === 'unavailable')
    return wantsPlainErrors(undefined, known?.serviceUser);
  // Unknown addresses and discovery ask for no token, but a client may send one.
  const caller = known ?? (await authenticateRequest(request, authenticate).catch(() => undefined));
  return wantsPlainErrors(await organizationOf(caches, request, caller), caller?.serviceUser);
}

/** The organization of the path, if the request has a token with a role that reaches it. The routes of discovery need no token. */
export async function organizationKnownTo(
  { authenticate, caches }: Pick<ScimNeeds, 'authenticate' | 'caches'>,
  request: FastifyRequest,
): Promise<Organization | undefined> {
  if (request.headers.authorization === undefined) return undefined;
  const caller = await authenticateRequest(request, authenticate).catch(() => undefined);
  return organizationOf(caches, request, caller);
}

async function organizationOf(
  caches: ScimNeeds['caches'],
  request: FastifyRequest,
  caller: Principal | undefined,
): Promise<Organization | undefined> {
  const { orgId = '' } = (request.params ?? {}) as { orgId?: string };
  const reached = caller !== undefined && permissionsIn(caller.memberships, orgId) !== undefined;
  return reached ? caches.organizations.get(orgId).catch(() => undefined) : undefined;
}

/** The caller, and the context if the caller reaches the organization. Undefined without a valid token. */
export function scimCallerOf(
  request: FastifyRequest,
): { readonly principal: Principal; readonly context: ScimContext | undefined } | undefined {
  const principal = callers.get(request);
  return principal && { principal, context: contexts.get(request) };
}

/** The caller and the organization that {@link requireScimCaller} found. */
export function scimContextOf(request: FastifyRequest): ScimContext {
  const context = contexts.get(request);
  if (context === undefined) throw new Error('The route is not behind requireScimCaller');
  return context;
}
