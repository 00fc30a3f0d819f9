import { type Account, credentialsStamp } from '#src/accounts/index.js';
import {
  isDemandedEnrolment,
  joinProofs,
  nextStep,
  type Proof,
  provedSince,
  type SignInPage,
  type SignInStep,
  signInRules,
  type TimedProof,
} from '#src/authentication/proofs/index.js';
import { signInDemands } from '#src/authorization/sign-in-demands.js';
import { servingConnection } from '#src/connections/sign-in/index.js';
import { type Organization, policyOf } from '#src/directory/index.js';
import { limitPerson, type PersonLimitDeps } from '#src/http/limits/rate-limit.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { organizationStands } from '#src/organizations/index.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type LoginStep, loginStepMs, type Newcomer } from '../stores/login-steps.store.js';
import { GoesOn } from './goes-on.js';
import { callbackAddress } from './own-flow.js';
import { stepAddress } from './step-address.js';
import { seenBy, type Visit } from './visit.js';

type Deps = PersonLimitDeps &
  Pick<LoginNeeds, 'accounts' | 'caches' | 'clock' | 'config' | 'groupMembers' | 'loginSteps' | 'sessions'>;

/** A sign-in that has begun: the account, what was proved in it so far, and the visit as the person sees it. */
export interface BegunSignIn {
  readonly visit: Visit;
  readonly account: Account;
  readonly proofs: readonly Proof[];
  /** Whether the person asked for the account page. Otherwise people who administer go to the console, unless a request waits. */
  readonly toAccount: boolean;
  /** Whether the person had signed in at the browser before, and all sign-ins were not ended since. Otherwise the person is told. */
  readonly isKnownBrowser: boolean;
  /** Whether the person came by a one-time link. */
  readonly mayEnrol: boolean;
  /** Whether the browser said that it can make a passkey. */
  readonly hasAuthenticator: boolean;
  /** Whether the person wants to set up the factor of a later day another time. */
  readonly putsOff: boolean;
  /** The identity that the person proves this account for, by its secret. Only proofs of this sign-in count for it. */
  readonly links?: string | undefined;
  /** Set for a person who registers and has no account yet: `account` is then what will be stored with the factor that the person sets up. */
  readonly newcomer?: Newcomer | undefined;
}

/** A sign-in at the page of its next step. */
export interface SignInAtStep extends BegunSignIn {
  readonly step: SignInStep;
  /** For how many days the policy of the person's organization lets a browser be remembered. 0 means never. */
  readonly rememberedDays: number;
}

/**
 * The sign-in that has begun at this agent for this request, if one of the pages is its next step or does as well. So no page can be skipped, and
 * rules that changed in the meantime hold. A person of a session that lacks a proof begins without a form.
 * @throws GoesOn to the page of another step. To the login page if no sign-in has begun, it is too old, or the person is not active. Also if
 * a credential was changed since, because a person who only has the former one must not continue
 */
export async function requireStep(
  deps: Deps,
  visit: Visit,
  ...pages: readonly [SignInPage, ...SignInPage[]]
): Promise<SignInAtStep> {
  const begun = (await readBegun(deps, visit)) ?? (await ofSession(deps, visit));
  if (begun === undefined) throw signInAgain(deps, visit);
  const { account, proofs } = begun;
  const { organization, step } = await stepOf(deps, visit, begun);
  // An account that is not stored yet has no other page.
  if (begun.newcomer !== undefined && !isDemandedEnrolment(step)) throw signInAgain(deps, visit);
  const isHere =
    step.kind === 'page' &&
    (pages.includes(step.page) || ('others' in step && step.others.some((other) => pages.includes(other))));
  if (isHere) {
    const { rememberedBrowserDays: rememberedDays = 0 } =
      policyOf(organization?.signInPolicy, account.user.id) ?? {};
    return { ...begun, visit: seenBy(visit, account.user, organization), step, rememberedDays };
  }
  if (step.kind === 'page') throw new GoesOn(stepAddress(deps, step.page, visit.flow));
  // The session has all that it needs.
  if (proofs.length === 0) throw new GoesOn(callbackAddress(deps, visit.flow));
  throw signInAgain(deps, visit);
}

/**
 * The sign-in from which nothing is missing but the word of its person about an identity.
 * @throws GoesOn to the page of another step, or to the login page
 */
export async function requireLinking(deps: Deps, visit: Visit): Promise<BegunSignIn & { links: string }> {
  const begun = await readBegun(deps, visit);
  if (begun?.links === undefined) throw signInAgain(deps, visit);
  const { organization, step } = await stepOf(deps, visit, begun);
  if (step.kind === 'page') throw new GoesOn(stepAddress(deps, step.page, visit.flow));
  if (step.kind === 'refused' && step.by === 'organization') throw signInAgain(deps, visit);
  return { ...begun, links: begun.links, visit: seenBy(visit, begun.account.user, organization) };
}

/** What the sign-in needs next, under the rules of this moment. */
async function stepOf(
  deps: Deps,
  visit: Visit,
  { account, proofs, mayEnrol, links, putsOff }: BegunSignIn,
): Promise<{ organization: Organization | undefined; step: SignInStep }> {
  const { orgId, id: userId } = account.user;
  const [organization, rules, earlier] = await Promise.all([
    deps.caches.organizations.get(orgId),
    signInRules(deps, { orgId, userId }),
    links === undefined ? earlierProofs(deps, visit, account) : [],
  ]);
  const demands = { ...demandsOf(deps, visit), mayEnrol, putsOff };
  const step = nextStep(rules, account, joinProofs(earlier, proofs), demands);
  return { organization, step };
}

