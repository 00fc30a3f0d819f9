import { type Cluster, Redis, type RedisOptions } from 'ioredis';
import { StartError } from '../start-failure.js';
import { connectCluster } from './connect-cluster.js';

/** A connection to one Redis, a Sentinel group or a Cluster. */
export type RedisConnection = Redis | Cluster;

/**
 * How a connection behaves while Redis is away. `failFast` rejects at once, for work that a client waits for.
 * `patient` queues and retries for ever, for workers and subscribers.
 */
type RedisPatience = 'failFast' | 'patient';

type Options = Omit<RedisOptions, 'replyMapping'>;

/**
 * Each has a limit for silence while a response is due. It closes and reopens a connection that a firewall or
 * a dead machine dropped silently. Blocking commands of patient connections wait in Redis for up to 10
 * seconds.
 */
const behaviours: Record<RedisPatience, Options> = {
  failFast: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    socketTimeout: 5_000,
    connectTimeout: 3_000,
  },
  patient: { maxRetriesPerRequest: null, socketTimeout: 30_000, connectTimeout: 3_000 },
};

/** How often a subscriber, which otherwise only listens, expects a response. */
const heartbeatMs = 10_000;

/**
 * Opens a connection. It reconnects for ever, with a short back-off.
 * @param gather sends the commands of one turn of the event loop as one message: for requests, not for queues
 * @param url `redis://host:port`, `redis-cluster://host:port,...` or `redis-sentinel://host:port,.../name`;
 * with `rediss` instead of `redis` it uses TLS
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
  const { kind, hosts, path, access } = parseRedisUrl(url);
  if (kind === 'cluster') {
    return connectCluster(hosts, {
      enableOfflineQueue: patience === 'patient',
      enableAutoPipelining: gather,
      redisOptions: { ...options, ...access },
      clusterRetryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
      // A certificate is for a name, not for its current address.
      ...(access.tls && { dnsLookup: (name, found) => found(null, name) }),
    });
  }
  if (kind === 'sentinel') {
    const tls = access.tls && { enableTLSForSentinelMode: true, sentinelTLS: access.tls };
    return new Redis({ ...options, ...access, ...tls, sentinels: hosts, name: path || 'mymaster' });
  }
  return new Redis(url, options);
}

/**
 * Opens a connection for subscriptions. Messages may be lost whenever it closes. It reconnects for ever. In a
 * Cluster, whose nodes pass messages on to each other, it reconnects to the next node in the URL.
 */
export function connectSubscriber(url: string): RedisConnection {
  const subscriber = openSubscriber(url);
  const heartbeat = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => undefined);
  }, heartbeatMs).unref();
  subscriber.on('end', () => clearInterval(heartbeat));
  return subscriber;
}

function openSubscriber(url: string): RedisConnection {
  const { kind, hosts, access } = parseRedisUrl(url);
  const [first, ...others] = hosts;
  if (kind !== 'cluster' || first === undefined) return connectRedis(url, 'patient');
  const nodes = [first, ...others];
  const subscriber: Redis = new Redis({
    ...behaviours.patient,
    ...access,
    ...first,
    retryStrategy(attempt) {
      Object.assign(subscriber.options, nodes[attempt % nodes.length]);
      return Math.min(50 * attempt, 1_000);
    },
  });
  return subscriber;
}

/**
 * Waits until the connection is ready.
 * @throws StartError after `timeoutMs`, with the reason of the last failure
 */
export async function whenReady(redis: RedisConnection, timeoutMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  let why = 'it does not answer';
  const failed = (error: Error & { lastNodeError?: Error }) => {
    why = error.lastNodeError?.message ?? error.message;
  };
  redis.on('error', failed);
  try {
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new StartError(`Redis (REDIS_URL) cannot be used: ${why}`));
      const timer = setTimeout(late, timeoutMs);
      redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  } finally {
    redis.off('error', failed);
  }
}

function parseRedisUrl(url: string) {
  const match = /^redis(s?)(?:-(cluster|sentinel))?:\/\/(?:([^@/]*)@)?([^/]*)(?:\/(.*))?$/.exec(url);
  const [, secure, kind, user, hosts = '', path = ''] = match ?? [];
  const [username, password] = (user ?? '').split(':').map(decodeURIComponent);
  return {
    kind,
    hosts: hosts.split(',').map((hostPort) => {
      const colon = hostPort.lastIndexOf(':');
      return colon < 0
        ? { host: hostPort, port: 6379 }
        : { host: hostPort.slice(0, colon), port: Number(hostPort.slice(colon + 1)) };
    }),
    path,
    access: {
      ...(username ? { username } : {}),
      ...(password ? { password } : {}),
      ...(secure ? { tls: {} } : {}),
    },
  };
}
