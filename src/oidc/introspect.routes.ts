import type { FastifyPluginAsync } from 'fastify';
import { userAgentOf } from '#src/http/user-agent.js';
import { authenticateClient } from './clients/authenticate-client.js';
import { limitClient } from './http/limit-client.js';
import { sendClaims } from './http/send-claims.js';
import { introspectToken } from './introspect-token.js';
import type { OidcNeeds } from './needs/needs.js';
import { readFormParameters, requireParameter } from './protocol/parameters.js';

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
  | 'people'
  | 'projectRolesOfUsers'
  | 'provenCredentials'
  | 'rateCounts'
  | 'refusedAuthentications'
  | 'revocations'
  | 'secretUses'
  | 'groupsOfUsers'
  | 'users'
>;

const schema = {
  tags: ['oauth'],
  operationId: 'introspect',
  summary: 'Introspection endpoint (RFC 7662) for clients in the audience of the token',
  description:
    'For every other client, and for every token that is not valid, the answer says only that the token is not active',
  security: [{ client: [] }, {}],
  described: async () => (await import('./description/token-forms.js')).describeIntrospection(),
};

/** `POST /oauth/v2/introspect`. */
export function introspectRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.post('/oauth/v2/introspect', { schema }, async (request, reply) => {
      const parameters = readFormParameters(request);
      const { authorization } = request.headers;
      const client = await authenticateClient(deps, {
        authorization,
        parameters,
        endpoint: 'introspection',
        address: request.ip,
        userAgent: userAgentOf(request),
        isShutOut: request.shutOut !== undefined,
      });
      limitClient(deps, reply, client);
      const token = requireParameter(parameters, 'token');
      const caller = { client, address: request.ip, userAgent: userAgentOf(request) };
      return sendClaims(reply, await introspectToken(deps, { token, ...caller }));
    });
  };
}
