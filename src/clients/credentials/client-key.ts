import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { requireAddressable } from '#src/directory/identifiers/index.js';
import { directoryErrors, refusedValue, type ValueRule } from '#src/directory/index.js';
import { newKeyPair } from '#src/keys/key-pair.js';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import { AppError } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';

/** A public key of a client. It verifies the assertions that the client signs (RFC 7523). */
export interface ClientKey {
  /** Unique among the keys of the client. */
  readonly kid: string;
  /** Only the public members. */
  readonly jwk: JWK;
  readonly created: Date;
  /** From this time, the key verifies nothing. Absent: the key does not expire. */
  readonly expires?: Date;
}

/** A key to add: the public part of a key of the client, or no key. Without a key, the service makes a pair. */
export interface GivenKey {
  readonly jwk?: Readonly<Record<string, unknown>>;
  /** The algorithm of the pair to make. */
  readonly algorithm?: ClientKeyAlgorithm;
  readonly expires?: Date;
}

export const clientKeyAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const;
type ClientKeyAlgorithm = (typeof clientKeyAlgorithms)[number];

/** A key to store. If the service made the pair, also its private part, which the service does not store. */
export interface NewClientKey {
  readonly key: ClientKey;
  readonly privateJwk?: JWK;
}

/** The most keys of a client. */
export const maxKeys = 10;
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * Returns the signature algorithms that a public key can verify (RFC 7518 section 3.1, RFC 8037). All are asymmetric: a
 * public key is never the secret of an HMAC.
 */
export function algorithmsOf({ kty, crv, alg }: JWK): readonly string[] {
  const fitting =
    kty === 'RSA'
      ? rsaAlgorithms
      : (algorithmsByCurve[`${kty} ${crv}` as keyof typeof algorithmsByCurve] ?? []);
  return alg === undefined ? fitting : fitting.filter((candidate) => candidate === alg);
}

const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const algorithmsByCurve = {
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'EC P-521': ['ES512'],
  'OKP Ed25519': ['EdDSA', 'Ed25519'],
} as const;

/** All algorithms that clients may use to sign assertions. */
export const assertionAlgorithms: readonly string[] = [
  ...rsaAlgorithms,
  ...Object.values(algorithmsByCurve).flat(),
];

/**
 * Checks the key of the client, or makes a pair.
 * @param maker `holder`: the organization of the client
 * @throws AppError `directory.valueInvalid`, `keys.keyPairsSaturated`
 */
export async function newClientKey(
  { threads, holder }: { readonly threads: ThreadPool; readonly holder: string },
  { jwk, algorithm, expires }: GivenKey,
  now: Date,
): Promise<NewClientKey> {
  if (expires !== undefined && expires <= now)
    throw refusedValue('expires', 'notFuture', 'expires must be in the future');
  const dates = { created: now, ...(expires !== undefined && { expires }) };
  if (jwk !== undefined) {
    if (algorithm !== undefined)
      throw refusedValue('algorithm', 'excluded', 'jwk and algorithm exclude each other', { other: 'jwk' });
    const publicJwk = requirePublicJwk(jwk);
    return {
      key: {
        kid: requireAddressable('jwk.kid', await kidOf(jwk['kid'], publicJwk)),
        jwk: publicJwk,
        ...dates,
      },
    };
  }
  const alg = algorithm ?? 'RS256';
  const pair = await newKeyPair(threads, { algorithm: alg, kind: 'key pair', holder });
  const publicJwk = { ...pair.publicJwk, alg };
  const kid = await calculateJwkThumbprint(publicJwk);
  return { key: { kid, jwk: publicJwk, ...dates }, privateJwk: { ...pair.privateJwk, alg, kid } };
}

/**
 * A key that another service had, with its dates. It may have expired: it then verifies nothing here either.
 * @throws AppError `directory.valueInvalid`, also for a private or symmetric key
 */
export function movedClientKey({
  kid,
  jwk,
  ...dates
}: Omit<ClientKey, 'jwk'> & { readonly jwk: Readonly<Record<string, unknown>> }): ClientKey {
  return { kid: requireAddressable('kid', kid), jwk: requirePublicJwk(jwk), ...dates };
}

/** @throws AppError `directory.keyLimit` if the client can have no further key */
export function requireRoomForKey(keys: readonly ClientKey[]): void {
  if (keys.length >= maxKeys) throw new AppError(directoryErrors.keyLimit);
}

/** @throws AppError `directory.keyExists`, `directory.keyLimit` */
export function withKey(keys: readonly ClientKey[], added: ClientKey): ClientKey[] {
  if (keys.some(({ kid }) => kid === added.kid)) throw new AppError(directoryErrors.keyExists);
  requireRoomForKey(keys);
  return [...keys, added];
}

/** @throws AppError `directory.keyNotFound` */
export function withoutKey(keys: readonly ClientKey[], removed: string): ClientKey[] {
  const left = keys.filter(({ kid }) => kid !== removed);
  if (left.length === keys.length) throw new AppError(directoryErrors.keyNotFound);
  return left;
}

/**
 * Returns the public key of a JWK in its plain form: RSA of 2048 to 8192 bits, EC on P-256, P-384 or P-521, or Ed25519.
 * @throws AppError `directory.valueInvalid`, also for a private or symmetric key
 */
function requirePublicJwk(given: Readonly<Record<string, unknown>>): JWK {
  if (privateMembers.some((member) => member in given)) {
    throw unfit('keyPrivate', 'jwk must be a public key; keep the private part to yourself');
  }
  if (given['use'] !== undefined && given['use'] !== 'sig') throw unfit('keyUse', 'jwk.use must be sig');
  const jwk = plainJwk(given);
  const { alg } = given;
  if (algorithmsOf(jwk).length === 0)
    throw unfit('keyUnfit', 'jwk must be an RSA, P-256, P-384, P-521 or Ed25519 key');
  if (alg === undefined) return jwk;
  if (typeof alg !== 'string' || !algorithmsOf(jwk).includes(alg))
    throw unfit('keyAlgorithm', 'jwk.alg does not fit the key');
  return { ...jwk, alg };
}

/** A key that an outside issuer publishes, or undefined if it is none with which signatures can be verified here. */
export async function publishedKey(given: unknown, now: Date): Promise<ClientKey | undefined> {
  try {
    if (!isJsonObject(given)) return undefined;
    const jwk = requirePublicJwk(given);
    return { kid: await kidOf(given['kid'], jwk), jwk, created: now };
  } catch {
    return undefined;
  }
}

function plainJwk(given: Readonly<Record<string, unknown>>): JWK {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: { ...given }, format: 'jwk' });
  } catch {
    throw unfit('keyMalformed', 'jwk is not a public key');
  }
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined && (modulusLength < 2048 || modulusLength > 8192)) {
    throw unfit('keyUnfit', 'jwk must be an RSA key of 2048 to 8192 bits');
  }
  // With an exponent of one, every signature is valid. A large exponent makes each check slow.
  if (publicExponent !== undefined && (publicExponent < 3n || publicExponent > 0xffffffffn)) {
    throw unfit('keyUnfit', 'jwk has an unusual RSA exponent');
  }
  return key.export({ format: 'jwk' }) as JWK;
}

async function kidOf(given: unknown, jwk: JWK): Promise<string> {
  if (given === undefined) return calculateJwkThumbprint(jwk);
  if (typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given)) return given;
  throw refusedValue('jwk.kid', 'malformed', 'jwk.kid must be 1 to 200 visible ASCII characters');
}

function unfit(rule: ValueRule, detail: string): AppError {
  return refusedValue('jwk', rule, detail);
}
