import type { Event } from './event.js';
import type { EventQuery, EventsStore } from './events.store.js';

/** A page of a search. */
export interface EventPage {
  readonly events: readonly Event[];
  /** The identifier behind which the next page begins. Undefined if the search has come to its end. */
  readonly end: string | undefined;
}

/** How much a page reads. */
interface PageLimits {
  /** So many events are read at once, whether the search finds them or not. */
  readonly window: number;
  /** After this time, in milliseconds, no others are read. The page may then be short, or empty. */
  readonly longestMs: number;
}

/**
 * Finds a page of events. No index has every pair of conditions, so a search for what is rare reads much. A page has a limit on that, and
 * the next page goes on where it ended.
 */
export async function searchPage(
  events: Pick<EventsStore, 'search' | 'placeAfter'>,
  query: EventQuery,
  { window, longestMs }: PageLimits = { window: 10_000, longestMs: 2_000 },
): Promise<EventPage> {
  const until = performance.now() + longestMs;
  const found: Event[] = [];
  for (let after = query.after ?? ''; ; ) {
    const rest = { ...query, after, limit: query.limit - found.length };
    const through = await events.placeAfter(rest, window);
    found.push(...(await events.search({ ...rest, ...(through !== undefined && { through }) })));
    if (found.length === query.limit) return { events: found, end: found.at(-1)?.id };
    if (through === undefined || performance.now() > until) return { events: found, end: through };
    after = through;
  }
}
