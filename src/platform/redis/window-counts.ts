import type { Clock } from '../clock.js';
import type { RedisConnection } from './redis.js';
import type { StoreBound } from './store-bound.js';

/**
 * Counts per minute over all processes. Each process counts in memory and synchronizes with Redis twice a
 * second, so that counting costs a request nothing. The counts of other processes are up to a second old.
 * Without Redis, each process counts alone.
 */
export interface WindowCounts {
  /**
   * Counts one for this name.
   * @param bound of the names that anybody can make. While it is full, each process counts a name alone that Redis does not know yet
   * @returns the count of this minute, including this one
   */
  add(name: string, bound?: StoreBound): number;
  /** The count of this minute. */
  read(name: string): number;
  /** Whole seconds until the next minute begins. */
  secondsLeft(): number;
  close(): void;
}

interface Count {
  /** Counted here, and not yet sent to Redis. */
  pending: number;
  /** Sent to Redis, without a response yet. */
  sent: number;
  /** The latest sum from Redis. */
  shared: number;
  readonly bound: StoreBound | undefined;
}

const windowMs = 60_000;
const lifeMs = 2 * windowMs;
const sendEveryMs = 500;
/** The most names that a process counts. Above it, the oldest name starts again. */
const maxNames = 100_000;

const addScript = `
  local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
  if sum == tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return sum`;

export function createWindowCounts(deps: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
}): WindowCounts {
  const { redis, prefix, clock } = deps;
  let window = 0;
  let counts = new Map<string, Count>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  /** The counts of this minute. Those of earlier minutes are dropped. */
  function current(): Map<string, Count> {
    const now = Math.floor(clock.now().getTime() / windowMs);
    if (now !== window) {
      window = now;
      counts = new Map();
    }
    return counts;
  }

  async function send(name: string, count: Count, of: number): Promise<void> {
    const { pending, bound } = count;
    if (count.shared === 0 && bound?.isFull()) return;
    count.sent += pending;
    count.pending = 0;
    try {
      const key = `${prefix}:count:${of}:${encodeURIComponent(name)}`;
      count.shared = Number(await redis.eval(addScript, 1, key, pending, lifeMs));
      if (count.shared === pending) bound?.add({ key, lifeMs });
    } catch {
      // Sent again in the next turn. Other parts report that Redis is away.
      count.pending += pending;
    }
    count.sent -= pending;
  }

  async function sendAll(): Promise<void> {
    const unsent = [...current()].filter(([, { pending }]) => pending > 0);
    await Promise.all(unsent.map(([name, count]) => send(name, count, window)));
    timer = undefined;
    if ([...counts.values()].some(({ pending }) => pending > 0)) sendLater();
  }

  function sendLater(): void {
    if (timer !== undefined || closed) return;
    timer = setTimeout(() => void sendAll(), sendEveryMs);
    timer.unref();
  }

  return {
    add(name, bound) {
      const all = current();
      let count = all.get(name);
      if (count === undefined) {
        const [oldest] = all.size < maxNames ? [] : all.keys();
        if (oldest !== undefined) all.delete(oldest);
        count = { pending: 0, sent: 0, shared: 0, bound };
        all.set(name, count);
      }
      count.pending++;
      sendLater();
      return sum(count);
    },
    read: (name) => sum(current().get(name)),
    secondsLeft: () => Math.ceil((windowMs - (clock.now().getTime() % windowMs)) / 1000),
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function sum(count: Count | undefined): number {
  return count === undefined ? 0 : count.shared + count.sent + count.pending;
}
