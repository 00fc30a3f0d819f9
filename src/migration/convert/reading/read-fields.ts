import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';

/** The fields of a record of an input. */
export type Fields = Readonly<JsonObject>;

/** Raised when a record cannot be converted. Its message contains no secret of the record. */
export class ConversionError extends Error {}

/** @throws ConversionError when the text is not JSON, or not an object */
export function parseFields(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the message of JSON.parse, which quotes the text: it may contain a hash.
    throw new ConversionError('not JSON');
  }
  const fields = asFields(value);
  if (fields === undefined) throw new ConversionError('not a JSON object');
  return fields;
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
