import { createHash } from 'node:crypto';
import { comparableForm } from '#src/people/queries/index.js';
import type { SortPosition } from '#src/platform/mongo/read-sorted.js';
import type { ListQuery } from './list-query.js';

/** What a cursor remembers. */
interface CursorState {
  /** The last resource of the page before. */
  readonly position: SortPosition;
  /** The total that the page before had, if counting it again would read all matches. */
  readonly total?: number | undefined;
}

/** The list that a cursor is for: the resources of an organization, with the filter and the order of the query. */
export interface CursorList {
  readonly orgId: string;
  readonly noun: 'user' | 'group';
  readonly query: Pick<ListQuery, 'filter' | 'sort'>;
}

type Encoded = [checksum: string, value: string | null, isDate: boolean, id: string, total: number | null];

/**
 * A cursor (RFC 9865 section 2), with a checksum over its content and the list, so that a damaged cursor and one of another list are
 * noticed. A cursor is no secret: every query is confined to the organization of the request.
 */
export function encodeCursor({ position: { value, id }, total }: CursorState, list: CursorList): string {
  const isDate = value instanceof Date;
  const content = [isDate ? value.toISOString() : value, isDate, id, total ?? null] as const;
  const encoded: Encoded = [checksum(list, content), ...content];
  return Buffer.from(JSON.stringify(encoded)).toString('base64url');
}

/** What the cursor remembers. Undefined if {@link encodeCursor} did not make it for this list. */
export function decodeCursor(cursor: string, list: CursorList): CursorState | undefined {
  if (cursor.length > 8_000) return undefined;
  let encoded: unknown;
  try {
    encoded = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(encoded) || encoded.length !== 5) return undefined;
  const [made, ...content] = encoded as Encoded;
  const [value, isDate, id, total] = content;
  if (made !== checksum(list, content) || typeof id !== 'string') return undefined;
  if (total !== null && !(Number.isSafeInteger(total) && total >= 0)) return undefined;
  const known = total === null ? {} : { total };
  if (value === null) return { position: { value, id }, ...known };
  if (typeof value !== 'string') return undefined;
  if (!isDate) return { position: { value, id }, ...known };
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : { position: { value: date, id }, ...known };
}

function checksum({ orgId, noun, query: { filter, sort } }: CursorList, content: readonly unknown[]): string {
  const searched = filter === undefined ? null : comparableForm(filter, noun);
  return createHash('sha256')
    .update(JSON.stringify([orgId, noun, searched, sort, ...content]))
    .digest('base64url')
    .slice(0, 22);
}
