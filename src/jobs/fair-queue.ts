import type { RedisConnection } from '#src/platform/redis/redis.js';
import { type JobDefinition, jobCatalogue } from './catalogue.js';
import type { Job } from './job.js';

/**
 * The order in which jobs of several organizations begin. Each job queues under one organization and gets the number of
 * a round. Lower rounds begin first. An organization has one job of each kind in a round, however many it submits at once. If the kind
 * has a head start, an organization that had no job waiting has three in a round for a while: `JobDefinition.headStart`.
 */
interface FairQueue {
  /** The round of a job that is queued at this moment. Undefined if the queue has the job already. */
  nextRound(job: QueueEntry): Promise<number | undefined>;
  /** A job of this round begins. Jobs that are queued later get a higher round. */
  advanceTo(kind: Job['kind'], round: number): Promise<void>;
  /** Counts rounds from the start again. Called when no job waits. */
  reset(kind: Job['kind']): Promise<void>;
}

/** The part of a job that the queue needs. */
export type QueueEntry = Pick<Job, 'id' | 'kind' | 'queuedUnder'>;

/** The highest priority number of BullMQ. Jobs of this round begin in the order in which they were queued. */
const lastRound = 2 ** 21 - 1;
/** Redis keeps the rounds of a kind for this time after the last change, in seconds. */
const memorySeconds = 24 * 3600;

const nextScript = `
  if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
  local present = tonumber(redis.call('HGET', KEYS[1], 'present') or 0)
  local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
  local headStart = tonumber(ARGV[4])
  local step = 1
  if headStart > 0 then
    local had = last > present and tonumber(redis.call('HGET', KEYS[1], ARGV[5]) or 0) or 0
    if had >= headStart then step = 3 end
    redis.call('HSET', KEYS[1], ARGV[5], had + 1)
  end
  local round = math.min(math.max(present, last) + step, tonumber(ARGV[2]))
  redis.call('HSET', KEYS[1], ARGV[1], round)
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  return round`;

const advanceScript = `
  local present = tonumber(redis.call('HGET', KEYS[1], 'present') or 0)
  if tonumber(ARGV[1]) > present and redis.call('EXISTS', KEYS[1]) == 1 then
    redis.call('HSET', KEYS[1], 'present', ARGV[1])
  end`;

/** @param queuePrefix the beginning of the keys of all queues, so that a Cluster keeps them in one slot */
export function createFairQueue(redis: RedisConnection, queuePrefix: string): FairQueue {
  // The keys keep their older name: processes of two versions share them during an upgrade.
  const key = (kind: Job['kind']) => `${queuePrefix}:turns:${kind}`;
  return {
    async nextRound({ kind, id, queuedUnder }) {
      const queued = `${queuePrefix}:${kind}:${id}`;
      const { headStart = 0 }: JobDefinition = jobCatalogue[kind];
      const [ofLast, ofCount] = [`of:${queuedUnder}`, `had:${queuedUnder}`];
      const given = [ofLast, lastRound, memorySeconds, headStart, ofCount];
      const round = await redis.eval(nextScript, 2, key(kind), queued, ...given);
      return Number(round) || undefined;
    },
    async advanceTo(kind, round) {
      await redis.eval(advanceScript, 1, key(kind), round);
    },
    async reset(kind) {
      await redis.unlink(key(kind));
    },
  };
}
