import type { FastifyPluginAsync } from 'fastify';
import { homeOf, languageOf, type SignedIn, signedInAt } from '#src/http/auth/signed-in.js';
import { limitPerson } from '#src/http/limits/rate-limit.js';
import { initialOf } from '#src/http/pages/brand.js';
import { form } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { showVisit } from '../http/pages.js';
import { flowOf, readVisit, requireOwnForm, type Visit, visitLanguage } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { texts } from '../texts/texts.js';

/** The page on which a person chooses one of the sessions of this browser, or another account. */
export function selectRoutes(
  deps: Pick<
    LoginNeeds,
    'authorizationRequests' | 'caches' | 'config' | 'people' | 'rateCounts' | 'sessions'
  >,
): FastifyPluginAsync {
  const purposeOf = (flow: string) => `select ${flow}`;

  async function choices({ agent, onlyOrgId }: Visit): Promise<SignedIn[]> {
    const sessions = await signedInAt(deps, agent.hash);
    return sessions.filter(({ orgId }) => onlyOrgId === undefined || orgId === onlyOrgId);
  }

  /** The page in the language of the only person, and in the look of the only organization. */
  async function seenByAll(visit: Visit, sessions: readonly SignedIn[]): Promise<Visit> {
    const language = visitLanguage(visit, languageOf(sessions));
    const home = homeOf(sessions);
    const { organization = home && (await deps.caches.organizations.get(home)) } = visit;
    return { ...visit, language, texts: texts[language], ...(organization && { organization }) };
  }

  return async (app) => {
    app.get('/login/select', async (request, reply) => {
      const anonymous = await readVisit(deps, { request, reply }, flowOf(request.query));
      const sessions = await choices(anonymous);
      const visit = await seenByAll(anonymous, sessions);
      const { texts: t, flow, agent, application } = visit;
      const login = pageAddress(deps, '/login', { request: flow });
      if (sessions.length === 0) return goTo(reply, login);
      const rows = sessions.map(
        ({ id, displayName, userName }) =>
          html`<li>${form({
            action: pageAddress(deps, '/login/select'),
            agent,
            purpose: purposeOf(flow),
            hidden: { request: flow, session: id },
            content: html`<button type="submit" class="account"><span class="avatar" aria-hidden="true">${initialOf(displayName)}</span><span>${displayName}<span class="soft">${userName}</span></span></button>`,
          })}</li>`,
      );
      const content = html`<ul class="rows">${rows}</ul>
<p class="links"><a href="${login}">${t.anotherAccount}</a></p>`;
      const subtitle = application && t.continueTo(application.name);
      return showVisit(deps, { reply }, { visit, title: t.selectTitle, subtitle, content });
    });

    app.post('/login/select', async (request, reply) => {
      const flow = flowOf(request.body);
      requireOwnForm(deps, request, purposeOf(flow));
      const visit = await readVisit(deps, { request, reply }, flow);
      const wanted = formText(request.body, 'session');
      const session = (await choices(visit)).find(({ id }) => id === wanted);
      // The session has ended in the meantime.
      if (session === undefined) return goTo(reply, pageAddress(deps, '/login/select', { request: flow }));
      if (flow === '') return goTo(reply, pageAddress(deps, '/account', { session: session.id }));
      limitPerson(deps, session.userId);
      await deps.authorizationRequests.update(flow, { sessionId: session.id });
      return goTo(reply, pageAddress(deps, '/oauth/v2/authorize/callback', { request: flow }));
    });
  };
}
