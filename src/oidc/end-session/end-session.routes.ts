import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { findApplication } from '#src/authorization/find-application.js';
import { ensureAgent, readAgent } from '#src/http/auth/agent-cookie.js';
import { csrfToken, isCsrfToken } from '#src/http/auth/csrf.js';
import { type SignedIn, signedInAt } from '#src/http/auth/signed-in.js';
import { pageForm } from '#src/http/base/error-form.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { describeRoutes } from '#src/http/base/route-facts.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { type PageLook, showPage } from '#src/http/pages/page-frame.js';
import type { FindApplication } from '../authorize/request/find-client.js';
import { answerWithErrorPages } from '../http/answer-error-pages.js';
import { postThenGet, readPosted } from '../http/post-then-get.js';
import { createReadIdTokenHint, type ReadIdTokenHint } from '../issuance/read-id-token-hint.js';
import type { OidcNeeds } from '../needs/needs.js';
import { endConfirmed, endSession } from './end-session.js';
import { goOnAtProvider } from './go-on-at-provider.js';
import { logoutLook, namedLook } from './logout-look.js';
import { askPage, donePage, stillSignedInPage } from './logout-pages.js';
import {
  checkLogoutRequest,
  logoutParameterNames,
  longestLogoutValue,
  readLogoutParameters,
} from './logout-request.js';

const path = '/oidc/v1/end_session';
const confirmPath = `${path}/confirm`;
const csrfPurpose = 'end_session';

const described = (method: 'GET' | 'POST') => async () => {
  const { describeEndSession } = await import('../description/browser-endpoints.js');
  return describeEndSession(method, longestLogoutValue);
};

const schema = {
  tags: ['oauth'],
  summary: 'End session endpoint (RP-Initiated Logout section 2): answers with a redirect or a page',
};

const getSchema = {
  ...schema,
  operationId: 'endSession',
  description:
    'The browser is signed out, and then led to post_logout_redirect_uri if the application registered it. A page may ask the person first',
  described: described('GET'),
};

const postSchema = {
  ...schema,
  operationId: 'endSessionPost',
  description: 'The same with the parameters in a form, for requests that are too long for an address',
  described: described('POST'),
};

/** What these routes use. */
type Needs = Pick<
  OidcNeeds,
  | 'caches'
  | 'config'
  | 'connectionSealer'
  | 'logger'
  | 'logoutHints'
  | 'logoutReturns'
  | 'people'
  | 'postedSealer'
  | 'providers'
  | 'samlThreads'
  | 'sessions'
  | 'signingKeys'
>;

/** What the functions of these routes use: the needs, and what looks up the sessions, the client and the hint of a request. */
interface Deps extends Needs {
  readonly signedInAt: (agentHash: string) => Promise<SignedIn[]>;
  readonly findApplication: FindApplication;
  readonly readIdTokenHint: ReadIdTokenHint;
}

/** `/oidc/v1/end_session`, and the routes of its own confirmation page. */
export function endSessionRoutes(needs: Needs): FastifyPluginAsync {
  const { config, signingKeys } = needs;
  const deps: Deps = {
    ...needs,
    signedInAt: (agentHash) => signedInAt(needs, agentHash),
    findApplication: (clientId) => findApplication(needs, clientId),
    readIdTokenHint: createReadIdTokenHint({ signingKeys, issuer: config.baseUrl }),
  };
  return async (app) => {
    answerWithErrorPages(app, needs, 'signOut');
    describeRoutes(app, { page: true, errorForm: pageForm });
    readPosted(app, needs);

    app.get(path, { schema: getSchema }, (request, reply) =>
      signOut(deps, { request, reply }, request.query),
    );

    app.post(path, { schema: postSchema }, (request, reply) => signOutByPost(deps, { request, reply }));

    app.post(confirmPath, { schema: { hide: true } }, (request, reply) =>
      takeDecision(deps, { request, reply }),
    );

    app.get(confirmPath, { schema: { hide: true } }, (request, reply) => showEnd(deps, { request, reply }));
  };
}

/** Signs the person out, or asks the person first. */
async function signOut(deps: Deps, exchange: HttpExchange, given: unknown): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const parameters = readLogoutParameters(given);
  const asked = await checkLogoutRequest(deps, parameters);
  const outcome = await endSession(deps, asked, readAgent(deps, request)?.hash);
  const { redirectTo } = outcome;
  const sessions = 'ask' in outcome ? outcome.ask : outcome.ended;
  const clientId = asked.hint?.clientId ?? parameters.client_id;
  const look = await logoutLook(deps, request, { clientId, sessions });
  if ('ask' in outcome) {
    const csrf = csrfToken(ensureAgent(deps, request, reply), csrfPurpose);
    const action = `${deps.config.baseUrl}${confirmPath}`;
    const page = askPage(look, { sessions, parameters, csrf, action });
    return showPage(reply, look, { ...page, leadsAway: redirectTo !== undefined });
  }
  const left = await goOnAtProvider(deps, exchange, { ended: sessions, redirectTo, look });
  if (left !== undefined) return left.sent;
  if (redirectTo !== undefined) return withoutTraces(reply).redirect(redirectTo, 303);
  return showPage(reply, look, donePage(look));
}

function signOutByPost(deps: Deps, exchange: HttpExchange): Promise<unknown> {
  const answer = (given: unknown) => signOut(deps, exchange, given);
  return postThenGet(deps, exchange, { path, names: logoutParameterNames, answer });
}

/** Takes what the person decided on the page that asked. A page that is too old, or of another browser, asks anew. */
async function takeDecision(deps: Deps, exchange: HttpExchange): Promise<unknown> {
  const { request, reply } = exchange;
  const { csrf, answer } = (request.body ?? {}) as { csrf?: unknown; answer?: unknown };
  const agent = readAgent(deps, request);
  const parameters = readLogoutParameters(request.body);
  // It changes nothing, so whoever sends it gets it.
  if (answer === 'no') {
    const look = await logoutLook(deps, request, { clientId: parameters.client_id });
    return goToEnd(reply, 'kept', look);
  }
  if (agent === undefined || answer !== 'yes' || !isCsrfToken(csrf, agent, csrfPurpose))
    return signOutByPost(deps, exchange);
  const asked = await checkLogoutRequest(deps, parameters);
  const { ended: sessions, redirectTo } = await endConfirmed(deps, asked, agent.hash);
  const clientId = asked.hint?.clientId ?? parameters.client_id;
  const look = await logoutLook(deps, request, { clientId, sessions });
  const left = await goOnAtProvider(deps, exchange, { ended: sessions, redirectTo, look });
  if (left !== undefined) return left.sent;
  if (redirectTo !== undefined) return withoutTraces(reply).redirect(redirectTo, 303);
  return goToEnd(reply, 'done', look);
}

/** Redirects to a page with the result, so that reloading posts nothing again (RFC 9110 section 15.4.4). */
function goToEnd(reply: FastifyReply, ended: 'done' | 'kept', look: PageLook): FastifyReply {
  const { baseUrl, language, organization } = look;
  const query = new URLSearchParams({
    ended,
    ui_locales: language,
    ...(organization !== undefined && { organization: organization.id }),
  });
  return withoutTraces(reply).redirect(`${baseUrl}${confirmPath}?${query}`, 303);
}

/** Shows the page with the result. */
async function showEnd(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const { ended, organization: orgId } = request.query as { ended?: unknown; organization?: unknown };
  const look = await namedLook(deps, request, typeof orgId === 'string' ? orgId : undefined);
  return showPage(reply, look, ended === 'kept' ? stillSignedInPage(look) : donePage(look));
}
