import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Account } from '#src/accounts/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import type { Language } from '#src/http/base/language.js';
import { formText } from '#src/http/pages/form-text.js';
import { AppError } from '#src/platform/errors.js';
import { continueSignIn } from '../http/complete.js';
import { countAttempt } from '../http/count-attempt.js';
import { showVisit } from '../http/pages.js';
import { flowOf, readVisit, requireOwnForm, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { blankRegistration, closedPage, registerPage, registerPurpose } from './register-page.js';
import {
  type Registration,
  type RegistrationErrors,
  registerUser,
  registrationErrors,
} from './register-user.js';

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

/** The page on which people register themselves, if the organization allows it (prompt=create). */
export function registerRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get('/login/register', async (request, reply) => {
      const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
      if (!isOpen(visit)) return showClosed(deps, { reply }, visit);
      const entered = { ...blankRegistration, email: hintedEmail(visit) };
      return showVisit(deps, { reply }, { visit, ...registerPage(deps, visit, { entered }) });
    });

    app.post('/login/register', { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const flow = flowOf(request.body);
      requireOwnForm(deps, request, registerPurpose(flow));
      const visit = await readVisit(deps, { request, reply }, flow);
      return isOpen(visit) ? register(deps, { request, reply }, visit) : showClosed(deps, { reply }, visit);
    });
  };
}

/** A visit for an organization where people may register themselves. */
type OpenVisit = Visit & { readonly organization: Organization };

function isOpen(visit: Visit): visit is OpenVisit {
  return visit.organization?.login.selfRegistration === true;
}

function hintedEmail({ waiting }: Visit): string {
  return waiting?.loginHint?.includes('@') ? waiting.loginHint : '';
}

function showClosed(deps: Deps, { reply }: Pick<HttpExchange, 'reply'>, visit: Visit): FastifyReply {
  return showVisit(deps, { reply: reply.code(403) }, { visit, ...closedPage(deps, visit) });
}

async function register(deps: Deps, exchange: HttpExchange, visit: OpenVisit): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { organization, language } = visit;
  const entered = readEntered(request.body);
  const showAgain = (errors: RegistrationErrors) =>
    showVisit(deps, exchange, { visit, ...registerPage(deps, visit, { entered, errors }) });
  // An invalid form tells nothing about anybody, so it does not count.
  const errors = registrationErrors(entered, organization.passwordPolicy, language);
  if (Object.keys(errors).length > 0) {
    reply.code(400);
    return showAgain(errors);
  }
  const subject = await countAttempt(deps, request, 'register-address');
  const account = await registerCounted(deps, { organization, entered, language }, subject);
  if (account === 'full') return showClosed(deps, exchange, visit);
  if (account === 'nameTaken') {
    reply.code(409);
    return showAgain({ userName: visit.texts.loginNameTaken });
  }
  return continueSignIn(deps, exchange, { visit, account, amr: ['pwd'] });
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

/**
 * Registers a person, or returns why the page must refuse it.
 * @param subject under which the form counts, unless the refusal tells nothing about anybody
 */
async function registerCounted(
  deps: Deps,
  registration: { organization: Organization; entered: Registration; language: Language },
  subject: string,
): Promise<Account | 'nameTaken' | 'full'> {
  try {
    return await registerUser(deps, registration);
  } catch (error) {
    const refusal = error instanceof AppError ? error.definition : undefined;
    // It counts, because it tells that a login name exists.
    if (refusal === directoryErrors.userNameTaken) return 'nameTaken';
    await deps.loginAttempts.takeBack(subject).catch(() => undefined);
    // The message of the error names the quota, which concerns only the organization.
    if (refusal === directoryErrors.quotaExceeded) return 'full';
    throw error;
  }
}
