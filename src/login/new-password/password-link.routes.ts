import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { latestFlow } from '#src/http/pages/latest-flow.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import { connectionButtons, connectionsOf } from '../connections/connection-buttons.js';
import { continueSignIn } from '../http/complete.js';
import { loginErrors } from '../http/errors.js';
import { GoesOn } from '../http/goes-on.js';
import { type NewPasswordErrors, newPasswordErrors } from '../http/new-password.js';
import { originOf } from '../http/origin.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { readVisit, requireOwnForm, seenBy, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { newPasswordFields, readNewPassword } from './new-password-form.js';
import { findPasswordLink, type PasswordLink, usePasskeyLink, usePasswordLink } from './password-link.js';
import { rereadAccount } from './reread-account.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'batchChangedUser'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'dailyMails'
  | 'events'
  | 'groupMembers'
  | 'logger'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mailCodes'
  | 'mailer'
  | 'mongo'
  | 'notices'
  | 'oneTimeLinks'
  | 'passwords'
  | 'pendingEmails'
  | 'rateCounts'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'rememberedBrowsers'
  | 'revocations'
  | 'sessions'
  | 'users'
>;

const path = '/login/password';
const purpose = 'password-link';

/**
 * The page to which a one-time link leads. Its person sets a password, or begins a sign-in that leads to a passkey where no password signs in.
 * Opening the page uses up nothing, because scanners of mail open it too.
 */
export function passwordLinkRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, async (request, reply) => {
      const token = formText(request.query, 'token');
      const visit = await visitOfAgent(deps, { request, reply });
      const found = await findPasswordLink(deps, token);
      if (found === undefined) return showInvalid(deps, { reply }, visit);
      const errors = readRefusal(deps, { request, reply }, { visit, path })?.errors;
      const linkVisit = { visit: asSeen(visit, found), found, token };
      if (found.leadsTo !== 'password') return showOther(deps, { reply }, linkVisit);
      return showForm(deps, { reply }, { ...linkVisit, errors });
    });

    app.post(path, { config: { heavy: 'sign-in' } }, async (request, reply) => {
      requireOwnForm(deps, request, purpose);
      const visit = await visitOfAgent(deps, { request, reply });
      const token = formText(request.body, 'token');
      const found = await findPasswordLink(deps, token);
      if (found === undefined) return goTo(reply, pageAddress(deps, path, { token }));
      const linkVisit = { visit: asSeen(visit, found), found, token };
      if (found.leadsTo === 'password') return setByLink(deps, { request, reply }, linkVisit);
      // The form of a page from before passwords ended has one. The person reads first what comes instead.
      const isOfBefore = readNewPassword(request.body).password !== '';
      if (found.leadsTo === 'passkey' && !isOfBefore) return beginByLink(deps, { request, reply }, linkVisit);
      return goTo(reply, pageAddress(deps, path, { token }));
    });
  };
}

/** A link at a browser. The page is in the look of the person's own organization. */
interface LinkVisit {
  readonly visit: Visit;
  readonly found: PasswordLink;
  readonly token: string;
}

/** The page continues the latest authorization request of this browser, unless it was answered. One that is too old begins anew. */
async function visitOfAgent(deps: Deps, exchange: HttpExchange): Promise<Visit> {
  const plain = await readVisit(deps, exchange, '');
  const flow = latestFlow(deps, exchange.request);
  const found = flow === undefined ? undefined : await deps.authorizationRequests.find(flow);
  if (flow === undefined || found === undefined || found.stage === 'answered') return plain;
  return readVisit(deps, exchange, flow).catch((error: unknown) => {
    const isOfNoUse =
      error instanceof GoesOn || (error instanceof AppError && error.definition === loginErrors.flowEnded);
    if (isOfNoUse) return plain;
    throw error;
  });
}

function asSeen(visit: Visit, { account, organization }: PasswordLink): Visit {
  return { ...seenBy(visit, account.user), organization };
}

async function setByLink(
  deps: Deps,
  exchange: HttpExchange,
  { visit, found, token }: LinkVisit,
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const entered = readNewPassword(request.body);
  const errors = newPasswordErrors(entered, found.organization.passwordPolicy, visit.language);
  if (Object.keys(errors).length > 0) {
    return refuseForm(deps, reply.code(400), { visit, path, query: { token } }, { errors: { ...errors } });
  }
  if (!(await usePasswordLink(deps, found, entered.password)))
    return goTo(reply, pageAddress(deps, path, { token }));
  const account = await rereadAccount(deps, found.account);
  const mayEnrol = found.link.byAdministrator === true;
  return continueSignIn(deps, exchange, { visit, account, proofs: [{ kind: 'password' }], mayEnrol });
}

/** Begins a sign-in with the link alone. It leads to a passkey, and to nothing else. */
async function beginByLink(
  deps: Deps,
  exchange: HttpExchange,
  { visit, found, token }: LinkVisit,
): Promise<FastifyReply> {
  const isUsed = await usePasskeyLink(deps, found, originOf(exchange.request, visit));
  if (!isUsed) return goTo(exchange.reply, pageAddress(deps, path, { token }));
  const { orgId, id } = found.account.user;
  const account = (await deps.accounts.find(orgId, id)) ?? found.account;
  return continueSignIn(deps, exchange, {
    visit,
    account,
    proofs: [{ kind: 'oneTimeLink' }],
    mayEnrol: true,
  });
}

/** The page of a link in an organization without passwords. It says what comes next, or how else its people sign in. */
async function showOther(
  deps: Deps,
  { reply }: Pick<HttpExchange, 'reply'>,
  { visit, found, token }: LinkVisit,
): Promise<FastifyReply> {
  const { texts: t, agent } = visit;
  if (found.leadsTo === 'passkey') {
    const action = pageAddress(deps, path);
    const content = form({ action, agent, purpose, hidden: { token }, content: submit(t.continue) });
    return showVisit(
      deps,
      { reply },
      { visit, title: t.linkTitle, subtitle: t.linkText, content, leadsAway: true },
    );
  }
  const connections = await connectionsOf(deps, visit);
  const content = html`${connectionButtons(deps, visit, { connections, toAccount: false })}
<p class="links"><a href="${pageAddress(deps, '/login', { request: visit.flow })}">${t.signIn}</a></p>`;
  return showVisit(
    deps,
    { reply },
    { visit, title: t.linkTitle, subtitle: t.linkElse, content, leadsAway: true },
  );
}

function showForm(
  deps: Deps,
  { reply }: Pick<HttpExchange, 'reply'>,
  { visit, found, token, errors = {} }: LinkVisit & { errors: NewPasswordErrors | undefined },
): FastifyReply {
  const { texts: t, agent } = visit;
  const { organization } = found;
  const { userName } = found.account.user;
  const content = form({
    action: pageAddress(deps, path),
    agent,
    purpose,
    hidden: { token },
    content: newPasswordFields(visit, { organization, errors, userName }),
  });
  const subtitle = t.setPasswordFor(userName);
  const page = { title: t.setPasswordTitle, subtitle, content };
  // Another tab may begin a sign-in before the form is sent. The form then leads into it.
  return showVisit(deps, { reply }, { visit, ...page, leadsAway: true });
}

function showInvalid(deps: Deps, { reply }: Pick<HttpExchange, 'reply'>, visit: Visit): FastifyReply {
  const { texts: t } = visit;
  const content = html`<p class="links"><a href="${pageAddress(deps, '/login')}">${t.signIn}</a></p>`;
  const page = { title: t.linkInvalid, subtitle: t.linkInvalidText, content };
  return showVisit(deps, { reply: reply.code(400) }, { visit, ...page });
}
