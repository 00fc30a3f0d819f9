import { randomBytes } from 'node:crypto';
import type { WebauthnCredential } from '#src/accounts/person-lists/index.js';
import type { RelyingParty } from '../relying-party/relying-party.js';
import { passkeyAlgorithms } from './public-key.js';

/** How long a browser waits for the person, in milliseconds. The challenge lives longer. */
const timeout = 5 * 60_000;

type Descriptor = Pick<WebauthnCredential, 'id' | 'transports'>;

/**
 * Returns the options of a sign-in as JSON of `PublicKeyCredentialRequestOptions` (WebAuthn Level 3 section 5.5).
 * @param asked `allowed`: the credentials of a person who has proved who it is. Empty before a proof, so that no page tells what anybody has.
 * `isOnlyFactor`: whether the authenticator must verify the person
 */
export function requestOptions(
  { id: rpId }: RelyingParty,
  asked: {
    readonly challenge: string;
    readonly allowed: readonly Descriptor[];
    readonly isOnlyFactor: boolean;
  },
) {
  const { challenge, allowed, isOnlyFactor } = asked;
  return {
    challenge,
    rpId,
    timeout,
    allowCredentials: allowed.map(descriptorOf),
    userVerification: isOnlyFactor ? 'required' : 'preferred',
  } as const;
}

/**
 * Returns the options of an enrolment as JSON of `PublicKeyCredentialCreationOptions` (section 5.4). The authenticator should keep the
 * passkey, so that it can sign in without a login name. No attestation is asked for.
 */
export function creationOptions(
  { id }: RelyingParty,
  asked: {
    readonly challenge: string;
    /** What the browser shows of this service. */
    readonly serviceName: string;
    readonly user: { readonly handle: string; readonly userName: string; readonly displayName: string };
    /** The credentials that the person has. An authenticator with one of them makes no other. */
    readonly present: readonly Descriptor[];
    /** Whether the passkey will begin sign-ins, so that the authenticator must verify the person. */
    readonly isOnlyFactor?: boolean;
  },
) {
  const { challenge, serviceName, user, present, isOnlyFactor = false } = asked;
  return {
    challenge,
    rp: { id, name: serviceName },
    user: { id: user.handle, name: user.userName, displayName: user.displayName },
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout,
    excludeCredentials: present.map(descriptorOf),
    authenticatorSelection: {
      residentKey: isOnlyFactor ? 'required' : 'preferred',
      userVerification: isOnlyFactor ? 'required' : 'preferred',
    },
    attestation: 'none',
  } as const;
}

/**
 * Returns the user handle of a person: the one of a passkey that the person made here, or else a random one (section 14.6.1). It says
 * nothing about the person.
 */
export function userHandleOf(passkeys: readonly WebauthnCredential[]): string {
  const existing = passkeys.find(({ madeHere, userHandle }) => madeHere && userHandle !== undefined);
  return existing?.userHandle ?? randomBytes(32).toString('base64url');
}

function descriptorOf({ id, transports }: Descriptor) {
  return {
    id,
    type: 'public-key' as const,
    ...(transports !== undefined && { transports: [...transports] }),
  };
}
