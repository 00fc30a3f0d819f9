import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** The algorithms that new passkeys may have, the best first: EdDSA with Ed25519, ES256, RS256 (RFC 9053, RFC 8812). */
export const passkeyAlgorithms = [-8, -7, -257] as const;

/** A decoded COSE_Key: its values by their labels. */
export type CoseKey = ReadonlyMap<number, unknown>;

/** A key that signatures are checked with, and the digest that they sign. EdDSA signs the text itself. */
export interface SignatureKey {
  readonly key: KeyObject;
  readonly digest: 'sha256' | null;
}

/** Labels of a COSE_Key (RFC 9052 section 7.1), and of its parameters (RFC 9053 section 7, RFC 8230 section 4). */
const label = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2 } as const;

/** Bits of the modulus of an RSA key. A longer one would cost too much at each sign-in. */
const [leastModulusBits, mostModulusBits] = [2_048, 4_096];
/** With the exponent 1, every text is its own signature. Browsers make 65,537. */
const leastExponent = 3n;
const mostExponentBytes = 4;

/**
 * The points of Ed25519 with a small order, by their y in hexadecimal digits (RFC 8032 section 5.1.2). With such a key, signatures that
 * anybody can make fit to some texts.
 */
const smallOrders: ReadonlySet<string> = new Set([
  `00${'00'.repeat(31)}`,
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/**
 * Reads the public key of a passkey. A key that an import brings may be of any kind. A key is refused if a check of its signatures has no bounded
 * cost, or if anybody could make them:
 *
 * - a key of another algorithm
 * - a point that is not on the curve P-256
 * - a point of Ed25519 with a small order
 * - an RSA key with a small exponent, or with a modulus out of bounds
 * @returns undefined for a key that is refused
 */
export function readPublicKey(cose: CoseKey): SignatureKey | undefined {
  const jwk = jwkOf(cose);
  if (jwk === undefined) return undefined;
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    if (jwk.kty === 'RSA' && !isBounded(key)) return undefined;
    return { key, digest: jwk.kty === 'OKP' ? null : 'sha256' };
  } catch {
    // OpenSSL throws for a point that is not on the curve.
    return undefined;
  }
}

function jwkOf(cose: CoseKey): JsonWebKey | undefined {
  const bytes = (at: number, most: number, least = 1) => {
    const value = cose.get(at);
    const fits = value instanceof Uint8Array && value.length >= least && value.length <= most;
    return fits ? Buffer.from(value).toString('base64url') : undefined;
  };
  const coordinate = (at: number) => bytes(at, 32, 32);
  const [kty, alg, crv] = [cose.get(label.kty), cose.get(label.alg), cose.get(label.crv)];
  if (kty === 2 && alg === -7 && crv === 1)
    return complete({ kty: 'EC', crv: 'P-256', x: coordinate(label.x), y: coordinate(label.y) });
  if (kty === 1 && alg === -8 && crv === 6) {
    const x = coordinate(label.x);
    return complete({ kty: 'OKP', crv: 'Ed25519', x: x !== undefined && isSigning(x) ? x : undefined });
  }
  if (kty === 3 && alg === -257)
    return complete({
      kty: 'RSA',
      n: bytes(label.n, mostModulusBits / 8),
      e: bytes(label.e, mostExponentBytes),
    });
  return undefined;
}

/** Whether y of a point of Ed25519 is below the prime, and the point has no small order. OpenSSL looks at neither. */
function isSigning(point: string): boolean {
  const y = Buffer.from(point, 'base64url');
  // The last bit is the sign of x.
  y.writeUInt8(y.readUInt8(31) & 0x7f, 31);
  const isBelow =
    y.readUInt8(31) < 0x7f || y.readUInt8(0) < 0xed || !y.subarray(1, 31).every((byte) => byte === 0xff);
  return isBelow && !smallOrders.has(y.toString('hex'));
}

/** Undefined if a parameter is missing. */
function complete(jwk: Readonly<Record<string, string | undefined>>): JsonWebKey | undefined {
  return Object.values(jwk).includes(undefined) ? undefined : jwk;
}

function isBounded(key: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  return (
    modulusLength >= leastModulusBits &&
    modulusLength <= mostModulusBits &&
    publicExponent >= leastExponent &&
    publicExponent % 2n === 1n
  );
}
