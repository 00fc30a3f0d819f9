import {
  type ExtensionAttribute,
  type ExtensionSchemas,
  type ExtensionValue,
  type ExtensionValues,
  refusedValue,
  requireText,
} from '#src/directory/index.js';
import { Refusals } from '#src/platform/check-each.js';

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
  if (characters > maxCharacters) throw tooMuchText();
  return isEmpty ? undefined : checked;
}

function tooMuchText() {
  const detail = `The values of the organization's own attributes have more than ${maxCharacters} characters together`;
  return refusedValue('', 'tooMuchText', detail, { most: maxCharacters });
}

/** What {@link checkedValues} refuses, each value by itself. @throws AppError with all violations */
export function refuseValues(values: ExtensionValues, { schemas }: Pick<ExtensionSchemas, 'schemas'>): void {
  const refusals = new Refusals();
  for (const { id, attributes } of schemas) {
    for (const attribute of attributes) {
      const value = values[attribute.key];
      if (value !== undefined) refusals.try(() => checkValue(value, attribute, `${id}:${attribute.name}`));
    }
  }
  refusals.throwIfAny();
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
  if (Array.isArray(value) !== multiValued) {
    const expected = multiValued ? 'array' : type;
    throw refusedValue(path, 'type', `${path} is ${multiValued ? 'a list' : 'no list'}`, { expected });
  }
  if (texts.length > maxListed) {
    const detail = `${path} has more than ${maxListed} values`;
    throw refusedValue(path, 'tooMany', detail, { most: maxListed });
  }
  let characters = 0;
  for (const one of texts) {
    if (!isOfType(one, type))
      throw refusedValue(path, 'type', `${path} has a value that is no ${type}`, { expected: type });
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
