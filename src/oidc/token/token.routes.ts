import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { readFormParameters } from '../protocol/parameters.js';
import { answerTokenRequest } from './answer-token-request.js';
import { createGrants } from './grants.js';
import { OAuthErrorResponse, TokenResponse } from './token-response.js';

const schema = {
  tags: ['oauth'],
  operationId: 'token',
  summary:
    'Token endpoint (RFC 6749 section 3.2): authorization code, refresh token, client credentials, JWT profile ' +
    '(RFC 7523) and token exchange (RFC 8693)',
  consumes: ['application/x-www-form-urlencoded'],
  security: [{ client: [] }, {}],
  response: {
    200: TokenResponse,
    400: OAuthErrorResponse,
    401: OAuthErrorResponse,
    503: OAuthErrorResponse,
  },
};

/** `POST /oauth/v2/token`. */
export function tokenRoutes(container: Container): FastifyPluginAsync {
  const deps = { ...container, grants: createGrants(container) };
  return async (app) => {
    app.post(
      '/oauth/v2/token',
      { schema },
      (request): Promise<TokenResponse> =>
        answerTokenRequest(deps, {
          authorization: request.headers.authorization,
          parameters: readFormParameters(request),
        }),
    );
  };
}
