import { hash } from 'node:crypto';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { watchServers } from '#src/platform/redis/redis-servers.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import type { TokenOrigin } from './access-token-claims.js';
import { type Revocation, type RevocationsStore, revocationKey } from './revocations.store.js';
import { createStaleBuckets } from './stale-buckets.js';

/** The state of a token. */
interface TokenState {
  readonly revoked: boolean;
  /**
   * Identifies the current version of the user. It changes with each announced change, so data that was read
   * under the same stamp is current. It is absent while Redis is not trusted.
   */
  readonly stamp?: string;
}

/** Tells in one round trip to Redis whether a token is revoked and whether its user was changed. */
export interface RevocationList {
  check(claims: TokenOrigin): Promise<TokenState>;
  /** Like {@link check}, before the time of issue is known: it reads at once and judges later. */
  lookUp(claims: Omit<TokenOrigin, 'issuedAt'>): Promise<(issuedAt: number) => TokenState>;
  isRevoked(claims: TokenOrigin): Promise<boolean>;
  /** The stamp of a user, as in {@link TokenState}. */
  stampOf(sub: string): Promise<string | undefined>;
  /** Announces a change of each of these users. Call it after the commit. It never fails. */
  restamp(...subs: string[]): Promise<void>;
  /** Writes the lasting record. Inside a transaction, call {@link publish} after the commit. */
  record(revocation: Revocation, transaction?: Transaction): Promise<void>;
  publish(revocation: Revocation): Promise<void>;
}

/** Whether one of these tokens is revoked. All are checked in parallel. */
export async function isAnyRevoked(
  revocations: Pick<RevocationList, 'isRevoked'>,
  origins: readonly TokenOrigin[] = [],
): Promise<boolean> {
  const revoked = await Promise.all(origins.map((origin) => revocations.isRevoked(origin)));
  return revoked.includes(true);
}

/**
 * Keys are spread over this many hash slots, so that a Cluster shares the load. Each check needs only one
 * slot.
 */
const bucketCount = 64;

/**
 * How far the clocks of processes and stores may differ, in milliseconds. Revocations outlive their tokens by
 * this.
 */
const skewMs = 120_000;

/** How long an announced change is remembered. No process keeps older data. */
const stampMs = 600_000;

/**
 * Writes a revocation, unless a later time is stored. A refill may write an earlier time that it read before.
 */
const setLatest = `
  local found = redis.call('GET', KEYS[1])
  if found and tonumber(found) > tonumber(ARGV[1]) then return end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`;

