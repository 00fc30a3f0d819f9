import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in base64url of a generated secret. Its 256 random bits need no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Whether `secret` has this hash. The comparison takes constant time. */
export function matchesSecretHash(secret: string, expected: string): boolean {
  return sameSecretHash(hashSecret(secret), expected);
}

/** Whether two hashes of secrets are equal. The comparison takes constant time. */
export function sameSecretHash(actual: string, expected: string): boolean {
  return actual.length === expected.length && timingSafeEqual(Buffer.from(actual), Buffer.from(expected));
}
