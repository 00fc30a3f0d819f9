import { setTimeout } from 'node:timers/promises';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Connection } from '#src/connections/registry/index.js';
import { allowedFirstFactors, firstFactorsOfAnybody } from '#src/directory/index.js';
import { ensureAgent, readAgent } from '#src/http/auth/agent-cookie.js';
import { noteLastConnection } from '#src/http/auth/last-connection.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { canServe, connectionsOf } from '../connections/connection-buttons.js';
import { connectionsOfName, isKnownAt, lastUsedFirst } from '../connections/leading.js';
import { leaveByConnection } from '../connections/leave.js';
import { provedIn } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { answerLocked } from '../http/locked.js';
import { readLoginName } from '../http/login-name.js';
import { hasAuthenticator } from '../http/offer-passkey.js';
import { originOf } from '../http/origin.js';
import { isTabOvertaken, requireFlowForm } from '../http/other-tab.js';
import { callbackAddress } from '../http/own-flow.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { isToAccount, toAccountQuery } from '../http/to-account.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { checkLogin, failureMs, type LoginOutcome } from './check-login.js';
import { confirmPage, loginPage, loginPurpose, namePage, namePath, namePurpose } from './login-page.js';
import { type PersonToConfirm, readPersonToConfirm } from './person-to-confirm.js';
import { whyAgain } from './why-again.js';

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
  | 'confirmationSealer'
  | 'connectionSealer'
  | 'dailyMails'
  | 'events'
  | 'groupMembers'
  | 'logger'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mailCodes'
  | 'mailer'
  | 'migrationHooks'
  | 'mongo'
  | 'notices'
  | 'oneTimeLinks'
  | 'organizations'
  | 'passkeyChallenges'
  | 'passwords'
  | 'people'
  | 'pendingEmails'
  | 'providers'
  | 'quotas'
  | 'rateCounts'
  | 'recordRefusal'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'rememberedBrowsers'
  | 'revocations'
  | 'samlThreads'
  | 'sessions'
  | 'userCounter'
  | 'users'
  | 'waitingSignIns'
>;

const path = '/login';

/** The page for login name and password, where every sign-in begins. */
export function passwordRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, (request, reply) => showForm(deps, { request, reply }));

    app.post(path, { config: { heavy: 'sign-in' } }, (request, reply) => signIn(deps, { request, reply }));

    app.post(namePath, (request, reply) => takeName(deps, { request, reply }));
  };
}

async function showForm(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const flow = flowOf(request.query);
  const known = flow === '' ? undefined : readAgent(deps, request);
  // Both are one message to Redis.
  const [anonymous, sessions] = await Promise.all([
    readVisit(deps, { request, reply }, flow),
    known === undefined ? [] : deps.sessions.ofAgent(known.hash),
  ]);
  const refusal = readRefusal(deps, { request, reply }, { visit: anonymous, path });
  if (refusal === undefined && isTabOvertaken(request, anonymous, sessions))
    return goTo(reply, callbackAddress(deps, anonymous.flow));
  const { visit: unplaced, person } = await readPersonToConfirm(deps, request, anonymous);
  const visit = await placedBy(deps, unplaced, request.query);
  const connections = namedFirst(visit, lastUsedFirst(deps, request, await connectionsOf(deps, visit)));
  const notice = noticeOf(request.query, visit) ?? (await whyAgain(deps, visit, sessions));
  if (person !== undefined) {
    const said = { person, connections, alert: refusal?.alert, ...(refusal === undefined && { notice }) };
    return showVisit(deps, { reply }, { visit, ...confirmPage(deps, visit, said) });
  }
  const hint = formText(request.query, 'other') === '' ? visit.waiting?.loginHint : undefined;
  const { typed: { loginName = hint ?? '', organization } = {}, alert } = refusal ?? {};
  const led = await connectionsOfName(deps, visit, loginName);
  const toAccount = isToAccount(request.query);
  const breaksGlass = formText(request.query, 'way') === 'password';
  const isFirst = isFirstLook(request.query) && refusal === undefined;
  const leading = isFirst ? onlyWay(deps, { visit, led, connections }) : undefined;
  if (leading !== undefined && isKnownAt(deps, request, leading)) {
    // When the provider is away, whoever comes back finds the way of those owners. A sign-in makes the connection known again.
    const hasBreakGlass = visit.organization?.signInPolicy?.breakGlassOwners !== undefined;
    if (hasBreakGlass) noteLastConnection(deps, { request, reply }, undefined);
    return leaveByConnection(deps, reply, { visit, connection: leading, toAccount, loginHint: hint });
  }
  const shown = {
    loginName,
    connections: led.length === 0 ? connections : namedFirst(visit, lastUsedFirst(deps, request, led)),
    toAccount,
    ways: waysAt(deps, visit, { breaksGlass }),
    ...(alert === undefined ? { notice } : { alert }),
  };
  // A name that the application or the person gave is not asked for again.
  const asksFirst = !breaksGlass && (await asksNameFirst(deps, visit, connections));
  const isNamed = asksFirst && loginName.trim() !== '';
  const isAsked = leading !== undefined && led.includes(leading);
  if (isAsked || (asksFirst && !isNamed && (shown.ways.password || shown.ways.passkey)))
    return showVisit(deps, { reply }, { visit, ...namePage(deps, visit, shown) });
  const page = loginPage(deps, visit, {
    ...shown,
    isNamed,
    ...(organization !== undefined && { organization }),
  });
  return showVisit(deps, { reply }, { visit, ...page });
}

