import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import { readClientCredentials } from '../clients/read-client-credentials.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { readFormParameters, requireParameter } from '../protocol/parameters.js';
import { clientCredentialsGrant } from './client-credentials.grant.js';
import { checkServiceUserScope } from './scope.js';
import { OAuthErrorResponse, TokenResponse } from './token-response.js';

const schema = {
  tags: ['oauth'],
  operationId: 'token',
  summary: 'Token endpoint (RFC 6749 section 3.2): the client credentials grant',
  consumes: ['application/x-www-form-urlencoded'],
  security: [{ client: [] }, {}],
  response: {
    200: TokenResponse,
    400: OAuthErrorResponse,
    401: OAuthErrorResponse,
    503: OAuthErrorResponse,
  },
};

/** `POST /oauth/v2/token`: who is the client, which grant, which scope; then the grant. */
export function tokenRoutes(container: Container): FastifyPluginAsync {
  const { accessTokens, clock, config } = container;
  const grantDeps = {
    accessTokens,
    clock,
    issuer: config.baseUrl,
    accessTokenSeconds: config.accessTokenSeconds,
  };
  return async (app) => {
    app.post('/oauth/v2/token', { schema }, async (request): Promise<TokenResponse> => {
      const parameters = readFormParameters(request);
      const grantType = requireParameter(parameters, 'grant_type');
      if (grantType !== 'client_credentials') {
        throw new OAuthError('unsupported_grant_type', 'The grant type is not supported');
      }
      const client = await authenticateClient(
        container,
        readClientCredentials(request.headers.authorization, parameters),
      );
      const scope = checkServiceUserScope(parameters.get('scope'), client.orgId);
      return clientCredentialsGrant(grantDeps, client, scope);
    });
  };
}
