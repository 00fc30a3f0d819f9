import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { initialOf } from '#src/http/pages/brand.js';
import { form } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import type { Session } from '#src/sessions/session.js';
import { showVisit } from './http/pages.js';
import { flowOf, readVisit, requireOwnForm, type Visit } from './http/visit.js';

/** The page on which a person chooses one of the sessions of this browser, or another account. */
export function selectRoutes(container: Container): FastifyPluginAsync {
  const purposeOf = (flow: string) => `select ${flow}`;

  async function choices({ agent, onlyOrgId }: Visit): Promise<Session[]> {
    const sessions = await container.sessions.ofAgent(agent.hash);
    return sessions.filter(({ orgId }) => onlyOrgId === undefined || orgId === onlyOrgId);
  }

  return async (app) => {
    app.get('/login/select', async (request, reply) => {
      const visit = await readVisit(container, { request, reply }, flowOf(request.query));
      const sessions = await choices(visit);
      const { texts: t, flow, agent, application } = visit;
      const login = pageAddress(container, '/login', { request: flow });
      if (sessions.length === 0) return goTo(reply, login);
      const rows = sessions.map(
        ({ id, displayName, userName }) =>
          html`<li>${form({
            action: pageAddress(container, '/login/select'),
            agent,
            purpose: purposeOf(flow),
            hidden: { request: flow, session: id },
            content: html`<button type="submit" class="account"><span class="avatar" aria-hidden="true">${initialOf(displayName)}</span><span>${displayName}<span class="soft">${userName}</span></span></button>`,
          })}</li>`,
      );
      const content = html`<ul class="rows">${rows}</ul>
<p class="links"><a href="${login}">${t.anotherAccount}</a></p>`;
      const subtitle = application && t.continueTo(application.name);
      return showVisit(container, { reply }, { visit, title: t.selectTitle, subtitle, content });
    });

    app.post('/login/select', async (request, reply) => {
      const flow = flowOf(request.body);
      requireOwnForm(container, request, purposeOf(flow));
      const visit = await readVisit(container, { request, reply }, flow);
      const wanted = formText(request.body, 'session');
      const session = (await choices(visit)).find(({ id }) => id === wanted);
      // The session has ended in the meantime.
      if (session === undefined)
        return goTo(reply, pageAddress(container, '/login/select', { request: flow }));
      if (flow === '') return goTo(reply, pageAddress(container, '/account', { session: session.id }));
      await container.authorizationRequests.update(flow, { sessionId: session.id });
      return goTo(reply, pageAddress(container, '/oauth/v2/authorize/callback', { request: flow }));
    });
  };
}
