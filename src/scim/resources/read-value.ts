import {
  hasUnusableCharacters,
  ruleId,
  unusableCharacters,
  usableText,
  type ValueRule,
} from '#src/directory/index.js';
import type { Refusals } from '#src/platform/check-each.js';
import { parseDateTime } from '#src/platform/date-time.js';
import { AppError, type ViolationParams } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { scimErrors } from '../protocol/errors.js';
import { membersOf, textOf } from '../protocol/json.js';
import { JsonTexts } from '../protocol/json-text.js';
import { type Attribute, isWritten } from '../schema/attribute.js';

const maxValues = 200;

/** In characters. A longer text is no object, so that 100 users of a Bulk cost no more than the members of one body. */
const longestObjectText = 2_000;

/** Sub-attributes of a complex value under their canonical names. */
export type ComplexValue = Record<string, unknown>;

/**
 * Reads a client's value of an attribute: checks its type, spells names canonically, and leaves out read-only and unknown
 * parts. Undefined if it is unassigned: null, '', [] or without a usable part (RFC 7643 section 2.5).
 * @param refusals gets what is wrong with each part of a complex attribute, which the value then lacks
 * @throws AppError `scim.wrongType`, `scim.badValue`
 */
export function readValue(attribute: Attribute, value: unknown, refusals?: Refusals): unknown {
  if (isUnassigned(value)) return undefined;
  if (attribute.multiValued) return readValues(attribute, value);
  if (attribute.type === 'complex') return readComplex(attribute, value, { path: attribute.name, refusals });
  return readSingle(attribute, value, attribute.name);
}

/** Reads one value of a multi-valued attribute, or a sub-attribute. `path` names it in errors. */
export function readSingle(attribute: Attribute, value: unknown, path: string): unknown {
  if (isUnassigned(value)) return undefined;
  if (attribute.type === 'complex') return readComplex(attribute, value, { path });
  if (attribute.type === 'boolean') return readBoolean(value, path);
  if (attribute.type === 'integer' || attribute.type === 'decimal')
    return readNumber(value, path, attribute.type);
  if (attribute.type === 'dateTime') return readMoment(value, path);
  return readText(value, path);
}

