import { setTimeout } from 'node:timers/promises';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Account } from '#src/accounts/index.js';
import { checkPasskey, relyingPartyOf } from '#src/authentication/passkeys/index.js';
import type { Proof } from '#src/authentication/proofs/index.js';
import {
  addPendingPerson,
  keepLogoutHint,
  linkByPerson,
  type SignInRefusal,
} from '#src/connections/sign-in/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { type ArrivalDeps, welcome } from '../connections/admit-arrival.js';
import { refuseArrival } from '../connections/leave.js';
import { requireLinking, signInAgain } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { answerLocked } from '../http/locked.js';
import { originOf } from '../http/origin.js';
import { requireFlowForm } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { type FormRefusal, readRefusal, refuseForm } from '../http/refused-form.js';
import { confirmLinkPath } from '../http/step-address.js';
import { flowOf, readVisit } from '../http/visit.js';
import { checkLogin, failureMs } from '../sign-in/check-login.js';
import { passkeyBinding } from '../sign-in/passkey-button.js';
import { confirmLinkPage, linkPaths, linkPurpose, proveAccountPage } from './link-pages.js';
import { type Linking, proofsOfAccount, requireLinkingOf } from './linking.js';

type Deps = ArrivalDeps &
  Parameters<typeof continueSignIn>[0] &
  Parameters<typeof checkLogin>[0] &
  Parameters<typeof checkPasskey>[0] &
  Parameters<typeof requireLinkingOf>[0] &
  Parameters<typeof refuseForm>[0] &
  Parameters<typeof proveAccountPage>[0];

/** The most tries to prove an account for one identity. */
const mostTries = 10;

/**
 * The pages on which a person proves an account for an identity that no rule links. A person who proves the password, and a second factor where
 * there is one, or a passkey, links the identity after a last look at both. The person has just proved the identity at its provider, and nothing
 * else of this browser counts, so an open session links nothing.
 */
export function linkRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(linkPaths.page, (request, reply) => show(deps, { request, reply }));
    app.post(linkPaths.page, { config: { heavy: 'sign-in' } }, (request, reply) =>
      byPassword(deps, { request, reply }),
    );
    app.post(linkPaths.passkey, (request, reply) => byPasskey(deps, { request, reply }));
    app.post(linkPaths.none, (request, reply) => addPerson(deps, { request, reply }));
    app.get(confirmLinkPath, (request, reply) => showConfirm(deps, { request, reply }));
    app.post(confirmLinkPath, (request, reply) => confirm(deps, { request, reply }));
    // A page about an error is shown at the address of its POST, and the person may open it again as a GET.
    for (const path of [linkPaths.passkey, linkPaths.none])
      app.get(path, (_request, reply) => goTo(reply, pageAddress(deps, '/login')));
  };
}

async function show(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { query } = exchange.request;
  const anonymous = await readVisit(deps, exchange, flowOf(query));
  const linking = await requireLinkingOf(deps, anonymous, formText(query, 'link'));
  const { visit } = linking;
  const { typed = {}, alert } = readRefusal(deps, exchange, { visit, path: linkPaths.page }) ?? {};
  const page = proveAccountPage(deps, linking, { loginName: typed['loginName'], alert });
  return showVisit(deps, exchange, { visit, ...page });
}

/** The identity that a form of the page names. @throws AppError `login.formExpired` */
async function postedLinking(
  deps: Deps,
  exchange: HttpExchange,
  form: keyof typeof linkPaths,
): Promise<Linking> {
  const { body } = exchange.request;
  const flow = flowOf(body);
  const secret = formText(body, 'link');
  await requireFlowForm(deps, exchange.request, linkPurpose(form, flow, secret));
  return requireLinkingOf(deps, await readVisit(deps, exchange, flow), secret);
}

function refuse(deps: Deps, reply: FastifyReply, { visit, secret }: Linking, refusal: FormRefusal) {
  const query = { request: visit.flow, link: secret };
  return refuseForm(deps, reply, { visit, path: linkPaths.page, query }, refusal);
}

