import type { Clock } from '../clock.js';
import type { RedisConnection } from './redis.js';

/**
 * Counts things a minute, over all processes. Each process counts in memory and tells Redis twice a second, so that
 * counting costs a request nothing: what is known of the other processes is up to a second old. Without Redis each
 * process counts by itself.
 */
export interface WindowCounts {
  /** Counts one of this name. @returns how many there were in this minute, this one included */
  add(name: string): number;
  /** How many there were in this minute. */
  read(name: string): number;
  /** Whole seconds until the next minute begins. */
  secondsLeft(): number;
  close(): void;
}

interface Count {
  /** Counted here and not told yet. */
  untold: number;
  /** Told, and not answered yet. */
  told: number;
  /** The sum that Redis answered last. */
  shared: number;
}

const windowMs = 60_000;
const tellEveryMs = 500;
/** Names that a process counts at once; above that the oldest one begins anew. */
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

  /** The counts of this minute: those of an earlier one are over. */
  function current(): Map<string, Count> {
    const now = Math.floor(clock.now().getTime() / windowMs);
    if (now !== window) {
      window = now;
      counts = new Map();
    }
    return counts;
  }

  async function tell(name: string, count: Count, of: number): Promise<void> {
    const { untold } = count;
    count.told += untold;
    count.untold = 0;
    try {
      const key = `${prefix}:count:${of}:${encodeURIComponent(name)}`;
      count.shared = Number(await redis.eval(addScript, 1, key, untold, 2 * windowMs));
    } catch {
      // Counted again at the next turn; that Redis is away is reported where it matters.
      count.untold += untold;
    }
    count.told -= untold;
  }

  async function tellAll(): Promise<void> {
    const told = [...current()].filter(([, { untold }]) => untold > 0);
    await Promise.all(told.map(([name, count]) => tell(name, count, window)));
    timer = undefined;
    if ([...counts.values()].some(({ untold }) => untold > 0)) tellLater();
  }

  function tellLater(): void {
    if (timer !== undefined || closed) return;
    timer = setTimeout(() => void tellAll(), tellEveryMs);
    timer.unref();
  }

  return {
    add(name) {
      const all = current();
      let count = all.get(name);
      if (count === undefined) {
        const [oldest] = all.size < maxNames ? [] : all.keys();
        if (oldest !== undefined) all.delete(oldest);
        count = { untold: 0, told: 0, shared: 0 };
        all.set(name, count);
      }
      count.untold++;
      tellLater();
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
  return count === undefined ? 0 : count.shared + count.told + count.untold;
}
