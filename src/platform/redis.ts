import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** A connection to one Redis, a Sentinel group or a Cluster. */
export type RedisConnection = Redis | Cluster;

/**
 * How a connection behaves while Redis is away:
 * `failFast` rejects at once, for work that a client waits for; `patient` queues and retries for ever, for
 * workers and subscribers.
 */
export type RedisPatience = 'failFast' | 'patient';

type Options = Omit<RedisOptions, 'replyMapping'>;

const behaviours: Record<RedisPatience, Options> = {
  failFast: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    connectTimeout: 3_000,
  },
  patient: { maxRetriesPerRequest: null, connectTimeout: 3_000 },
};

/**
 * Opens a connection. Reconnects for ever with a short back-off.
 * @param gather sends what is asked in one turn of the event loop as one message: for requests, not for queues
 * @param url `redis://`, `rediss://`, `redis-cluster://host:port,...` or `redis-sentinel://host:port,.../name`
 */
export function connectRedis(
  url: string,
  patience: RedisPatience,
  { gather = false }: { gather?: boolean } = {},
): RedisConnection {
  const options: Options = {
    ...behaviours[patience],
    enableAutoPipelining: gather,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  };
  const { scheme, hosts, path, credentials } = parseRedisUrl(url);
  if (scheme === 'redis-cluster') {
    return new Cluster(hosts, {
      enableOfflineQueue: patience === 'patient',
      enableAutoPipelining: gather,
      redisOptions: { ...options, ...credentials },
      clusterRetryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
    });
  }
  if (scheme === 'redis-sentinel') {
    return new Redis({ ...options, ...credentials, sentinels: hosts, name: path || 'mymaster' });
  }
  return new Redis(url, options);
}

/** Waits until the connection can be used. Fails after `timeoutMs`. */
export async function whenReady(redis: RedisConnection, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Redis does not answer')), timeoutMs);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function parseRedisUrl(url: string) {
  const match = /^([a-z-]+):\/\/(?:([^@/]*)@)?([^/]*)(?:\/(.*))?$/.exec(url);
  const [username, password] = (match?.[2] ?? '').split(':').map(decodeURIComponent);
  return {
    scheme: match?.[1] ?? 'redis',
    hosts: (match?.[3] ?? '').split(',').map((hostPort) => {
      const colon = hostPort.lastIndexOf(':');
      return colon < 0
        ? { host: hostPort, port: 6379 }
        : { host: hostPort.slice(0, colon), port: Number(hostPort.slice(colon + 1)) };
    }),
    path: match?.[4] ?? '',
    credentials: {
      ...(username ? { username } : {}),
      ...(password ? { password } : {}),
    },
  };
}