/** Counts a try for the identity. @returns the sentence about too many */
async function countTry(
  { loginAttempts }: Pick<Deps, 'loginAttempts'>,
  reply: FastifyReply,
  { secret, visit }: Linking,
): Promise<string | undefined> {
  const { allowed, retryAfterSeconds } = await loginAttempts.begin(`link:${hashSecret(secret)}`, mostTries);
  return allowed ? undefined : answerLocked(reply, visit.language, { retryAfterSeconds });
}

async function byPassword(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const began = performance.now();
  const { request, reply } = exchange;
  const linking = await postedLinking(deps, exchange, 'page');
  const { visit, pending, organization } = linking;
  const loginName = formText(request.body, 'loginName');
  const typed = { loginName };
  if (!proofsOfAccount(deps, organization).password) throw signInAgain(deps, visit);
  // Both are one message to Redis.
  const [locked, pastSignIns] = await Promise.all([
    countTry(deps, reply, linking),
    deps.sessions.pastSignIns(visit.agent.hash),
  ]);
  if (locked !== undefined) return refuse(deps, reply, linking, { typed, alert: locked });
  const name = { text: loginName, organization: '', orgId: pending.orgId };
  const { outcome, settle } = await checkLogin(deps, {
    name,
    password: formText(request.body, 'password'),
    pastSignIns,
    origin: originOf(request, visit),
  });
  await settle();
  if (outcome.kind === 'right') {
    const { account } = outcome;
    const isKnownBrowser = pastSignIns.has(account.user.id);
    return proved(deps, exchange, linking, [{ kind: 'password' }], { account, isKnownBrowser });
  }
  const rest = (await failureMs(deps, name)) - (performance.now() - began);
  await setTimeout(Math.max(0, rest));
  if (outcome.kind === 'locked') {
    const alert = answerLocked(reply, visit.language, outcome);
    return refuse(deps, reply, linking, { typed, alert });
  }
  reply.code(400);
  return refuse(deps, reply, linking, { typed, alert: visit.texts.wrongPassword });
}

async function byPasskey(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const began = performance.now();
  const { request, reply } = exchange;
  const linking = await postedLinking(deps, exchange, 'passkey');
  const { visit, organization } = linking;
  const party = relyingPartyOf(deps.config);
  if (party === undefined || !proofsOfAccount(deps, organization).passkey) throw signInAgain(deps, visit);
  const locked = await countTry(deps, reply, linking);
  if (locked !== undefined) return refuse(deps, reply, linking, { alert: locked });
  const [outcome, pastSignIns] = await Promise.all([
    checkPasskey(deps, {
      response: formText(request.body, 'response'),
      party,
      isAlone: true,
      binding: passkeyBinding(visit),
      ...originOf(request, visit),
    }),
    deps.sessions.pastSignIns(visit.agent.hash),
  ]);
  const isTheirs = outcome.kind === 'right' && outcome.account.user.orgId === organization.id;
  if (isTheirs) {
    const { account, passkey } = outcome;
    const isKnownBrowser = pastSignIns.has(account.user.id);
    return proved(deps, exchange, linking, [{ kind: 'passkey', ...passkey }], { account, isKnownBrowser });
  }
  if (outcome.kind === 'locked')
    return refuse(deps, reply, linking, { alert: answerLocked(reply, visit.language, outcome) });
  const rest = deps.config.loginFailureMilliseconds - (performance.now() - began);
  await setTimeout(Math.max(0, rest));
  reply.code(400);
  return refuse(deps, reply, linking, { alert: visit.texts.passkeys.wrong });
}

