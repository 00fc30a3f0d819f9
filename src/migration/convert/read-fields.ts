import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';

/** A record of an input. */
export type Fields = Readonly<JsonObject>;

/** Says what is wrong with a record, without what is secret in it. */
export class ConversionError extends Error {}

/** @throws ConversionError when the text is not JSON, or not an object */
export function parseFields(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of the engine quotes the text, which may hold a hash.
    throw new ConversionError('not JSON');
  }
  const fields = asFields(value);
  if (fields === undefined) throw new ConversionError('not a JSON object');
  return fields;
}

export function asFields(value: unknown): Fields | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The first of these that is text with something in it, without space at its ends. */
export function textOf(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value !== 'string') continue;
    const text = value.trim();
    if (text !== '') return text;
  }
  return undefined;
}

/** Whether one of these is true. */
export function isTrue(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => fields[name] === true);
}
