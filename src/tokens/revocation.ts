import type { Logger } from '#src/platform/logger.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { TokenOrigin } from './access-token-claims.js';
import { bucketKeysOf, revocationBucket } from './revocation-buckets.js';
import { type Revocation, type RevocationsStore, revocationKey } from './revocations.store.js';
import { createStamps, type Stamps } from './stamps.js';
import { createTrustedBuckets } from './trusted-buckets.js';

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
export interface RevocationList extends Stamps {
  check(claims: TokenOrigin): Promise<TokenState>;
  /** Like {@link check}, before the time of issue is known: it reads at once and judges later. */
  lookUp(claims: Omit<TokenOrigin, 'issuedAt'>): Promise<(issuedAt: number) => TokenState>;
  isRevoked(claims: TokenOrigin): Promise<boolean>;
  /** Writes the lasting record. Inside a transaction, call {@link publish} after the commit. */
  record(revocation: Revocation, transaction?: Transaction): Promise<void>;
  /** {@link record} for several revocations. */
  recordAll(revocations: readonly Revocation[], transaction: Transaction): Promise<void>;
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
 * How far the clocks of processes and stores may differ, in milliseconds. Revocations outlive their tokens by
 * this.
 */
const skewMs = 120_000;

/**
 * Writes a revocation, unless a later time is stored. A refill may write an earlier time that it read before.
 */
const setLatest = `
  local found = redis.call('GET', KEYS[1])
  if found and tonumber(found) > tonumber(ARGV[1]) then return end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`;

/**
 * MongoDB holds the revocations, and Redis answers. While Redis is not trusted, MongoDB answers; see {@link createTrustedBuckets}.
 * A process that could not publish a revocation stops trusting its bucket.
 */
export function createRevocationList(deps: {
  redis: RedisConnection;
  store: RevocationsStore;
  logger: Logger;
  prefix: string;
}): RevocationList {
  const { redis, store, logger, prefix } = deps;
  const keys = bucketKeysOf(prefix);
  const trusted = createTrustedBuckets({ redis, store, logger, keys, write });

  async function lookUp(claims: Omit<TokenOrigin, 'issuedAt'>): Promise<(issuedAt: number) => TokenState> {
    const bucket = revocationBucket(claims.sub);
    const names = [
      revocationKey('token', claims.jti),
      revocationKey('user', claims.sub),
      ...(claims.family === undefined ? [] : [revocationKey('family', claims.family)]),
      ...(claims.session === undefined ? [] : [revocationKey('session', claims.session)]),
    ];
    const [epoch, change, ...found] = await redis.mget(
      keys.epoch(bucket),
      keys.change(bucket, claims.sub),
      ...names.map((name) => keys.revocation(bucket, name)),
    );
    const entries = names.flatMap((name, index) =>
      found[index] == null ? [] : [[name, Number(found[index])] as const],
    );
    const stamp = trusted.stampIn(bucket, epoch, change);
    const isCertain = entries.some(([name]) => !ofUser(name));
    const recorded = stamp === undefined && !isCertain ? await store.find(names) : [];
    for (const { kind, id, issuedUntil } of recorded) entries.push([revocationKey(kind, id), issuedUntil]);
    return (issuedAt) => {
      const revoked = entries.some(([name, until]) => !ofUser(name) || issuedAt <= until);
      return { revoked, ...(stamp !== undefined && !revoked && { stamp }) };
    };
  }

  const check = async (claims: TokenOrigin) => (await lookUp(claims))(claims.issuedAt);

  async function write({ kind, id, sub, issuedUntil, expires }: Revocation): Promise<void> {
    // The whole life of the revoked token. How much of it remains depends on whose clock is right.
    const life = Math.max(0, Math.ceil(expires.getTime() - issuedUntil * 1000)) + skewMs;
    const key = keys.revocation(revocationBucket(sub), revocationKey(kind, id));
    await redis.eval(setLatest, 1, key, String(issuedUntil), life);
  }

  return {
    check,
    lookUp,
    isRevoked: async (claims) => (await check(claims)).revoked,
    ...createStamps({ redis, trusted, keys }),
    async publish(revocation) {
      try {
        await write(revocation);
      } catch (error) {
        await trusted.distrust(revocationBucket(revocation.sub));
        throw error;
      }
    },
    record: (revocation, transaction) =>
      store.put(revocationBucket(revocation.sub), lasting(revocation), transaction),
    recordAll: (revocations, transaction) =>
      store.putAll(
        revocations.map((one) => ({ bucket: revocationBucket(one.sub), revocation: lasting(one) })),
        transaction,
      ),
  };
}

/** As it is recorded: clocks differ. */
function lasting({ expires, ...revocation }: Revocation): Revocation {
  return { ...revocation, expires: new Date(expires.getTime() + skewMs) };
}

/** Whether the revocation is about all tokens that a user got until a time. */
function ofUser(name: string): boolean {
  return name.startsWith('user:');
}
