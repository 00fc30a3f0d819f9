import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Account, OneTimeLink } from '#src/accounts/index.js';
import { forgetAttempts, setPassword } from '#src/authentication/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { latestFlow } from '#src/http/pages/latest-flow.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { organizationStands, requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { afterRevocation } from '../http/begin-anew.js';
import { continueSignIn, requireBegunSignIn } from '../http/complete.js';
import { loginErrors } from '../http/errors.js';
import { type NewPasswordErrors, newPasswordErrors, policyHint } from '../http/new-password.js';
import { showVisit } from '../http/pages.js';
import { passwordField } from '../http/password-field.js';
import { flowOf, readVisit, requireOwnForm, seenBy, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mongo'
  | 'oneTimeLinks'
  | 'passwords'
  | 'rateCounts'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'users'
>;

/** The pages for a new password: by a one-time link, and during a sign-in that requires a change. */
export function setPasswordRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get('/login/password', async (request, reply) => {
      const token = formText(request.query, 'token');
      const visit = await visitOfAgent({ request, reply });
      const found = await findLink(token);
      return found === undefined
        ? showInvalid({ request, reply }, visit)
        : showLink({ request, reply }, asSeen(visit, found), { ...found, token });
    });

    app.post('/login/password', { config: { heavy: 'sign-in' } }, async (request, reply) => {
      requireOwnForm(deps, request, 'password-link');
      const exchange = { request, reply };
      const anonymous = await visitOfAgent(exchange);
      const token = formText(request.body, 'token');
      const found = await findLink(token);
      if (found === undefined) return showInvalid(exchange, anonymous);
      const visit = asSeen(anonymous, found);
      const { link, account, organization } = found;
      const entered = readEntered(exchange);
      const errors = newPasswordErrors(entered, organization.passwordPolicy, visit.language);
      if (errors.password !== undefined || errors.repeated !== undefined) {
        reply.code(400);
        return showLink(exchange, visit, { ...found, token, errors });
      }
      const isSet = await useLink({ link, organization, password: entered.password });
      if (!isSet) return showInvalid(exchange, visit);
      const { user } = account;
      await forgetAttempts(deps, user, organization);
      // Everyone who knew the old password is signed out.
      await deps.sessions.endAllOf(user.id);
      const changed = await accountAfterChange(account);
      return continueSignIn(deps, exchange, { visit, account: changed, amr: ['pwd'] });
    });

    app.get('/login/new-password', async (request, reply) => {
      const anonymous = await readVisit(deps, { request, reply }, flowOf(request.query));
      const { visit, account } = await requireBegunSignIn(deps, anonymous);
      return showChange({ request, reply }, visit, { organization: await organizationOf(account) });
    });

    app.post('/login/new-password', { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const flow = flowOf(request.body);
      requireOwnForm(deps, request, `new-password ${flow}`);
      const exchange = { request, reply };
      const anonymous = await readVisit(deps, exchange, flow);
      const { visit, account, amr } = await requireBegunSignIn(deps, anonymous);
      const { user, totp, password: current } = account;
      if (totp !== undefined && !amr.includes('otp')) throw new AppError(loginErrors.flowEnded);
      const organization = await organizationOf(account);
      const entered = readEntered(exchange);
      let errors = newPasswordErrors(entered, organization.passwordPolicy, visit.language);
      const isGood = errors.password === undefined && errors.repeated === undefined;
      const place = { purpose: 'other', orgId: organization.id } as const;
      if (isGood && (await deps.passwords.verify(current?.hash, entered.password, place))) {
        errors = { password: visit.texts.samePassword };
      } else if (isGood) {
        const editor = { userId: user.id, service: 'login' };
        await setPassword(deps, { organization, id: user.id, password: entered.password, editor });
        await deps.sessions.endAllOf(user.id);
        await deps.loginSteps.remove(visit.agent.hash, flow);
        const changed = await accountAfterChange(account);
        return continueSignIn(deps, exchange, { visit, account: changed, amr });
      }
      reply.code(400);
      return showChange(exchange, visit, { organization, errors });
    });
  };

  /** The page continues the latest authorization request of this browser, if it still waits. */
  async function visitOfAgent(exchange: HttpExchange): Promise<Visit> {
    const plain = await readVisit(deps, exchange, '');
    const flow = latestFlow(deps, exchange.request);
    if (flow === undefined) return plain;
    return readVisit(deps, exchange, flow).catch((error: unknown) => {
      if (error instanceof AppError && error.definition === loginErrors.flowEnded) return plain;
      throw error;
    });
  }

  async function findLink(token: string): Promise<Found | undefined> {
    const link = await deps.oneTimeLinks.find(hashSecret(token));
    if (link === undefined || link.expires <= deps.clock.now()) return undefined;
    if (!(await organizationStands(deps, link.orgId))) return undefined;
    const account = await deps.accounts.find(link.orgId, link.userId);
    if (!account?.user.active) return undefined;
    return { link, account, organization: await organizationOf(account) };
  }

  /** Returns the account with the new password, when a sign-in may continue. */
  async function accountAfterChange(account: Account): Promise<Account> {
    await afterRevocation();
    const { id, orgId } = account.user;
    return (await deps.accounts.find(orgId, id)) ?? account;
  }

  function organizationOf({ user }: Account): Promise<Organization> {
    return requireOrganization(deps.caches.organizations.get, user.orgId);
  }

  /**
   * Sets the password by the link.
   * @returns false when another request has used the link
   */
  async function useLink(use: { link: OneTimeLink; organization: Organization; password: string }) {
    const { link, organization, password } = use;
    const editor = { userId: link.userId, service: 'login' };
    try {
      await setPassword(deps, { organization, id: link.userId, password, editor, link });
      return true;
    } catch (error) {
      if (error instanceof AppError && error.definition === directoryErrors.linkInvalid) return false;
      throw error;
    }
  }

  function showLink(
    exchange: HttpExchange,
    visit: Visit,
    shown: Found & { token: string; errors?: NewPasswordErrors },
  ): FastifyReply {
    const { account, organization, token, errors = {} } = shown;
    const { texts: t, agent } = visit;
    const content = form({
      action: pageAddress(deps, '/login/password'),
      agent,
      purpose: 'password-link',
      hidden: { token },
      content: fields(visit, { organization, errors, userName: account.user.userName }),
    });
    return showVisit(deps, exchange, {
      visit,
      title: t.setPasswordTitle,
      subtitle: t.setPasswordFor(account.user.userName),
      content,
    });
  }

  function showChange(
    exchange: HttpExchange,
    visit: Visit,
    { organization, errors = {} }: { organization: Organization; errors?: NewPasswordErrors },
  ): FastifyReply {
    const { texts: t, agent, flow } = visit;
    const content = form({
      action: pageAddress(deps, '/login/new-password'),
      agent,
      purpose: `new-password ${flow}`,
      hidden: { request: flow },
      content: fields(visit, { organization, errors }),
    });
    const subtitle = t.newPasswordText;
    return showVisit(deps, exchange, { visit, title: t.newPasswordTitle, subtitle, content });
  }

  function showInvalid({ reply }: HttpExchange, visit: Visit): FastifyReply {
    const { texts: t } = visit;
    const content = html`<p class="links"><a href="${pageAddress(deps, '/login')}">${t.signIn}</a></p>`;
    return showVisit(
      deps,
      { reply: reply.code(400) },
      { visit, title: t.linkInvalid, subtitle: t.linkInvalidText, content },
    );
  }
}