/** The sign-in whose proofs wait in Redis. Undefined if there is none, or its proofs count no more. */
async function readBegun(deps: Deps, visit: Visit): Promise<BegunSignIn | undefined> {
  const step = await readStep(deps, visit);
  const stands = step !== undefined && (await organizationStands(deps, step.orgId));
  const account = stands ? await accountOf(deps, step) : undefined;
  if (step === undefined || !account?.user.active) return undefined;
  if (step.credentialsStamp !== credentialsStamp(account)) return undefined;
  if (!(await connectionsServe(deps, step))) return undefined;
  const {
    proofs,
    toAccount = false,
    isKnownBrowser = false,
    mayEnrol = false,
    putsOff = false,
    hasAuthenticator = false,
    links,
    newcomer,
  } = step;
  return {
    ...{ visit, account, proofs, toAccount, isKnownBrowser, mayEnrol },
    ...{ putsOff, hasAuthenticator, links, newcomer },
  };
}

/** The account of a sign-in. That of a person who registers counts for ten minutes, as long as people may register themselves. */
async function accountOf(
  { accounts, caches, clock }: Pick<Deps, 'accounts' | 'caches' | 'clock'>,
  { orgId, userId, newcomer }: LoginStep,
): Promise<Account | undefined> {
  if (newcomer === undefined) return accounts.find(orgId, userId);
  if (clock.now().getTime() - newcomer.user.created.getTime() >= loginStepMs) return undefined;
  const isOpen = (await caches.organizations.get(orgId))?.login.selfRegistration === true;
  return isOpen ? newcomer : undefined;
}

/**
 * What the same person has proved at this browser for this request, if the password is asked for after it. Nothing if a credential was
 * changed since.
 */
export async function provedBefore(
  { loginSteps }: Pick<Deps, 'loginSteps'>,
  { agent, namedFlow }: Visit,
  account: Account,
): Promise<readonly Proof[]> {
  return provedIn(await loginSteps.find(agent.hash, namedFlow), account);
}

/** {@link provedBefore}, of what was read before the person was known. */
export function provedIn(
  step: Pick<LoginStep, 'userId' | 'credentialsStamp' | 'proofs'> | undefined,
  account: Account,
): readonly Proof[] {
  const isSame = step?.userId === account.user.id && step.credentialsStamp === credentialsStamp(account);
  return isSame ? step.proofs.filter(({ kind }) => kind !== 'password') : [];
}

/** Whether the connections by which the sign-in began are switched on, and were not switched off since. */
async function connectionsServe(
  deps: Pick<Deps, 'caches'>,
  { orgId, proofs }: { orgId: string; proofs: readonly Proof[] },
): Promise<boolean> {
  for (const proof of proofs) {
    if (proof.kind !== 'connection') continue;
    const { connectionId, begun } = proof;
    if ((await servingConnection(deps, { orgId, connectionId, since: new Date(begun) })) === undefined)
      return false;
  }
  return true;
}

/** The proofs so far. If the request began anew since, they count for the new one. A registration begins anew too, and is never copied. */
async function readStep(deps: Deps, { agent, flow, namedFlow }: Visit) {
  const step = await deps.loginSteps.find(agent.hash, namedFlow);
  if (step === undefined || namedFlow === flow) return step;
  if (step.newcomer !== undefined) return undefined;
  limitPerson(deps, step.userId);
  await deps.loginSteps.put(agent.hash, flow, step);
  return step;
}

/** The sign-in of the session that goes on with the request, without a new proof. */
async function ofSession(deps: Deps, visit: Visit): Promise<BegunSignIn | undefined> {
  const session = await sessionOf(deps, visit);
  const account = session && (await deps.accounts.find(session.orgId, session.userId));
  if (!account?.user.active) return undefined;
  const marks = {
    toAccount: false,
    isKnownBrowser: true,
    mayEnrol: false,
    putsOff: false,
    hasAuthenticator: false,
  };
  return { visit, account, proofs: [], ...marks };
}

/** The live session at this browser that goes on with the request. */
async function sessionOf({ sessions }: Pick<Deps, 'sessions'>, { waiting, agent }: Visit) {
  const { sessionId } = waiting ?? {};
  if (sessionId === undefined) return undefined;
  return (await sessions.ofAgent(agent.hash)).find(({ id }) => id === sessionId);
}

/** The proofs of the session that goes on with the request, if it is of the same person, as far as they count for the request. */
export async function earlierProofs(
  deps: Pick<Deps, 'clock' | 'sessions'>,
  visit: Visit,
  { user }: Account,
): Promise<readonly TimedProof[]> {
  const session = await sessionOf(deps, visit);
  return session?.userId === user.id ? provedSince(session.proofs, demandsOf(deps, visit).since) : [];
}

/** What the waiting request demands. Nothing without one. */
export function demandsOf({ clock }: Pick<Deps, 'clock'>, { waiting, application }: Visit) {
  return waiting === undefined ? {} : signInDemands(waiting, { now: clock.now(), application });
}

/** Leads to the login page, which says that the sign-in begins again. */
export function signInAgain(deps: Pick<LoginNeeds, 'config'>, { flow }: Pick<Visit, 'flow'>): GoesOn {
  return new GoesOn(pageAddress(deps, '/login', { request: flow, again: '1' }));
}
