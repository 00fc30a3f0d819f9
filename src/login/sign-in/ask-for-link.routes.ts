import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { findAccount, loginNameKey } from '#src/authentication/index.js';
import { beginSignInLink } from '#src/authentication/sign-in-links/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { countAttempt } from '../http/count-attempt.js';
import { readLoginName } from '../http/login-name.js';
import { organizationField } from '../http/organization-field.js';
import { requireFlowForm } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { accountPlace, isToAccount, toAccountQuery } from '../http/to-account.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { Mailer } from '../mail/mail.js';
import { mailBoundOf } from '../mail/mail-bound.js';
import { mailLanguage, signInLinkMail } from '../mail/mails.js';
import type { LoginNeeds } from '../needs/needs.js';
import { linkPath as path } from './offer-link.js';
import { openPath } from './open-link.routes.js';
import { type PersonToConfirm, readPersonToConfirm } from './person-to-confirm.js';

/** What these routes use. */
type Needs = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'confirmationSealer'
  | 'dailyMails'
  | 'logger'
  | 'loginAttempts'
  | 'organizations'
  | 'people'
  | 'refusedFormSealer'
  | 'sessions'
  | 'signInLinks'
>;

interface Deps extends Needs {
  readonly mailer: Mailer;
}

/** Mails a link that signs in, to people whose organization allows it. Only with a mail server. */
export function askForLinkRoutes(needs: Needs, mailer: Mailer): FastifyPluginAsync {
  const deps: Deps = { ...needs, mailer };
  return async (app) => {
    app.get(path, (request, reply) => show(deps, { request, reply }));

    app.post(path, (request, reply) => ask(deps, { request, reply }));
  };
}

function purposeOf(flow: string): string {
  return `mail-link ${flow}`;
}

async function show(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request } = exchange;
  const anonymous = await readVisit(deps, exchange, flowOf(request.query));
  const { visit, person } = await readPersonToConfirm(deps, request, anonymous);
  const { typed = {}, alert } = readRefusal(deps, exchange, { visit: anonymous, path }) ?? {};
  const isSent = formText(request.query, 'sent') !== '';
  const loginName = typed['loginName'] ?? visit.waiting?.loginHint ?? '';
  const shown = { person, typed: { ...typed, loginName }, toAccount: isToAccount(request.query) };
  const page = isSent ? sentPage(deps, visit) : askPage(deps, visit, shown);
  return showVisit(deps, exchange, { visit, ...page, ...(alert !== undefined && { alert }) });
}

function sentPage(deps: Deps, { texts: t, flow }: Visit): PageContent {
  return { title: t.signInLink.title, notice: t.signInLink.sent, content: backTo(deps, t.back, flow) };
}

function backTo(deps: Deps, text: string, flow: string) {
  return html`<p class="links"><a href="${pageAddress(deps, '/login', { request: flow })}">${text}</a></p>`;
}

/** The form for the login name. A person who proves again who it is cannot name another. */
function askPage(
  deps: Deps,
  visit: Visit,
  {
    person,
    typed,
    toAccount,
  }: {
    person: PersonToConfirm | undefined;
    typed: Readonly<Record<string, string>>;
    toAccount: boolean;
  },
): PageContent {
  const { texts: t, agent, flow } = visit;
  const content = html`${form({
    action: pageAddress(deps, path),
    agent,
    purpose: purposeOf(flow),
    hidden: { request: flow, ...(toAccount && { to: accountPlace }) },
    content: html`${field({
      name: 'loginName',
      label: t.loginName,
      value: person?.userName ?? typed['loginName'],
      autocomplete: 'username',
      isFixed: person !== undefined,
      isFocused: person === undefined,
    })}
${person === undefined && organizationField(visit, typed['organization'])}
${submit(t.send)}`,
  })}
${backTo(deps, t.back, flow)}`;
  return { title: t.signInLink.title, subtitle: t.signInLink.text, content };
}

/**
 * Answers every name alike, and does not wait for the mail. So neither the answer nor its time tells who exists, or who may sign in by
 * mail.
 */
async function ask(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, purposeOf(flow));
  const anonymous = await readVisit(deps, exchange, flow);
  const { visit, person } = await readPersonToConfirm(deps, request, anonymous);
  const to = toAccountQuery(request.body);
  const name = readLoginName(request.body, visit);
  if (loginNameKey(name.text) !== undefined) {
    const counted = await countAttempt(deps, exchange, { form: 'mail-address', language: visit.language });
    if ('locked' in counted) {
      const typed = { loginName: name.text, organization: name.organization };
      const page = { visit, path, query: { request: visit.flow, ...to } };
      return refuseForm(deps, reply, page, { typed, alert: counted.locked });
    }
    const named = person === undefined ? name : { text: person.userName, orgId: person.orgId };
    mailLinkTo(deps, visit, { named, person, toAccount: to.to !== undefined }).catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'a link to sign in could not be sent by mail'),
    );
  }
  return goTo(reply, pageAddress(deps, path, { request: visit.flow, sent: '1' }));
}

/** Mails a link to the person whom the name means, if there is one and may sign in by it. */
async function mailLinkTo(
  deps: Deps,
  { agent, flow, language }: Visit,
  {
    named,
    person,
    toAccount,
  }: {
    named: Parameters<typeof findAccount>[1];
    person: PersonToConfirm | undefined;
    toAccount: boolean;
  },
): Promise<void> {
  const { clock, config, mailer, sessions } = deps;
  const account = await findAccount(deps, named);
  if (account === undefined || (person?.userId ?? account.user.id) !== account.user.id) return;
  const { user } = account;
  const [organization, pastSignIns] = await Promise.all([
    deps.caches.organizations.get(user.orgId),
    sessions.pastSignIns(agent.hash),
  ]);
  if (organization === undefined) return;
  const begun = await beginSignInLink(deps, {
    ...{ account, organization, agentHash: agent.hash, flow, toAccount },
    earlier: pastSignIns.get(user.id),
    day: { subject: mailBoundOf('link', user, clock.now()), most: config.noticeMailsPerDay },
  });
  if (begun === undefined) return;
  const look = { language: mailLanguage(user, language), host: new URL(config.baseUrl).host };
  const link = pageAddress(deps, openPath, { token: begun.secret });
  await mailer.send({ to: begun.email, ...signInLinkMail(look, link) });
}