/** The page of a link is in the look of the person's own organization. */
function asSeen(visit: Visit, { account, organization }: Found): Visit {
  return { ...seenBy(visit, account.user), organization };
}

interface Found {
  readonly link: OneTimeLink;
  readonly account: Account;
  readonly organization: Organization;
}

function readEntered({ request }: HttpExchange): { password: string; repeated: string } {
  return { password: formText(request.body, 'password'), repeated: formText(request.body, 'repeated') };
}

/**
 * The fields for the new password and its repetition. The hidden user name tells password managers the
 * account.
 */
function fields(
  { texts: t, language }: Visit,
  shown: { organization: Organization; errors: NewPasswordErrors; userName?: string },
) {
  const { organization, errors, userName } = shown;
  return html`${userName !== undefined && html`<input type="text" value="${userName}" autocomplete="username" hidden readonly>`}
${passwordField(t, {
  name: 'password',
  label: t.newPassword,
  autocomplete: 'new-password',
  // The error contains the hint.
  hint: errors.password === undefined ? policyHint(organization.passwordPolicy, language) : undefined,
  error: errors.password,
  isFocused: errors.repeated === undefined,
})}
${passwordField(t, {
  name: 'repeated',
  label: t.repeatPassword,
  autocomplete: 'new-password',
  error: errors.repeated,
  isFocused: errors.repeated !== undefined,
})}
${submit(t.setPassword)}`;
}
