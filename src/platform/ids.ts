import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A new identifier: UUIDv7, so that identifiers sort by the time they were made (RFC 9562 section 5.7). */
export function newId(): string {
  return v7();
}

/** A secret of 256 random bits in 43 URL-safe characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
