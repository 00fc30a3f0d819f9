import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';

/** A record of the source, and what becomes of it. Secrets and hashes are masked. */
export interface Explained {
  readonly file: string;
  readonly line: number;
  readonly before: unknown;
  readonly after: unknown;
}

/** The same in every language. */
const mask = '•••';
/** A record may be deeper than the stack. */
const mostDepth = 50;

/** Names of members whose values are masked, whatever they are: sources have other names for the same secrets. */
const secretName = /pass|pwd|hash|salt|secret|token|otp|credential|key|pin\b/i;

/**
 * Returns both sides without secrets: by the names of members, and by the values that the record has as secrets.
 * @param more values that the mapping takes as secrets, such as the parts of a hash
 */
export function explain(
  before: JsonObject,
  after: HumanUserRecord,
  place: { readonly file: string; readonly line: number },
  more: readonly unknown[] = [],
): Explained {
  const { password, hashedPassword, otpCode, otpRecoveryCodes = [] } = after.user;
  const secrets = [password, hashedPassword?.value, otpCode, ...otpRecoveryCodes, ...more];
  const known = new Set(secrets.filter((secret) => isPlain(secret) && secret !== '').map(String));
  return { ...place, before: masked(before, known), after: masked(after, known) };
}

/** JSON may have a password of digits as a number. */
function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function masked(value: unknown, secrets: ReadonlySet<string>, depth = 0): unknown {
  if (depth > mostDepth) return '(deeper)';
  if (isPlain(value)) return secrets.has(String(value)) ? mask : value;
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets, depth + 1));
  if (!isJsonObject(value)) return value;
  const stated = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const entries = stated.map(([name, inner]) => {
    const isSecret = secretName.test(name) && typeof inner !== 'boolean' && hasContent(inner);
    return [name, isSecret ? mask : masked(inner, secrets, depth + 1)] as const;
  });
  return Object.fromEntries(entries);
}

/** Whether a member can hold a secret. One without any text or number shows that there is none. */
function hasContent(value: unknown, depth = 0): boolean {
  if (value === '' || value === null) return false;
  if (typeof value !== 'object' || depth > mostDepth) return true;
  return Object.values(value as object).some((inner) => hasContent(inner, depth + 1));
}
