import type { PasswordHasher } from '#src/keys/password-hasher.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { Logger } from '#src/platform/logger.js';
import { isLongerThan } from '../characters.js';
import type { Organization } from '../organizations/organization.js';
import type { User } from '../users/user.js';
import type { Account } from './account.js';
import type { AccountsStore } from './accounts.store.js';
import { loginNameKey } from './find-account.js';
import type { Attempt, LoginAttempts } from './login-attempts.store.js';
import {
  type CheckOrigin,
  type EarlierSignIn,
  type RecordCheckDeps,
  type RefusedCheck,
  recordCheck,
} from './record-check.js';

export interface CheckDeps extends RecordCheckDeps {
  readonly accounts: AccountsStore;
  readonly passwords: PasswordHasher;
  readonly loginAttempts: LoginAttempts;
  readonly logger: Logger;
  /** Counts the outcomes of checks. */
  readonly measures?:
    | { loginChecked(factor: 'password' | 'code', outcome: CheckOutcome['kind']): void }
    | undefined;
  readonly config: { readonly loginMaxFailures: number; readonly loginMaxFailuresPerAddress: number };
}

/** The outcome of a check. `locked` means that too many earlier checks failed. It says nothing about this one. */
export type CheckOutcome =
  | {
      readonly kind: 'right';
      /** The account that this check created, or gave its first password. */
      readonly takenOver?: Account;
    }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

export interface PasswordProof extends CheckOrigin {
  /** Undefined if no user has the name. The check then takes the same work. */
  readonly account: Account | undefined;
  readonly loginName: string;
  /** The organization that the user typed beside the login name. '' if none. */
  readonly organization?: string;
  /** The organization, if the name was looked up in one only. */
  readonly orgId?: string | undefined;
  readonly password: string;
  /** The latest sign-in of the account's user at this browser, if there was one. */
  readonly earlier?: EarlierSignIn | undefined;
  /**
   * Asks the former service of a person without a password here whether the password is right. Called after the limits, and only
   * if the password may be right. Returns the account, which then has the password.
   */
  readonly takeOver?: (() => Promise<Account | undefined>) | undefined;
}

/** Bytes of a password that bcrypt uses. It ignores the rest. */
const bcryptBytes = 72;

/** Characters of a password. No password that the service accepts is longer. */
const maxLength = 200;

/**
 * Checks a password. The outcome and the work are the same for an unknown user, an inactive user, a user without a
 * password and a wrong password. If the password is right and its hash is outdated, the hash is replaced. If that
 * fails, the check succeeds nevertheless.
 *
 * A browser of the user has attempts of its own (docs/decisions/0044-known-browsers.md). Failures elsewhere, at its address and under
 * the login name, do not lock it. When it has used them up, it is treated as any other browser.
 */
export async function checkPassword(deps: CheckDeps, proof: PasswordProof): Promise<CheckOutcome> {
  const { account, loginName, address } = proof;
  const counted = {
    shown: nameSubject(loginName, proof.organization),
    ...(account && { hidden: passwordSubject(account.user.id) }),
    address,
  };
  let reason: RefusedCheck = 'passwordWrong';
  let takenOver: Account | undefined;
  const verify = async (mayBeRight: boolean) => {
    const { password } = proof;
    const fits = !isLongerThan(password, maxLength);
    const usable = account?.user.active === true && fits && mayBeRight;
    const hash = usable ? account.password?.hash : undefined;
    const place = { purpose: 'sign-in', orgId: account?.user.orgId ?? proof.orgId } as const;
    const right = (await deps.passwords.verify(hash, fits ? password : '', place)) && fits;
    reason = refusalOf(account, mayBeRight);
    if (!right && mayBeRight && fits && password !== '' && account?.password === undefined) {
      takenOver = await proof.takeOver?.();
      return takenOver !== undefined;
    }
    if (!right) return false;
    reason = 'changedMeanwhile';
    return isUnchanged(deps, account);
  };
  const own = knownSince(account, proof.earlier) ? { shown: `browser:${proof.earlier?.id}` } : undefined;
  const first = own && (await checkWithinLimits(deps, own, verify));
  const { outcome, last } =
    first === undefined || first.outcome.kind === 'locked'
      ? await checkWithinLimits(deps, counted, verify)
      : first;
  deps.measures?.loginChecked('password', outcome.kind);
  const known = takenOver ?? account;
  if (known === undefined) {
    if (outcome.kind === 'wrong') deps.logger.info({ address }, 'password check of an unknown login name');
    return outcome;
  }
  if (outcome.kind === 'right') await improveHash(deps, known, proof.password);
  await recordCheck(deps, known.user, {
    happened: eventsOf(outcome, last),
    from: proof,
    ...(outcome.kind === 'wrong' && { reason }),
  });
  if (outcome.kind === 'right' && takenOver !== undefined) return { kind: 'right', takenOver };
  return outcome;
}

