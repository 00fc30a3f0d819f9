/**
 * What a person has proved in a sign-in. It names a credential where the person may have several, and says what its strength depends on.
 * It contains no secret.
 */
export type Proof =
  | { readonly kind: 'password' }
  /** A one-time code of an authenticator app (RFC 6238). */
  | { readonly kind: 'code' }
  | { readonly kind: 'recoveryCode' }
  | PasskeyProof
  /** A code that was mailed to the person. It is a second factor only for the rules of an organization that allows it. */
  | { readonly kind: 'mailCode' }
  /** A link that was mailed to the person. */
  | { readonly kind: 'mailLink' }
  | OneTimeLinkProof
  | RememberedBrowserProof
  | ConnectionProof;

/** The browser, at which the person asked not to be asked for a second factor. It counts for the rules of an organization alone. */
export interface RememberedBrowserProof {
  readonly kind: 'rememberedBrowser';
  readonly credentialId: string;
  /** What the person proved there. It counts as long as that does. */
  readonly by: 'code' | 'passkey' | 'mailCode';
  /** When the person proved it, in milliseconds since 1970. */
  readonly provedAt: number;
}

/** A link that an administrator made, or a registration that leads on as such a link does. */
export interface OneTimeLinkProof {
  readonly kind: 'oneTimeLink';
  /** `registration`: the person sent the form of a registration, which proves nothing, and makes a passkey next. Absent: there was a link. */
  readonly begunBy?: 'registration';
}

/** A passkey (WebAuthn Level 3). */
interface PasskeyProof {
  readonly kind: 'passkey';
  /** The Credential ID, in base64url. */
  readonly credentialId: string;
  /** Whether the authenticator verified the person, by a PIN or a biometric: the flag UV of the authenticator data. */
  readonly userVerified: boolean;
  /** Whether the key may be copied to other devices: the flag BE of the authenticator data. */
  readonly isSynced: boolean;
}

/** A sign-in at another provider. */
interface ConnectionProof {
  readonly kind: 'connection';
  readonly connectionId: string;
  /** What the organization grants to sign-ins of the connection: one factor or two. */
  readonly strength: '1' | '2';
  /** When the person left for the provider, in milliseconds since 1970. A connection that was switched off since does not count. */
  readonly begun: number;
  /** When the person proved itself there, in milliseconds since 1970, if that may be longer ago than the sign-in here. */
  readonly provedAt?: number;
  /** The session at the provider, which may end it. */
  readonly sid?: string;
  /** Names what the provider must be shown to end the session there. Absent: nothing was kept. */
  readonly logoutRef?: string;
  /** When the session at the provider ends, in milliseconds since 1970. The session here ends with it. */
  readonly until?: number;
}

type ProofKind = Proof['kind'];

/** A proof of a sign-in that was completed. */
export type TimedProof = Proof & {
  /** When the sign-in with this proof was completed, in milliseconds since 1970. */
  readonly time: number;
};

/** A reference to a method of authentication (RFC 8176 section 2). `fed` is that of Microsoft Entra ID, because RFC 8176 has none for other providers. */
export type AuthenticationMethod = 'pwd' | 'otp' | 'hwk' | 'swk' | 'user' | 'pop' | 'fed' | 'mfa';

/** The proofs with which a sign-in may begin. They tell who the person is. */
const firstKinds: readonly ProofKind[] = ['password', 'passkey', 'mailLink', 'oneTimeLink', 'connection'];

/** Returns whether one of the proofs tells who the person is. */
export function hasFirstProof(proofs: readonly Proof[]): boolean {
  return proofs.some(({ kind }) => firstKinds.includes(kind));
}

/** Returns the proofs of a session that were given at a time or later. @param since in milliseconds since 1970. Undefined for all */
export function provedSince(proofs: readonly TimedProof[], since: number | undefined): readonly TimedProof[] {
  return since === undefined ? proofs : proofs.filter((proof) => ageTime(proof) >= since);
}

/**
 * When the person gave a proof, in milliseconds since 1970. A sign-in at another provider may be older than the one here, and so is the second
 * factor of a browser that is remembered.
 */
export function ageTime(proof: TimedProof): number {
  const isOlder = proof.kind === 'connection' || proof.kind === 'rememberedBrowser';
  return isOlder ? Math.min(proof.provedAt ?? proof.time, proof.time) : proof.time;
}

const secondKinds: readonly ProofKind[] = ['code', 'recoveryCode', 'mailCode', 'passkey'];

/**
 * Returns the proofs of a session with those that were given since. A newer proof replaces that of the same credential, and a second factor
 * that the person proved replaces the browser that was remembered instead.
 */
export function joinProofs(
  earlier: readonly TimedProof[],
  given: readonly Proof[],
): readonly (Proof | TimedProof)[] {
  const renewed = new Set(given.map(credentialOf));
  const all = [...earlier.filter((proof) => !renewed.has(credentialOf(proof))), ...given];
  const isProved = given.some(({ kind }) => secondKinds.includes(kind));
  return isProved ? all.filter(({ kind }) => kind !== 'rememberedBrowser') : all;
}

function credentialOf(proof: Proof): string {
  const { kind } = proof;
  if (kind === 'connection') return `${kind} ${proof.connectionId}`;
  return kind === 'passkey' || kind === 'rememberedBrowser' ? `${kind} ${proof.credentialId}` : kind;
}

/** Returns the proofs of a session whose version told only methods. @param time of the sign-in, in milliseconds since 1970 */
export function proofsOfMethods(amr: readonly string[], time: number): TimedProof[] {
  return [
    ...(amr.includes('pwd') ? [{ kind: 'password', time } as const] : []),
    ...(amr.includes('otp') ? [{ kind: 'code', time } as const] : []),
  ];
}
