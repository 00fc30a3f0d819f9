import { setTimeout } from 'node:timers/promises';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { continueSignIn } from '../http/complete.js';
import { answerLocked } from '../http/locked.js';
import { readLoginName } from '../http/login-name.js';
import { originOf } from '../http/origin.js';
import { addressAfterOtherTab } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { checkLogin, failureMs, type LoginOutcome } from './check-login.js';
import { type LoginForm, loginPage, loginPurpose } from './login-page.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'logger'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mailer'
  | 'migrationHooks'
  | 'mongo'
  | 'oneTimeLinks'
  | 'organizations'
  | 'passwords'
  | 'quotas'
  | 'rateCounts'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'userCounter'
  | 'users'
  | 'writeNewUser'
>;

/** The page for login name and password, where every sign-in begins. */
export function passwordRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get('/login', async (request, reply) => {
      const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
      const { waiting, texts: t } = visit;
      const notice = formText(request.query, 'done') === 'password' ? { notice: t.passwordSet } : {};
      return show(deps, { reply }, { visit, loginName: waiting?.loginHint ?? '', ...notice });
    });

    app.post('/login', { config: { heavy: 'sign-in' } }, (request, reply) =>
      signIn(deps, { request, reply }),
    );
  };
}

async function signIn(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const began = performance.now();
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  const elsewhere = await addressAfterOtherTab(deps, request, loginPurpose(flow));
  if (elsewhere !== undefined) return goTo(reply, elsewhere);
  const visit = await readVisit(deps, exchange, flow);
  const name = readLoginName(request.body, visit);
  const outcome = await checkLogin(deps, {
    name,
    password: formText(request.body, 'password'),
    agentHash: visit.agent.hash,
    origin: originOf(request, visit),
  });
  if (outcome.kind === 'right') {
    return continueSignIn(deps, exchange, { visit, account: outcome.account, amr: ['pwd'] });
  }
  const rest = (await failureMs(deps, name)) - (performance.now() - began);
  await setTimeout(Math.max(0, rest));
  const { text: loginName, organization } = name;
  return showFailure(deps, exchange, { visit, outcome, typed: { loginName, organization } });
}

/** Says that the sign-in failed, or that there were too many. It never says why a sign-in failed. */
function showFailure(
  deps: Deps,
  { reply }: HttpExchange,
  failed: {
    visit: Visit;
    outcome: Exclude<LoginOutcome, { kind: 'right' }>;
    typed: { loginName: string; organization: string };
  },
): FastifyReply {
  const { visit, outcome, typed } = failed;
  if (outcome.kind === 'locked') {
    const alert = answerLocked(reply, visit.language, outcome);
    return show(deps, { reply }, { visit, ...typed, alert });
  }
  const { wrongPassword, sharedLoginName } = visit.texts;
  // The page asks for the organization whether several have the name or not, because it must not reveal that.
  const alert = visit.onlyOrgId === undefined ? `${wrongPassword} ${sharedLoginName}` : wrongPassword;
  return show(deps, { reply: reply.code(400) }, { visit, ...typed, alert });
}

function show(
  deps: Deps,
  { reply }: Pick<HttpExchange, 'reply'>,
  { visit, ...shown }: LoginForm & { visit: Visit },
): FastifyReply {
  return showVisit(deps, { reply }, { visit, ...loginPage(deps, visit, shown) });
}
