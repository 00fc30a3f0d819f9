import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in base64url of a secret that we generated: 256 random bits need no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether `secret` has this hash, in time that does not depend on where they differ. */
export function matchesSecretHash(secret: string, hash: string): boolean {
  const actual = createHash('sha256').update(secret).digest();
  const expected = Buffer.from(hash, 'base64url');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
