import type { Clock } from '#src/platform/clock.js';
import { clientId } from './client.js';
import type { Refusal } from './refusal.js';

/** Time for which refusals of one reason are counted after the first, in milliseconds. */
const windowMs = 60_000;
/** The most pairs of client and reason that a process counts at once. Further pairs are not recorded. */
const maxCounted = 1_000;

interface Counted {
  readonly first: Date;
  /** Refusals that no event has counted. */
  count: number;
  latest: Refusal;
}

/** Counts refusals per client and reason, so that at most two events of a minute are about them. */
interface RefusalCounts {
  /** Counts a refusal. The first of a minute is written at once, and the others together at the end of the minute. */
  note(refusal: Refusal): void;
  /** Counts a refusal like one of the same minute, if there was one of this client and reason. Returns whether it did. */
  noteAgain(refusal: Pick<Refusal, 'client' | 'reason'>): boolean;
  /** Writes what was counted and not written yet. */
  finishAll(): void;
  /** Stops the timer. */
  stop(): void;
}

/**
 * Opens the counts of this process.
 * @param write writes an event about a refusal, and returns whether it did
 */
export function createRefusalCounts(
  clock: Clock,
  write: (refusal: Refusal, counts: Readonly<Record<string, unknown>>) => boolean,
): RefusalCounts {
  const counted = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const isOver = ({ first }: Counted) => clock.now().getTime() - first.getTime() >= windowMs;

  function finish(key: string, { count, latest, first }: Counted): void {
    counted.delete(key);
    if (count > 0) write(latest, { count, since: first.toISOString() });
  }

  function finishLater(): void {
    if (timer !== undefined || isStopped) return;
    timer = setTimeout(() => {
      timer = undefined;
      for (const [key, known] of counted) if (isOver(known)) finish(key, known);
      if (counted.size > 0) finishLater();
    }, windowMs);
    timer.unref();
  }

  const keyOf = ({ client, reason }: Pick<Refusal, 'client' | 'reason'>) => `${clientId(client)} ${reason}`;

  return {
    note(refusal) {
      const key = keyOf(refusal);
      const known = counted.get(key);
      if (known !== undefined && !isOver(known)) {
        known.count++;
        known.latest = refusal;
        return;
      }
      if (known !== undefined) finish(key, known);
      if (counted.size >= maxCounted) return;
      // A refusal without an event of its own is in the number of the later event.
      const count = write(refusal, { count: 1 }) ? 0 : 1;
      counted.set(key, { first: clock.now(), count, latest: refusal });
      finishLater();
    },
    noteAgain(refusal) {
      const known = counted.get(keyOf(refusal));
      if (known === undefined || isOver(known)) return false;
      known.count++;
      return true;
    },
    finishAll() {
      for (const [key, known] of counted) finish(key, known);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
