import { createMembershipsStore } from '#src/access/memberships/index.js';
import type { Config } from '#src/config.js';
import { checkMasterKeys } from '#src/keys/check-master-keys.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import { createSigningKeysStore } from '#src/keys/signing-keys.store.js';
import { type Mongo, openMongo } from '#src/platform/mongo/mongo.js';
import { connectRedis, type RedisConnection, whenReady } from '#src/platform/redis/redis.js';
import type { ClockReading } from './check-clock.js';
import { type Finding, messageOf } from './finding.js';

/** What a store says about itself, and the time on its clock. */
interface StoreCheck {
  readonly findings: readonly Finding[];
  readonly clock?: ClockReading;
}

const redisReadyMs = 5_000;

/** Checks MongoDB. It makes no indexes and writes nothing. */
export async function checkMongo(config: Config): Promise<StoreCheck> {
  const findings: Finding[] = [];
  const warn = (text: string) =>
    findings.push({ check: 'mongodb', state: 'warning', text, remedy: 'Remove w from MONGODB_URL.' });
  let mongo: Mongo;
  try {
    mongo = await openMongo({ url: config.mongodbUrl, database: config.mongodbDatabase, poolSize: 2, warn });
  } catch (error) {
    return {
      findings: [
        {
          check: 'mongodb',
          state: 'failed',
          text: messageOf(error),
          remedy:
            'Check that MONGODB_URL names a replica set that this machine reaches, and a user with readWrite.',
        },
      ],
    };
  }
  try {
    const began = Date.now();
    const { localTime } = await mongo.db.command({ hello: 1 });
    const ended = Date.now();
    const text = `answers in ${ended - began} ms, with transactions`;
    findings.unshift({ check: 'mongodb', state: 'ok', text }, ...(await checkContent(mongo, config)));
    return { findings, clock: { of: 'MongoDB', began, ended, time: new Date(localTime).getTime() } };
  } finally {
    await mongo.close();
  }
}

/** Checks that the data is of an instance, and of the configured master keys. */
async function checkContent(mongo: Mongo, config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const owners = await createMembershipsStore(mongo).page(undefined, { limit: 1 });
  if (owners.length === 0) {
    findings.push({
      check: 'mongodb',
      state: 'warning',
      text: `The database ${config.mongodbDatabase} has no owner of the instance`,
      remedy: 'Run muster init. If you expected data, check MONGODB_DATABASE.',
    });
  }
  try {
    const sealer = createSealer(parseMasterKeys(config.masterKeys), 'signing-key');
    await checkMasterKeys({ store: createSigningKeysStore(mongo), sealer });
  } catch (error) {
    findings.push({
      check: 'mongodb',
      state: 'failed',
      text: messageOf(error),
      remedy:
        '/docs/operations of the service says how keys are replaced. Nothing opens what a lost key sealed.',
    });
  }
  return findings;
}

/** Checks Redis. It writes nothing. */
export async function checkRedis(config: Config): Promise<StoreCheck> {
  const redis = connectRedis(config.redisUrl, 'failFast');
  // `whenReady` tells the last error.
  redis.on('error', () => undefined);
  try {
    await whenReady(redis, redisReadyMs);
    const began = Date.now();
    const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number);
    const ended = Date.now();
    const ok: Finding = { check: 'redis', state: 'ok', text: `answers in ${ended - began} ms` };
    return {
      findings: [ok, ...(await checkEviction(redis))],
      clock: { of: 'Redis', began, ended, time: seconds * 1000 + microseconds / 1000 },
    };
  } catch (error) {
    return {
      findings: [
        {
          check: 'redis',
          state: 'failed',
          text: messageOf(error),
          remedy: 'Check that REDIS_URL names a Redis that this machine reaches, with its user and password.',
        },
      ],
    };
  } finally {
    redis.disconnect();
  }
}

/** Redis must not evict keys. A hosted Redis may hide the setting. */
async function checkEviction(redis: RedisConnection): Promise<Finding[]> {
  const answer = await redis.config('GET', 'maxmemory-policy').catch(() => undefined);
  const policy = Array.isArray(answer) ? String(answer[1]) : undefined;
  if (policy === 'noeviction') return [];
  return [
    {
      check: 'redis',
      state: 'warning',
      text:
        policy === undefined
          ? 'It does not tell its maxmemory-policy'
          : `Its maxmemory-policy is ${policy}, so it may forget revoked tokens and jobs`,
      remedy: 'Set maxmemory-policy to noeviction.',
    },
  ];
}
