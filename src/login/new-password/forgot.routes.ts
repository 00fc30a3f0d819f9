import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { policyFor } from '#src/access/memberships/index.js';
import { findAccount, type LoginName, loginNameKey, type MailLink } from '#src/authentication/index.js';
import { passwordsAreOff } from '#src/directory/index.js';
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
import { requireFlowForm } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** What these routes use. */
type Needs = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'logger'
  | 'loginAttempts'
  | 'organizations'
  | 'refusedFormSealer'
  | 'sessions'
>;

/** What the functions of the form use: the needs, and what mails a link. */
interface Deps extends Needs {
  readonly mailLink: MailLink;
}

const path = '/login/forgot';

/** Mails a one-time link to people who forgot their password or have none yet. Only with a mail server. */
export function forgotRoutes(needs: Needs, mailLink: MailLink): FastifyPluginAsync {
  const deps: Deps = { ...needs, mailLink };
  return async (app) => {
    app.get(path, async (request, reply) => {
      const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
      const isSent = formText(request.query, 'sent') !== '';
      const { typed = {}, alert } = readRefusal(deps, { request, reply }, { visit, path }) ?? {};
      const page = forgotPage(deps, visit, { isSent, typed });
      return showVisit(deps, { reply }, { visit, ...page, ...(alert !== undefined && { alert }) });
    });

    app.post(path, async (request, reply) => {
      const flow = flowOf(request.body);
      await requireFlowForm(deps, request, purposeOf(flow));
      const visit = await readVisit(deps, { request, reply }, flow);
      return requestLink(deps, { request, reply }, visit);
    });
  };
}

function purposeOf(flow: string): string {
  return `forgot ${flow}`;
}

/** The form for the login name, or what the page says after it. */
function forgotPage(
  deps: Deps,
  visit: Visit,
  { isSent, typed }: { isSent: boolean; typed: Readonly<Record<string, string>> },
): PageContent {
  const { texts: t, agent, flow } = visit;
  const back = html`<p class="links"><a href="${pageAddress(deps, '/login', { request: flow })}">${t.back}</a></p>`;
  if (isSent) return { title: t.forgotTitle, notice: t.forgotSent, content: back };
  const content = html`${form({
    action: pageAddress(deps, path),
    agent,
    purpose: purposeOf(flow),
    hidden: { request: flow },
    content: html`${field({
      name: 'loginName',
      label: t.loginName,
      value: typed['loginName'],
      autocomplete: 'username',
      isFocused: true,
    })}
${organizationField(visit, typed['organization'])}
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
    const counted = await countAttempt(deps, { request, reply }, { form: 'mail-address', language });
    if ('locked' in counted) {
      const typed = { loginName: name.text, organization: name.organization };
      return refuseForm(
        deps,
        reply,
        { visit, path, query: { request: flow } },
        { typed, alert: counted.locked },
      );
    }
    // The response does not wait, so that neither it nor its time tells whether the login name exists.
    sendLink(deps, name, language).catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'a one-time link could not be sent by mail'),
    );
  }
  return goTo(reply, pageAddress(deps, path, { request: flow, sent: '1' }));
}

/** Mails a link to the person whom the name means, if there is one and may have a password. */
async function sendLink(deps: Deps, name: LoginName, language: Visit['language']): Promise<void> {
  const user = (await findAccount(deps, name))?.user;
  if (user === undefined) return;
  const organization = await requireOrganization(deps.caches.organizations.get, user.orgId);
  if (passwordsAreOff(await policyFor(deps.caches, user), deps.clock.now())) return;
  await deps.mailLink({ user, organization, editor: { userId: user.id, service: 'login' }, language });
}
