import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { findApplication } from '#src/authorization/find-application.js';
import { readAgent } from '#src/http/auth/agent-cookie.js';
import { pageForm } from '#src/http/base/error-form.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { describeRoutes } from '#src/http/base/route-facts.js';
import { answerWithErrorPages } from '../../http/answer-error-pages.js';
import { postThenGet, readPosted } from '../../http/post-then-get.js';
import { createReadIdTokenHint } from '../../issuance/read-id-token-hint.js';
import type { OidcNeeds } from '../../needs/needs.js';
import { type AuthorizeDeps, authorize, continueAuthorization } from '../authorize.js';
import { authorizeParameterNames, readAuthorizeParameters } from '../request/authorize-parameters.js';
import { sendOutcome } from './send-outcome.js';

/** What these routes use. */
type Deps = Pick<
  OidcNeeds,
  | 'accessTokens'
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codes'
  | 'config'
  | 'logger'
  | 'originsSealer'
  | 'people'
  | 'postedSealer'
  | 'projectRolesOfUsers'
  | 'rateCounts'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'signingKeys'
  | 'threads'
  | 'groupMembers'
  | 'groupsOfUsers'
>;

const schema = {
  tags: ['oauth'],
  summary: 'Authorization endpoint (OpenID Connect Core section 3.1.2): answers with a redirect or a page',
};

async function described(method: 'GET' | 'POST') {
  const { describeAuthorize } = await import('../../description/browser-endpoints.js');
  return describeAuthorize(method);
}

/** `/oauth/v2/authorize`, and its callback, to which the login pages lead back. */
export function authorizeRoutes(needs: Deps): FastifyPluginAsync {
  const { config, logger, signingKeys } = needs;
  const deps: AuthorizeDeps = {
    ...needs,
    findApplication: (clientId) => findApplication(needs, clientId),
    readIdTokenHint: createReadIdTokenHint({ signingKeys, issuer: config.baseUrl }),
    reportFault: (error) => logger.error({ err: error }, 'authorization failed'),
  };

  async function answer(exchange: HttpExchange, given: unknown): Promise<FastifyReply> {
    const parameters = readAuthorizeParameters(given);
    const outcome = await authorize(deps, parameters, readAgent(needs, exchange.request)?.hash);
    return sendOutcome(needs, exchange, outcome);
  }

  return async (app) => {
    answerWithErrorPages(app, needs, 'signIn');
    describeRoutes(app, { page: true, errorForm: pageForm });
    readPosted(app, needs);

    app.get(
      '/oauth/v2/authorize',
      {
        schema: {
          ...schema,
          operationId: 'authorize',
          description:
            'The person signs in, and the application gets a code or tokens at its redirect URI. Most errors go there too',
          described: () => described('GET'),
        },
      },
      async (request, reply) => answer({ request, reply }, request.query),
    );

    app.post(
      '/oauth/v2/authorize',
      {
        schema: {
          ...schema,
          operationId: 'authorizePost',
          description:
            'The same with the parameters in a form, for requests that are too long for an address',
          described: () => described('POST'),
        },
      },
      (request, reply) =>
        postThenGet(
          needs,
          { request, reply },
          {
            path: '/oauth/v2/authorize',
            names: authorizeParameterNames,
            answer: (given) => answer({ request, reply }, given),
          },
        ),
    );

    app.get('/oauth/v2/authorize/callback', { schema: { hide: true } }, async (request, reply) => {
      const { request: id, denied } = request.query as { request?: unknown; denied?: unknown };
      const agentHash = readAgent(needs, request)?.hash;
      const outcome = await continueAuthorization(deps, typeof id === 'string' ? id : '', {
        agentHash,
        denied: denied === 'true',
      });
      return sendOutcome(needs, { request, reply }, outcome);
    });
  };
}
