import type { Event } from './event.js';
import { type EventQuery, type EventsStore, eventPageBytes } from './events.store.js';

/** A page of a search. */
export interface EventPage {
  readonly events: readonly Event[];
  /** The identifier behind which the next page begins. Undefined if the search has come to its end. */
  readonly end: string | undefined;
  /** The size of their documents. */
  readonly bytes: number;
}

/** How much a page reads. */
interface PageLimits {
  /** So many events are read at once, whether the search finds them or not. */
  readonly window: number;
  /** After this time, in milliseconds, no others are read. The page may then be short, or empty. */
  readonly longestMs: number;
}

/**
 * Finds a page of events, which ends after about 4 MiB. No index has every pair of conditions, so a search for what is rare reads much.
 * A page has a limit on that, and
 * the next page goes on where it ended.
 */
export async function searchPage(
  store: Pick<EventsStore, 'page' | 'placeAfter'>,
  query: EventQuery,
  { window, longestMs }: PageLimits = { window: 10_000, longestMs: 2_000 },
): Promise<EventPage> {
  const until = performance.now() + longestMs;
  const events: Event[] = [];
  let bytes = 0;
  for (let after = query.after ?? ''; ; ) {
    const rest = { ...query, after, limit: query.limit - events.length };
    const through = await store.placeAfter(rest, window);
    const found = await store.page({ ...rest, ...(through !== undefined && { through }) });
    for (const event of found.events) events.push(event);
    bytes += found.bytes;
    if (found.isCut || events.length === query.limit) return { events, bytes, end: events.at(-1)?.id };
    if (through === undefined || bytes > eventPageBytes || performance.now() > until)
      return { events, bytes, end: through };
    after = through;
  }
}
