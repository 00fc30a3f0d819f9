import { type QuotaKind, quotaKinds } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** The reservations of one quota of one organization. */
export interface QuotaOf {
  readonly orgId: string;
  readonly kind: QuotaKind;
}

/** A known number of reservations. Undefined: Redis knows none. */
export type Known = { readonly stamp: string; readonly taken: number } | undefined;

/** Counts in Redis the reservations of each quota, for all processes. Each method is one step there. */
export interface QuotaReservations {
  /** Makes as many of the wanted reservations as fit into the quota. */
  take(of: QuotaOf, wish: { limit: number; wanted: number }): Promise<Taken>;
  /** Tells that the objects of the reservations are stored. The unused reservations are given back. */
  settle(of: QuotaOf, holder: string, unused: number): Promise<void>;
  /** The number of reservations that nobody has settled yet. Their objects may not be stored yet. */
  unsettled(of: QuotaOf): Promise<number>;
  /** Replaces the number of reservations, unless it is no longer the known one. */
  replace(of: QuotaOf, known: Known, taken: number): Promise<void>;
  /** Forgets the numbers of an organization. */
  forget(orgId: string): Promise<void>;
}

/** `granted` reservations, which `holder` settles. If none fits, `known` is the number of all reservations. */
type Taken =
  | { readonly granted: number; readonly holder: string }
  | { readonly granted: 0; readonly known: Known };

/** A number is forgotten after this time, so that it cannot be wrong for ever. In milliseconds. */
const countMs = 300_000;
/** A reservation that was not settled for this time belongs to a process that died. In milliseconds. */
const holdMs = 600_000;

const takeScript = `
  local count = redis.call('HMGET', KEYS[1], 'stamp', 'taken')
  if not count[1] then return {0, '', '0'} end
  local granted = math.min(tonumber(ARGV[2]), tonumber(ARGV[1]) - tonumber(count[2]))
  if granted < 1 then return {0, count[1], count[2]} end
  redis.call('HINCRBY', KEYS[1], 'taken', granted)
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', tonumber(ARGV[4]) - tonumber(ARGV[5]))
  redis.call('ZADD', KEYS[2], ARGV[4], granted .. ':' .. ARGV[3])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
  return {granted, '', '0'}`;

const settleScript = `
  if redis.call('ZREM', KEYS[2], ARGV[1]) == 0 or ARGV[2] == '0' then return 0 end
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return redis.call('HINCRBY', KEYS[1], 'taken', -tonumber(ARGV[2]))`;

const replaceScript = `
  local count = redis.call('HMGET', KEYS[1], 'stamp', 'taken')
  if (count[1] or '') ~= ARGV[1] or (count[2] or '0') ~= ARGV[2] then return 0 end
  redis.call('HSET', KEYS[1], 'stamp', ARGV[3], 'taken', ARGV[4])
  return redis.call('PEXPIRE', KEYS[1], ARGV[5])`;

export function createQuotaReservations({
  redis,
  prefix,
  clock,
}: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
}): QuotaReservations {
  // The braces keep both keys in one slot of a Cluster.
  const keysOf = ({ orgId, kind }: QuotaOf) => {
    const key = `${prefix}:quota:{${encodeURIComponent(orgId)}/${kind}}`;
    return { count: `${key}:count`, open: `${key}:open` };
  };
  return {
    async take(of, { limit, wanted }) {
      const { count, open } = keysOf(of);
      const id = newId();
      const expires = clock.now().getTime() + holdMs;
      const answer = await redis.eval(takeScript, 2, count, open, limit, wanted, id, expires, 2 * holdMs);
      const [granted, stamp, taken] = answer as [number, string, string];
      if (granted > 0) return { granted, holder: `${granted}:${id}` };
      return { granted: 0, known: stamp === '' ? undefined : { stamp, taken: Number(taken) } };
    },
    async settle(of, holder, unused) {
      const { count, open } = keysOf(of);
      await redis.eval(settleScript, 2, count, open, holder, unused);
    },
    async unsettled(of) {
      const { open } = keysOf(of);
      const holders = await redis.zrangebyscore(open, clock.now().getTime(), '+inf');
      return holders.reduce((sum, holder) => sum + Number.parseInt(holder, 10), 0);
    },
    async replace(of, known, taken) {
      const { count } = keysOf(of);
      const before = [known?.stamp ?? '', known?.taken ?? 0] as const;
      await redis.eval(replaceScript, 1, count, ...before, newId(), taken, countMs);
    },
    async forget(orgId) {
      await Promise.all(quotaKinds.map((kind) => redis.del(keysOf({ orgId, kind }).count)));
    },
  };
}
