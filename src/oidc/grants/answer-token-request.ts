import { parseScope } from '#src/authorization/scope.js';
import { type AuthenticateClientDeps, authenticateClient } from '../clients/authenticate-client.js';
import { type Client, clientId, clientOrgId } from '../clients/client.js';
import { type RefusedProjectDeps, refusedProject } from '../issuance/refused-project.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { type Parameters, requireParameter } from '../protocol/parameters.js';
import type { Grant } from './grant.js';
import { limitScope } from './limit-scope.js';
import type { TokenResponse } from './token-response.js';

export type TokenRequestDeps = AuthenticateClientDeps &
  RefusedProjectDeps & {
    readonly grants: ReadonlyMap<string, Grant>;
  };

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly parameters: Parameters;
  /** The address of the caller. */
  readonly address: string;
  /** What the caller says that it is. */
  readonly userAgent?: string | undefined;
  /** Whether too many requests of the address had no valid credentials. */
  readonly isShutOut: boolean;
  /** Called with the client as soon as it is authenticated. The response reports the error that it throws. */
  readonly clientKnown?: (client: Client) => void;
}

/**
 * Answers a request to the token endpoint (RFC 6749 section 3.2). The steps: find the grant, authenticate the
 * client, check that it may use the grant, let the grant check the request, limit the scope, check that the projects of the
 * audience accept the client, and issue.
 * @throws OAuthError
 */
export async function answerTokenRequest(
  deps: TokenRequestDeps,
  request: TokenRequest,
): Promise<TokenResponse> {
  const { parameters } = request;
  const grant = await findGrant(deps, requireParameter(parameters, 'grant_type'));
  const client = await clientForGrant(deps, grant, request);
  request.clientKnown?.(client);
  if (!grant.allows(client)) {
    throw new OAuthError('unauthorized_client', 'The client may not use this grant type');
  }
  const prepared = await grant.prepare({ client, parameters });
  const scope = limitScope(prepared.limit, parameters.get('scope'));
  const audience = [...parseScope(scope).projects, ...(prepared.audienceFor?.(scope) ?? [])];
  const others = audience.filter((id) => id !== clientId(client));
  const refused = await refusedProject(deps, others, clientOrgId(client));
  if (refused !== undefined) throw new OAuthError('invalid_scope', refused);
  return prepared.issue(scope);
}

async function findGrant({ grants }: TokenRequestDeps, type: string): Promise<Grant> {
  const grant = grants.get(type);
  if (grant === undefined || (grant.enabled !== undefined && !(await grant.enabled()))) {
    throw new OAuthError('unsupported_grant_type', 'The grant type is not supported');
  }
  return grant;
}

/**
 * A client that shows an assertion as its grant need not authenticate, but credentials that it sends must be
 * right (RFC 7521 section 4.1).
 */
async function clientForGrant(deps: TokenRequestDeps, grant: Grant, request: TokenRequest): Promise<Client> {
  const { authorization, parameters, address, userAgent, isShutOut } = request;
  const authenticate = () =>
    authenticateClient(deps, { authorization, parameters, endpoint: 'token', address, userAgent, isShutOut });
  if (grant.authenticate === undefined) return authenticate();
  const shown =
    authorization !== undefined || parameters.has('client_secret') || parameters.has('client_assertion');
  if (shown) await authenticate();
  return grant.authenticate(parameters);
}