/** Whether a value unassigns its attribute (RFC 7643 section 2.5). Clients send an empty text for lists and objects too. */
function isUnassigned(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function readValues(attribute: Attribute, value: unknown): unknown[] | undefined {
  if (!Array.isArray(value)) throw wrongType(attribute.name, 'array');
  requireFewValues(attribute, value.length);
  const values = value
    .map((item) => readSingle(attribute, item, attribute.name))
    .filter((item) => item !== undefined && (isComplete(attribute, item) || leaveOut(attribute, item)));
  return values.length === 0 ? undefined : values;
}

/**
 * Leaves out a value that lacks a required part. The directory never sees it, so its texts are checked here.
 * @throws AppError `scim.badValue` if a text is too long for its sub-attribute
 */
function leaveOut({ name, subAttributes = [] }: Attribute, value: unknown): false {
  for (const sub of subAttributes) {
    const text = isJsonObject(value) ? value[sub.name] : undefined;
    const most = sub.shape?.maxLength ?? usableText.maxLength;
    if (typeof text === 'string' && most !== undefined && text.length > most)
      throw badValue(`${name}.${sub.name}`, 'tooLong', `has more than ${most} characters`, { most });
  }
  return false;
}

/**
 * Reads a list of simple values. A single value counts as a list of one, and an object stands for its `value` (RFC 7643
 * section 2.4). Each value is there once.
 */
export function readSimpleValues(attribute: Attribute, value: unknown, path: string): unknown[] | undefined {
  if (isUnassigned(value)) return undefined;
  const items: unknown[] = Array.isArray(value) ? value : [value];
  requireFewValues(attribute, items.length);
  const values = items
    .map((item) => readSingle(attribute, isJsonObject(item) ? membersOf(item).get('value') : item, path))
    .filter((item) => item !== undefined);
  return values.length === 0 ? undefined : [...new Set(values)];
}

/** @throws AppError `scim.badValue` if a list has more than 200 values: very long lists would slow down PATCH */
export function requireFewValues({ name }: Attribute, count: number): void {
  if (count <= maxValues) return;
  throw badValue(name, 'tooMany', `has more than ${maxValues} values`, { most: maxValues });
}

/** Whether a value has its required parts. One without them, such as an e-mail address with a type alone, is unassigned. */
export function isComplete(attribute: Attribute, value: unknown): boolean {
  if (!isJsonObject(value)) return true;
  return attribute.subAttributes?.every((sub) => !sub.required || value[sub.name] !== undefined) ?? true;
}

function readComplex(
  attribute: Attribute,
  value: unknown,
  { path, refusals }: { path: string; refusals?: Refusals | undefined },
): ComplexValue | undefined {
  const given = attribute.bareValue ? withoutBareText(value) : value;
  if (!isJsonObject(given)) throw wrongType(path, 'object');
  const members = membersOf(given);
  const read: ComplexValue = {};
  for (const sub of attribute.subAttributes ?? []) {
    const part = isWritten(sub) ? members.get(sub.name.toLowerCase()) : undefined;
    const name = `${path}${path.startsWith('urn:') ? ':' : '.'}${sub.name}`;
    const readPart = () =>
      sub.multiValued ? readSimpleValues(sub, part, name) : readSingle(sub, part, name);
    const subValue = refusals === undefined ? readPart() : refusals.try(readPart);
    if (subValue !== undefined) read[sub.name] = subValue;
  }
  return Object.keys(read).length === 0 ? undefined : read;
}

/** The object that a bare text stands for: the one whose JSON text it is, or else one with the text as its `value`. */
function withoutBareText(value: unknown): unknown {
  const text = textOf(value);
  if (typeof text !== 'string') return value;
  const read = text.length > longestObjectText ? text : new JsonTexts().read(text);
  return isJsonObject(read) ? read : { value: text };
}

/** Reads a boolean. Some clients write the strings "True" and "False". */
function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (word === 'true' || word === 'false') return word === 'true';
  throw wrongType(path, 'boolean');
}

/** Reads a number. Some clients write it as a string. */
function readNumber(value: unknown, path: string, type: 'integer' | 'decimal'): number {
  const isNumeral = typeof value === 'string' && /^-?\d{1,16}(?:\.\d{1,16})?$/.test(value);
  const number = isNumeral ? Number(value) : value;
  const fits = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  if (!fits) throw wrongType(path, type);
  return number as number;
}

/** Reads a timestamp. Returns it in UTC, so that texts are in the order of time. */
function readMoment(value: unknown, path: string): string {
  const moment = typeof value === 'string' ? parseDateTime(value) : undefined;
  if (moment === undefined) throw wrongType(path, 'dateTime');
  return moment.toISOString();
}

/** Reads a text. Some clients send numbers and booleans in its place. */
function readText(value: unknown, path: string): string {
  const text = textOf(value);
  if (typeof text !== 'string') throw wrongType(path, 'string');
  if (hasUnusableCharacters(text)) throw badValue(path, 'controlCharacters', `has ${unusableCharacters}`);
  return text;
}

function badValue(path: string, rule: ValueRule, words: string, params?: ViolationParams): AppError {
  const detail = `${path} ${words}`;
  const violations = [{ path: [path], id: ruleId(rule), ...(params && { params }), detail }];
  return new AppError(scimErrors.badValue, { detail, violations });
}

/** The types that a value can lack, and how errors name them. */
const typeWords = {
  array: 'an array',
  object: 'an object',
  boolean: 'true or false',
  integer: 'an integer',
  decimal: 'a number',
  dateTime: 'a timestamp such as 2024-05-13T04:42:34Z',
  string: 'a string',
} as const;

function wrongType(path: string, expected: keyof typeof typeWords): AppError {
  const detail = `${path} must be ${typeWords[expected]}`;
  const violations = [{ path: [path], id: ruleId('type'), params: { expected }, detail }];
  return new AppError(scimErrors.wrongType, { detail, violations });
}
