import { toCamelCase } from '#src/platform/json/camel-case.js';
import { ValueScanner } from '#src/platform/json/value-scanner.js';

const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** The most members of an object. An organization has fewer. */
const maxMembers = 1_000;

/**
 * Returns the texts of the members of a JSON object by their keys in lowerCamelCase. It follows brackets and strings alone, so that a
 * value may be no JSON. Undefined if the text is no object, or has a key twice.
 */
export function membersOf(text: Buffer): Map<string, Buffer> | undefined {
  const members = new Map<string, Buffer>();
  const values = new ValueScanner();
  let at = afterSpace(text, 0);
  if (text[at] !== openBrace) return undefined;
  do {
    const keyAt = afterSpace(text, at + 1);
    const keyEnd = endOf(values, text, keyAt);
    if (text[keyAt] !== quote || keyEnd <= keyAt) return undefined;
    const key = keyOf(text.subarray(keyAt, keyEnd));
    const colonAt = afterSpace(text, keyEnd);
    const valueAt = afterSpace(text, colonAt + 1);
    const valueEnd = endOf(values, text, valueAt);
    const isWhole = text[colonAt] === colon && valueEnd > valueAt;
    if (key === undefined || !isWhole || members.has(key) || members.size === maxMembers) return undefined;
    members.set(key, text.subarray(valueAt, valueEnd));
    at = afterSpace(text, valueEnd);
  } while (text[at] === comma);
  return text[at] === closeBrace && afterSpace(text, at + 1) === text.length ? members : undefined;
}

function endOf(values: ValueScanner, text: Buffer, at: number): number {
  const first = text[at];
  if (first === undefined) return -1;
  values.begin(first);
  return values.scan(text, at);
}

function keyOf(text: Buffer): string | undefined {
  try {
    return toCamelCase(String(JSON.parse(text.toString())));
  } catch {
    return undefined;
  }
}

function afterSpace(text: Buffer, from: number): number {
  let at = from;
  while (text[at] === 0x20 || text[at] === 0x0d || text[at] === 0x09) at += 1;
  return at;
}