/** Marks a bucket as trusted, unless the bucket was dropped since its generation was read. */
const setEpoch = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[2], ARGV[2]) end`;

/** Gives each of several users of a bucket the same new stamp. */
const setStamps = `
  for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end`;

/**
 * MongoDB holds the revocations, and Redis answers. Each bucket has an epoch key with the run id of the Redis
 * server that was filled, and the generation of the filling. A restarted Redis, a Redis without its keys and
 * a promoted replica have another epoch or none. Then MongoDB answers, and the bucket is filled again before
 * Redis is trusted.
 *
 * A process that lost its connection to Redis drops all epochs when it is back, because any process may have
 * revoked something in between. A process that could not publish a revocation drops the epoch of that bucket.
 * The generation is dropped with the epoch, so that a refill that began earlier cannot restore it.
 */
export function createRevocationList(deps: {
  redis: RedisConnection;
  store: RevocationsStore;
  logger: Logger;
  prefix: string;
}): RevocationList {
  const { redis, store, logger, prefix } = deps;
  const stale = createStaleBuckets({
    logger,
    forget: (bucket) => redis.unlink(epochKey(bucket), redisKey(bucket, 'generation')),
    isClosed: () => redis.status === 'end',
  });
  const refillOnce = createSingleFlight<number, void>();
  const servers = watchServers(redis, () => {
    // Revocations that could not reach Redis are only in MongoDB.
    for (let bucket = 0; bucket < bucketCount; bucket++) stale.add(bucket);
  });

  const redisKey = (bucket: number, name: string) => `${prefix}:rev:{${bucket}}:${name}`;

  const epochKey = (bucket: number) => redisKey(bucket, 'epoch');
  const changeKey = (bucket: number, sub: string) => redisKey(bucket, `changed:${sub}`);

  /**
   * The stamp of a user in a bucket. A change that could not be announced begins another generation, and so
   * does a Redis that lost it. A bucket that is not trusted is filled again.
   */
  function stampIn(bucket: number, epoch: string | null = null, change: string | null = null) {
    const current = stale.has(bucket) ? undefined : servers.runIdFor(epochKey(bucket));
    if (current === undefined) return undefined;
    if (epoch?.startsWith(`${current} `)) return `${epoch} ${change ?? ''}`;
    refill(bucket, current);
    return undefined;
  }

  async function lookUp(claims: Omit<TokenOrigin, 'issuedAt'>): Promise<(issuedAt: number) => TokenState> {
    const bucket = bucketOf(claims.sub);
    const names = [
      revocationKey('token', claims.jti),
      revocationKey('user', claims.sub),
      ...(claims.family === undefined ? [] : [revocationKey('family', claims.family)]),
      ...(claims.session === undefined ? [] : [revocationKey('session', claims.session)]),
    ];
    const [epoch, change, ...found] = await redis.mget(
      epochKey(bucket),
      changeKey(bucket, claims.sub),
      ...names.map((name) => redisKey(bucket, name)),
    );
    const told = names.flatMap((name, index) =>
      found[index] == null ? [] : [[name, Number(found[index])] as const],
    );
    const stamp = stampIn(bucket, epoch, change);
    const isCertain = told.some(([name]) => !ofUser(name));
    const recorded = stamp === undefined && !isCertain ? await store.find(names) : [];
    for (const { kind, id, issuedUntil } of recorded) told.push([revocationKey(kind, id), issuedUntil]);
    return (issuedAt) => {
      const revoked = told.some(([name, until]) => !ofUser(name) || issuedAt <= until);
      return { revoked, ...(stamp !== undefined && !revoked && { stamp }) };
    };
  }

  const check = async (claims: TokenOrigin) => (await lookUp(claims))(claims.issuedAt);

  /** Fills a bucket in the background, one fill at a time. If the fill fails, MongoDB keeps answering. */
  function refill(bucket: number, runId: string): void {
    void refillOnce(bucket, async () => {
      try {
        const generationKey = redisKey(bucket, 'generation');
        await redis.set(generationKey, newId(), 'NX');
        const generation = await redis.get(generationKey);
        if (generation === null) return;
        for await (const revocation of store.ofBucket(bucket)) await write(revocation);
        if (stale.has(bucket)) return;
        await redis.eval(setEpoch, 2, generationKey, epochKey(bucket), generation, `${runId} ${generation}`);
      } catch (error) {
        logger.warn({ err: error, bucket }, 'revocations could not be refilled');
      }
    });
  }

  /**
   * One script per bucket, because 1,000 single SETs take longer than the write of 1,000 members. All keys are in one hash slot, as a
   * Cluster requires.
   */
  async function setStampsOf(keys: readonly string[]): Promise<void> {
    const [key] = keys;
    if (key !== undefined && keys.length === 1) await redis.set(key, newId(), 'PX', stampMs);
    else await redis.eval(setStamps, keys.length, ...keys, newId(), stampMs);
  }

  async function write({ kind, id, sub, issuedUntil, expires }: Revocation): Promise<void> {
    // The whole life of the revoked token. How much of it remains depends on whose clock is right.
    const life = Math.max(0, Math.ceil(expires.getTime() - issuedUntil * 1000)) + skewMs;
    const key = redisKey(bucketOf(sub), revocationKey(kind, id));
    await redis.eval(setLatest, 1, key, String(issuedUntil), life);
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
    check,
    lookUp,
    isRevoked: async (claims) => (await check(claims)).revoked,
    async stampOf(sub) {
      const bucket = bucketOf(sub);
      const [epoch, change] = await redis.mget(epochKey(bucket), changeKey(bucket, sub));
      return stampIn(bucket, epoch, change);
    },
    async restamp(...subs) {
      await Promise.all(
        [...byBucket(subs)].map(async ([bucket, some]) => {
          const keys = some.map((sub) => changeKey(bucket, sub));
          await setStampsOf(keys).catch(() => stale.add(bucket));
        }),
      );
    },
    publish,
    record({ expires, ...revocation }, transaction) {
      const lasting = { ...revocation, expires: new Date(expires.getTime() + skewMs) };
      return store.put(bucketOf(revocation.sub), lasting, transaction);
    },
  };
}

/** Whether the revocation is about all tokens that a user got until a time. */
function ofUser(name: string): boolean {
  return name.startsWith('user:');
}

function byBucket(subs: readonly string[]): Map<number, string[]> {
  const buckets = new Map<number, string[]>();
  for (const sub of subs) {
    const bucket = bucketOf(sub);
    const list = buckets.get(bucket);
    if (list === undefined) buckets.set(bucket, [sub]);
    else list.push(sub);
  }
  return buckets;
}

function bucketOf(sub: string): number {
  return (hash('sha1', sub, 'buffer')[0] ?? 0) % bucketCount;
}
