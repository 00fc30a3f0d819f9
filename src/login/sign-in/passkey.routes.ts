import { setTimeout } from 'node:timers/promises';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { takeBackAttempt } from '#src/authentication/index.js';
import {
  beginPasskeySignIn,
  checkPasskey,
  listPasskeys,
  type RelyingParty,
  relyingPartyOf,
  requestOptions,
} from '#src/authentication/passkeys/index.js';
import { ensureAgent } from '#src/http/auth/agent-cookie.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import { form } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { passkeyField } from '#src/http/pages/passkey-script.js';
import { provedIn, requireStep } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { answerLocked } from '../http/locked.js';
import { originOf } from '../http/origin.js';
import { requireFlowForm } from '../http/other-tab.js';
import { otherWays, whyAsked } from '../http/other-ways.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { rememberBox, rememberIfAsked } from '../http/remembered-browser.js';
import { isToAccount, toAccountQuery } from '../http/to-account.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { loginPurpose, namePurpose } from './login-page.js';
import { passkeyBinding, passkeySignInPath } from './passkey-button.js';
import { readAct, readPersonToConfirm } from './person-to-confirm.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'confirmationSealer'
  | 'dailyMails'
  | 'events'
  | 'groupMembers'
  | 'logger'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mailCodes'
  | 'mailer'
  | 'notices'
  | 'passkeyChallenges'
  | 'pendingEmails'
  | 'people'
  | 'rateCounts'
  | 'rememberedBrowsers'
  | 'refusedFormSealer'
  | 'sessions'
  | 'webauthnCredentials'
>;

const secondPath = '/login/second-passkey';

/** The forms for a passkey: alone, on the login page, and as a second factor, on a page of its own after another proof. */
export function passkeySignInRoutes(deps: Deps): FastifyPluginAsync {
  const party = relyingPartyOf(deps.config);
  return async (app) => {
    if (party === undefined) return;
    app.get(passkeySignInPath, (request, reply) =>
      goTo(reply, pageAddress(deps, '/login', { request: flowOf(request.query) })),
    );
    app.post(passkeySignInPath, (request, reply) => signInAlone(deps, { request, reply }, party));
    app.get(secondPath, (request, reply) => showSecond(deps, { request, reply }, party));
    app.post(secondPath, (request, reply) => proveSecond(deps, { request, reply }, party));
  };
}

/**
 * Signs in with a passkey alone. The authenticator must say that it verified the person: otherwise whoever finds a key would sign in. A
 * failure takes the time of a wrong password, and does not say why it failed.
 */
async function signInAlone(deps: Deps, exchange: HttpExchange, party: RelyingParty): Promise<FastifyReply> {
  const began = performance.now();
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  const isOfName = formText(request.body, 'page') === 'name';
  await requireFlowForm(deps, request, isOfName ? namePurpose(flow) : loginPurpose(flow));
  const { hash: agentHash } = ensureAgent(deps, request, reply);
  // All of these are one message to Redis.
  const begins = beginPasskeySignIn(deps, addressOf(request));
  const confirming = async () => {
    const anonymous = await readVisit(deps, exchange, flow);
    return { anonymous, ...(await readPersonToConfirm(deps, request, anonymous)) };
  };
  const [begun, { anonymous, visit, person }, pastSignIns, step] = await Promise.all([
    begins,
    confirming(),
    deps.sessions.pastSignIns(agentHash),
    deps.loginSteps.find(agentHash, flow),
  ]).catch(async (error: unknown) => {
    // There is nothing to sign in to, or it cannot be read. Nothing was checked.
    await begins.then(takeBackAttempt, () => undefined);
    throw error;
  });
  const page = { visit, path: '/login', query: { request: visit.flow, ...toAccountQuery(request.body) } };
  const outcome = await checkPasskey(deps, {
    response: formText(request.body, 'response'),
    ...{ party, isAlone: true, onlyUserId: person?.userId, begun },
    binding: passkeyBinding(anonymous),
    ...originOf(request, visit),
  });
  if (outcome.kind === 'locked')
    return refuseForm(deps, reply, page, { alert: answerLocked(reply, visit.language, outcome) });
  if (outcome.kind === 'wrong') {
    const rest = deps.config.loginFailureMilliseconds - (performance.now() - began);
    await setTimeout(Math.max(0, rest));
    reply.code(400);
    return refuseForm(deps, reply, page, { alert: visit.texts.passkeys.wrong });
  }
  const { account, passkey, settle } = outcome;
  return continueSignIn(deps, exchange, {
    visit,
    account,
    proofs: [...provedIn(step, account), { kind: 'passkey', ...passkey }],
    isKnownBrowser: pastSignIns.has(account.user.id),
    pastSignIns,
    alongside: settle,
    toAccount: isToAccount(request.body),
  }).finally(settle);
}

