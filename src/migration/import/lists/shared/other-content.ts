import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { RecordFailure } from '../section/record-failure.js';

/** The most attributes that one error names, and the most characters of a name. */
const maxNamed = 20;
const maxNameLength = 200;

/**
 * Returns the failure of a record about an object that exists with other content.
 * @param names the attributes that differ; their values never reach an error
 * @param why the object does not take over the content in an import that updates
 */
export function otherContent(names: readonly string[], why?: string): RecordFailure {
  const named = names.slice(0, maxNamed).map((name) => name.slice(0, maxNameLength));
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  const reason = why === undefined ? '' : `; ${why}`;
  const detail = `The object that exists differs in ${named.join(', ')}${more}${reason}`;
  return new RecordFailure('OTHER-CONTENT', detail);
}

/** Returns the names of the properties that differ between two objects. Other values that differ are one attribute, `value`. */
export function differingNames(stored: unknown, given: unknown): string[] {
  if (!isJsonObject(stored) || !isJsonObject(given)) return isDeepStrictEqual(stored, given) ? [] : ['value'];
  const names = new Set([...Object.keys(stored), ...Object.keys(given)]);
  return [...names].filter((name) => !isDeepStrictEqual(stored[name], given[name])).sort();
}
