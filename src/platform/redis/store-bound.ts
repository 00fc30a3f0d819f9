import type { Clock } from '../clock.js';
import type { RedisConnection } from './redis.js';

/**
 * Bounds the memory of Redis for entries that callers make all processes store before they have proved who they are. A process
 * counts the bytes in memory, by the minute in which the entries expire, and adds its counts in Redis twice a second. The bound
 * therefore costs no request a round trip. The processes may exceed it by what they store within a second. Without Redis, which then
 * stores nothing, each process counts alone.
 */
export interface StoreBound {
  /** Whether Redis must store no further entry. */
  isFull(): boolean;
  /** Counts an entry that was stored. */
  add(entry: BoundedEntry): void;
  /** Counts an entry that was removed before it expired. */
  remove(entry: BoundedEntry): void;
  /** Seconds until the next entries expire. */
  secondsLeft(): number;
  close(): void;
}

interface BoundedEntry {
  /** The name of the key, in ASCII. */
  readonly key: string;
  /** For how long Redis keeps it. */
  readonly lifeMs: number;
  /** The bytes of its value, if it is more than a number. */
  readonly valueBytes?: number;
}

/** What Redis 7 takes for a key with a number and an expiry, beside the bytes of its name. */
export const entryBytes = 150;

const minuteMs = 60_000;
const sendEveryMs = 500;

/** Adds to minutes, given in pairs, and drops those until the first argument. Returns what is left. It expires with the last minute. */
const sendScript = `
  for i = 2, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
  local now, last, left = tonumber(ARGV[1]), 0, {}
  local found = redis.call('HGETALL', KEYS[1])
  for i = 1, #found, 2 do
    local minute = tonumber(found[i])
    if minute <= now then
      redis.call('HDEL', KEYS[1], found[i])
    else
      last = math.max(last, minute)
      left[#left + 1] = found[i]
      left[#left + 1] = found[i + 1]
    end
  end
  if last > 0 then redis.call('PEXPIRE', KEYS[1], (last - now) * ${minuteMs}) end
  return left`;

export function createStoreBound(deps: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
  /** What is stored. Entries of different names have bounds of their own. */
  name: string;
  maxBytes: number;
}): StoreBound {
  const { redis, clock, maxBytes } = deps;
  const key = `${deps.prefix}:stored-bytes:${deps.name}`;
  /** Bytes by minute: in Redis at the latest answer, on the way there, and not sent yet. */
  let shared = new Map<number, number>();
  let sent = new Map<number, number>();
  let pending = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const now = () => clock.now().getTime();
  const minuteOf = (time: number) => Math.floor(time / minuteMs);

  /** The minutes at whose beginning entries have expired, with their bytes. */
  function left(): (readonly [minute: number, bytes: number])[] {
    const current = minuteOf(now());
    const minutes = new Set([...shared.keys(), ...sent.keys(), ...pending.keys()]);
    return [...minutes]
      .filter((minute) => minute > current)
      .map((minute) => {
        const bytes = [shared, sent, pending].reduce((sum, counts) => sum + (counts.get(minute) ?? 0), 0);
        // An entry may be removed in another minute than the one in which it was counted.
        return [minute, Math.max(0, bytes)] as const;
      });
  }

  function count({ key: name, lifeMs, valueBytes = 0 }: BoundedEntry, sign: 1 | -1): void {
    const minute = minuteOf(now() + lifeMs) + 1;
    const bytes = sign * (entryBytes + name.length + valueBytes);
    pending.set(minute, (pending.get(minute) ?? 0) + bytes);
    sendLater();
  }

  function sendLater(): void {
    if (timer !== undefined || closed) return;
    timer = setTimeout(() => void send(), sendEveryMs);
    timer.unref();
  }

  async function send(): Promise<void> {
    [sent, pending] = [pending, new Map()];
    const pairs = [...sent].filter(([, bytes]) => bytes !== 0).flat();
    try {
      const answer = (await redis.eval(sendScript, 1, key, minuteOf(now()), ...pairs)) as string[];
      shared = new Map();
      for (let i = 0; i < answer.length; i += 2) shared.set(Number(answer[i]), Number(answer[i + 1]));
    } catch {
      // Sent again in the next turn. Other parts report that Redis is away.
      for (const [minute, bytes] of sent) pending.set(minute, (pending.get(minute) ?? 0) + bytes);
    }
    sent = new Map();
    timer = undefined;
    if (pending.size > 0) sendLater();
  }

  return {
    isFull() {
      const full = left().reduce((sum, [, bytes]) => sum + bytes, 0) >= maxBytes;
      // Other processes may have removed entries since.
      if (full) sendLater();
      return full;
    },
    add: (entry) => count(entry, 1),
    remove: (entry) => count(entry, -1),
    secondsLeft() {
      const minutes = left().flatMap(([minute, bytes]) => (bytes > 0 ? [minute] : []));
      return minutes.length === 0 ? 1 : Math.ceil((Math.min(...minutes) * minuteMs - now()) / 1000);
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
