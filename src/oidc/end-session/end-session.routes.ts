import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { findApplication } from '#src/authorization/find-application.js';
import type { Organization } from '#src/directory/index.js';
import { ensureAgent, readAgent } from '#src/http/auth/agent-cookie.js';
import { csrfToken, isCsrfToken } from '#src/http/auth/csrf.js';
import { homeOf, languageOf, type SignedIn, signedInAt } from '#src/http/auth/signed-in.js';
import { pageForm } from '#src/http/base/error-form.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { describeRoutes } from '#src/http/base/route-facts.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { type PageLook, showPage } from '#src/http/pages/page-frame.js';
import { ShownError } from '../authorize/request/errors.js';
import { answerWithErrorPages, requestedLanguage } from '../http/answer-error-pages.js';
import { organizationOfClient } from '../http/organization-of-client.js';
import { postThenGet, readPosted } from '../http/post-then-get.js';
import { createReadIdTokenHint } from '../issuance/read-id-token-hint.js';
import type { OidcNeeds } from '../needs/needs.js';
import { endConfirmed, endSession, type LogoutOutcome } from './end-session.js';
import { askPage, donePage, keptPage } from './logout-pages.js';
import {
  checkLogoutRequest,
  type LogoutParameters,
  type LogoutRequest,
  logoutParameterNames,
  readLogoutParameters,
} from './logout-request.js';

const schema = {
  tags: ['oauth'],
  summary: 'End session endpoint (RP-Initiated Logout section 2): answers with a redirect or a page',
};

async function described(method: 'GET' | 'POST') {
  const { describeEndSession } = await import('../description/browser-endpoints.js');
  return describeEndSession(method);
}

const csrfPurpose = 'end_session';

type Deps = Pick<
  OidcNeeds,
  'config' | 'signingKeys' | 'sessions' | 'people' | 'caches' | 'logger' | 'clock' | 'postedSealer'
>;

/** `/oidc/v1/end_session`, and the routes of its own confirmation page. */
export function endSessionRoutes(needs: Deps): FastifyPluginAsync {
  const { config, signingKeys } = needs;
  const address = `${config.baseUrl}/oidc/v1/end_session`;
  const deps = {
    ...needs,
    signedInAt: (agentHash: string) => signedInAt(needs, agentHash),
    findApplication: (clientId: string) => findApplication(needs, clientId),
    readIdTokenHint: createReadIdTokenHint({ signingKeys, issuer: config.baseUrl }),
  };

  async function answer(exchange: HttpExchange, given: unknown): Promise<FastifyReply> {
    const parameters = readLogoutParameters(given);
    const asked = await checkLogoutRequest(deps, parameters);
    const outcome = await endSession(deps, asked, readAgent(needs, exchange.request)?.hash);
    return send({ ...exchange, parameters }, asked, outcome);
  }

  return async (app) => {
    answerWithErrorPages(app, needs, 'signOut');
    describeRoutes(app, { page: true, errorForm: pageForm });
    readPosted(app, needs);

    app.get(
      '/oidc/v1/end_session',
      {
        schema: {
          ...schema,
          operationId: 'endSession',
          description:
            'The browser is signed out, and then led to post_logout_redirect_uri if the application registered it. A page may ask the person first',
          described: () => described('GET'),
        },
      },
      async (request, reply) => answer({ request, reply }, request.query),
    );

    app.post(
      '/oidc/v1/end_session',
      {
        schema: {
          ...schema,
          operationId: 'endSessionPost',
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
            path: '/oidc/v1/end_session',
            names: logoutParameterNames,
            answer: (given) => answer({ request, reply }, given),
          },
        ),
    );

    app.post('/oidc/v1/end_session/confirm', { schema: { hide: true } }, async (request, reply) => {
      const { csrf, answer } = (request.body ?? {}) as { csrf?: unknown; answer?: unknown };
      const agent = readAgent(needs, request);
      if (agent === undefined || !isCsrfToken(csrf, agent, csrfPurpose)) {
        throw new ShownError('invalid_request', 'The form has expired or is not from this browser');
      }
      const parameters = readLogoutParameters(request.body);
      if (answer !== 'yes') return goToEnd(reply, 'kept', await lookOf(request, parameters.client_id));
      const asked = await checkLogoutRequest(deps, parameters);
      const { ended, redirectTo } = await endConfirmed(deps, asked, agent.hash);
      if (redirectTo !== undefined) return withoutTraces(reply).redirect(redirectTo, 303);
      const clientId = asked.hint?.clientId ?? parameters.client_id;
      return goToEnd(reply, 'done', await lookOf(request, clientId, ended));
    });

    app.get('/oidc/v1/end_session/confirm', { schema: { hide: true } }, async (request, reply) => {
      const { ended, organization: orgId } = request.query as { ended?: unknown; organization?: unknown };
      const organization = typeof orgId === 'string' ? await lookUp(orgId) : undefined;
      const look = { baseUrl: config.baseUrl, language: requestedLanguage(request), organization };
      return showPage(reply, look, ended === 'kept' ? keptPage(look) : donePage(look));
    });
  };

  /** Redirects to a page with the result, so that reloading posts nothing again (RFC 9110 section 15.4.4). */
  function goToEnd(reply: FastifyReply, ended: 'done' | 'kept', look: PageLook): FastifyReply {
    const { language, organization } = look;
    const query = new URLSearchParams({
      ended,
      ui_locales: language,
      ...(organization !== undefined && { organization: organization.id }),
    });
    return withoutTraces(reply).redirect(`${address}/confirm?${query}`, 303);
  }

  /** A page can do without the look of the organization, so an error leaves it plain. */
  function lookUp(orgId: string): Promise<Organization | undefined> {
    return needs.caches.organizations.get(orgId).catch(() => undefined);
  }

  async function send(
    exchange: HttpExchange & { parameters: LogoutParameters },
    { hint }: LogoutRequest,
    outcome: LogoutOutcome,
  ): Promise<FastifyReply> {
    const { request, reply, parameters } = exchange;
    const { redirectTo } = outcome;
    const sessions = 'ask' in outcome ? outcome.ask : outcome.ended;
    const look = await lookOf(request, hint?.clientId ?? parameters.client_id, sessions);
    if ('ask' in outcome) {
      const csrf = csrfToken(ensureAgent(needs, request, reply), csrfPurpose);
      const asked = { sessions, parameters, csrf, action: `${address}/confirm` };
      const formTargets = redirectTo === undefined ? [] : [redirectTo];
      return showPage(reply, look, { ...askPage(look, asked), formTargets });
    }
    if (redirectTo !== undefined) return withoutTraces(reply).redirect(redirectTo, 303);
    return showPage(reply, look, donePage(look));
  }

  /** The look of the client's organization, or of the organization to which all concerned people belong. */
  async function lookOf(
    request: FastifyRequest,
    clientId: string | undefined,
    sessions: readonly SignedIn[] = [],
  ): Promise<PageLook> {
    const orgId = homeOf(sessions);
    const organization =
      (await organizationOfClient(needs, clientId)) ??
      (orgId === undefined ? undefined : await lookUp(orgId));
    const language = requestedLanguage(request, languageOf(sessions));
    return { baseUrl: config.baseUrl, language, organization };
  }
}
