import { setTimeout } from 'node:timers/promises';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { continueSignIn } from '../http/complete.js';
import { answerLocked } from '../http/locked.js';
import { readLoginName } from '../http/login-name.js';
import { originOf } from '../http/origin.js';
import { isTabOvertaken, requireFlowForm } from '../http/other-tab.js';
import { callbackAddress } from '../http/own-flow.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { isToAccount, toAccountQuery } from '../http/to-account.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { checkLogin, failureMs, type LoginOutcome } from './check-login.js';
import { loginPage, loginPurpose } from './login-page.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'batchChangedUser'
  | 'batchNewUser'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'dailyMails'
  | 'events'
  | 'logger'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mailer'
  | 'migrationHooks'
  | 'mongo'
  | 'notices'
  | 'oneTimeLinks'
  | 'organizations'
  | 'passwords'
  | 'pendingEmails'
  | 'quotas'
  | 'rateCounts'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'revocations'
  | 'sessions'
  | 'userCounter'
  | 'users'
>;

const path = '/login';

/** The page for login name and password, where every sign-in begins. */
export function passwordRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, (request, reply) => showForm(deps, { request, reply }));

    app.post(path, { config: { heavy: 'sign-in' } }, (request, reply) => signIn(deps, { request, reply }));
  };
}

async function showForm(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
  const refusal = readRefusal(deps, { request, reply }, { visit, path });
  if (refusal === undefined && (await isTabOvertaken(deps, request, visit)))
    return goTo(reply, callbackAddress(deps, visit.flow));
  const { typed: { loginName = visit.waiting?.loginHint ?? '', organization } = {}, alert } = refusal ?? {};
  const page = loginPage(deps, visit, {
    loginName,
    toAccount: isToAccount(request.query),
    ...(organization !== undefined && { organization }),
    ...(alert === undefined ? { notice: noticeOf(request.query, visit) } : { alert }),
  });
  return showVisit(deps, { reply }, { visit, ...page });
}

/** What led the person back to the page, if its address says so. */
function noticeOf(query: unknown, { texts: t }: Visit): string | undefined {
  if (formText(query, 'done') === 'password') return t.passwordSet;
  return formText(query, 'again') === '' ? undefined : t.signInAgain;
}

async function signIn(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const began = performance.now();
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, loginPurpose(flow));
  const visit = await readVisit(deps, exchange, flow);
  const name = readLoginName(request.body, visit);
  const outcome = await checkLogin(deps, {
    name,
    password: formText(request.body, 'password'),
    agentHash: visit.agent.hash,
    origin: originOf(request, visit),
  });
  if (outcome.kind === 'right') {
    const { account } = outcome;
    return continueSignIn(deps, exchange, {
      visit,
      account,
      amr: ['pwd'],
      toAccount: isToAccount(request.body),
    });
  }
  const rest = (await failureMs(deps, name)) - (performance.now() - began);
  await setTimeout(Math.max(0, rest));
  const { text: loginName, organization } = name;
  const page = { visit, path, query: { request: visit.flow, ...toAccountQuery(request.body) } };
  const alert = answerFailure(reply, visit, outcome);
  return refuseForm(deps, reply, page, { typed: { loginName, organization }, alert });
}

/**
 * Sets the status of a sign-in that failed, or of one too many. Returns the sentence for its page, which never says why a sign-in failed.
 */
function answerFailure(
  reply: FastifyReply,
  visit: Visit,
  outcome: Exclude<LoginOutcome, { kind: 'right' }>,
): string {
  if (outcome.kind === 'locked') return answerLocked(reply, visit.language, outcome);
  reply.code(400);
  const { wrongPassword, sharedLoginName } = visit.texts;
  // The page asks for the organization whether several have the name or not, because it must not reveal that.
  return visit.onlyOrgId === undefined ? `${wrongPassword} ${sharedLoginName}` : wrongPassword;
}
