import type { FastifyReply } from 'fastify';
import { credentialsStamp } from '#src/accounts/index.js';
import {
  joinProofs,
  nextStep,
  type Proof,
  type SignInMarks,
  signInRules,
  type TimedProof,
} from '#src/authentication/proofs/index.js';
import { mayAdminister, type User } from '#src/directory/index.js';
import { renewAgent } from '#src/http/auth/agent-cookie.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { deviceOf } from '#src/http/device.js';
import { limitPerson, type PersonLimitDeps } from '#src/http/limits/rate-limit.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import { SessionEndedError } from '#src/sessions/sessions.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type BegunSignIn, demandsOf, earlierProofs, signInAgain } from './begun-sign-in.js';
import { loginErrors } from './errors.js';
import { callbackAddress } from './own-flow.js';
import { mailFirstProof } from './prove-address.js';
import { stepAddress } from './step-address.js';
import { tellNewBrowser } from './tell-new-browser.js';

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
    | 'groupMembers'
    | 'logger'
  >;

/** A sign-in after another proof. `proofs` are all that were given in this sign-in. */
type ProvedSignIn = Pick<BegunSignIn, 'visit' | 'account' | 'proofs'> &
  Partial<Pick<BegunSignIn, 'toAccount' | 'isKnownBrowser'>> &
  SignInMarks;

/**
 * Continues a sign-in after a proof with the step that {@link nextStep} decides. If nothing is missing, the session begins, and the person
 * returns to the authorization request, or goes to the console or the account page. The agent gets a new secret first. So a secret that an
 * attacker planted leads nowhere (session fixation).
 * @throws AppError `http.rateLimited` if the person signs in too often
 * @throws AppError `login.factorMissing` if the organization demands a factor that the person does not have
 * @throws GoesOn to the login page if the session whose proofs were to count has ended
 */
export async function continueSignIn(
  deps: CompleteDeps,
  exchange: HttpExchange,
  signIn: ProvedSignIn,
): Promise<FastifyReply> {
  const { visit, account, proofs, toAccount = false, isKnownBrowser = false, byLink, putsOff } = signIn;
  const { user } = account;
  const { flow, waiting } = visit;
  limitPerson(deps, user.id);
  const [rules, earlier] = await Promise.all([
    signInRules(deps, { orgId: user.orgId, userId: user.id }),
    earlierProofs(deps, visit, account),
  ]);
  const all = joinProofs(earlier, proofs);
  const next = nextStep(rules, account, all, {
    ...demandsOf(deps, visit),
    ...(byLink && { byLink }),
    ...(putsOff && { putsOff }),
  });
  // The authorization endpoint tells the application what it demanded in vain.
  if (next.kind === 'refused' && next.by === 'organization') throw new AppError(loginErrors.factorMissing);
  const { agent, before } = renewAgent(deps, exchange.request, exchange.reply);
  if (next.kind === 'page') {
    if (before !== undefined) await deps.sessions.moveAgent(before, agent.hash);
    await deps.loginSteps.put(agent.hash, flow, {
      userId: user.id,
      orgId: user.orgId,
      proofs,
      credentialsStamp: credentialsStamp(account),
      ...(toAccount && { toAccount }),
      ...(isKnownBrowser && { isKnownBrowser }),
      ...(byLink && { byLink }),
    });
    if (next.page === 'verifyEmail')
      await mailFirstProof(deps, { user, isToSignIn: true, language: visit.language });
    return goTo(exchange.reply, stepAddress(deps, next.page, flow));
  }
  const session = await beginSession(deps, exchange, { ...signIn, agent, before, all });
  if (waiting !== undefined) return goTo(exchange.reply, callbackAddress(deps, flow));
  const toConsole = !toAccount && mayAdminister(await deps.caches.memberships.get(user.id));
  return goTo(
    exchange.reply,
    toConsole ? consoleAddress(deps, user) : pageAddress(deps, '/account', { session: session.id }),
  );
}

/** A sign-in from which nothing is missing, and the secrets of its browser. `all` are its proofs, with those of the earlier session. */
type ReadySignIn = ProvedSignIn &
  ReturnType<typeof renewAgent> & { readonly all: readonly (Proof | TimedProof)[] };

/** Begins the session, or renews that of the same person. The person is told of a browser that is new. */
async function beginSession(
  deps: CompleteDeps,
  { request }: HttpExchange,
  { visit, account: { user }, isKnownBrowser = false, agent, before, all }: ReadySignIn,
) {
  const { id: userId, orgId, userName, displayName } = user;
  const device = deviceOf(request);
  const person = { userId, orgId, userName, displayName, proofs: all, device };
  const { waiting, flow, language } = visit;
  try {
    return await deps.sessions.signIn(agent.hash, person, {
      before,
      alongside: ({ id: sessionId }) =>
        Promise.all([
          waiting && deps.authorizationRequests.update(flow, { sessionId }),
          !isKnownBrowser && tellNewBrowser(deps, { user, device, language }),
        ]),
    });
  } catch (error) {
    throw error instanceof SessionEndedError ? signInAgain(deps, visit) : error;
  }
}

/** The address of the console for a person who is signed in at this browser. Another person may have the console open there. */
export function consoleAddress(deps: Pick<LoginNeeds, 'config'>, { id }: Pick<User, 'id'>): string {
  return pageAddress(deps, '/console/enter', { user: id });
}
