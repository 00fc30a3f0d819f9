import type { FastifyReply, FastifyRequest } from 'fastify';
import { credentialsStamp } from '#src/accounts/index.js';
import {
  isDemandedEnrolment,
  joinProofs,
  nextStep,
  type Proof,
  type SignInMarks,
  signInRules,
  type TimedProof,
} from '#src/authentication/proofs/index.js';
import { mayAdminister, type User } from '#src/directory/index.js';
import { renewAgent } from '#src/http/auth/agent-cookie.js';
import { noteLastConnection } from '#src/http/auth/last-connection.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { deviceOf } from '#src/http/device.js';
import { limitPerson, type PersonLimitDeps } from '#src/http/limits/rate-limit.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import { type PastSignIns, SessionEndedError } from '#src/sessions/sessions.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type BegunSignIn, demandsOf, earlierProofs, signInAgain } from './begun-sign-in.js';
import { loginErrors } from './errors.js';
import { offerPath, offersPasskey } from './offer-passkey.js';
import { callbackAddress } from './own-flow.js';
import { mailFirstProof } from './prove-address.js';
import { recallHere } from './remembered-browser.js';
import { sendMailCode } from './send-mail-code.js';
import { confirmLinkPath, stepAddress } from './step-address.js';
import { tellNewBrowser } from './tell-new-browser.js';
import { toAccountPlace } from './to-account.js';

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
    | 'mailCodes'
    | 'pendingEmails'
    | 'mailer'
    | 'notices'
    | 'clock'
    | 'groupMembers'
    | 'logger'
    | 'rememberedBrowsers'
  >;

/** A sign-in after another proof. `proofs` are all that were given in this sign-in. */
type ProvedSignIn = Pick<BegunSignIn, 'visit' | 'account' | 'proofs'> &
  Partial<Pick<BegunSignIn, 'toAccount' | 'isKnownBrowser' | 'hasAuthenticator' | 'links' | 'newcomer'>> &
  SignInMarks & {
    /** The sign-ins at this browser, if they were read a moment ago. */
    readonly pastSignIns?: PastSignIns;
    /** Another write, done in one message with those of the session or of the step. It is not done if neither is written. */
    readonly alongside?: () => Promise<void>;
  };

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
  const { visit, account, toAccount = false, isKnownBrowser = false } = signIn;
  const { mayEnrol, putsOff, hasAuthenticator, links, newcomer } = signIn;
  const { user } = account;
  const { flow } = visit;
  limitPerson(deps, user.id);
  const { next, proofs, all } = await decide(deps, exchange.request, signIn);
  // The authorization endpoint tells the application what it demanded in vain.
  if (next.kind === 'refused' && next.by === 'organization') throw new AppError(loginErrors.factorMissing);
  const { agent, before } = renewAgent(deps, exchange.request, exchange.reply);
  if (next.kind === 'page' || links !== undefined) {
    if (before !== undefined) await deps.sessions.moveAgent(before, agent.hash);
    const put = deps.loginSteps.put(agent.hash, flow, {
      userId: user.id,
      orgId: user.orgId,
      proofs,
      credentialsStamp: credentialsStamp(account),
      ...(toAccount && { toAccount }),
      ...(isKnownBrowser && { isKnownBrowser }),
      ...(mayEnrol && { mayEnrol }),
      ...(hasAuthenticator && { hasAuthenticator }),
      ...(putsOff && { putsOff }),
      ...(links !== undefined && { links }),
      ...(newcomer !== undefined && { newcomer }),
    });
    await Promise.all([put, signIn.alongside?.()]);
    if (next.kind !== 'page')
      return goTo(exchange.reply, pageAddress(deps, confirmLinkPath, { request: flow }));
    const { language } = visit;
    if (next.page === 'verifyEmail') await mailFirstProof(deps, { user, isToSignIn: true, language });
    // The page tells a person who must wait.
    if (next.page === 'mailCode') await sendMailCode(deps, { account, agentHash: agent.hash, language });
    return goTo(exchange.reply, stepAddress(deps, next.page, flow));
  }
  const session = await beginSession(deps, exchange, { ...signIn, agent, before, all });
  const { id: sessionId } = session;
  // Proofs of an earlier session come first.
  const by = all.findLast((proof) => proof.kind === 'connection');
  noteLastConnection(deps, exchange, by?.connectionId);
  // Whoever has just put off a factor is not asked for another one.
  const isOffered = putsOff !== true && (await offersPasskey(deps, { ...signIn, proofs: all }));
  const address = isOffered
    ? pageAddress(deps, offerPath, { session: sessionId, request: flow, ...toAccountPlace(toAccount) })
    : await addressAfter(deps, { flow, toAccount, user, sessionId });
  return goTo(exchange.reply, address);
}