function secondPurpose(flow: string): string {
  return `second-passkey ${flow}`;
}

function secondBinding({ agent }: Visit, { orgId, id: userId }: { orgId: string; id: string }) {
  return { purpose: 'secondFactor', agent: agent.hash, orgId, userId } as const;
}

/** The page for a passkey after another proof. It names the credentials of the person, who is known by that proof. */
async function showSecond(deps: Deps, exchange: HttpExchange, party: RelyingParty): Promise<FastifyReply> {
  const { request } = exchange;
  const anonymous = await readVisit(deps, exchange, flowOf(request.query));
  const atStep = await requireStep(deps, anonymous, 'passkey');
  const { visit, account } = atStep;
  const { texts: t, flow, agent } = visit;
  const act = readAct(deps, request, visit, account.user.id) ?? '';
  const challenge = deps.passkeyChallenges.make(secondBinding(visit, account.user));
  const allowed = await listPasskeys(deps, account.user);
  const options = requestOptions(party, { challenge, allowed, isOnlyFactor: false });
  const content = html`<div hidden data-passkey-on>${form({
    action: pageAddress(deps, secondPath),
    agent,
    purpose: secondPurpose(flow),
    hidden: { request: flow },
    content: html`${passkeyField({ act: 'get', options })}
${rememberBox(atStep)}
<p class="error" role="alert" hidden data-passkey-failed>${t.passkeys.failed}</p>
<button type="submit" class="full" data-passkey-ask>${t.passkeys.use}</button>`,
  })}</div>
<p data-passkey-off>${t.passkeys.unsupported}</p>
<div class="links">${otherWays(deps, atStep, { here: 'passkey' })}
<p><a href="${pageAddress(deps, '/login', { request: flow })}">${t.back}</a></p></div>`;
  const alert = readRefusal(deps, exchange, { visit, path: secondPath })?.alert;
  const told = [act, whyAsked(atStep), t.passkeys.secondText];
  const subtitle = told.filter((sentence) => sentence !== '').join(' ');
  return showVisit(deps, exchange, { visit, title: t.codeTitle, subtitle, content, alert });
}

async function proveSecond(deps: Deps, exchange: HttpExchange, party: RelyingParty): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, secondPurpose(flow));
  const visited = await readVisit(deps, exchange, flow);
  const { visit, account, proofs, step: _step, ...begun } = await requireStep(deps, visited, 'passkey');
  const outcome = await checkPasskey(deps, {
    response: formText(request.body, 'response'),
    party,
    binding: secondBinding(visit, account.user),
    isKnownBrowser: begun.isKnownBrowser,
    ...originOf(request, visit),
  });
  if (outcome.kind === 'right') {
    const proof = { kind: 'passkey', ...outcome.passkey } as const;
    await deps.loginSteps.remove(visit.agent.hash, visit.flow);
    await rememberIfAsked(deps, exchange, { account, proof });
    return continueSignIn(deps, exchange, { visit, account, proofs: [...proofs, proof], ...begun });
  }
  const alert =
    outcome.kind === 'locked' ? answerLocked(reply, visit.language, outcome) : visit.texts.passkeys.wrong;
  if (outcome.kind === 'wrong') reply.code(400);
  const page = { visit, path: secondPath, query: { request: visit.flow } };
  return refuseForm(deps, reply, page, { alert });
}
