import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Proof } from '#src/authentication/proofs/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import type { Language } from '#src/http/base/language.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import { continueSignIn, mustEnrol } from '../http/complete.js';
import { countAttempt } from '../http/count-attempt.js';
import { requireFlowForm } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { asksForProof, mailFirstProof } from '../http/prove-address.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { Newcomer } from '../stores/login-steps.store.js';
import {
  blankRegistration,
  closedPage,
  isFull,
  registerPath as path,
  registerPage,
  registerPurpose,
} from './register-page.js';
import {
  makeNewcomer,
  type Registration,
  type RegistrationErrors,
  registrationErrors,
  requireRoom,
  storeNewcomer,
} from './register-user.js';
import { type RegistrationWay, registrationWay } from './ways-to-register.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'batchNewUser'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'dailyMails'
  | 'groupMembers'
  | 'logger'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mailCodes'
  | 'mailer'
  | 'notices'
  | 'passwords'
  | 'pendingEmails'
  | 'quotas'
  | 'rateCounts'
  | 'rememberedBrowsers'
  | 'refusedFormSealer'
  | 'sessions'
  | 'userCounter'
  | 'users'
>;

/** The page on which people register themselves, if the organization allows it (prompt=create). */
export function registerRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, async (request, reply) => {
      const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
      const refusal = readRefusal(deps, { request, reply }, { visit, path });
      const open = openVisit(deps, visit);
      if (open === undefined || refusal?.alert === isFull) return showClosed(deps, { reply }, visit);
      const { typed = { email: hintedEmail(visit) }, errors = {}, alert } = refusal ?? {};
      const page = registerPage(deps, open, { entered: { ...blankRegistration, ...typed }, errors });
      return showVisit(deps, { reply }, { visit, ...page, ...(alert !== undefined && { alert }) });
    });

    app.post(path, { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const flow = flowOf(request.body);
      await requireFlowForm(deps, request, registerPurpose(flow));
      const visit = await readVisit(deps, { request, reply }, flow);
      const open = openVisit(deps, visit);
      if (open !== undefined) return register(deps, { request, reply }, open);
      return goTo(reply, pageAddress(deps, path, { request: visit.flow }));
    });
  };
}

/** A visit for an organization where people may register themselves, and with what. */
type OpenVisit = Visit & { readonly organization: Organization; readonly way: RegistrationWay };

function openVisit(deps: Pick<Deps, 'clock' | 'config' | 'mailer'>, visit: Visit): OpenVisit | undefined {
  const { organization } = visit;
  const way = registrationWay(deps, organization);
  return organization === undefined || way === undefined ? undefined : { ...visit, organization, way };
}

function hintedEmail({ waiting }: Visit): string {
  return waiting?.loginHint?.includes('@') ? waiting.loginHint : '';
}

function showClosed(deps: Deps, { reply }: Pick<HttpExchange, 'reply'>, visit: Visit): FastifyReply {
  return showVisit(deps, { reply: reply.code(403) }, { visit, ...closedPage(deps, visit) });
}

async function register(deps: Deps, exchange: HttpExchange, visit: OpenVisit): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { organization, language, way } = visit;
  const entered = readEntered(request.body, way);
  const { password: _password, ...typed } = entered;
  const page = { visit, path, query: { request: visit.flow } };
  const showAgain = (errors: RegistrationErrors) => refuseForm(deps, reply, page, { typed, errors });
  // An invalid form tells nothing about anybody, so it does not count.
  const errors = registrationErrors(entered, organization.passwordPolicy, language);
  if (Object.keys(errors).length > 0) {
    reply.code(400);
    return showAgain(errors);
  }
  const counted = await countAttempt(deps, exchange, { form: 'register-address', language });
  if ('locked' in counted) return refuseForm(deps, reply, page, { typed, alert: counted.locked });
  // Nobody else had the password of an account that did not exist before. Without one, the registration leads to the passkey as a
  // one-time link does, and begins no session.
  const proof: Proof = way === 'password' ? { kind: way } : { kind: 'oneTimeLink', begunBy: 'registration' };
  const begin = (account: Newcomer) => ({ visit, account, proofs: [proof], mayEnrol: true });
  const registered = await registerCounted(deps, {
    ...{ organization, entered, language, subject: counted.subject },
    isToWait: (newcomer) => mustEnrol(deps, request, begin(newcomer)),
  });
  if (registered === 'full') return refuseForm(deps, reply.code(403), page, { alert: isFull });
  if (registered === 'nameTaken') {
    reply.code(409);
    return showAgain({ userName: visit.texts.loginNameTaken });
  }
  const { newcomer, isStored } = registered;
  if (!isStored) return continueSignIn(deps, exchange, { ...begin(newcomer), newcomer });
  // Otherwise the sign-in asks for the proof, and sends the code.
  if (!asksForProof(organization))
    await mailFirstProof(deps, { user: newcomer.user, isToSignIn: false, language });
  return continueSignIn(deps, exchange, begin(newcomer));
}

function readEntered(body: unknown, way: RegistrationWay): Registration {
  return {
    givenName: formText(body, 'givenName').trim(),
    familyName: formText(body, 'familyName').trim(),
    email: formText(body, 'email').trim(),
    userName: formText(body, 'userName').trim(),
    ...(way === 'password' && { password: formText(body, 'password') }),
  };
}

/** The form of a registration that counts. */
interface CountedRegistration {
  readonly organization: Organization;
  readonly entered: Registration;
  readonly language: Language;
  /** Under which the form counts, unless the refusal tells nothing about anybody. */
  readonly subject: string;
  /** Whether the account waits until the person has set up a factor. Nothing is stored for a person who leaves before that. */
  readonly isToWait: (newcomer: Newcomer) => Promise<boolean>;
}

/** Makes the account of a person, and stores it unless it is to wait. Or returns why the page must refuse the form. */
async function registerCounted(
  deps: Deps,
  { organization, subject, isToWait, ...form }: CountedRegistration,
): Promise<{ newcomer: Newcomer; isStored: boolean } | 'nameTaken' | 'full'> {
  try {
    await requireRoom(deps, organization);
    const newcomer = await makeNewcomer(deps, { organization, ...form });
    if (await isToWait(newcomer)) return { newcomer, isStored: false };
    await storeNewcomer(deps, organization, newcomer);
    return { newcomer, isStored: true };
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
