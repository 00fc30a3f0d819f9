import { isJsonObject } from '#src/platform/json/json-object.js';

/** Deeper values of a record that nobody could read are left out. */
const mostDepth = 32;

/** A record as the file has it, without every property `password`: whoever sees the digest of one record could guess it. */
export function withoutPasswords(value: unknown, depth = 0): unknown {
  if (depth >= mostDepth) return undefined;
  if (Array.isArray(value)) return value.map((one) => withoutPasswords(one, depth + 1));
  if (!isJsonObject(value)) return value;
  const others = Object.entries(value).filter(([name]) => name.toLowerCase() !== 'password');
  return Object.fromEntries(others.map(([name, one]) => [name, withoutPasswords(one, depth + 1)]));
}
