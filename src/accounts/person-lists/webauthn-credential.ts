import { invalidItem, type PersonListKind } from './person-list.js';

/** A WebAuthn credential of a person, as WebAuthn Level 3 section 4 has its record. Nothing of it is secret. Bytes are in base64url. */
export interface WebauthnCredential {
  /** Credential ID, at most 1,023 bytes. */
  readonly id: string;
  /** COSE_Key (RFC 9052 section 7). */
  readonly publicKey: string;
  /** Signature counter. */
  readonly counter: number;
  readonly transports?: readonly string[];
  /** A UUID that tells the model of the authenticator. */
  readonly aaguid?: string;
  /** User handle, at most 64 bytes. */
  readonly userHandle?: string;
  /** The RP ID, without which no browser offers the credential. Absent if the source does not say. */
  readonly rpId?: string;
  /** What the person calls it. */
  readonly label?: string;
  /** Whether the source took it as the only factor. */
  readonly passwordless?: boolean;
  readonly backupEligible?: boolean;
  readonly backedUp?: boolean;
  readonly created?: Date;
  readonly lastUsed?: Date;
  /** It began a sign-in here: it named its person, and its authenticator verified that person. A second factor does neither. */
  readonly beganSignIn?: true;
  /** The person made it here, in a ceremony of this service. Nobody else of the instance may then have its identifier. */
  readonly madeHere?: true;
}

/** The most passkeys of a person. */
export const mostPasskeys = 64;

export const webauthnCredentials: PersonListKind<WebauthnCredential> = {
  event: 'user.passkeys.set',
  aggregate: 'webauthn_credentials',
  most: mostPasskeys,
  uniqueKey: ({ id }) => id,
  instanceKey: ({ id, madeHere }) => (madeHere ? id : undefined),
};

const mostIdBytes = 1_023;
const mostKeyBytes = 2_048;
const mostHandleBytes = 64;
const mostCounter = 2 ** 32 - 1;

/**
 * Returns the credentials by their identifiers, after checking them. Bytes become base64url without padding.
 * @throws AppError `directory.valueInvalid`
 */
export function credentialsById(
  credentials: readonly WebauthnCredential[],
): Record<string, WebauthnCredential> {
  return Object.fromEntries(
    credentials.map(({ id: givenId, publicKey, counter, aaguid, userHandle, rpId, ...others }) => {
      const id = bytes('id', givenId, mostIdBytes);
      const key = bytes('publicKey', publicKey, mostKeyBytes);
      // A COSE_Key is a map of CBOR (RFC 8949 section 3.1, major type 5).
      if ((Buffer.from(key, 'base64url')[0] ?? 0) >> 5 !== 5) throw invalidItem('publicKey is no COSE_Key');
      if (!Number.isInteger(counter) || counter < 0 || counter > mostCounter) {
        throw invalidItem(`counter must be an integer from 0 to ${mostCounter}`);
      }
      const credential: WebauthnCredential = {
        id,
        publicKey: key,
        counter,
        ...others,
        ...(aaguid !== undefined && { aaguid: uuid(aaguid) }),
        ...(userHandle !== undefined && { userHandle: bytes('userHandle', userHandle, mostHandleBytes) }),
        ...(rpId !== undefined && { rpId: host(rpId) }),
      };
      return [id, credential] as const;
    }),
  );
}

/** Bytes in base64 or base64url, as base64url without padding. */
function bytes(name: string, text: string, most: number): string {
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
  const found = isBase64 && text.length <= most * 2 ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (found.length === 0 || found.length > most)
    throw invalidItem(`${name} must be base64url of 1 to ${most} bytes`);
  return found.toString('base64url');
}

function uuid(text: string): string {
  const plain = text.toLowerCase();
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(plain)) return plain;
  throw invalidItem('aaguid must be a UUID');
}

function host(text: string): string {
  const name = text.toLowerCase();
  if (name.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name)) return name;
  throw invalidItem('rpId must be the name of a host');
}
