import { createHash, verify } from 'node:crypto';
import type { WebauthnCredential } from '#src/accounts/person-lists/index.js';
import type { RelyingParty } from '../relying-party/relying-party.js';
import { type CoseKey, passkeyAlgorithms, readPublicKey } from './public-key.js';
import type { ReadAssertion, ReadRegistration } from './read-passkey-response.js';

/** What an authenticator says of a new credential. Only its public key is proved. */
export interface NewCredential
  extends Pick<
    WebauthnCredential,
    'id' | 'publicKey' | 'counter' | 'transports' | 'aaguid' | 'backupEligible' | 'backedUp'
  > {
  /** Whether the authenticator says that it verified the person when it made the key. */
  readonly userVerified: boolean;
}

/** What a right signature says. */
export interface VerifiedAssertion {
  readonly counter: number;
  /** Whether the authenticator says that it verified the person, by a PIN or a fingerprint (flag UV). */
  readonly userVerified: boolean;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

/** The library is loaded by the first ceremony, so that an instance without passkeys does without it. */
const webauthn = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/**
 * Verifies a registration (WebAuthn Level 3 section 7.1). The caller has checked the challenge. An attestation is not asked for, and one that
 * comes nevertheless is ignored: nobody here would decide by it (section 7.1 step 21 for `none`).
 * @returns undefined if it is no valid registration at this relying party
 */
export async function verifyRegistration(
  { json, challenge }: ReadRegistration,
  party: RelyingParty,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  const { decodeAttestationObject, decodeCredentialPublicKey, isoCBOR, isoBase64URL } = await helpers();
  try {
    const { attestationObject, transports } = json.response;
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
    const plain = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]);
    const response = {
      ...json.response,
      attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(plain)),
    };
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...json, response },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    });
    if (!verified || registrationInfo.credential.id !== json.id) return undefined;
    const { credential, aaguid, credentialDeviceType, credentialBackedUp, userVerified } = registrationInfo;
    const cose = decodeCredentialPublicKey(credential.publicKey) as unknown as CoseKey;
    if (readPublicKey(cose) === undefined) return undefined;
    return {
      id: credential.id,
      publicKey: isoBase64URL.fromBuffer(credential.publicKey),
      counter: credential.counter,
      ...(transports !== undefined && transports.length > 0 && { transports }),
      aaguid,
      backupEligible: credentialDeviceType === 'multiDevice',
      backedUp: credentialBackedUp,
      userVerified,
    };
  } catch {
    // The library throws for each thing that is wrong.
    return undefined;
  }
}

/**
 * Verifies an assertion (WebAuthn Level 3 section 7.2) against the public key of a credential. The caller has checked the challenge, and
 * compares the counter. The signature is verified here and not by the library, which hands each digest, key and signature to another thread.
 * @returns undefined if the signature is not right, or is one for something else
 */
export async function verifyAssertion(
  { json: { response }, clientData }: ReadAssertion,
  { publicKey }: Pick<WebauthnCredential, 'publicKey'>,
  party: RelyingParty,
): Promise<VerifiedAssertion | undefined> {
  const { decodeCredentialPublicKey, parseAuthenticatorData } = await helpers();
  try {
    const key = readPublicKey(decodeCredentialPublicKey(toBytes(publicKey)) as unknown as CoseKey);
    if (key === undefined) return undefined;
    const { type, origin } = clientData;
    if (type !== 'webauthn.get' || origin !== party.origin) return undefined;
    const data = toBytes(response.authenticatorData);
    const { rpIdHash, flags, counter } = parseAuthenticatorData(data);
    if (!sha256(party.id).equals(rpIdHash) || !flags.up) return undefined;
    // A key that cannot be copied has no backup (section 6.1.3).
    if (flags.bs && !flags.be) return undefined;
    const signed = Buffer.concat([data, sha256(toBytes(response.clientDataJSON))]);
    if (!verify(key.digest, signed, key.key, toBytes(response.signature))) return undefined;
    return { counter, userVerified: flags.uv, backupEligible: flags.be, backedUp: flags.bs };
  } catch {
    // The library throws for authenticator data in another form.
    return undefined;
  }
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
