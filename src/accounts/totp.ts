import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '#src/keys/sealer.js';

/** A second factor as it is stored: a secret that an authenticator app shares (RFC 6238). */
export interface TotpCredential {
  /** The secret, sealed for its user alone, in base64url. */
  readonly sealed: string;
  /** The latest time step whose code was accepted. Codes of this step and of earlier ones are refused. */
  readonly lastStep: number;
  readonly enrolled: Date;
  /** The hashes of the recovery codes that are left (`recovery-codes.ts`). Absent if the user never had any. */
  readonly recovery?: readonly string[];
}

const stepSeconds = 30;
const digits = 6;
const secretBytes = 20;
/** Accepted steps before and after the present one, because clocks differ (RFC 6238 section 5.2). */
const drift = 1;

/** Returns a new secret of 160 bits, which is the length of the hash (RFC 4226 section 4, R6). */
export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** Returns the one-time code of a time step with HMAC-SHA-1 (RFC 4226 section 5.3, RFC 6238 section 4.2). */
export function totpCode(secret: Buffer, step: number, length = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** length).padStart(length, '0');
}

/** Returns the time step of a time (RFC 6238 section 4.1). */
export function totpStep(time: Date): number {
  return Math.floor(time.getTime() / 1000 / stepSeconds);
}

/**
 * Returns the step of this code near the given time, or undefined if no step has it. Spaces in the code are ignored.
 */
export function matchingStep(secret: Buffer, code: string, time: Date): number | undefined {
  const given = Buffer.from(code.replace(/\s/g, ''));
  const now = totpStep(time);
  let found: number | undefined;
  for (let step = now - drift; step <= now + drift; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return found;
}

/** Accepted lengths of imported secrets, in bytes. Authenticator apps accept these lengths. */
const takenBytes = { least: 10, most: 64 };

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns base32 without padding (RFC 4648 section 6), as a user types a secret into an app. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => base32Letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/**
 * Returns the secret of a base32 text, or undefined if the text is invalid. Letter case, spaces and padding do not
 * matter.
 */
export function fromBase32(text: string): Buffer | undefined {
  const letters = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  if (!/^[A-Z2-7]+$/.test(letters)) return undefined;
  const bytes = Buffer.alloc(Math.floor((letters.length * 5) / 8));
  let value = 0;
  let bits = 0;
  let at = 0;
  for (const letter of letters) {
    value = ((value << 5) | base32Letters.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (value >> bits) & 0xff;
    }
  }
  return bytes.length >= takenBytes.least && bytes.length <= takenBytes.most ? bytes : undefined;
}

/** The longest part of an address, percent-encoded. A QR code of the whole address then stays easy to scan. */
const maxPart = 180;

/**
 * Returns the address that an authenticator app reads from the QR code. Long names are cut: they only tell the person which
 * account it is.
 */
export function totpAddress(
  secret: Buffer,
  { issuer, account }: { issuer: string; account: string },
): string {
  // A colon would separate issuer and account.
  const label = [issuer, account].map((part) => encodePart(part.replaceAll(':', ' '))).join(':');
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodePart(issuer)}`;
}

/** A text as part of an address, without the characters at its end that make it too long. */
function encodePart(text: string): string {
  let encoded = '';
  for (const { segment } of segments.segment(text)) {
    const longer = encoded + encodeURIComponent(segment);
    if (longer.length > maxPart) return encoded;
    encoded = longer;
  }
  return encoded;
}

const segments = new Intl.Segmenter();

/**
 * Seals a secret for one user. A copy at another user cannot be unsealed. Layout: length of the secret, secret, user.
 */
export function sealTotpSecret(sealer: Sealer, userId: string, secret: Buffer): string {
  return sealer
    .seal(Buffer.concat([Buffer.from([secret.length]), secret, Buffer.from(userId)]))
    .toString('base64url');
}

/**
 * Returns the secret of this user. Returns undefined if it was sealed for another user or with other keys, or is
 * damaged.
 */
export function unsealTotpSecret(sealer: Sealer, userId: string, sealed: string): Buffer | undefined {
  const plaintext = sealer.unseal(Buffer.from(sealed, 'base64url'));
  const end = 1 + (plaintext?.[0] ?? 0);
  if (plaintext === undefined || plaintext.toString('utf8', end) !== userId) return undefined;
  return plaintext.subarray(1, end);
}
