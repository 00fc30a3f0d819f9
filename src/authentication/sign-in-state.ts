import type { Account } from '#src/accounts/index.js';
import { type Organization, receivesMail, type User } from '#src/directory/index.js';
import { type Proof, type SignInRules, stepsAhead } from './proofs/index.js';
import type { CheckOrigin, RefusedCheck } from './record-check.js';
import type { UnmetRule } from './unmet-rules.js';

/** What a sign-in of a user meets at present. It contains no credential. */
export interface SignInState {
  readonly user: User;
  /** Absent if the user has no password. */
  readonly password?: { readonly changed: Date; readonly changeRequired: boolean };
  /** Absent if the user has no second factor. */
  readonly secondFactor?: { readonly enrolled: Date };
  /** The connections with which the user is linked. */
  readonly connections: readonly LinkedConnection[];
  /** The locks that stand. */
  readonly locks: readonly SignInLock[];
  /** What prevents every sign-in, or the sign-in with one login name. Empty if the user can sign in. */
  readonly obstacles: readonly SignInObstacle[];
  /** What a sign-in asks for after the right password, in this order. */
  readonly steps: readonly SignInStep[];
  /** The rules of the sign-in policy that the person cannot meet, now or from a later day on. */
  readonly unmetRules: readonly UnmetRule[];
  /** Login names that mean this user whatever other organizations do. */
  readonly loginNames: readonly string[];
  /** The refused sign-ins of the last 30 days, the newest first. */
  readonly refused: readonly RefusedSignIn[];
  /** The newest right password of the last 30 days. */
  readonly lastAccepted?: Date;
}

/** Another identity provider at which the user can sign in, if the connection is switched on. */
export interface LinkedConnection {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** A lock after too many failures. */
export interface SignInLock {
  /**
   * What is locked. `password` is the account: the right password is then refused like a wrong one. `loginName` is one name, and the
   * person is told of the lock. `code` is the second factor, and the person is told too.
   */
  readonly of: 'password' | 'loginName' | 'code';
  /** The name, if a name is locked. */
  readonly loginName?: string;
  readonly failures: number;
  readonly until: Date;
}

export const signInObstacles = [
  'inactive',
  'noPassword',
  'passwordsOff',
  'factorMissing',
  'passwordLocked',
  'loginNameLocked',
  'codeLocked',
] as const;
type SignInObstacle = (typeof signInObstacles)[number];

export const signInSteps = [
  'code',
  'mailCode',
  'passkey',
  'recovery',
  'enrol',
  'enrolPasskey',
  'verifyEmail',
  'newPassword',
] as const;
type SignInStep = (typeof signInSteps)[number];

export interface RefusedSignIn extends Partial<Record<(typeof refusalFacts)[number], string>> {
  readonly time: Date;
  /** `lock` says that a lock began with the refusal of the same time. */
  readonly reason: 'password' | 'code' | 'passkey' | 'lock';
  /** Why the proof was refused. Absent for refusals of earlier versions. */
  readonly why?: RefusedCheck;
}

/** What an event says about where a refused sign-in came from. */
export const refusalFacts = [
  'clientId',
  'address',
  'userAgent',
] as const satisfies readonly (keyof CheckOrigin)[];

interface Known {
  readonly account: Account;
  /** The connections that sign in the person if they are switched on. */
  readonly connections: readonly LinkedConnection[];
  readonly rules: SignInRules;
  readonly locks: readonly SignInLock[];
}

/** Returns what prevents a sign-in, in the order of {@link signInObstacles}. */
export function obstaclesOf(known: Known): SignInObstacle[] {
  const { account, rules, locks } = known;
  const { user, password, totp } = account;
  const hasOther = otherFirsts(known).length > 0;
  const passwordsOff = !countsFirst(rules, account, byPassword);
  const { pages, refusedBy } = stepsAhead(rules, account, firstOf(known));
  const isLocked = (of: SignInLock['of']) => locks.some((lock) => lock.of === of);
  const met: Record<SignInObstacle, boolean> = {
    inactive: !user.active,
    noPassword: password === undefined && !passwordsOff && !hasOther,
    passwordsOff: passwordsOff && !hasOther,
    factorMissing: refusedBy === 'organization',
    passwordLocked: isLocked('password'),
    loginNameLocked: isLocked('loginName'),
    codeLocked:
      (totp !== undefined || pages.includes('mailCode') || pages.includes('passkey')) && isLocked('code'),
  };
  return signInObstacles.filter((obstacle) => met[obstacle]);
}

/** Returns what a sign-in asks for after the right password, or after a passkey, another provider or a mailed link if no password counts. */
export function stepsOf(known: Known): SignInStep[] {
  const { pages } = stepsAhead(known.rules, known.account, firstOf(known));
  return signInSteps.filter((step) => pages.includes(step));
}

const byPassword: Proof = { kind: 'password' };
const byMailLink: Proof = { kind: 'mailLink' };
const byPasskey: Proof = { kind: 'passkey', credentialId: '', userVerified: true, isSynced: false };

/** What begins a sign-in of the person: the password, unless the person has none or it counts for nothing, and something else does. */
function firstOf(known: Known): Proof {
  const { account, rules } = known;
  const isByPassword = account.password !== undefined && countsFirst(rules, account, byPassword);
  const [other = byPassword] = otherFirsts(known);
  return isByPassword ? byPassword : other;
}

/** What else the person has that may begin a sign-in. Nobody knows before what a provider will prove, so it counts as one factor. */
function otherFirsts({ account, rules, connections }: Known): Proof[] {
  const [serving] = connections.filter(({ enabled }) => enabled);
  const byConnection = { kind: 'connection', strength: '1', begun: 0 } as const;
  return [
    ...(account.passkeys === undefined ? [] : [byPasskey]),
    ...(serving === undefined ? [] : [{ ...byConnection, connectionId: serving.id }]),
    ...(receivesMail(account.user) ? [byMailLink] : []),
  ].filter((first) => countsFirst(rules, account, first));
}

/** Whether a proof may begin a sign-in. The decision sends a person whose proof counts for nothing to the first page. */
function countsFirst(rules: SignInRules, account: Account, first: Proof): boolean {
  return stepsAhead(rules, account, first).pages[0] !== 'login';
}

/** Returns the names with the primary domain and with the identifier of the organization. No other organization has those. */
export function alwaysMeaning(
  { userName, orgId }: Pick<User, 'userName' | 'orgId'>,
  organization: Pick<Organization, 'domains'> | undefined,
): string[] {
  const [domain] = organization?.domains ?? [];
  return [...(domain === undefined ? [] : [domain]), orgId].map((place) => `${userName}@${place}`);
}
