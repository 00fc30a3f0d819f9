import { hash } from 'node:crypto';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { watchServers } from '#src/platform/redis/redis-servers.js';
import type { TokenOrigin } from './access-token.js';
import { type Revocation, type RevocationsStore, revocationKey } from './revocations.store.js';
import { createStaleBuckets } from './stale-buckets.js';

/** What Redis knows about a token. */
export interface TokenState {
  readonly revoked: boolean;
  /**
   * Stands for the user as it is: another one after each change that was announced. What was read under the same stamp
   * is still so. Absent while Redis is not to be believed.
   */
  readonly stamp?: string;
}

/** Whether tokens are revoked and whether their users were changed, in one round trip to Redis. */
export interface RevocationList {
  check(claims: TokenOrigin): Promise<TokenState>;
  /** The same where it is not known yet when the token was issued: asks now and judges later. */
  lookUp(claims: Omit<TokenOrigin, 'issuedAt'>): Promise<(issuedAt: number) => TokenState>;
  isRevoked(claims: TokenOrigin): Promise<boolean>;
  /** The stamp of a user, as {@link check} tells it. */
  stampOf(sub: string): Promise<string | undefined>;
  /** Announces that a user was changed: call it after the commit. Never fails. */
  restamp(sub: string): Promise<void>;
  /** Writes the lasting record; inside a transaction call {@link publish} after it is committed. */
  record(revocation: Revocation, transaction?: Transaction): Promise<void>;
  publish(revocation: Revocation): Promise<void>;
}

/** Whether one of the tokens that something came of is revoked; asked at once. */
export async function isAnyRevoked(
  revocations: Pick<RevocationList, 'isRevoked'>,
  origins: readonly TokenOrigin[] = [],
): Promise<boolean> {
  const revoked = await Promise.all(origins.map((origin) => revocations.isRevoked(origin)));
  return revoked.includes(true);
}

/** Keys are spread over this many hash slots, so that a Cluster shares the load and each check stays in one slot. */
const bucketCount = 64;

/** How far the clocks of processes and stores may be apart, in milliseconds: revocations outlive tokens by this. */
const skewMs = 120_000;

/** How long an announced change is remembered: longer than anybody keeps what was read before it. */
const stampMs = 600_000;

/** Writes a revocation, unless a later time is there: a refill that read an earlier one may come after it. */
const setLatest = `
  local found = redis.call('GET', KEYS[1])
  if found and tonumber(found) > tonumber(ARGV[1]) then return end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`;

/** Trusts a bucket, unless it was forgotten since its generation was read. */
const setEpoch = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[2], ARGV[2]) end`;

/**
 * MongoDB holds what is revoked, Redis answers. Each bucket has an epoch key that carries the run id of the Redis
 * server that was filled and the generation of the filling. A Redis that was restarted or lost its keys, and a replica
 * that took over, has another epoch or none: then MongoDB is asked, and the bucket is filled again before Redis is
 * trusted. A process that lost its connection drops the epochs
 * when it is back, since it or another may have revoked something in between; one that could not publish drops the
 * epoch of that bucket. The generation goes with the epoch, so that a refill that began before does not bring it back.
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
  const refilling = new Map<number, Promise<void>>();
  const servers = watchServers(redis, () => {
    // What was revoked while Redis could not be told is in MongoDB alone.
    for (let bucket = 0; bucket < bucketCount; bucket++) stale.add(bucket);
  });

  const redisKey = (bucket: number, name: string) => `${prefix}:rev:{${bucket}}:${name}`;

  const epochKey = (bucket: number) => redisKey(bucket, 'epoch');
  const changeKey = (bucket: number, sub: string) => redisKey(bucket, `changed:${sub}`);

  /**
   * A change that could not be announced begins another generation, as does a Redis that lost one. A bucket that is not
   * to be believed is filled again.
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

  /** Fills a bucket in the background, once at a time; a failure leaves MongoDB in charge. */
  function refill(bucket: number, runId: string): void {
    if (refilling.has(bucket)) return;
    const work = (async () => {
      const generationKey = redisKey(bucket, 'generation');
      await redis.set(generationKey, newId(), 'NX');
      const generation = await redis.get(generationKey);
      if (generation === null) return;
      for await (const revocation of store.ofBucket(bucket)) await write(revocation);
      if (stale.has(bucket)) return;
      await redis.eval(setEpoch, 2, generationKey, epochKey(bucket), generation, `${runId} ${generation}`);
    })()
      .catch((error: unknown) => logger.warn({ err: error, bucket }, 'revocations could not be refilled'))
      .finally(() => refilling.delete(bucket));
    refilling.set(bucket, work);
  }

  async function write({ kind, id, sub, issuedUntil, expires }: Revocation): Promise<void> {
    // The whole life of what it ends: what is left of it depends on whose clock is right.
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
    async restamp(sub) {
      const bucket = bucketOf(sub);
      await redis.set(changeKey(bucket, sub), newId(), 'PX', stampMs).catch(() => stale.add(bucket));
    },
    publish,
    record({ expires, ...revocation }, transaction) {
      const lasting = { ...revocation, expires: new Date(expires.getTime() + skewMs) };
      return store.put(bucketOf(revocation.sub), lasting, transaction);
    },
  };
}

/** Whether it is about all that a user was given until then. */
function ofUser(name: string): boolean {
  return name.startsWith('user:');
}

function bucketOf(sub: string): number {
  return (hash('sha1', sub, 'buffer')[0] ?? 0) % bucketCount;
}
