import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import { userAgentOf } from '#src/http/user-agent.js';
import { authenticateClient } from './clients/authenticate-client.js';
import { clientId } from './clients/client.js';
import { limitClient } from './http/limit-client.js';
import type { OidcNeeds } from './needs/needs.js';
import { readFormParameters, requireParameter } from './protocol/parameters.js';
import { revokeToken } from './revoke-token.js';

/** What these routes use. */
type Deps = Pick<
  OidcNeeds,
  | 'accessTokens'
  | 'addressBound'
  | 'assertionIds'
  | 'caches'
  | 'clock'
  | 'config'
  | 'issuerKeys'
  | 'provenCredentials'
  | 'rateCounts'
  | 'refreshTokens'
  | 'refusedAuthentications'
  | 'revocations'
  | 'secretUses'
>;

const schema = {
  tags: ['oauth'],
  operationId: 'revoke',
  summary: 'Revocation endpoint (RFC 7009)',
  description: 'A token that does not exist is answered as a revoked one is',
  security: [{ client: [] }, {}],
  response: { 200: Type.Object({}, { description: 'The token is revoked, or was no token' }) },
  described: async () => (await import('./description/token-forms.js')).describeTokenQuestion(),
};

/** `POST /oauth/v2/revoke`. */
export function revokeRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.post('/oauth/v2/revoke', { schema }, async (request, reply) => {
      const parameters = readFormParameters(request);
      const { authorization } = request.headers;
      const client = await authenticateClient(deps, {
        authorization,
        parameters,
        endpoint: 'revocation',
        address: request.ip,
        userAgent: userAgentOf(request),
        isShutOut: request.shutOut !== undefined,
      });
      limitClient(deps, reply, client);
      await revokeToken(deps, {
        token: requireParameter(parameters, 'token'),
        clientId: clientId(client),
      });
      return {};
    });
  };
}
