import { Cluster, type ClusterNode } from 'ioredis';

type Options = NonNullable<ConstructorParameters<typeof Cluster>[1]>;

/** How often a Cluster is asked who holds which slots. */
const refreshMs = 2_000;

/**
 * Opens a connection to a Cluster that keeps its view of the slots fresh while it is ready. Commands that were gathered
 * for one node follow a slot that moved only when all of them got the same redirect. Until the next refresh the others
 * fail as unavailable. A blocking command leaves a silent node when the refresh no longer lists that node.
 *
 * The interval of ioredis 6.0.0 (`slotsRefreshInterval`) is not used: it arms its timer again when a refresh ends after
 * `disconnect` or `quit`. A process that closes its connection during a refresh would never end by itself.
 */
export function connectCluster(nodes: ClusterNode[], options: Options): Cluster {
  const cluster = new Cluster(nodes, options);
  let timer: NodeJS.Timeout | undefined;
  cluster.on('ready', () => {
    clearInterval(timer);
    timer = setInterval(() => {
      if (cluster.status === 'ready') cluster.refreshSlotsCache();
    }, refreshMs).unref();
  });
  cluster.on('end', () => clearInterval(timer));
  // BullMQ opens its blocking connections by this method.
  const duplicate = (others: ClusterNode[] = [], changed: Options = {}) =>
    connectCluster(others.length > 0 ? others : nodes, {
      ...options,
      ...changed,
      redisOptions: { ...options.redisOptions, ...changed.redisOptions },
    });
  return Object.assign(cluster, { duplicate });
}
