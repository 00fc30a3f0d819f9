import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { findAccount, type LoginName, loginNameKey, type MailLink } from '#src/authentication/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { requireOrganization } from '#src/organizations/index.js';
import { countAttempt } from '../http/count-attempt.js';
import { readLoginName } from '../http/login-name.js';
import { organizationField } from '../http/organization-field.js';
import { showVisit } from '../http/pages.js';
import { flowOf, readVisit, requireOwnForm, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** What these routes use. */
type Needs = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'config'
  | 'logger'
  | 'loginAttempts'
  | 'organizations'
  | 'sessions'
>;

/** What the functions of the form use: the needs, and what mails a link. */
interface Deps extends Needs {
  readonly mailLink: MailLink;
}

/** Mails a one-time link to people who forgot their password or have none yet. Only with a mail server. */
export function forgotRoutes(needs: Needs, mailLink: MailLink): FastifyPluginAsync {
  const deps: Deps = { ...needs, mailLink };
  return async (app) => {
    app.get('/login/forgot', async (request, reply) => {
      const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
      const isSent = formText(request.query, 'sent') !== '';
      return showVisit(deps, { reply }, { visit, ...forgotPage(deps, visit, isSent) });
    });

    app.post('/login/forgot', async (request, reply) => {
      const flow = flowOf(request.body);
      requireOwnForm(deps, request, purposeOf(flow));
      const visit = await readVisit(deps, { request, reply }, flow);
      return requestLink(deps, { request, reply }, visit);
    });
  };
}

function purposeOf(flow: string): string {
  return `forgot ${flow}`;
}

/** The form for the login name, or what the page says after it. */
function forgotPage(deps: Deps, visit: Visit, isSent: boolean): PageContent {
  const { texts: t, agent, flow } = visit;
  const back = html`<p class="links"><a href="${pageAddress(deps, '/login', { request: flow })}">${t.back}</a></p>`;
  if (isSent) return { title: t.forgotTitle, notice: t.forgotSent, content: back };
  const content = html`${form({
    action: pageAddress(deps, '/login/forgot'),
    agent,
    purpose: purposeOf(flow),
    hidden: { request: flow },
    content: html`${field({ name: 'loginName', label: t.loginName, autocomplete: 'username', isFocused: true })}
${organizationField(visit)}
${submit(t.send)}`,
  })}
${back}`;
  return { title: t.forgotTitle, subtitle: t.forgotText, content };
}

async function requestLink(
  deps: Deps,
  { request, reply }: HttpExchange,
  visit: Visit,
): Promise<FastifyReply> {
  const { flow, language } = visit;
  const name = readLoginName(request.body, visit);
  // What can be no login name means nobody. It is not looked up, so it does not count. Every other name counts, because the
  // page must not reveal which names exist.
  if (loginNameKey(name.text) !== undefined) {
    await countAttempt(deps, request, 'mail-address');
    // The response does not wait, so that neither it nor its time tells whether the login name exists.
    sendLink(deps, name, language).catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'a one-time link could not be sent by mail'),
    );
  }
  return goTo(reply, pageAddress(deps, '/login/forgot', { request: flow, sent: '1' }));
}

/** Mails a link to the person whom the name means, if there is one. */
async function sendLink(deps: Deps, name: LoginName, language: Visit['language']): Promise<void> {
  const user = (await findAccount(deps, name))?.user;
  if (user === undefined) return;
  const organization = await requireOrganization(deps.caches.organizations.get, user.orgId);
  await deps.mailLink({ user, organization, editor: { userId: user.id, service: 'login' }, language });
}
