import type { Account, AccountsStore, PasskeyHolder, PasskeyHolders } from '#src/accounts/index.js';
import type {
  PersonList,
  WebauthnCredential,
  WebauthnCredentialsStore,
} from '#src/accounts/person-lists/index.js';
import { compareAndSwap } from '#src/directory/index.js';
import { organizationStands } from '#src/organizations/index.js';
import { secondPasskeySubject } from '../attempt-subjects.js';
import {
  type BegunAttempt,
  beginAttempt,
  type CheckOutcome,
  type CheckWithinLimitsDeps,
  checkBegun,
} from '../check-within-limits.js';
import type { LoginAttempts } from '../login-attempts.store.js';
import { type CheckOrigin, type RecordCheckDeps, type RefusedCheck, recordCheck } from '../record-check.js';
import type { RelyingParty } from '../relying-party/relying-party.js';
import type { CeremonyBinding, PasskeyChallenges } from './passkey-challenges.js';
import { type ReadAssertion, readAssertion } from './read-passkey-response.js';
import { type VerifiedAssertion, verifyAssertion } from './verify-ceremony.js';

interface CheckPasskeyDeps extends RecordCheckDeps, CheckWithinLimitsDeps {
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly codeAttempts: LoginAttempts;
  readonly webauthnCredentials: Pick<WebauthnCredentialsStore, 'findMany' | 'replaceUsed'> & PasskeyHolders;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly caches: Parameters<typeof organizationStands>[0]['caches'];
  readonly measures?: { loginChecked(factor: 'passkey', outcome: CheckOutcome['kind']): void } | undefined;
}

interface PasskeyAttempt extends CheckOrigin {
  /** What the browser answered, as its page sent it. */
  readonly response: string;
  readonly party: RelyingParty;
  /** What the page made its challenge for. */
  readonly binding: CeremonyBinding;
  /** Whether the passkey counts without another proof. The authenticator must then have verified the person. */
  readonly isAlone?: boolean;
  /** The only person who may answer, if the page did not know it when it made the challenge. */
  readonly onlyUserId?: string | undefined;
  /** Whether a known person has signed in at this browser before. It then does not wait for others at its address. */
  readonly isKnownBrowser?: boolean;
  /** The attempt, if {@link beginPasskeySignIn} has counted it. */
  readonly begun?: BegunAttempt;
}

/** A passkey that a person used. */
export interface UsedPasskey {
  readonly credentialId: string;
  /** Whether the authenticator says that it verified the person. */
  readonly userVerified: boolean;
  /** Whether the key may be copied to other devices. */
  readonly isSynced: boolean;
}

type RightPasskey = { readonly kind: 'right'; readonly account: Account; readonly passkey: UsedPasskey };
/** `settle` must be called: see `checkBegun`. An attempt that {@link checkPasskey} has counted itself is settled. */
type CheckedPasskey = RightPasskey & { settle(): Promise<void> };
/** `of`: the account whose passkey was meant, if that is certain. */
type WrongPasskey = {
  readonly kind: 'wrong';
  readonly of?: Account | undefined;
  readonly reason?: RefusedCheck;
};

type PasskeyOutcome =
  | CheckedPasskey
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** A list that has the credential of an answer. */
interface Holder extends PasskeyHolder {
  readonly credential: WebauthnCredential;
}

const wrong: WrongPasskey = { kind: 'wrong' };

/**
 * Checks the answer of an authenticator (WebAuthn Level 3 section 7.2). Its challenge counts once. A counter that does not rise is refused,
 * because two authenticators then have the key (section 6.1.1). Synced passkeys have no counter: theirs is always 0.
 *
 * Several organizations may have imported one credential. A person who made it here is meant before them. Otherwise the one whose public
 * key matches is meant, and nobody if several match.
 *
 * The attempt counts before anything is verified, so that requests at the same time verify no more, and leave no more events, than others. Before a
 * proof it counts for the address alone, apart from wrong passwords: whoever knows a Credential ID must not lock its person. After a proof it
 * counts for the person at this address, or at this browser if the person has signed in there. Nobody can guess a signature, so the person is
 * not locked elsewhere.
 */
export async function checkPasskey(deps: CheckPasskeyDeps, attempt: PasskeyAttempt): Promise<PasskeyOutcome> {
  let checked = wrong as RightPasskey | WrongPasskey;
  const begun = attempt.begun ?? (await beginAttempt(deps, countedBy(deps, attempt)));
  const { outcome, last, settle } = await checkBegun(begun, async () => {
    checked = await check(deps, attempt);
    return checked.kind === 'right';
  });
  if (attempt.begun === undefined) await settle();
  deps.measures?.loginChecked('passkey', outcome.kind);
  if (outcome.kind === 'locked') return outcome;
  try {
    await record(deps, attempt, { checked, last });
  } catch (error) {
    await settle();
    throw error;
  }
  return checked.kind === 'right' ? { ...checked, settle } : { kind: 'wrong' };
}

/**
 * Counts an attempt of a person who is not known yet, so that what the attempt is for can be read at the same time. {@link checkPasskey} or
 * `takeBackAttempt` must follow.
 */
export function beginPasskeySignIn(deps: CheckWithinLimitsDeps, address: string): Promise<BegunAttempt> {
  return beginAttempt(deps, { address, form: 'passkey' });
}

function countedBy(
  { codeAttempts }: Pick<CheckPasskeyDeps, 'codeAttempts'>,
  { binding: { userId, agent }, address, isKnownBrowser = false }: PasskeyAttempt,
): Parameters<typeof beginAttempt>[1] {
  if (userId === undefined) return { address, form: 'passkey' };
  if (isKnownBrowser) return { shown: secondPasskeySubject(userId, agent), by: codeAttempts };
  return { shown: secondPasskeySubject(userId, address), by: codeAttempts, address };
}