/**
 * Returns whether the credentials are those that were read. A check takes long enough for another request to set a new
 * password, or a second factor, and so to end all sign-ins. This sign-in must not begin after that.
 */
async function isUnchanged({ accounts }: CheckDeps, account: Account | undefined): Promise<boolean> {
  if (account?.password === undefined) return false;
  const { user, password, totp } = account;
  return accounts.hasCredentials(user.orgId, {
    id: user.id,
    passwordChanged: password.changed,
    totpEnrolled: totp?.enrolled,
  });
}

/**
 * Returns whether the user has signed in at this browser with the present password. A thief of an earlier password has a browser like
 * any other.
 */
export function knownSince(account: Account | undefined, earlier: EarlierSignIn | undefined): boolean {
  const changed = account?.password?.changed;
  return earlier !== undefined && changed !== undefined && earlier.time > changed;
}

/** Why a password that did not match was refused. */
function refusalOf(account: Account | undefined, mayBeRight: boolean): RefusedCheck {
  if (account?.user.active === false) return 'inactive';
  if (account?.password === undefined) return 'passwordMissing';
  return mayBeRight ? 'passwordWrong' : 'locked';
}

function eventsOf({ kind }: CheckOutcome, last: boolean) {
  if (kind === 'locked') return [];
  if (kind === 'right') return ['user.human.password.check.succeeded'] as const;
  const failed = 'user.human.password.check.failed' as const;
  return last ? ([failed, 'user.locked'] as const) : [failed];
}

/**
 * Returns the name under which failures of a login name are counted, whether a user has it or not. What a person is told
 * depends on it alone. Otherwise a lock would show that two login names mean the same user.
 * @param organization as it was typed. A name in an organization counts like `name@organization`
 */
export function nameSubject(loginName: string, organization = ''): string {
  const name = loginNameKey(loginName) ?? '';
  const place = loginNameKey(organization);
  return `name:${hashSecret(place === undefined ? name : `${name}@${place}`)}`;
}

/**
 * Forgets the wrong passwords of a user: those of the account, and those of its login names. Wrong codes still count.
 * @param organization of the user
 */
export async function forgetAttempts(
  { loginAttempts }: { readonly loginAttempts: Pick<LoginAttempts, 'forget'> },
  user: NamedUser,
  organization: NamedOrganization | undefined,
): Promise<void> {
  const subjects = new Set([passwordSubject(user.id), ...loginNamesOf(user, organization).keys()]);
  await Promise.all([...subjects].map((subject) => loginAttempts.forget(subject)));
}

type NamedUser = Pick<User, 'id' | 'orgId' | 'userName' | 'emails'>;
type NamedOrganization = Pick<Organization, 'name' | 'domains'>;

/**
 * Returns the login names that can mean a user, by the name under which their failures are counted. The name and the domains of the
 * organization may be typed with a login name.
 */
export function loginNamesOf(
  { orgId, userName, emails }: NamedUser,
  organization: NamedOrganization | undefined,
): Map<string, string> {
  const primary = emails.filter((email) => email.primary);
  const places = [orgId, ...(organization === undefined ? [] : [organization.name, ...organization.domains])];
  const names = [userName, ...primary.map(({ value }) => value)];
  return new Map([
    ...names.flatMap((name) =>
      places.map((place) => [nameSubject(name, place), `${name}@${place}`] as const),
    ),
    ...emails.map(({ value }) => [nameSubject(value), value] as const),
    [nameSubject(userName), userName],
  ]);
}

/** Returns the name under which failures of a user's password are counted. */
export function passwordSubject(userId: string): string {
  return `password:${userId}`;
}

/**
 * Returns the name under which wrong one-time codes of a user are counted. A right password does not reset this count,
 * and neither does a link for a new password.
 */
export function codeSubject(userId: string): string {
  return `code:${userId}`;
}

