import { createHash } from 'node:crypto';
import type { UserPosition } from '#src/directory/users/user-pages.store.js';
import type { ListQuery } from './list-query.js';

type Encoded = [checksum: string, value: string | null, isDate: boolean, id: string];

/**
 * A cursor (RFC 9865 section 2): the position of the last user, with a checksum. The checksum covers the position, the
 * filter and the order, so that a damaged cursor is noticed. A cursor is no secret: every query is confined to the
 * organization of the request.
 */
export function encodeCursor(position: UserPosition, query: ListQuery): string {
  const { value, id } = position;
  const isDate = value instanceof Date;
  const text = isDate ? value.toISOString() : value;
  const encoded: Encoded = [checksum(query, text, isDate, id), text, isDate, id];
  return Buffer.from(JSON.stringify(encoded)).toString('base64url');
}

/** The position of a cursor. Undefined if {@link encodeCursor} did not make it for this query. */
export function decodeCursor(cursor: string, query: ListQuery): UserPosition | undefined {
  if (cursor.length > 8_000) return undefined;
  let encoded: unknown;
  try {
    encoded = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(encoded) || encoded.length !== 4) return undefined;
  const [made, value, isDate, id] = encoded as Encoded;
  if (made !== checksum(query, value, isDate, id) || typeof id !== 'string') return undefined;
  if (value !== null && typeof value !== 'string') return undefined;
  if (!isDate || value === null) return { value, id };
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : { value: date, id };
}

function checksum({ filter, sort }: ListQuery, ...position: unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([filter ?? null, sort, ...position]))
    .digest('base64url')
    .slice(0, 22);
}
