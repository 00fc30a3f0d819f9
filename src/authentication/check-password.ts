import { type PolicyForCaches, policyFor } from '#src/access/memberships/index.js';
import { type Account, type AccountsStore, credentialsStamp, mayBePassword } from '#src/accounts/index.js';
import { passwordsAreOff } from '#src/directory/index.js';
import { passwordForms } from '#src/keys/password-forms.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Logger } from '#src/platform/logger.js';
import { nameSubject, passwordSubject } from './attempt-subjects.js';
import {
  beginAttempt,
  type CheckOutcome,
  type CheckWithinLimitsDeps,
  checkBegun,
  type UnsettledAttempt,
} from './check-within-limits.js';
import {
  type CheckOrigin,
  type EarlierSignIn,
  type RecordCheckDeps,
  type RefusedCheck,
  recordCheck,
} from './record-check.js';

export interface CheckDeps extends RecordCheckDeps, CheckWithinLimitsDeps {
  readonly accounts: AccountsStore;
  readonly passwords: PasswordHasher;
  readonly caches: PolicyForCaches;
  readonly logger: Logger;
  /** Counts the outcomes of checks. */
  readonly measures?:
    | { loginChecked(factor: 'password' | 'code', outcome: CheckOutcome['kind']): void }
    | undefined;
}

interface PasswordProof extends CheckOrigin {
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

/** Hashes of bcrypt that see the password itself, and not a digest of it. */
const cutsByBcrypt = /^(?:\$pepper-(?:suffix|prefix))?\$2/;
/** Bytes of a password that bcrypt uses. It ignores the rest. */
const bcryptBytes = 72;

/**
 * Checks a password. The outcome and the work are the same for an unknown user, an inactive user, a user without a
 * password and a wrong password, and where no password signs in. If the password is right and its hash is outdated, the hash is replaced. If that
 * fails, the check succeeds nevertheless.
 *
 * A browser of the user has attempts of its own (docs/decisions/0044-known-browsers.md). Failures elsewhere, at its address and under
 * the login name, do not lock it. When it has used them up, it is treated as any other browser.
 */
export async function checkPassword(deps: CheckDeps, proof: PasswordProof): Promise<CheckOutcome> {
  const { outcome, settle } = await checkUnsettledPassword(deps, proof);
  await settle();
  return outcome;
}

/** {@link checkPassword}, whose caller settles the attempt, and so chooses with what other message to Redis. */
export async function checkUnsettledPassword(
  deps: CheckDeps,
  proof: PasswordProof,
): Promise<Pick<UnsettledAttempt, 'outcome' | 'settle'>> {
  const { account, loginName, address } = proof;
  const counted = {
    shown: nameSubject(loginName, proof.organization),
    ...(account && { hidden: passwordSubject(account.user.id) }),
    address,
  };
  const areOff = await areOffFor(deps, account);
  let reason: RefusedCheck = 'passwordWrong';
  let takenOver: Account | undefined;
  const verify = async (mayBeRight: boolean) => {
    const { password } = proof;
    const fits = mayBePassword(password);
    const usable = account?.user.active === true && fits && mayBeRight && !areOff;
    const hash = usable ? account.password?.hash : undefined;
    const hashedFor = { purpose: 'sign-in', orgId: account?.user.orgId ?? proof.orgId } as const;
    const right = (await deps.passwords.verify(hash, fits ? password : '', hashedFor)) && fits;
    reason = areOff ? 'passwordsOff' : refusalOf(account, mayBeRight);
    if (!right && mayBeRight && fits && !areOff && account?.password === undefined) {
      takenOver = await proof.takeOver?.();
      return takenOver !== undefined;
    }
    if (!right) return false;
    reason = 'changedMeanwhile';
    return isUnchanged(deps, account);
  };
  const ofBrowser = knownSince(account, proof.earlier)
    ? { shown: `browser:${proof.earlier?.id}` }
    : undefined;
  const first = ofBrowser && (await checkBegun(await beginAttempt(deps, ofBrowser), verify));
  const { outcome, last, settle } =
    first === undefined || first.outcome.kind === 'locked'
      ? await checkBegun(await beginAttempt(deps, counted), verify)
      : first;
  deps.measures?.loginChecked('password', outcome.kind);
  const known = takenOver ?? account;
  if (known === undefined) {
    if (outcome.kind === 'wrong') deps.logger.info({ address }, 'password check of an unknown login name');
    return { outcome, settle };
  }
  try {
    if (outcome.kind === 'right') await improveHash(deps, known, proof.password);
    await recordCheck(deps, known.user, {
      happened: eventsOf(outcome, last),
      from: proof,
      ...(outcome.kind === 'wrong' && { reason }),
    });
  } catch (error) {
    await settle();
    throw error;
  }
  if (outcome.kind !== 'right' || takenOver === undefined) return { outcome, settle };
  return { outcome: { kind: 'right', takenOver }, settle };
}

/** Returns whether no password signs in the account to its organization. The organization comes from the cache. */
async function areOffFor({ caches, clock }: CheckDeps, account: Account | undefined): Promise<boolean> {
  if (account === undefined) return false;
  return passwordsAreOff(await policyFor(caches, account.user), clock.now());
}

/**
 * Returns whether the credentials are those that were read. A check takes long enough for another request to set a new
 * password, or a second factor, and so to end all sign-ins. This sign-in must not begin after that.
 */
async function isUnchanged({ accounts }: CheckDeps, account: Account | undefined): Promise<boolean> {
  if (account?.password === undefined) return false;
  const { id, orgId } = account.user;
  return accounts.hasCredentials(orgId, { id, stamp: credentialsStamp(account) });
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

async function improveHash(deps: CheckDeps, { user, password }: Account, text: string): Promise<void> {
  if (password === undefined || !deps.passwords.isOutdated(password.hash)) return;
  const hashedFor = { purpose: 'sign-in', orgId: user.orgId } as const;
  try {
    if (cutsByBcrypt.test(password.hash) && !(await sawAll(deps, { hash: password.hash, text, hashedFor })))
      return;
    const to = await deps.passwords.hash(text, hashedFor);
    await deps.accounts.replaceHash(user.orgId, { id: user.id, from: password.hash, to });
  } catch (error) {
    deps.logger.warn({ err: error, userId: user.id }, 'an outdated password hash could not be replaced');
  }
}

/**
 * Returns whether bcrypt has seen the whole of a right password. The ignored rest may be a typing error. A new hash would demand it from
 * then on.
 */
async function sawAll(
  { passwords }: Pick<CheckDeps, 'passwords'>,
  {
    hash,
    text,
    hashedFor,
  }: { hash: string; text: string; hashedFor: Parameters<PasswordHasher['verify']>[2] },
): Promise<boolean> {
  const isShort = (form: string) => Buffer.byteLength(form) <= bcryptBytes;
  const forms = passwordForms(text);
  if (forms.every(isShort) || !forms.some(isShort)) return forms.some(isShort);
  const matching = await passwords.matchingForm(hash, text, hashedFor);
  return matching !== undefined && isShort(matching);
}
