import { isDeepStrictEqual } from 'node:util';

/** Properties of a client by their names in a record: lists of credentials, and settings that a record may leave open. */
type Properties = Readonly<Record<string, readonly object[] | boolean | undefined>>;

/**
 * Names the properties of a record that differ from the stored ones. A property that the record does not have differs from nothing: files of
 * earlier versions do not have it.
 */
export function differingWhenStated(stored: Properties, given: Properties): string[] {
  return Object.keys(given).filter(
    (name) => given[name] !== undefined && !isDeepStrictEqual(stored[name] ?? [], given[name]),
  );
}
