import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { limitPerson } from '#src/http/limits/rate-limit.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { requireFlowForm } from '../http/other-tab.js';
import { callbackAddress } from '../http/own-flow.js';
import { showVisit } from '../http/pages.js';
import { flowOf, readVisit, type Visit, visitLanguage } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { texts } from '../texts/texts.js';
import { askedConsent, needsConsent, ownersOfProjects, storeConsent } from './consent.js';
import { consentPage, consentPurpose } from './consent-page.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'consents'
  | 'events'
  | 'mongo'
  | 'people'
  | 'projects'
  | 'rateCounts'
  | 'serviceUsers'
  | 'sessions'
  | 'users'
>;

/** The page on which a person lets an application have what it asks for (OpenID Connect Core section 3.1.2.4). */
export function consentRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get('/login/consent', (request, reply) => askForConsent(deps, { request, reply }));

    app.post('/login/consent', (request, reply) => takeDecision(deps, { request, reply }));
  };
}

async function askForConsent(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const anonymous = await readVisit(deps, { request, reply }, flowOf(request.query));
  const asked = await askedConsent(deps, anonymous);
  // The authorization endpoint knows the way for every request, also for one without a session.
  if (asked === undefined) return goTo(reply, callbackAddress(deps, anonymous.flow));
  const language = visitLanguage(anonymous, asked.session.language);
  const visit = { ...anonymous, language, texts: texts[language] };
  const owner = (await deps.caches.organizations.get(asked.application.orgId))?.name ?? '';
  const isKept = await needsConsent(deps, asked);
  const projectOwners = await ownersOfProjects(deps, asked, language);
  const page = consentPage(deps, visit, { ...asked, owner, isKept, projectOwners });
  return showVisit(deps, { reply }, { visit, ...page });
}

async function takeDecision(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const named = flowOf(request.body);
  const sessionId = formText(request.body, 'session');
  await requireFlowForm(deps, request, consentPurpose(named, sessionId));
  const visit = await readVisit(deps, { request, reply }, named);
  const { flow } = visit;
  const asked = await askedConsent(deps, withSession(visit, sessionId));
  // The session has ended, or another one was chosen since the page was shown.
  if (asked?.session.id !== sessionId) return goTo(reply, callbackAddress(deps, flow));
  if (formText(request.body, 'decision') !== 'allow') {
    return goTo(reply, callbackAddress(deps, flow, { denied: 'true' }));
  }
  limitPerson(deps, asked.session.userId);
  await storeConsent(deps, asked);
  await deps.authorizationRequests.update(flow, { sessionId, consented: true });
  return goTo(reply, callbackAddress(deps, flow));
}

/**
 * A request that began anew has no session yet. Its page was shown for the session of the form, and asked for the same as the new request
 * does.
 */
function withSession(visit: Visit, sessionId: string): Visit {
  const { waiting, flow, namedFlow } = visit;
  return waiting === undefined || flow === namedFlow
    ? visit
    : { ...visit, waiting: { ...waiting, sessionId } };
}
