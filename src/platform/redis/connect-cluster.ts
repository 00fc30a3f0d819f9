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
  const connect = cluster.connect.bind(cluster);
  // BullMQ opens its blocking connections by this method.
  const duplicate = (others: ClusterNode[] = [], changed: Options = {}) =>
    connectCluster(others.length > 0 ? others : nodes, {
      ...options,
      ...changed,
      redisOptions: { ...options.redisOptions, ...changed.redisOptions },
    });
  return Object.assign(cluster, { duplicate, connect: () => connected(cluster, connect) });
}

/**
 * Connects, and settles when the cluster is ready or gives up. The promise of ioredis 6.0.0 never settles when the first ready check
 * fails, as it does while a replica takes over: ioredis then connects again by itself. BullMQ awaits the promise, and its worker would
 * never take a job again.
 */
function connected(cluster: Cluster, connect: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => () => {
      cluster.off('ready', ready);
      cluster.off('end', ended);
      then();
    };
    const ready = settle(resolve);
    const ended = settle(() => reject(new Error('Connection is closed.')));
    cluster.once('ready', ready);
    cluster.once('end', ended);
    connect().then(ready, (error: unknown) => settle(() => reject(error))());
  });
}