/** Where a person goes whose session has begun: back to the request that waits, or to the console or the account page. */
export async function addressAfter(
  deps: Pick<LoginNeeds, 'caches' | 'config'>,
  {
    flow,
    toAccount,
    user,
    sessionId,
  }: { flow: string; toAccount: boolean; user: Pick<User, 'id'>; sessionId: string },
): Promise<string> {
  if (flow !== '') return callbackAddress(deps, flow);
  const toConsole = !toAccount && mayAdminister(await deps.caches.memberships.get(user.id));
  return toConsole ? consoleAddress(deps, user) : pageAddress(deps, '/account', { session: sessionId });
}

/**
 * Returns whether a sign-in must set up a factor next, and cannot put it off.
 * @throws AppError `login.factorMissing` if the organization demands one that the person cannot set up
 */
export async function mustEnrol(
  deps: CompleteDeps,
  request: FastifyRequest,
  signIn: ProvedSignIn,
): Promise<boolean> {
  const { next } = await decide(deps, request, signIn);
  if (next.kind === 'refused' && next.by === 'organization') throw new AppError(loginErrors.factorMissing);
  return isDemandedEnrolment(next);
}

/** What a sign-in needs next, its proofs, and those with the proofs of the earlier session that count. */
async function decide(
  deps: CompleteDeps,
  request: FastifyRequest,
  { visit, account, proofs, mayEnrol, putsOff, links }: ProvedSignIn,
) {
  const { orgId, id: userId } = account.user;
  const demands = demandsOf(deps, visit);
  const [rules, earlier] = await Promise.all([
    signInRules(deps, { orgId, userId }),
    links === undefined ? earlierProofs(deps, visit, account) : [],
  ]);
  const weigh = (given: readonly Proof[]) => {
    const all = joinProofs(earlier, given);
    const marks = { ...(mayEnrol && { mayEnrol }), ...(putsOff && { putsOff }) };
    return { next: nextStep(rules, account, all, { ...demands, ...marks }), proofs: given, all };
  };
  const decided = weigh(proofs);
  const { next } = decided;
  // Whoever links an identity proves everything for it.
  if (links !== undefined) return decided;
  if (!('askedBy' in next) || next.page === 'login' || rules.remembersBrowsers !== true) return decided;
  const remembered = await recallHere(deps, request, { account, since: demands.since });
  return remembered === undefined ? decided : weigh([...proofs, remembered]);
}

/** A sign-in from which nothing is missing, and the secrets of its browser. `all` are its proofs, with those of the earlier session. */
type ReadySignIn = ProvedSignIn &
  ReturnType<typeof renewAgent> & { readonly all: readonly (Proof | TimedProof)[] };

/** Begins the session, or renews that of the same person. The person is told of a browser that is new. */
async function beginSession(deps: CompleteDeps, { request }: HttpExchange, signIn: ReadySignIn) {
  const { visit, account, isKnownBrowser = false, pastSignIns: past, agent, before, all } = signIn;
  const { user } = account;
  const { id: userId, orgId, userName, displayName } = user;
  const device = deviceOf(request);
  const person = { userId, orgId, userName, displayName, proofs: all, device };
  const { waiting, flow, language } = visit;
  try {
    return await deps.sessions.signIn(agent.hash, person, {
      before,
      past,
      alongside: ({ id: sessionId }) =>
        Promise.all([
          signIn.alongside?.(),
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