/** Records an outcome. @param last whether no further attempt is let through. The log then has it, even if the answer was unreadable */
async function record(
  deps: CheckPasskeyDeps,
  from: PasskeyAttempt,
  { checked, last }: { checked: RightPasskey | WrongPasskey; last: boolean },
): Promise<void> {
  if (checked.kind === 'right') {
    const { user } = checked.account;
    return recordCheck(deps, user, { happened: ['user.human.passkey.check.succeeded'], from });
  }
  const { orgId, userId } = from.binding;
  const isTold = last && orgId !== undefined && userId !== undefined;
  const account = checked.of ?? (isTold ? await deps.accounts.find(orgId, userId) : undefined);
  if (account === undefined) return;
  const happened = ['user.human.passkey.check.failed'] as const;
  await recordCheck(deps, account.user, { happened, from, reason: checked.reason ?? 'passkeyWrong' });
}

async function check(deps: CheckPasskeyDeps, attempt: PasskeyAttempt): Promise<RightPasskey | WrongPasskey> {
  const { response, binding, party, isAlone = false } = attempt;
  const read = readAssertion(response);
  if (read === undefined || deps.passkeyChallenges.open(read.challenge, binding) === undefined) return wrong;
  const holders = await holdersOf(deps, read, attempt);
  const matching: (Holder & { readonly verified: VerifiedAssertion })[] = [];
  for (const holder of holders) {
    const verified = await verifyAssertion(read, holder.credential, party);
    if (verified !== undefined && (verified.userVerified || !isAlone)) matching.push({ ...holder, verified });
  }
  const [match, another] = matching;
  if (match === undefined || another !== undefined) {
    const [only, ...others] = holders;
    if (only === undefined || others.length > 0) return wrong;
    return { kind: 'wrong', of: only.account };
  }
  if (!(await deps.passkeyChallenges.take(read.challenge)) || match.account === undefined) return wrong;
  const beganSignIn = isAlone && binding.userId === undefined;
  return accept(deps, { ...match, account: match.account, beganSignIn });
}

/** The lists that have the credential, of people who may answer. */
async function holdersOf(
  deps: CheckPasskeyDeps,
  { json: { id }, userHandle }: ReadAssertion,
  { binding: { orgId, userId }, onlyUserId = userId }: PasskeyAttempt,
): Promise<Holder[]> {
  // A person who is not known yet is named by the user handle (section 7.2 step 6).
  if (userId === undefined && userHandle === undefined) return [];
  const found =
    userId !== undefined && orgId !== undefined
      ? await holderKnown(deps, { orgId, userId })
      : await deps.webauthnCredentials.findAnywhere(id);
  return found.flatMap((holder) => {
    const { list } = holder;
    const credential = Object.hasOwn(list.items, id) ? list.items[id] : undefined;
    if (credential === undefined || (orgId ?? list.orgId) !== list.orgId) return [];
    if ((onlyUserId ?? list.userId) !== list.userId) return [];
    const isAnother = userHandle !== undefined && (credential.userHandle ?? userHandle) !== userHandle;
    return isAnother ? [] : [{ ...holder, credential }];
  });
}

/** A person who is known by another proof, if the person has passkeys. */
async function holderKnown(
  { accounts, webauthnCredentials }: CheckPasskeyDeps,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<PasskeyHolder[]> {
  const [lists, account] = await Promise.all([
    webauthnCredentials.findMany(orgId, [userId]),
    accounts.find(orgId, userId),
  ]);
  return lists.map((list) => ({ list, account }));
}

/** A use of a credential whose answer is right. */
interface Use extends Holder {
  readonly verified: VerifiedAssertion;
  /** Whether it alone named its person and verified that person. */
  readonly beganSignIn: boolean;
}

async function accept(
  deps: CheckPasskeyDeps,
  match: Use & { readonly account: Account },
): Promise<RightPasskey | WrongPasskey> {
  const { list, verified, credential, account } = match;
  if (!(await organizationStands(deps, list.orgId))) return wrong;
  if (!account.user.active) return { kind: 'wrong', of: account, reason: 'inactive' };
  const refused = await writeUse(deps, match);
  if (refused !== undefined) return { kind: 'wrong', of: account, reason: refused };
  const { userVerified, backupEligible: isSynced } = verified;
  return { kind: 'right', account, passkey: { credentialId: credential.id, userVerified, isSynced } };
}

/** Writes the counter, the time and the manner of a use. Returns why the use is refused, if it is. */
async function writeUse(
  deps: CheckPasskeyDeps,
  { list: read, credential: { id, publicKey }, verified, beganSignIn }: Use,
): Promise<RefusedCheck | undefined> {
  const { orgId, userId } = read;
  const { counter, backupEligible, backedUp } = verified;
  // Nobody else wrote the list since it was read, in most cases.
  let current: PersonList<WebauthnCredential> | undefined = read;
  const { refused } = await compareAndSwap(['user', userId, userId], async () => {
    const list = current ?? (await deps.webauthnCredentials.findMany(orgId, [userId]))[0];
    current = undefined;
    const known = list?.items[id];
    if (list === undefined || known?.publicKey !== publicKey) return { refused: 'changedMeanwhile' as const };
    if (counter <= known.counter && counter + known.counter > 0)
      return { refused: 'passkeyCounter' as const };
    const used = { counter, backupEligible, backedUp, lastUsed: deps.clock.now() };
    const item = { ...known, ...used, ...(beganSignIn && { beganSignIn }) };
    const isWritten = await deps.webauthnCredentials.replaceUsed(orgId, { list, key: id, item });
    return isWritten ? { refused: undefined } : undefined;
  });
  return refused;
}
