import type { WebauthnCredential } from '#src/accounts/person-lists/index.js';
import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { RelyingParty } from '../relying-party/relying-party.js';
import type { RelyingPartyStore } from '../relying-party/relying-party.store.js';
import type { NewAccount } from '../write-account.js';
import { authenticatorName } from './authenticator-names.js';
import type { UsedPasskey } from './check-passkey.js';
import type { CeremonyBinding, PasskeyChallenges } from './passkey-challenges.js';
import { readRegistration } from './read-passkey-response.js';
import { verifyRegistration } from './verify-ceremony.js';
import { type WritePasskeysDeps, writePasskeys } from './write-passkeys.js';

interface AddPasskeyDeps extends WritePasskeysDeps {
  readonly passkeyChallenges: PasskeyChallenges;
  readonly relyingParty: RelyingPartyStore;
}

/** A passkey that an authenticator has made. */
interface Enrolment extends Target {
  /** What the browser answered, as its page sent it. */
  readonly response: string;
  readonly party: RelyingParty;
  /** What the page made its challenge for: this user. Its note is the user handle. */
  readonly binding: CeremonyBinding & { readonly userId: string; readonly orgId: string };
  /** The name of a passkey whose authenticator is unknown. */
  readonly usualLabel: string;
  /** Whether the passkey will begin sign-ins, so that the authenticator must verify the person. */
  readonly isOnlyFactor?: boolean;
  /** A user who is added together with the passkey. */
  readonly newAccount?: NewAccount | undefined;
}

/**
 * Adds the passkey to those of the user (WebAuthn Level 3 section 7.1). The caller has made sure that the user has just proved who it is.
 * @returns the use of the passkey that made it. Undefined if the answer is no registration for this challenge, the challenge was used, or the
 * authenticator did not verify the person as it must
 * @throws the errors of {@link writePasskeys}
 */
export async function addPasskey(
  deps: AddPasskeyDeps,
  enrolment: Enrolment,
): Promise<UsedPasskey | undefined> {
  const {
    response,
    party,
    binding,
    usualLabel,
    isOnlyFactor = false,
    orgId,
    id,
    editor,
    newAccount,
  } = enrolment;
  const read = readRegistration(response);
  const userHandle = read && deps.passkeyChallenges.open(read.challenge, binding);
  if (read === undefined || userHandle === undefined) return undefined;
  const registered = await verifyRegistration(read, party);
  if (registered === undefined || (isOnlyFactor && !registered.userVerified)) return undefined;
  if (!(await deps.passkeyChallenges.take(read.challenge))) return undefined;
  const { userVerified, ...made } = registered;
  const passkey: WebauthnCredential = {
    ...made,
    userHandle,
    rpId: party.id,
    label: authenticatorName(made.aaguid) ?? usualLabel,
    created: deps.clock.now(),
    madeHere: true,
  };
  await writePasskeys(
    deps,
    { orgId, id, editor, newAccount },
    {
      happened: 'user.human.passkey.added',
      payload: { passkey: passkey.label },
      change(current) {
        if (Object.hasOwn(current, passkey.id)) throw new AppError(directoryErrors.passkeyTaken);
        return { ...current, [passkey.id]: passkey };
      },
      alongside: (transaction) => deps.relyingParty.claim(party.id, transaction),
    },
  );
  return { credentialId: passkey.id, userVerified, isSynced: passkey.backupEligible === true };
}
