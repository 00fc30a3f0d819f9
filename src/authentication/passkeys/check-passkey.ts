import type { Account, AccountsStore } from '#src/accounts/index.js';
import type {
  PersonList,
  WebauthnCredential,
  WebauthnCredentialsStore,
} from '#src/accounts/person-lists/index.js';
import { compareAndSwap } from '#src/directory/index.js';
import { organizationStands } from '#src/organizations/index.js';
import { type CheckOrigin, type RecordCheckDeps, type RefusedCheck, recordCheck } from '../record-check.js';
import type { RelyingParty } from '../relying-party/relying-party.js';
import type { CeremonyBinding, PasskeyChallenges } from './passkey-challenges.js';
import { type ReadAssertion, readAssertion } from './read-passkey-response.js';
import { type VerifiedAssertion, verifyAssertion } from './verify-ceremony.js';

interface CheckPasskeyDeps extends RecordCheckDeps {
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly webauthnCredentials: Pick<WebauthnCredentialsStore, 'findAnywhere' | 'findMany' | 'replaceUsed'>;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly caches: Parameters<typeof organizationStands>[0]['caches'];
  readonly measures?: { loginChecked(factor: 'passkey', outcome: 'right' | 'wrong'): void } | undefined;
}

interface PasskeyAttempt extends CheckOrigin {
  /** What the browser answered, as its page sent it. */
  readonly response: string;
  readonly party: RelyingParty;
  /** What the page made its challenge for. */
  readonly binding: CeremonyBinding;
  /**
   * Counts a refusal of a caller who proved nothing. Returns false if there were too many before it: then it leaves no event, so that nobody fills
   * the log of an organization. It is called at most once, and for refusals without an event never. Absent: each refusal leaves an event.
   */
  readonly countWrong?: () => Promise<boolean>;
}

/** A passkey that a person used. */
export interface UsedPasskey {
  readonly credentialId: string;
  /** Whether the authenticator says that it verified the person. */
  readonly userVerified: boolean;
  /** Whether the key may be copied to other devices. */
  readonly isSynced: boolean;
}

/** The outcome of a check. Nobody can guess a signature, so there are no locks. */
type PasskeyOutcome =
  | { readonly kind: 'right'; readonly account: Account; readonly passkey: UsedPasskey }
  | { readonly kind: 'wrong' };

/** A list that has the credential of an answer. */
interface Holder {
  readonly list: PersonList<WebauthnCredential>;
  readonly credential: WebauthnCredential;
}

const wrong: PasskeyOutcome = { kind: 'wrong' };

/**
 * Checks the answer of an authenticator (WebAuthn Level 3 section 7.2). Its challenge counts once. A counter that does not rise is refused,
 * because two authenticators then have the key (section 6.1.1). Synced passkeys have no counter: theirs is always 0.
 *
 * Several organizations may have imported one credential. A person who made it here is meant before them. Otherwise the one whose public
 * key matches is meant, and nobody if several match.
 */
export async function checkPasskey(deps: CheckPasskeyDeps, attempt: PasskeyAttempt): Promise<PasskeyOutcome> {
  const outcome = await check(deps, attempt);
  deps.measures?.loginChecked('passkey', outcome.kind);
  return outcome;
}

async function check(deps: CheckPasskeyDeps, attempt: PasskeyAttempt): Promise<PasskeyOutcome> {
  const { response, binding, party } = attempt;
  const read = readAssertion(response);
  if (read === undefined || deps.passkeyChallenges.open(read.challenge, binding) === undefined) return wrong;
  const holders = await holdersOf(deps, read, binding);
  const matching: (Holder & { readonly verified: VerifiedAssertion })[] = [];
  for (const holder of holders) {
    const verified = await verifyAssertion(read, holder.credential, party);
    if (verified !== undefined) matching.push({ ...holder, verified });
  }
  const [match, another] = matching;
  if (match === undefined || another !== undefined) {
    const [only, ...others] = holders;
    if (only !== undefined && others.length === 0) await refuse(deps, attempt, only, 'passkeyWrong');
    return wrong;
  }
  const [isFirst, account] = await Promise.all([
    deps.passkeyChallenges.take(read.challenge),
    deps.accounts.find(match.list.orgId, match.list.userId),
  ]);
  return isFirst && account !== undefined ? accept(deps, attempt, { ...match, account }) : wrong;
}

/** The lists that have the credential, of people who may answer. */
async function holdersOf(
  { webauthnCredentials }: CheckPasskeyDeps,
  { json: { id }, userHandle }: ReadAssertion,
  { orgId, userId }: CeremonyBinding,
): Promise<Holder[]> {
  // A person who is not known yet is named by the user handle (section 7.2 step 6).
  if (userId === undefined && userHandle === undefined) return [];
  const lists =
    userId !== undefined && orgId !== undefined
      ? await webauthnCredentials.findMany(orgId, [userId])
      : await webauthnCredentials.findAnywhere(id);
  return lists.flatMap((list) => {
    const credential = Object.hasOwn(list.items, id) ? list.items[id] : undefined;
    if (credential === undefined || (orgId ?? list.orgId) !== list.orgId) return [];
    const isAnother = userHandle !== undefined && (credential.userHandle ?? userHandle) !== userHandle;
    return isAnother ? [] : [{ list, credential }];
  });
}

async function accept(
  deps: CheckPasskeyDeps,
  attempt: PasskeyAttempt,
  match: Holder & { readonly verified: VerifiedAssertion; readonly account: Account },
): Promise<PasskeyOutcome> {
  const { list, verified, credential, account } = match;
  if (!(await organizationStands(deps, list.orgId))) return wrong;
  if (!account.user.active) {
    await recordRefusal(deps, attempt, account, 'inactive');
    return wrong;
  }
  const refused = await writeUse(deps, match);
  if (refused !== undefined) {
    await recordRefusal(deps, attempt, account, refused);
    return wrong;
  }
  await recordCheck(deps, account.user, { happened: ['user.human.passkey.check.succeeded'], from: attempt });
  const { userVerified, backupEligible: isSynced } = verified;
  return { kind: 'right', account, passkey: { credentialId: credential.id, userVerified, isSynced } };
}

/** Writes the counter and the time of a use. Returns why the use is refused, if it is. */
async function writeUse(
  deps: CheckPasskeyDeps,
  { list: read, credential: { id, publicKey }, verified }: Holder & { verified: VerifiedAssertion },
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
    const item = { ...known, counter, backupEligible, backedUp, lastUsed: deps.clock.now() };
    const isWritten = await deps.webauthnCredentials.replaceUsed(orgId, { list, key: id, item });
    return isWritten ? { refused: undefined } : undefined;
  });
  return refused;
}

async function refuse(
  deps: CheckPasskeyDeps,
  attempt: PasskeyAttempt,
  { list: { orgId, userId } }: Holder,
  reason: RefusedCheck,
): Promise<void> {
  const account = await deps.accounts.find(orgId, userId);
  if (account !== undefined) await recordRefusal(deps, attempt, account, reason);
}

async function recordRefusal(
  deps: CheckPasskeyDeps,
  from: PasskeyAttempt,
  { user }: Account,
  reason: RefusedCheck,
): Promise<void> {
  if (from.countWrong !== undefined && !(await from.countWrong())) return;
  await recordCheck(deps, user, { happened: ['user.human.passkey.check.failed'], from, reason });
}
