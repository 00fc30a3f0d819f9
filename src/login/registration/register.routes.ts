import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Account } from '#src/accounts/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import { continueSignIn } from '../http/complete.js';
import { loginErrors } from '../http/errors.js';
import { policyHint } from '../http/new-password.js';
import { showVisit } from '../http/pages.js';
import { passwordField } from '../http/password-field.js';
import { flowOf, readVisit, requireOwnForm, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type Registration, registerUser, registrationErrors } from './register-user.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'loginAttempts'
  | 'loginSteps'
  | 'passwords'
  | 'quotas'
  | 'rateCounts'
  | 'sessions'
  | 'userCounter'
  | 'users'
  | 'writeNewUser'
>;

type Errors = Partial<Record<keyof Registration, string>>;

const blank: Registration = { givenName: '', familyName: '', email: '', userName: '', password: '' };

/** The page on which people register themselves, if the organization allows it (prompt=create). */
export function registerRoutes(deps: Deps): FastifyPluginAsync {
  const { loginAttempts, config } = deps;

  function show(
    exchange: HttpExchange,
    visit: Visit,
    shown: { entered: Registration; errors?: Errors; isFull?: boolean },
  ): FastifyReply {
    const { texts: t, flow, agent, application, language, organization } = visit;
    const { entered, errors = {}, isFull = false } = shown;
    const back = html`<p class="links"><a href="${pageAddress(deps, '/login', { request: flow })}">${t.haveAccount}</a></p>`;
    if (isFull || !isOpen(organization)) {
      const subtitle = t.registrationClosed;
      return showVisit(deps, exchange, { visit, title: t.registerTitle, subtitle, content: back });
    }
    const firstWrong = (Object.keys(blank) as (keyof Registration)[]).find(
      (name) => errors[name] !== undefined,
    );
    const input = (name: keyof Registration, label: string) => ({
      name,
      label,
      error: errors[name],
      isFocused: name === (firstWrong ?? 'givenName'),
    });
    const text = (name: keyof Registration, label: string, autocomplete: string) => ({
      ...input(name, label),
      autocomplete,
      value: entered[name],
    });
    const content = html`${form({
      action: pageAddress(deps, '/login/register'),
      agent,
      purpose: `register ${flow}`,
      hidden: { request: flow },
      content: html`<div class="pair">${field(text('givenName', t.givenName, 'given-name'))}
${field(text('familyName', t.familyName, 'family-name'))}</div>
${field({ ...text('email', t.email, 'email'), type: 'email' })}
${field({ ...text('userName', t.newLoginName, 'username'), hint: t.newLoginNameHint })}
${passwordField(t, {
  ...input('password', t.password),
  autocomplete: 'new-password',
  hint: errors.password === undefined ? policyHint(organization.passwordPolicy, language) : undefined,
})}
${submit(t.createAccount)}`,
    })}
${back}`;
    const subtitle = application && t.continueTo(application.name);
    return showVisit(deps, exchange, { visit, title: t.registerTitle, subtitle, content });
  }

  return async (app) => {
    app.get('/login/register', async (request, reply) => {
      const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
      if (!isOpen(visit.organization)) reply.code(403);
      return show({ request, reply }, visit, { entered: { ...blank, email: hintedEmail(visit) } });
    });

    app.post('/login/register', { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const flow = flowOf(request.body);
      requireOwnForm(deps, request, `register ${flow}`);
      const exchange = { request, reply };
      const visit = await readVisit(deps, exchange, flow);
      const { organization, language } = visit;
      const entered = readEntered(request.body);
      if (!isOpen(organization)) return show({ request, reply: reply.code(403) }, visit, { entered });
      // An invalid form tells nothing about anybody, so it does not count.
      const errors = registrationErrors(entered, organization.passwordPolicy, language);
      if (Object.keys(errors).length > 0)
        return show({ request, reply: reply.code(400) }, visit, { entered, errors });
      const place = `register-address:${addressOf(request)}`;
      const { allowed, retryAfterSeconds } = await loginAttempts.begin(
        place,
        config.loginMaxFailuresPerAddress,
      );
      if (!allowed) throw new AppError(loginErrors.tooManyAttempts, { retryAfterSeconds });
      let account: Account;
      try {
        account = await registerUser(deps, { organization, entered, language });
      } catch (error) {
        const refusal = error instanceof AppError ? error.definition : undefined;
        // It counts, because it tells that a login name exists.
        if (refusal === directoryErrors.userNameTaken) {
          reply.code(409);
          return show(exchange, visit, { entered, errors: { userName: visit.texts.loginNameTaken } });
        }
        await loginAttempts.takeBack(place).catch(() => undefined);
        // The message of the error names the quota, which concerns only the organization.
        if (refusal === directoryErrors.quotaExceeded)
          return show({ request, reply: reply.code(403) }, visit, { entered, isFull: true });
        throw error;
      }
      return continueSignIn(deps, exchange, { visit, account, amr: ['pwd'] });
    });
  };
}

function isOpen(organization: Organization | undefined): organization is Organization {
  return organization?.login.selfRegistration === true;
}

function hintedEmail({ waiting }: Visit): string {
  return waiting?.loginHint?.includes('@') ? waiting.loginHint : '';
}

function readEntered(body: unknown): Registration {
  return {
    givenName: formText(body, 'givenName').trim(),
    familyName: formText(body, 'familyName').trim(),
    email: formText(body, 'email').trim(),
    userName: formText(body, 'userName').trim(),
    password: formText(body, 'password'),
  };
}
