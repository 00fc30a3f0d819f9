import { createHash } from 'node:crypto';
import type { UserPosition } from '#src/directory/users.store.js';
import type { ListQuery } from './list-query.js';

type Encoded = [query: string, value: string | null, isDate: boolean, id: string];

/**
 * A cursor (RFC 9865 section 2): the position of the last user, bound to the filter and order it was made with.
 * It gives access to nothing, since every query is confined to the organization.
 */
export function encodeCursor(position: UserPosition, query: ListQuery): string {
  const { value, id } = position;
  const encoded: Encoded = [
    fingerprint(query),
    value instanceof Date ? value.toISOString() : value,
    value instanceof Date,
    id,
  ];
  return Buffer.from(JSON.stringify(encoded)).toString('base64url');
}

/** The position of a cursor; undefined when it was not made by us for this query. */
export function decodeCursor(cursor: string, query: ListQuery): UserPosition | undefined {
  if (cursor.length > 4_000) return undefined;
  let encoded: unknown;
  try {
    encoded = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(encoded) || encoded.length !== 4) return undefined;
  const [made, value, isDate, id] = encoded as Encoded;
  if (made !== fingerprint(query) || typeof id !== 'string') return undefined;
  if (value !== null && typeof value !== 'string') return undefined;
  if (!isDate || value === null) return { value, id };
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : { value: date, id };
}

function fingerprint({ filter, sort }: ListQuery): string {
  return createHash('sha256')
    .update(JSON.stringify([filter ?? null, sort]))
    .digest('base64url')
    .slice(0, 22);
}