/** A link of an organization to the login page names it, so that the page has its look and its connections. A request that waits says more. */
async function placedBy({ caches }: Deps, visit: Visit, query: unknown): Promise<Visit> {
  const orgId = formText(query, 'organization');
  if (visit.waiting !== undefined || orgId === '' || orgId.length > 200) return visit;
  const organization = await caches.organizations.get(orgId);
  return organization === undefined ? visit : { ...visit, organization };
}

/**
 * Whether the page asks for the login name alone at first: the organization says so, or a domain leads to one of its connections. The page of
 * no organization does so if a domain of any organization leads to a connection. It depends on nobody's account: the answer is the same for every name.
 */
async function asksNameFirst(
  { caches }: Pick<Deps, 'caches'>,
  { organization }: Visit,
  connections: readonly Connection[],
): Promise<boolean> {
  if (organization === undefined) return caches.leadingDomains.get('any');
  const leads = connections.some(({ domains }) => domains.length > 0);
  return leads || organization.signInPolicy?.identifierFirst === true;
}

/** Whether the address of the page asks for nothing but a sign-in. Whoever comes back, or looks for another way, is led nowhere. */
function isFirstLook(query: unknown): boolean {
  return ['other', 'again', 'done', 'way'].every((name) => formText(query, name) === '');
}

/** The one of these connections that the request names, or else that of the application. */
function namedAmong(
  { waiting, application }: Visit,
  connections: readonly Connection[],
): { readonly requested?: Connection | undefined; readonly ofApplication?: Connection | undefined } {
  return {
    requested: connections.find(({ id }) => id === waiting?.connectionId),
    ofApplication: connections.find(({ id }) => id === application?.connectionId),
  };
}

/** These connections, with the named one first. */
function namedFirst(visit: Visit, connections: readonly Connection[]): readonly Connection[] {
  const { requested, ofApplication } = namedAmong(visit, connections);
  const named = requested ?? ofApplication;
  return named === undefined ? connections : [named, ...connections.filter((one) => one !== named)];
}

/**
 * The connection to which the request leads: it names it or a name in its domain, the application has it, or the people here have no other way. The
 * setting of an application leads nobody away from the connections of the domain of the name. Any page
 * can make such a request, so a browser goes there by itself only if the connection signed in somebody at it last (login CSRF, decision 80).
 */
function onlyWay(
  deps: Pick<Deps, 'clock'>,
  {
    visit,
    led,
    connections,
  }: { visit: Visit; led: readonly Connection[]; connections: readonly Connection[] },
): Connection | undefined {
  const { password, passkey } = waysAt(deps, visit);
  const isAlone = visit.onlyOrgId !== undefined && !password && !passkey;
  const { requested } = namedAmong(visit, connections);
  const { ofApplication } = namedAmong(visit, led.length === 0 ? connections : led);
  const [only, another] = led.length === 0 && isAlone ? connections : led;
  return [requested, ofApplication, another === undefined ? only : undefined].find(
    (one) => one !== undefined && canServe(visit, one),
  );
}

/**
 * What the page may ask for. Only a page for one organization alone leaves out what its policy does not allow.
 * @param options `breaksGlass`: the page is that of break-glass owners, who may use a password whatever the policy says of others
 */
