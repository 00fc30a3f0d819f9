import calculateSlot from 'cluster-key-slot';
import type { Cluster, Redis } from 'ioredis';
import type { RedisConnection } from './redis.js';

/** The servers behind a connection. Each has a run id from its start to its end. */
interface RedisServers {
  /**
   * The run id of the server that answers for a key, or undefined while it is unknown. Another server with a
   * copy of the keys, such as a promoted replica, has another run id.
   */
  runIdFor(key: string): string | undefined;
}

/**
 * @param returned called when this process may have been disconnected from a server for a while, and others
 * may have written to it
 */
export function watchServers(redis: RedisConnection, returned: () => void): RedisServers {
  return 'nodes' in redis ? watchCluster(redis, returned) : watchOne(redis, returned);
}

function watchOne(redis: Redis, returned: () => void): RedisServers {
  const server = trackRunId(redis);
  let wasAway = false;
  redis.on('close', () => {
    wasAway = true;
  });
  redis.on('ready', () => {
    if (wasAway) returned();
    wasAway = false;
  });
  return { runIdFor: () => server.runId() };
}

/** A master is asked when it is found, and a promoted replica when its first key is used. */
function watchCluster(cluster: Cluster, returned: () => void): RedisServers {
  const known = new WeakMap<Redis, { runId(): string | undefined }>();
  const watch = (node: Redis) => {
    // The slots of a node that is gone belong to another node, or wait for it.
    node.on('close', () => {
      if (cluster.status !== 'end' && cluster.status !== 'disconnecting') returned();
    });
    if (!node.options.readOnly) known.set(node, trackRunId(node));
  };
  for (const node of cluster.nodes()) watch(node);
  cluster.on('+node', watch);
  return {
    runIdFor(key) {
      const address = cluster.slots[calculateSlot(key)]?.[0];
      const node = cluster
        .nodes('master')
        .find(({ options }) => `${options.host}:${options.port}` === address);
      if (node === undefined) return undefined;
      const server = known.get(node) ?? trackRunId(node);
      known.set(node, server);
      return server.runId();
    },
  };
}

function trackRunId(redis: Redis): { runId(): string | undefined } {
  let runId: string | undefined;
  const read = () => {
    redis
      .info('server')
      .then((info) => {
        runId = /^run_id:(\w+)/m.exec(info)?.[1] ?? 'unknown';
      })
      // A server that forbids INFO is known only by its keys. A server that is away is asked again when it is
      // back.
      .catch((error: unknown) => {
        runId = error instanceof Error && error.name === 'ReplyError' ? 'unknown' : undefined;
      });
  };
  redis.on('close', () => {
    runId = undefined;
  });
  redis.on('ready', read);
  // A connection that waits for its first command connects for this one.
  if (redis.status === 'ready' || redis.status === 'wait') read();
  return { runId: () => runId };
}
