import type { Cluster } from 'ioredis';
import t from 'tap';
import { connectRedis } from '#src/platform/redis/redis.js';
import { startCluster } from '../../support/stores/redis-topologies.js';

/** Connecting again to a Cluster. BullMQ awaits it, and without an end its worker takes no more jobs. */

/** A Cluster with the method that asks whether all slots are served. */
interface ChecksReady extends Pick<Cluster, 'connect' | 'disconnect' | 'set' | 'listenerCount' | 'once'> {
  readyCheck(told: (error: Error | null, state?: string) => void): void;
}

const topology = await startCluster(t, { masters: 2 });
if (topology !== undefined) {
  /** A connection that was closed. */
  const closed = async () => {
    const cluster = connectRedis(topology.url, 'patient') as unknown as ChecksReady;
    t.teardown(() => cluster.disconnect());
    await new Promise((ready) => cluster.once('ready', ready));
    cluster.disconnect();
    await new Promise((end) => cluster.once('end', end));
    return cluster;
  };

  t.test('it ends when the first checks say that a replica takes over', { timeout: 20_000 }, async (t) => {
    const cluster = await closed();
    const { readyCheck } = cluster;
    let checks = 0;
    cluster.readyCheck = (told) => {
      checks++;
      if (checks <= 2) told(null, 'fail');
      else readyCheck.call(cluster, told);
    };
    await cluster.connect();
    t.equal(checks, 3);
    t.equal(await cluster.set('{a}connect', '1'), 'OK');
    t.equal(cluster.listenerCount('end'), 1, 'no listener is left but the one that stops the refresh');
  });

  t.test('it fails when the connection is given up', { timeout: 20_000 }, async (t) => {
    const cluster = await closed();
    cluster.readyCheck = () => cluster.disconnect();
    await t.rejects(cluster.connect());
  });
}
