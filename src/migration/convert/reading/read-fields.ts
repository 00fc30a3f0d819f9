import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { doubtsAbout, hasTwins, withLongNumbersAsTexts } from './exact-json.js';

/** The fields of a record of an input. */
export type Fields = Readonly<JsonObject>;

/** Raised when a record cannot be converted. Its message contains no secret of the record. */
export class ConversionError extends Error {}

/**
 * Reads a record. Whole numbers beyond 2^53 become texts with their digits, because a number cannot hold them (RFC 8259 section 6).
 * @throws ConversionError when the text is not JSON, or not an object, or an object in it has two members of one name. Readers differ in which
 *   of them counts (RFC 8259 section 4)
 */
export function parseFields(text: string): Fields {
  const fields = asFields(parse(text));
  if (fields === undefined) throw new ConversionError('not a JSON object');
  const { mayHaveTwins, hasLongNumber } = doubtsAbout(text, fields);
  if (mayHaveTwins && hasTwins(text)) throw new ConversionError('an object has two members of one name');
  return hasLongNumber ? (parse(withLongNumbersAsTexts(text)) as Fields) : fields;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the message of JSON.parse, which quotes the text: it may contain a hash.
    throw new ConversionError('not JSON');
  }
}

/** The value, if it is an object. */
export function asFields(value: unknown): Fields | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The first of these fields that is a string and not blank, trimmed. */
export function textOf(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value !== 'string') continue;
    const text = value.trim();
    if (text !== '') return text;
  }
  return undefined;
}
