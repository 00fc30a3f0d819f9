import { firstIdOf } from '#src/platform/ids.js';

/** A place in the list of events: behind one event, in one direction. */
export interface EventPosition {
  /** The identifier of the last event that was read. Empty if none was read yet. */
  readonly after: string;
  readonly ascending: boolean;
}

/**
 * An event can become visible this long after its identifier was made, in milliseconds. A transaction is tried again for 20 s.
 * Each attempt lives for 60 s at most. The rest is for clocks that differ.
 */
const settledAfterMs = 90_000;

/** An identifier before which no event will become visible any more. */
export function settledBefore(now: Date): string {
  return firstIdOf(new Date(now.getTime() - settledAfterMs));
}

const known = /^([ad])([0-9a-f-]{0,36})$/;

/** A text for the position. It is no secret: every search is confined to what the caller may read. */
export function encodeEventCursor({ after, ascending }: EventPosition): string {
  return Buffer.from(`${ascending ? 'a' : 'd'}${after}`).toString('base64url');
}

/** The position of a cursor, or undefined if {@link encodeEventCursor} did not make it. */
export function decodeEventCursor(cursor: string): EventPosition | undefined {
  const [, direction, after = ''] = known.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return direction === undefined ? undefined : { after, ascending: direction === 'a' };
}