/** What an attempt counts for. */
interface Counted {
  /** A lock of this subject is told. */
  readonly shown: string;
  /** A lock of this subject, such as the account behind a name, looks like a wrong proof. */
  readonly hidden?: string;
  /** Counts the subjects, if it is not `loginAttempts`. */
  readonly by?: LoginAttempts;
  /** Undefined for a browser of the user, which does not wait for others at its address. */
  readonly address?: string | undefined;
}

/**
 * Runs a check within the limits of its subjects and of its address, if it has one. The attempt counts before the check runs.
 * @param check gets false if no proof may be right. It then does the same work
 * @returns `last`: this attempt locked the account, or the browser if only that counts
 */
export async function checkWithinLimits(
  { loginAttempts, config }: Pick<CheckDeps, 'loginAttempts' | 'config'>,
  { shown, hidden, by = loginAttempts, address }: Counted,
  check: (mayBeRight: boolean) => Promise<boolean>,
): Promise<{ outcome: CheckOutcome; last: boolean }> {
  const counts: Count[] = [
    { store: by, subject: shown, limit: config.loginMaxFailures, isTold: true },
    ...(address === undefined
      ? []
      : [
          {
            store: loginAttempts,
            subject: `address:${address}`,
            limit: config.loginMaxFailuresPerAddress,
            isTold: true,
          },
        ]),
    ...(hidden === undefined ? [] : [{ store: by, subject: hidden, limit: config.loginMaxFailures }]),
  ];
  const begun = await beginAll(counts);
  const isRefusing = (index: number) => counts[index]?.isTold === true && begun[index]?.allowed === false;
  const refusing = begun.find((_attempt, index) => isRefusing(index));
  if (refusing !== undefined) {
    // An attempt that is refused counts for nothing that did not refuse it.
    await takeBackAll(counts.filter((_count, index) => !isRefusing(index)));
    const { retryAfterSeconds } = refusing;
    return { outcome: { kind: 'locked', retryAfterSeconds }, last: false };
  }
  // What is not told is that of the account. Without an account, it is that of the name.
  const own = begun[hidden === undefined ? 0 : counts.length - 1] as Attempt;
  let right: boolean;
  try {
    right = (await check(own.allowed)) && own.allowed;
  } catch (error) {
    await takeBackAll(counts).catch(() => undefined);
    throw error;
  }
  if (right) {
    const forgotten = counts.map(({ store, subject }) =>
      subject === shown || subject === hidden ? store.forget(subject) : store.takeBack(subject),
    );
    await Promise.all(forgotten);
  }
  return { outcome: { kind: right ? 'right' : 'wrong' }, last: own.last };
}

/** One count of an attempt. */
interface Count {
  readonly store: LoginAttempts;
  readonly subject: string;
  readonly limit: number;
  /** Whether a lock is told. */
  readonly isTold?: boolean;
}

/** Begins an attempt under each count. If one cannot be counted, none is. */
async function beginAll(counts: readonly Count[]): Promise<Attempt[]> {
  const begun = counts.map(({ store, subject, limit }) => store.begin(subject, limit));
  try {
    return await Promise.all(begun);
  } catch (error) {
    const settled = await Promise.allSettled(begun);
    // What a lock refused was not counted, and must not be taken back: that would end the lock.
    const counted = counts.filter((_count, index) => {
      const one = settled[index];
      return one?.status === 'fulfilled' && one.value.allowed;
    });
    await takeBackAll(counted).catch(() => undefined);
    throw error;
  }
}

async function takeBackAll(counts: readonly Count[]): Promise<void> {
  await Promise.all(counts.map(({ store, subject }) => store.takeBack(subject)));
}

async function improveHash(deps: CheckDeps, { user, password }: Account, text: string): Promise<void> {
  if (password === undefined || !deps.passwords.isOutdated(password.hash)) return;
  // The ignored rest may be a typing error. A new hash would demand it from then on.
  if (password.hash.startsWith('$2') && Buffer.byteLength(text) > bcryptBytes) return;
  try {
    const to = await deps.passwords.hash(text, { purpose: 'sign-in', orgId: user.orgId });
    await deps.accounts.replaceHash(user.orgId, { id: user.id, from: password.hash, to });
  } catch (error) {
    deps.logger.warn({ err: error, userId: user.id }, 'an outdated password hash could not be replaced');
  }
}