/** Goes on after the first proof, with every other one that the sign-in needs. */
function proved(
  deps: Deps,
  exchange: HttpExchange,
  { visit, secret, pending: { toAccount } }: Linking,
  proofs: readonly Proof[],
  { account, isKnownBrowser }: Pick<Parameters<typeof continueSignIn>[2], 'account' | 'isKnownBrowser'>,
): Promise<FastifyReply> {
  return continueSignIn(deps, exchange, {
    ...{ visit, account, proofs, toAccount, links: secret },
    isKnownBrowser: isKnownBrowser ?? false,
  });
}

/** Adds a person who says to have no account here. */
async function addPerson(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { reply } = exchange;
  const linking = await postedLinking(deps, exchange, 'none');
  const { visit, secret, connection, organization } = linking;
  const pending = await deps.pendingLinks.take(secret);
  if (pending === undefined) throw signInAgain(deps, visit);
  const { proved: identity, toAccount } = pending;
  const account = await addPendingPerson(deps, { connection, organization, proved: identity });
  if ('reason' in account) return leave(deps, reply, linking, account);
  const arrived = await arrive(deps, exchange, { linking, pending, account });
  return continueSignIn(deps, exchange, {
    ...{ visit, account: arrived.account, proofs: [arrived.proof], toAccount },
  });
}

/**
 * Completes the sign-in at the provider, now that its person is known. The session keeps its proof, so that it ends with the connection and with the
 * session there, and a sign-out here goes on to the provider.
 */
async function arrive(
  deps: Deps,
  { request }: HttpExchange,
  {
    linking: { visit, connection, organization },
    pending: { proved: identity, proof, created },
    account,
  }: { linking: Linking; pending: Linking['pending']; account: Account },
): Promise<{ account: Account; proof: Proof }> {
  const { subject, claims, nameId } = identity;
  const welcomed = await welcome(deps, {
    ...{ account, organization, connection, subject, claims, nameId, proof },
    origin: originOf(request, visit),
    // Another browser may have added the person meanwhile.
    isNew: account.user.created >= created,
  });
  const of = { connection, userId: welcomed.user.id, proved: identity, proof };
  return { account: welcomed, proof: await keepLogoutHint(deps, of) };
}

async function showConfirm(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const anonymous = await readVisit(deps, exchange, flowOf(exchange.request.query));
  const { visit, links, account } = await requireLinking(deps, anonymous);
  const linking = await requireLinkingOf(deps, visit, links);
  return showVisit(deps, exchange, { visit, ...confirmLinkPage(deps, linking, account) });
}

/** Links the identity, or not, and completes the sign-in with what the person has proved. */
async function confirm(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  const anonymous = await readVisit(deps, exchange, flow);
  const { links, ...begun } = await requireLinking(deps, anonymous);
  await requireFlowForm(deps, request, linkPurpose('confirm', flow, links));
  const linking = await requireLinkingOf(deps, begun.visit, links);
  const pending = await deps.pendingLinks.take(links);
  if (pending === undefined) throw signInAgain(deps, begun.visit);
  await deps.loginSteps.remove(begun.visit.agent.hash, begun.visit.flow);
  if (formText(request.body, 'later') !== '')
    return continueSignIn(deps, exchange, { ...begun, links: undefined });
  const { account, proofs } = begun;
  const editor = { userId: account.user.id, service: 'login' };
  const { connection } = linking;
  const { subject } = pending.proved;
  const refusal = await linkByPerson(deps, { connection, subject, account, editor });
  if (refusal !== undefined) return leave(deps, reply, linking, refusal);
  const arrived = await arrive(deps, exchange, { linking, pending, account });
  return continueSignIn(deps, exchange, {
    ...{ ...begun, links: undefined },
    ...{ account: arrived.account, proofs: [...proofs, arrived.proof] },
  });
}

/** Leads to the login page, which offers every other way. */
function leave(
  deps: Deps,
  reply: FastifyReply,
  { visit, connection, pending: { toAccount } }: Linking,
  refusal: SignInRefusal,
): Promise<FastifyReply> {
  return refuseArrival(deps, reply, { visit, connection, toAccount, refusal });
}