function waysAt(
  { clock }: Pick<Deps, 'clock'>,
  { onlyOrgId, organization }: Visit,
  { breaksGlass = false } = {},
): { readonly password: boolean; readonly passkey: boolean } {
  if (onlyOrgId === undefined) return { password: true, passkey: true };
  const factorsOf = breaksGlass ? firstFactorsOfAnybody : allowedFirstFactors;
  const allowed = factorsOf(organization?.signInPolicy, clock.now());
  return { password: allowed.includes('password'), passkey: allowed.includes('passkey') };
}

/**
 * Leads from the login name to what the person proves: to the provider if the domain of the name has one connection. It looks nobody up, so
 * neither the answer nor its time tells who exists. The name travels sealed in the address, as that of a form that was refused does.
 */
async function takeName(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, namePurpose(flow));
  const visit = await readVisit(deps, exchange, flow);
  const placed = await placedBy(deps, visit, request.body);
  const place = placed === visit ? undefined : placed.organization?.id;
  const query = { request: visit.flow, ...toAccountQuery(request.body), organization: place };
  const { text: loginName } = readLoginName(request.body, visit);
  const [only, another] = await connectionsOfName(deps, placed, loginName);
  if (only !== undefined && another === undefined && canServe(placed, only)) {
    const toAccount = isToAccount(request.body);
    return leaveByConnection(deps, reply, {
      visit,
      connection: only,
      toAccount,
      loginHint: loginName.trim(),
    });
  }
  return refuseForm(deps, reply, { visit, path, query }, { typed: { loginName } });
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
  const { hash: agentHash } = ensureAgent(deps, request, reply);
  // All of these are one message to Redis.
  const [anonymous, step, pastSignIns] = await Promise.all([
    readVisit(deps, exchange, flow),
    deps.loginSteps.find(agentHash, flow),
    deps.sessions.pastSignIns(agentHash),
  ]);
  const { visit, person } = await readPersonToConfirm(deps, request, anonymous);
  const name = person === undefined ? readLoginName(request.body, visit) : nameOf(person);
  const checked = await checkLogin(deps, {
    name,
    password: formText(request.body, 'password'),
    pastSignIns,
    origin: originOf(request, visit),
  });
  const { settle } = checked;
  const outcome = ofPerson(person, checked.outcome);
  if (outcome.kind === 'right') {
    const { account } = outcome;
    return continueSignIn(deps, exchange, {
      visit,
      account,
      proofs: [...provedIn(step, account), { kind: 'password' }],
      isKnownBrowser: pastSignIns.has(account.user.id),
      pastSignIns,
      alongside: settle,
      toAccount: isToAccount(request.body),
      hasAuthenticator: hasAuthenticator(request.body),
    }).finally(settle);
  }
  // The password may be that of another person than the one who must confirm. It was right for that account.
  await settle();
  const rest = (await failureMs(deps, name)) - (performance.now() - began);
  await setTimeout(Math.max(0, rest));
  const { text: loginName, organization } = name;
  // An owner who breaks the glass comes back to the password.
  const way = waysAt(deps, visit).password ? undefined : 'password';
  const page = { visit, path, query: { request: visit.flow, ...toAccountQuery(request.body), way } };
  const alert = answerFailure(reply, visit, { outcome, person });
  return refuseForm(deps, reply, page, { typed: { loginName, organization }, alert });
}

/** The name of a person who is known. The form cannot name another. */
function nameOf({ userName: text, orgId }: PersonToConfirm): ReturnType<typeof readLoginName> {
  return { text, organization: '', orgId };
}

/** The outcome, if it is that of the person who must prove again who it is. A name may also be the address of somebody else. */
function ofPerson(person: PersonToConfirm | undefined, outcome: LoginOutcome): LoginOutcome {
  const isAnother =
    outcome.kind === 'right' && (person?.userId ?? outcome.account.user.id) !== outcome.account.user.id;
  return isAnother ? { kind: 'wrong' } : outcome;
}

/**
 * Sets the status of a sign-in that failed, or of one too many. Returns the sentence for its page, which never says why a sign-in failed.
 */
function answerFailure(
  reply: FastifyReply,
  visit: Visit,
  {
    outcome,
    person,
  }: { outcome: Exclude<LoginOutcome, { kind: 'right' }>; person: PersonToConfirm | undefined },
): string {
  if (outcome.kind === 'locked') return answerLocked(reply, visit.language, outcome);
  reply.code(400);
  const { wrongPassword, sharedLoginName, wrongCurrentPassword } = visit.texts;
  if (person !== undefined) return wrongCurrentPassword;
  // The page asks for the organization whether several have the name or not, because it must not reveal that.
  return visit.onlyOrgId === undefined ? `${wrongPassword} ${sharedLoginName}` : wrongPassword;
}
