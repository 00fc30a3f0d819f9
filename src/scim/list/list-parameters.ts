import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import type { ListParameters } from './list-query.js';

/** The most names in `attributes` or `excludedAttributes`. An organization has fewer attributes. */
const mostNames = 2_000;

/**
 * Reads the parameters of a list (RFC 7644 sections 3.4.2 and 3.4.3). A number may be a text, and a list of names one text with commas.
 * The query string has nothing else, and SCIM-SDK sends both in a SearchRequest.
 * @param given returns the value of a parameter. It is undefined or null if the parameter is absent
 * @throws AppError `scim.wrongType`, `scim.badValue`
 */
export function readListParameters(given: (name: keyof ListParameters) => unknown): ListParameters {
  const text = (name: keyof ListParameters) => readText(name, given(name));
  const number = (name: keyof ListParameters) => readNumber(name, given(name));
  const names = (name: keyof ListParameters) => readNames(name, given(name));
  return {
    filter: text('filter'),
    sortBy: text('sortBy'),
    sortOrder: text('sortOrder'),
    startIndex: number('startIndex'),
    count: number('count'),
    cursor: text('cursor'),
    attributes: names('attributes'),
    excludedAttributes: names('excludedAttributes'),
  };
}

function readText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw wrongType(name, 'a string');
}

/** Returns NaN for a text that is no whole number. {@link ListParameters} are checked later. */
function readNumber(name: string, value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongType(name, 'a number');
  const text = value.trim();
  if (text === '') return undefined;
  return /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/**
 * Reads attribute names from one or several texts, each with one name or with commas between its names (RFC 7644 section 3.9).
 * @throws AppError `scim.wrongType`; `scim.badValue` for more than 2,000 names
 */
export function readNames(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const lists: unknown[] = Array.isArray(value) ? value : [value];
  const names = lists.slice(0, mostNames + 1).flatMap((list) => {
    if (typeof list === 'string') return list.split(',', mostNames + 1);
    throw wrongType(name, 'a list of names');
  });
  if (names.length > mostNames)
    throw new AppError(scimErrors.badValue, { detail: `${name} has more than ${mostNames} names` });
  return names.map((item) => item.trim()).filter((item) => item !== '');
}

function wrongType(name: string, expected: string): AppError {
  return new AppError(scimErrors.wrongType, { detail: `${name} must be ${expected}` });
}
