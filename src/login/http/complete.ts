import type { FastifyReply } from 'fastify';
import type { Account } from '#src/accounts/index.js';
import { mayAdminister, type User } from '#src/directory/index.js';
import { renewAgent } from '#src/http/auth/agent-cookie.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { deviceOf } from '#src/http/device.js';
import { limitPerson, type PersonLimitDeps } from '#src/http/limits/rate-limit.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { organizationStands } from '#src/organizations/index.js';
import type { AuthenticationMethod } from '#src/sessions/session.js';
import type { LoginNeeds } from '../needs/needs.js';
import { GoesOn } from './goes-on.js';
import { callbackAddress } from './own-flow.js';
import { mailFirstProof, mustProveAddress, verifyEmailPath } from './prove-address.js';
import { tellNewBrowser } from './tell-new-browser.js';
import { seenBy, type Visit } from './visit.js';

type CompleteDeps = PersonLimitDeps &
  Pick<
    LoginNeeds,
    | 'config'
    | 'sessions'
    | 'loginSteps'
    | 'authorizationRequests'
    | 'accounts'
    | 'caches'
    | 'codeAttempts'
    | 'dailyMails'
    | 'pendingEmails'
    | 'mailer'
    | 'notices'
    | 'clock'
    | 'logger'
  >;

/**
 * Continues a sign-in after a proof. The next step is the second factor, the proof of the address or a new password, if one is due.
 * Otherwise the session begins, and the person returns to the authorization request, or goes to the console or the account page. The agent gets a new secret first, so that a secret that an
 * attacker planted leads nowhere (session fixation).
 * @throws AppError `http.rateLimited` if the person signs in too often
 */
export async function continueSignIn(
  deps: CompleteDeps,
  exchange: HttpExchange,
  { visit, account, amr, toAccount = false, isKnownBrowser = false }: ProvedSignIn,
): Promise<FastifyReply> {
  const { user, totp, password } = account;
  const { flow, waiting } = visit;
  limitPerson(deps, user.id);
  const { agent, before } = renewAgent(deps, exchange.request, exchange.reply);
  const next = await nextStep(deps, { account, amr });
  if (next !== undefined) {
    if (before !== undefined) await deps.sessions.moveAgent(before, agent.hash);
    await deps.loginSteps.put(agent.hash, flow, {
      userId: user.id,
      orgId: user.orgId,
      amr,
      ...(password && { passwordChanged: password.changed.getTime() }),
      ...(totp && { totpEnrolled: totp.enrolled.getTime() }),
      ...(toAccount && { toAccount }),
      ...(isKnownBrowser && { isKnownBrowser }),
    });
    if (next === verifyEmailPath)
      await mailFirstProof(deps, { user, isToSignIn: true, language: visit.language });
    return goTo(exchange.reply, pageAddress(deps, next, { request: flow }));
  }
  const person = {
    userId: user.id,
    orgId: user.orgId,
    userName: user.userName,
    displayName: user.displayName,
    amr: amr.includes('otp') ? ([...amr, 'mfa'] as const) : amr,
    device: deviceOf(exchange.request),
  };
  const session = await deps.sessions.signIn(agent.hash, person, {
    before,
    alongside: ({ id: sessionId }) =>
      Promise.all([
        waiting && deps.authorizationRequests.update(flow, { sessionId }),
        !isKnownBrowser && tellNewBrowser(deps, { user, device: person.device, language: visit.language }),
      ]),
  });
  if (waiting !== undefined) return goTo(exchange.reply, callbackAddress(deps, flow));
  const toConsole = !toAccount && mayAdminister(await deps.caches.memberships.get(user.id));
  return goTo(
    exchange.reply,
    toConsole ? consoleAddress(deps, user) : pageAddress(deps, '/account', { session: session.id }),
  );
}

/** The page of the next proof. Undefined if a session may begin. */
async function nextStep(
  deps: CompleteDeps,
  { account, amr }: Pick<BegunSignIn, 'account' | 'amr'>,
): Promise<string | undefined> {
  const { user, totp, password } = account;
  if (totp !== undefined && !amr.includes('otp')) return '/login/code';
  if (await mustProveAddress(deps, user)) return verifyEmailPath;
  return password?.changeRequired ? '/login/new-password' : undefined;
}

/** The address of the console for a person who is signed in at this browser. Another person may have the console open there. */
export function consoleAddress(deps: Pick<LoginNeeds, 'config'>, { id }: Pick<User, 'id'>): string {
  return pageAddress(deps, '/console/enter', { user: id });
}

/** A sign-in that has begun: the account, the methods proved so far, and the visit as the person sees it. */
interface BegunSignIn {
  readonly visit: Visit;
  readonly account: Account;
  readonly amr: readonly AuthenticationMethod[];
  /** Whether the person asked for the account page. Otherwise people who administer go to the console, unless a request waits. */
  readonly toAccount: boolean;
  /** Whether the person had signed in at the browser before, and all sign-ins were not ended since. Otherwise the person is told. */
  readonly isKnownBrowser: boolean;
}

/** A sign-in after another proof. */
type ProvedSignIn = Omit<BegunSignIn, 'toAccount' | 'isKnownBrowser'> &
  Partial<Pick<BegunSignIn, 'toAccount' | 'isKnownBrowser'>>;

/**
 * The sign-in that has begun at this agent for this request.
 * @throws GoesOn to the login page when none has begun, it is too old, the person is not active, or the
 * password or the second factor was changed since: a person who only has the old one must not continue
 */
export async function requireBegunSignIn(deps: CompleteDeps, visit: Visit): Promise<BegunSignIn> {
  const step = await readStep(deps, visit);
  const stands = step !== undefined && (await organizationStands(deps, step.orgId));
  const account = stands ? await deps.accounts.find(step.orgId, step.userId) : undefined;
  const isSame =
    step?.passwordChanged === account?.password?.changed.getTime() &&
    step?.totpEnrolled === account?.totp?.enrolled.getTime();
  if (step === undefined || !account?.user.active || !isSame) throw signInAgain(deps, visit);
  const home = await deps.caches.organizations.get(step.orgId);
  return {
    visit: seenBy(visit, account.user, home),
    account,
    amr: step.amr,
    toAccount: step.toAccount === true,
    isKnownBrowser: step.isKnownBrowser === true,
  };
}

/** The proofs so far. If the request began anew since, they count for the new one. */
async function readStep(deps: CompleteDeps, { agent, flow, namedFlow }: Visit) {
  const step = await deps.loginSteps.find(agent.hash, namedFlow);
  if (step !== undefined && namedFlow !== flow) {
    limitPerson(deps, step.userId);
    await deps.loginSteps.put(agent.hash, flow, step);
  }
  return step;
}

/** Leads to the login page, which says that the sign-in begins again. */
export function signInAgain(deps: Pick<LoginNeeds, 'config'>, { flow }: Pick<Visit, 'flow'>): GoesOn {
  return new GoesOn(pageAddress(deps, '/login', { request: flow, again: '1' }));
}
