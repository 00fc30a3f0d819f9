import Type from 'typebox';
import { count, type Settings } from './setting.js';

/** MongoDB and Redis. */
export const storesSettings = {
  mongodbUrl: {
    env: 'MONGODB_URL',
    schema: Type.String({ pattern: '^mongodb(\\+srv)?://' }),
    secret: true,
    about:
      'Connection string of MongoDB: a replica set or a sharded cluster, because transactions are required.',
  },
  mongodbDatabase: {
    env: 'MONGODB_DATABASE',
    schema: Type.String({ pattern: '^[A-Za-z0-9_-]{1,38}$' }),
    default: 'muster',
    about: 'Name of the database.',
  },
  mongodbPoolSize: {
    env: 'MONGODB_POOL_SIZE',
    schema: count(1, 10_000),
    default: 50,
    about: 'Largest number of connections to MongoDB per process.',
  },
  redisUrl: {
    env: 'REDIS_URL',
    schema: Type.String({ pattern: '^rediss?(-sentinel|-cluster)?://' }),
    secret: true,
    about:
      'Address of Redis: redis://host:port, redis-cluster://host:port,host:port or ' +
      'redis-sentinel://host:port,host:port/master-name. With TLS: rediss://, rediss-cluster:// and ' +
      'rediss-sentinel://.',
  },
  redisPrefix: {
    env: 'REDIS_PREFIX',
    schema: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
    default: 'muster',
    about: 'First part of every Redis key. Instances with different prefixes can share one Redis.',
  },
} as const satisfies Settings;
