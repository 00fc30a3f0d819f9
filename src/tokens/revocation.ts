import { createHash } from 'node:crypto';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import type { Transaction } from '#src/platform/mongo.js';
import type { RedisConnection } from '#src/platform/redis.js';
import type { AccessTokenClaims } from './access-token.js';
import { type Revocation, type RevocationsStore, revocationKey } from './revocations.store.js';
import { createStaleBuckets } from './stale-buckets.js';

/** Whether tokens are revoked, in one round trip to Redis. */
export interface RevocationList {
  isRevoked(
    claims: Pick<AccessTokenClaims, 'jti' | 'sub' | 'family' | 'session' | 'issuedAt'>,
  ): Promise<boolean>;
  /** Writes the lasting record; inside a transaction call {@link publish} after it is committed. */
  record(revocation: Revocation, transaction?: Transaction): Promise<void>;
  publish(revocation: Revocation): Promise<void>;
}

/** Keys are spread over this many hash slots, so that a Cluster shares the load and each check stays in one slot. */
const bucketCount = 64;

/** Trusts a bucket, unless it was forgotten since its generation was read. */
const setEpoch = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[2], ARGV[2]) end`;

/**
 * MongoDB holds what is revoked, Redis answers. Each bucket has an epoch key that carries the run id of the Redis
 * server that was filled. A Redis that was restarted or lost its keys has another epoch or none: then MongoDB is
 * asked, and the bucket is filled again before Redis is trusted. A process that lost its connection drops the epochs
 * when it is back, since it or another may have revoked something in between; one that could not publish drops the
 * epoch of that bucket. The generation goes with the epoch, so that a refill that began before does not bring it back.
 */
export function createRevocationList(deps: {
  redis: RedisConnection;
  store: RevocationsStore;
  clock: Clock;
  logger: Logger;
  prefix: string;
}): RevocationList {
  const { redis, store, clock, logger, prefix } = deps;
  const runId = trackRunId(redis);
  const stale = createStaleBuckets({
    logger,
    forget: (bucket) => redis.unlink(redisKey(bucket, 'epoch'), redisKey(bucket, 'generation')),
    isClosed: () => redis.status === 'end',
  });
  const refilling = new Map<number, Promise<void>>();
  let wasAway = false;
  redis.on('close', () => {
    wasAway = true;
  });
  redis.on('ready', () => {
    // What was revoked while Redis could not be told is in MongoDB alone.
    if (wasAway) for (let bucket = 0; bucket < bucketCount; bucket++) stale.add(bucket);
    wasAway = false;
  });

  const redisKey = (bucket: number, name: string) => `${prefix}:rev:{${bucket}}:${name}`;

  async function isRevoked(claims: Parameters<RevocationList['isRevoked']>[0]): Promise<boolean> {
    const bucket = bucketOf(claims.sub);
    const names = [
      revocationKey('token', claims.jti),
      revocationKey('user', claims.sub),
      ...(claims.family === undefined ? [] : [revocationKey('family', claims.family)]),
      ...(claims.session === undefined ? [] : [revocationKey('session', claims.session)]),
    ];
    const [epoch, ...found] = await redis.mget(
      redisKey(bucket, 'epoch'),
      ...names.map((name) => redisKey(bucket, name)),
    );
    const applies = (name: string, issuedUntil: number) =>
      !name.startsWith('user:') || claims.issuedAt <= issuedUntil;
    if (names.some((name, index) => found[index] != null && applies(name, Number(found[index])))) return true;
    const current = stale.has(bucket) ? undefined : runId();
    if (epoch != null && epoch === current) return false;
    if (current !== undefined) refill(bucket, current);
    const recorded = await store.find(names);
    return recorded.some((revocation) =>
      applies(revocationKey(revocation.kind, revocation.id), revocation.issuedUntil),
    );
  }

  /** Fills a bucket in the background, once at a time; a failure leaves MongoDB in charge. */
  function refill(bucket: number, epoch: string): void {
    if (refilling.has(bucket)) return;
    const work = (async () => {
      const generationKey = redisKey(bucket, 'generation');
      await redis.set(generationKey, newId(), 'NX');
      const generation = await redis.get(generationKey);
      if (generation === null) return;
      for await (const revocation of store.ofBucket(bucket)) await write(revocation);
      if (stale.has(bucket)) return;
      await redis.eval(setEpoch, 2, generationKey, redisKey(bucket, 'epoch'), generation, epoch);
    })()
      .catch((error: unknown) => logger.warn({ err: error, bucket }, 'revocations could not be refilled'))
      .finally(() => refilling.delete(bucket));
    refilling.set(bucket, work);
  }

  async function write({ kind, id, sub, issuedUntil, expires }: Revocation): Promise<void> {
    const life = expires.getTime() - clock.now().getTime();
    if (life <= 0) return;
    await redis.set(redisKey(bucketOf(sub), revocationKey(kind, id)), String(issuedUntil), 'PX', life);
  }

  async function publish(revocation: Revocation): Promise<void> {
    try {
      await write(revocation);
    } catch (error) {
      await stale.add(bucketOf(revocation.sub));
      throw error;
    }
  }

  return {
    isRevoked,
    publish,
    record: (revocation, transaction) => store.put(bucketOf(revocation.sub), revocation, transaction),
  };
}

function bucketOf(sub: string): number {
  return (createHash('sha1').update(sub).digest()[0] ?? 0) % bucketCount;
}

/**
 * The run id of the connected server, undefined while it is not known. A Cluster has many servers and its epoch
 * keys say only that the keys are still there.
 */
function trackRunId(redis: RedisConnection): () => string | undefined {
  if ('nodes' in redis) return () => 'cluster';
  let runId: string | undefined;
  const read = () => {
    redis
      .info('server')
      .then((info) => {
        runId = /^run_id:(\w+)/m.exec(info)?.[1] ?? 'unknown';
      })
      // A server that forbids INFO is known by its keys alone; one that is away is asked again when it is back.
      .catch((error: unknown) => {
        runId = error instanceof Error && error.name === 'ReplyError' ? 'unknown' : undefined;
      });
  };
  redis.on('close', () => {
    runId = undefined;
  });
  redis.on('ready', read);
  if (redis.status === 'ready') read();
  return () => runId;
}
