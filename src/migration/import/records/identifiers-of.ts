import { toCamelCase } from '#src/platform/json/camel-case.js';
import { isJsonObject } from '#src/platform/json/json-object.js';

/** The identifiers of a record, by their names in lowerCamelCase. */
export type Identifiers = Readonly<Record<string, string>>;

/** Names of values that tell a record apart. None of them holds a secret. */
const isIdentifier = /^(?:[a-z][A-Za-z]{0,40}Id|userName|domainName|roleKey|key|email|name|displayName)$/;
/** The most levels of a record that have identifiers: `user.email.email` is on the third. */
const maxDepth = 3;
const maxIdentifiers = 10;
const maxLength = 200;

/** Returns the identifiers that a record has. The first value of a name counts. Long values are cut. */
export function identifiersOf(record: unknown): Identifiers {
  const found = new Map<string, string>();
  collect(record, { found, depth: 1 });
  return Object.fromEntries(found);
}

/** Returns what looks like identifiers in the text of a record that cannot be parsed. */
export function guessIdentifiers(text: string): Identifiers {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/"([A-Za-z_]{1,42})"\s*:\s*"([^"\\]{1,200})"/g)) {
    const key = toCamelCase(name);
    if (found.size < maxIdentifiers && isIdentifier.test(key) && !found.has(key)) found.set(key, value);
  }
  return Object.fromEntries(found);
}

function collect(value: unknown, { found, depth }: { found: Map<string, string>; depth: number }): void {
  if (!isJsonObject(value) || depth > maxDepth) return;
  const entries = Object.entries(value);
  for (const [key, member] of entries) {
    if (found.size === maxIdentifiers) return;
    const isOwn = typeof member === 'string' && member !== '' && isIdentifier.test(key) && !found.has(key);
    if (isOwn) found.set(key, member.slice(0, maxLength));
  }
  for (const [, member] of entries) collect(member, { found, depth: depth + 1 });
}
