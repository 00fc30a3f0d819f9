import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { JobKind } from './catalogue.js';

/**
 * The order in which jobs of several organizations begin. A job gets the number of a round; lower rounds begin first,
 * and an organization has one job in each round, however many it hands over at once.
 */
export interface Turns {
  /** The round of a job that is handed over now; undefined when the queue has the job already. */
  next(kind: JobKind, job: { jobId: string; orgId: string }): Promise<number | undefined>;
  /** A job of this round begins: none that is handed over later comes before it. */
  began(kind: JobKind, round: number): Promise<void>;
  /** No job waits: rounds are counted from the start again. */
  reset(kind: JobKind): Promise<void>;
}

/** The greatest priority that BullMQ knows; later jobs begin in the order of their coming. */
const greatestRound = 2 ** 21 - 1;
/** How long rounds are remembered while nothing happens, in seconds. */
const memorySeconds = 24 * 3600;

const nextScript = `
  if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
  local present = tonumber(redis.call('HGET', KEYS[1], 'present') or 0)
  local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
  local round = math.min(math.max(present, last) + 1, tonumber(ARGV[2]))
  redis.call('HSET', KEYS[1], ARGV[1], round)
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  return round`;

const beganScript = `
  local present = tonumber(redis.call('HGET', KEYS[1], 'present') or 0)
  if tonumber(ARGV[1]) > present and redis.call('EXISTS', KEYS[1]) == 1 then
    redis.call('HSET', KEYS[1], 'present', ARGV[1])
  end`;

/** @param queuePrefix what the keys of all queues begin with, so that a Cluster keeps them in one slot */
export function createTurns(redis: RedisConnection, queuePrefix: string): Turns {
  const key = (kind: JobKind) => `${queuePrefix}:turns:${kind}`;
  return {
    async next(kind, { jobId, orgId }) {
      const queued = `${queuePrefix}:${kind}:${jobId}`;
      const field = `of:${orgId}`;
      const round = await redis.eval(nextScript, 2, key(kind), queued, field, greatestRound, memorySeconds);
      return Number(round) || undefined;
    },
    async began(kind, round) {
      await redis.eval(beganScript, 1, key(kind), round);
    },
    async reset(kind) {
      await redis.unlink(key(kind));
    },
  };
}
