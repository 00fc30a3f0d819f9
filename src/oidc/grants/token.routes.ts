import type { FastifyPluginAsync } from 'fastify';
import { userAgentOf } from '#src/http/user-agent.js';
import { limitClient } from '../http/limit-client.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { readFormParameters } from '../protocol/parameters.js';
import { answerTokenRequest, type TokenRequest, type TokenRequestDeps } from './answer-token-request.js';
import { createGrants } from './grants.js';
import { TokenResponse } from './token-response.js';

const schema = {
  tags: ['oauth'],
  operationId: 'token',
  summary:
    'Token endpoint (RFC 6749 section 3.2): authorization code, refresh token, client credentials, JWT profile ' +
    '(RFC 7523) and token exchange (RFC 8693)',
  description:
    'The client proves itself in the header, in the form, or by a signed assertion. Each grant has its own form',
  security: [{ client: [] }, {}],
  response: { 200: TokenResponse },
  described: async () => (await import('../description/token-forms.js')).describeToken(),
};

type Deps = Parameters<typeof createGrants>[0] &
  Omit<TokenRequestDeps, 'grants'> &
  Omit<MeasureGrantDeps, 'grants'> &
  Parameters<typeof limitClient>[0];

/** `POST /oauth/v2/token`. */
export function tokenRoutes(needs: Deps): FastifyPluginAsync {
  const deps = { ...needs, grants: createGrants(needs) };
  const measured = (request: TokenRequest) => measureGrant(deps, request, answerTokenRequest(deps, request));
  return async (app) => {
    app.post(
      '/oauth/v2/token',
      { schema },
      (request, reply): Promise<TokenResponse> =>
        measured({
          authorization: request.headers.authorization,
          parameters: readFormParameters(request),
          address: request.ip,
          userAgent: userAgentOf(request),
          isShutOut: request.shutOut !== undefined,
          clientKnown: (client) => limitClient(needs, reply, client),
        }),
    );
  };
}

interface MeasureGrantDeps extends Pick<TokenRequestDeps, 'grants'> {
  readonly measures?: { tokenAnswered(grant: string, outcome: string): void } | undefined;
}

/** Counts responses by grant type and result. All unknown grant types count as `unknown`. */
async function measureGrant(
  { measures, grants }: MeasureGrantDeps,
  { parameters }: TokenRequest,
  answer: Promise<TokenResponse>,
): Promise<TokenResponse> {
  if (measures === undefined) return answer;
  const type = parameters.get('grant_type') ?? '';
  const grant = grants.has(type) ? type : 'unknown';
  try {
    const response = await answer;
    measures.tokenAnswered(grant, 'issued');
    return response;
  } catch (error) {
    measures.tokenAnswered(grant, error instanceof OAuthError ? error.code : 'failed');
    throw error;
  }
}
