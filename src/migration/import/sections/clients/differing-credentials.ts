import { isDeepStrictEqual } from 'node:util';

/** Lists of credentials, by their name in a record. */
type CredentialLists = Readonly<Record<string, readonly object[] | undefined>>;

/** Names the lists of a record that differ from the stored ones. A list that the record does not have differs from none. */
export function differingCredentials(stored: CredentialLists, given: CredentialLists): string[] {
  return Object.keys(given).filter(
    (name) => given[name] !== undefined && !isDeepStrictEqual(stored[name] ?? [], given[name]),
  );
}
