import type { TSchema } from 'typebox';
import { RecordFailure } from '../lists/section/record-failure.js';
import { organizationKey } from '../lists/section/section-keys.js';
import type { Loss } from '../stores/import-results.store.js';
import type { ParsedRecord } from './read-records.js';
import { unknownPaths } from './unknown-paths.js';

/** The most paths that one part names. The others are counted together. */
const maxPaths = 100;
/** The most paths that the error of one record names. */
const maxNamed = 10;

/** The path of the values that have no place of their own in a list of losses. */
const otherPaths = '...';

/** Counts the values that reach nothing, by their path. It names one example of each. */
export class LossCount {
  readonly #losses = new Map<string, Loss>();
  readonly #limit: number;

  /** @param limit the most paths; the values of all others count under {@link otherPaths} */
  constructor(limit = maxPaths) {
    this.#limit = limit;
  }

  add(loss: Loss): void {
    const isNew = !this.#losses.has(loss.path) && this.#losses.size >= this.#limit;
    const path = isNew ? otherPaths : loss.path;
    const known = this.#losses.get(path);
    this.#losses.set(path, known ? { ...known, count: known.count + loss.count } : { ...loss, path });
  }

  list(): Loss[] {
    return [...this.#losses.values()];
  }
}

/** The paths of a record that reach nothing, from the body on, such as `orgs[].humanUsers[].user.shoeSize`. */
export function lossesOf(record: ParsedRecord, { key, schema }: { key: string; schema: TSchema }): string[] {
  if ('failure' in record) return [];
  const paths = unknownPaths(record.value, schema);
  return [...paths.map((path) => `${pathOf(key)}.${path}`), ...(record.ignored ?? [])];
}

/** The path of the records of a list in a file. The record of an organization is the element itself. */
export function pathOf(key: string): string {
  return key === organizationKey ? 'orgs[]' : `orgs[].${key}[]`;
}

/** The failure of a record with losses in an import that is strict. */
export function lossFailure(paths: readonly string[]): RecordFailure {
  const named = paths.slice(0, maxNamed).join(', ');
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return new RecordFailure('LOSS', `These values reach nothing: ${named}${more}`);
}
