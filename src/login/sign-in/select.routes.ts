import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { homeOf, languageOf, type SignedIn, signedInAt } from '#src/http/auth/signed-in.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { limitPerson } from '#src/http/limits/rate-limit.js';
import { initialOf } from '#src/http/pages/brand.js';
import { form } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { requireFlowForm, sinceLatest } from '../http/other-tab.js';
import { callbackAddress } from '../http/own-flow.js';
import { showVisit } from '../http/pages.js';
import { flowOf, readVisit, type Visit, visitLanguage } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { texts } from '../texts/texts.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  'authorizationRequests' | 'caches' | 'config' | 'people' | 'rateCounts' | 'sessions'
>;

/** The page on which a person chooses one of the sessions of this browser, or another account. */
export function selectRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get('/login/select', async (request, reply) => {
      const anonymous = await readVisit(deps, { request, reply }, flowOf(request.query), { isChoice: true });
      const all = await signedInAt(deps, anonymous.agent.hash);
      const sessions = selectable(anonymous, all);
      const visit = await seenByAll(deps, anonymous, sessions);
      const since = visit.waiting && sinceLatest(all);
      const another = pageAddress(deps, '/login', { request: visit.flow, since });
      if (sessions.length === 0) return goTo(reply, another);
      return showVisit(deps, { reply }, { visit, ...selectPage(deps, visit, { sessions, another }) });
    });

    app.post('/login/select', async (request, reply) => {
      const flow = flowOf(request.body);
      await requireFlowForm(deps, request, purposeOf(flow));
      const visit = await readVisit(deps, { request, reply }, flow);
      return selectSession(deps, { request, reply }, visit);
    });
  };
}

function purposeOf(flow: string): string {
  return `select ${flow}`;
}

/** The sessions whose people may sign in here. */
function selectable({ onlyOrgId }: Visit, sessions: readonly SignedIn[]): SignedIn[] {
  return sessions.filter(({ orgId }) => onlyOrgId === undefined || orgId === onlyOrgId);
}

/** The page in the language of the only person, and in the look of the only organization. */
async function seenByAll(deps: Deps, visit: Visit, sessions: readonly SignedIn[]): Promise<Visit> {
  const language = visitLanguage(visit, languageOf(sessions));
  const home = homeOf(sessions);
  const { organization = home && (await deps.caches.organizations.get(home)) } = visit;
  return { ...visit, language, texts: texts[language], ...(organization && { organization }) };
}

function selectPage(
  deps: Deps,
  visit: Visit,
  { sessions, another }: { sessions: readonly SignedIn[]; another: string },
): PageContent {
  const { texts: t, flow, agent, application } = visit;
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
<p class="links"><a href="${another}">${t.anotherAccount}</a></p>`;
  const subtitle = application && t.continueTo(application.name);
  return { title: t.selectTitle, subtitle, content };
}

/** Continues with the session of the form: at the waiting request, or at the account page. */
async function selectSession(
  deps: Deps,
  { request, reply }: HttpExchange,
  visit: Visit,
): Promise<FastifyReply> {
  const { flow } = visit;
  const wanted = formText(request.body, 'session');
  const sessions = selectable(visit, await signedInAt(deps, visit.agent.hash));
  const session = sessions.find(({ id }) => id === wanted);
  // The session has ended in the meantime.
  if (session === undefined) return goTo(reply, pageAddress(deps, '/login/select', { request: flow }));
  if (flow === '') return goTo(reply, pageAddress(deps, '/account', { session: session.id }));
  limitPerson(deps, session.userId);
  await deps.authorizationRequests.update(flow, { sessionId: session.id });
  return goTo(reply, callbackAddress(deps, flow));
}
