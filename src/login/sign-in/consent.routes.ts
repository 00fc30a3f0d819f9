import type { FastifyPluginAsync } from 'fastify';
import { admissionOfOrganization } from '#src/authorization/admission.js';
import type { WaitingRequest } from '#src/authorization/authorization-requests.store.js';
import { scopeToConsent } from '#src/authorization/requested-claims.js';
import { parseScope } from '#src/authorization/scope.js';
import type { Application } from '#src/clients/applications/index.js';
import { giveConsent } from '#src/clients/consents/index.js';
import { type SignedIn, signedInAt } from '#src/http/auth/signed-in.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import type { Language } from '#src/http/base/language.js';
import { limitPerson } from '#src/http/limits/rate-limit.js';
import { initialOf } from '#src/http/pages/brand.js';
import { form } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { placeOf } from '#src/http/pages/place-of.js';
import { showVisit } from '../http/pages.js';
import { scopeList } from '../http/scope-list.js';
import { flowOf, readVisit, requireOwnForm, type Visit, visitLanguage } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { texts } from '../texts/texts.js';

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

/** A request that waits for the consent of the person of a session at this browser. */
interface Asked {
  readonly waiting: WaitingRequest;
  readonly application: Application;
  readonly session: SignedIn;
}

/** The page on which a person lets an application have what it asks for (OpenID Connect Core section 3.1.2.4). */
export function consentRoutes(deps: Deps): FastifyPluginAsync {
  const purposeOf = (flow: string, session: string) => `consent ${session} ${flow}`;
  const callback = (flow: string, query: Record<string, string> = {}) =>
    pageAddress(deps, '/oauth/v2/authorize/callback', { request: flow, ...query });

  async function whatIsAsked({ agent, waiting, application }: Visit): Promise<Asked | undefined> {
    if (waiting?.sessionId === undefined || application === undefined) return undefined;
    const sessions = await signedInAt(deps, agent.hash);
    const session = sessions.find(({ id }) => id === waiting.sessionId);
    return session && { waiting, application, session };
  }

  return async (app) => {
    app.get('/login/consent', async (request, reply) => {
      const exchange: HttpExchange = { request, reply };
      const anonymous = await readVisit(deps, exchange, flowOf(request.query));
      const { agent, flow } = anonymous;
      const asked = await whatIsAsked(anonymous);
      // The authorization endpoint knows the way for a request without a session.
      if (asked === undefined) return goTo(reply, callback(flow));
      const { waiting, application, session } = asked;
      const language = visitLanguage(anonymous, session.language);
      const visit = { ...anonymous, language, texts: texts[language] };
      const { texts: t } = visit;
      const owner = await deps.caches.organizations.get(application.orgId);
      const isForeign = application.orgId !== session.orgId;
      const isKept = await needsConsent(asked);
      const scope = scopeToConsent(waiting.scope, waiting.claims);
      const content = html`<p class="person chip"><span class="avatar" aria-hidden="true">${initialOf(session.displayName)}</span><span>${session.displayName}<span class="soft">${session.userName}</span></span></p>
<p>${t.consentText(application.name)}</p>
${scopeList(scope, t, await ownersOf(scope, visit.language))}
${isForeign && html`<p class="soft">${t.consentForeign(owner?.name ?? '')}</p>`}
${isKept && html`<p class="soft">${t.consentKept}</p>`}
<p class="soft">${t.consentPlace(placeOf(waiting.redirectUri))}</p>
${form({
  action: pageAddress(deps, '/login/consent'),
  agent,
  purpose: purposeOf(flow, session.id),
  hidden: { request: flow, session: session.id },
  content: html`<div class="buttons"><button type="submit" name="decision" value="allow">${t.allow}</button>
<button type="submit" name="decision" value="deny" class="quiet">${t.cancel}</button></div>`,
})}
<p class="links"><a href="${pageAddress(deps, '/login/select', { request: flow })}">${t.anotherAccount}</a></p>`;
      return showVisit(deps, exchange, { visit, title: t.consentTitle(application.name), content });
    });

    app.post('/login/consent', async (request, reply) => {
      const flow = flowOf(request.body);
      requireOwnForm(deps, request, purposeOf(flow, formText(request.body, 'session')));
      const visit = await readVisit(deps, { request, reply }, flow);
      const asked = await whatIsAsked(visit);
      // The session has ended, or another one was chosen since the page was shown.
      if (asked?.session.id !== formText(request.body, 'session')) return goTo(reply, callback(flow));
      if (formText(request.body, 'decision') !== 'allow')
        return goTo(reply, callback(flow, { denied: 'true' }));
      limitPerson(deps, asked.session.userId);
      await remember(asked);
      await deps.authorizationRequests.update(flow, { sessionId: asked.session.id, consented: true });
      return goTo(reply, callback(flow));
    });
  };

  async function needsConsent({ application, session }: Asked): Promise<boolean> {
    return (await admissionOfOrganization(deps, application, session.orgId)) === 'consentNeeded';
  }

  /** The names of the organizations whose projects a scope names, in words. A project that does not exist has none. */
  async function ownersOf(scope: string, language: Language): Promise<string> {
    const claims = await deps.projects.claimsOf(parseScope(scope).projects);
    const orgIds = new Set([...claims.values()].map(({ orgId }) => orgId));
    const owners = await Promise.all([...orgIds].map((id) => deps.caches.organizations.get(id)));
    const names = owners.flatMap((owner) => (owner === undefined ? [] : [owner.name]));
    return new Intl.ListFormat(language, { type: 'conjunction' }).format(names.sort());
  }

  /** Stores a consent where one is needed. An application that serves the organization anyway asks again another time. */
  async function remember(asked: Asked): Promise<void> {
    if (!(await needsConsent(asked))) return;
    const { waiting, application, session } = asked;
    const { orgId, userId } = session;
    const user = await deps.users.find(orgId, userId);
    if (user === undefined) return;
    const editor = { userId, service: 'login' };
    const scopes = parseScope(scopeToConsent(waiting.scope, waiting.claims)).known;
    await giveConsent(deps, { user, clientId: application.id, scopes, editor });
  }
}
