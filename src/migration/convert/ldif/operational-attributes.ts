import type { SourceRecord } from '../reading/source-record.js';

/**
 * Attributes that a server keeps for every entry, and gives only if they are asked for (RFC 4512 section 3.4). Identifiers are not among
 * them, because who needs them asks for them by name.
 */
const ofEveryEntry = ['createtimestamp', 'modifytimestamp'];

/**
 * Whether the export was asked for operational attributes. Then it also has those that lock an account. A server removes them when it
 * unlocks the account, so an entry without them is of an account that is not locked.
 */
export function hasOperationalAttributes(source: SourceRecord): boolean {
  return ofEveryEntry.some((name) => source.look(name) !== undefined);
}
