/** The algorithms that new passkeys may have, the best first: EdDSA with Ed25519, ES256, RS256 (RFC 9053, RFC 8812). */
export const passkeyAlgorithms = [-8, -7, -257] as const;

/** A decoded COSE_Key: its values by their labels. */
export type CoseKey = ReadonlyMap<number, unknown>;

/** Labels of a COSE_Key (RFC 9052 section 7.1), and of its parameters (RFC 9053 section 7, RFC 8230 section 4). */
const label = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2 } as const;

/** Bytes of an RSA key: its modulus has 2,048 to 4,096 bits. A longer one would cost too much at each sign-in. */
const [leastModulus, longestModulus] = [256, 512];
const longestExponent = 4;

/**
 * Whether signatures of a key can be checked here, at a bounded cost. The key of an import may be of any kind.
 */
export function isUsableKey(key: CoseKey): boolean {
  const isBytes = (at: number, least: number, most = least) => {
    const value = key.get(at);
    return value instanceof Uint8Array && value.length >= least && value.length <= most;
  };
  const kind = [key.get(label.kty), key.get(label.alg)].join(' ');
  if (kind === '2 -7') return key.get(label.crv) === 1 && isBytes(label.x, 32) && isBytes(label.y, 32);
  if (kind === '1 -8') return key.get(label.crv) === 6 && isBytes(label.x, 32);
  return (
    kind === '3 -257' &&
    isBytes(label.n, leastModulus, longestModulus) &&
    isBytes(label.e, 1, longestExponent)
  );
}
