import type { Logger } from '../logger.js';
import { type Mongo, openMongo } from '../mongo/mongo.js';
import { type Caches, createCaches } from '../redis/cache.js';
import { connectRedis, connectSubscriber, type RedisConnection, whenReady } from '../redis/redis.js';
import { traceRedis } from '../redis/trace-redis.js';

type OpenMongoOptions = Parameters<typeof openMongo>[0];

interface OpenPlatformDeps {
  readonly config: {
    readonly mongodbUrl: string;
    readonly mongodbDatabase: string;
    readonly mongodbPoolSize: number;
    readonly redisUrl: string;
    readonly redisPrefix: string;
  };
  readonly logger: Logger;
  readonly indexes: NonNullable<OpenMongoOptions['indexes']>;
  readonly tracing: OpenMongoOptions['tracing'];
  readonly connectionTaken: OpenMongoOptions['connectionTaken'];
  readonly transactionRefused: OpenMongoOptions['transactionRefused'];
}

/** What the room offers: the connections to the stores. */
export interface OpenedPlatform {
  readonly mongo: Mongo;
  readonly redis: RedisConnection;
  readonly caches: Caches;
  close(): Promise<void>;
}

/** How long a process waits for Redis at its start, in milliseconds. */
const redisWaitMs = 5_000;

/** Connects to MongoDB and Redis. @throws StartFailure if one of them does not answer */
export async function openPlatform(deps: OpenPlatformDeps): Promise<OpenedPlatform> {
  const { config, logger, tracing } = deps;
  const mongo = await openMongo({
    url: config.mongodbUrl,
    database: config.mongodbDatabase,
    poolSize: config.mongodbPoolSize,
    connectionTaken: deps.connectionTaken,
    transactionRefused: deps.transactionRefused,
    tracing,
    warn: (message) => logger.warn(message),
    indexes: deps.indexes,
  });
  const connected = connectRedis(config.redisUrl, 'failFast', { gather: true });
  const redis = tracing ? traceRedis(connected, tracing) : connected;
  const subscriber = connectSubscriber(config.redisUrl);
  for (const connection of [redis, subscriber])
    connection.on('error', (error: Error) => logger.warn({ err: error }, 'Redis connection failed'));
  const close = async () => {
    subscriber.disconnect();
    redis.disconnect();
    await mongo.close();
  };
  try {
    await whenReady(redis, redisWaitMs);
  } catch (error) {
    await close();
    throw error;
  }
  const caches = createCaches(redis, subscriber, config.redisPrefix);
  return {
    mongo,
    redis,
    caches,
    async close() {
      caches.close();
      await close();
    },
  };
}
