import {
  directoryErrors,
  type ExtensionAttribute,
  type ExtensionSchemas,
  type ExtensionValue,
  type ExtensionValues,
  requireText,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

const maxListed = 100;
/** The most characters of all values of one user. */
const maxCharacters = 65_536;

/**
 * Returns the values of a user that belong to registered attributes. Values of attributes that were removed are left out.
 * Undefined if none is left.
 * @throws AppError `directory.valueInvalid` that names the attribute
 */
export function checkedValues(
  values: ExtensionValues | undefined,
  { schemas }: Pick<ExtensionSchemas, 'schemas'> = { schemas: [] },
): ExtensionValues | undefined {
  if (values === undefined || schemas.length === 0) return undefined;
  const checked: Record<string, ExtensionValue> = {};
  let characters = 0;
  let isEmpty = true;
  for (const { id, attributes } of schemas) {
    for (const attribute of attributes) {
      const value = values[attribute.key];
      if (value === undefined) continue;
      characters += checkValue(value, attribute, `${id}:${attribute.name}`);
      checked[attribute.key] = value;
      isEmpty = false;
    }
  }
  if (characters > maxCharacters)
    throw invalid(
      `The values of the organization's own attributes have more than ${maxCharacters} characters together`,
    );
  return isEmpty ? undefined : checked;
}

/** The names of the required attributes that the values lack. */
export function missingValues(
  values: ExtensionValues,
  { schemas }: Pick<ExtensionSchemas, 'schemas'>,
): string[] {
  return schemas.flatMap(({ id, attributes }) =>
    attributes.flatMap(({ name, key, required }) =>
      required && values[key] === undefined ? [`${id}:${name}`] : [],
    ),
  );
}

/** @returns the number of characters */
function checkValue(value: ExtensionValue, { type, multiValued }: ExtensionAttribute, path: string): number {
  const texts = Array.isArray(value)
    ? (value as readonly string[])
    : [value as Exclude<ExtensionValue, readonly string[]>];
  if (Array.isArray(value) !== multiValued) throw invalid(`${path} is ${multiValued ? 'a list' : 'no list'}`);
  if (texts.length > maxListed) throw invalid(`${path} has more than ${maxListed} values`);
  let characters = 0;
  for (const one of texts) {
    if (!isOfType(one, type)) throw invalid(`${path} has a value that is no ${type}`);
    if (typeof one === 'string') {
      requireText(path, one);
      characters += one.length;
    }
  }
  return characters;
}

function isOfType(value: unknown, type: ExtensionAttribute['type']): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'decimal':
      return Number.isFinite(value);
    case 'dateTime':
      return typeof value === 'string' && isMoment(value);
    default:
      return typeof value === 'string';
  }
}

/** Whether the text is a moment in UTC, as `Date.toISOString` writes it. */
function isMoment(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

function invalid(detail: string): AppError {
  return new AppError(directoryErrors.valueInvalid, { detail });
}
