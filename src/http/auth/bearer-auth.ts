import type { FastifyRequest } from 'fastify';
import { type Permission, permissionsIn, permittedOnInstance } from '#src/directory/index.js';
import type { Authenticate, Principal } from '#src/http/auth/authenticate.js';
import { AppError, type ErrorDefinition } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { requestNote } from '../base/request-note.js';

const organizations = requestNote<string>('organizations');

/**
 * The caller that sent the request (RFC 6750 section 2.1; the header only).
 * @throws AppError `tokens.tokenMissing`, `tokens.tokenInvalid`
 */
export async function authenticateRequest(
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Principal> {
  const match = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(request.headers.authorization ?? '');
  const token = match?.[1];
  if (token === undefined) throw new AppError(tokenErrors.tokenMissing);
  const principal = await authenticate(token);
  organizations.set(request, principal.orgId);
  return principal;
}

/** The organization of the caller that {@link authenticateRequest} found. Undefined before it has found one. */
export function authenticatedOrganization(request: FastifyRequest): string | undefined {
  return organizations.get(request);
}

/**
 * Requires a permission in an organization. An organization that no membership of the caller reaches does not
 * exist for it.
 * @param notFound the error in that case
 * @throws AppError `tokens.permissionMissing`, or the given one
 */
export function requireInOrganization(
  principal: Principal,
  { orgId, permission, notFound }: { orgId: string; permission: Permission; notFound: ErrorDefinition },
): void {
  const permissions = permissionsIn(principal.memberships, orgId);
  if (permissions === undefined) throw new AppError(notFound);
  if (!permissions.has(permission)) throw new AppError(tokenErrors.permissionMissing);
}

/** @throws AppError `tokens.permissionMissing` */
export function requireOnInstance(principal: Principal, permission: Permission): void {
  if (!permittedOnInstance(principal.memberships, permission))
    throw new AppError(tokenErrors.permissionMissing);
}
