import t, { type Test } from 'tap';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage, type Running } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { untilBulkWorks } from '../support/scim/bulk.js';
import {
  type RedisServer,
  startCluster,
  startSentinels,
  type Topology,
} from '../support/stores/redis-topologies.js';

const within = 120_000;

t.test('a Cluster, of which a replica takes over', { timeout: 290_000 }, async (t) => {
  const cluster = await startCluster(t, { masters: 3, replicas: 1 });
  if (cluster !== undefined) await losesNoRevocation(t, cluster, 3);
});

t.test('Sentinels, which let the replica take over', { timeout: 290_000 }, async (t) => {
  const sentinels = await startSentinels(t);
  if (sentinels !== undefined) await losesNoRevocation(t, sentinels, 1);
});

/**
 * The master of a token ends after a revocation that its replica was not told of.
 * @param masters how many of the servers are masters; their replicas follow in the same order
 */
async function losesNoRevocation(t: Test, { url, servers }: Topology, masters: number): Promise<void> {
  const stage = await openStage(t, { settings: { REDIS_URL: url } });
  if (stage === undefined) return;
  const [api, worker] = await Promise.all([stage.startApi(), stage.startWorker()]);
  const client = await makeServiceUser(stage, api, 'ORG_USER_MANAGER');
  const [kept, revoked] = [await accessTokenOf(stage, api, client), await accessTokenOf(stage, api, client)];
  const statusOf = async (token: string) =>
    (await api.call(`GET /scim/v2/${stage.orgId}/Users?count=1`, { token })).status;
  t.same([await statusOf(kept), await statusOf(revoked)], [200, 200], 'before');
  // The bucket of these tokens is filled, so that its epoch is copied to the replica.
  const all = servers.slice(0, 2 * masters);
  await until(async () => (await Promise.all(all.map(epochs))).flat().length >= 2, { within });

  for (const [index, master] of servers.slice(0, masters).entries()) {
    await cutOff(servers[masters + index] as RedisServer, master);
  }
  const form = { client_id: client.clientId, client_secret: client.clientSecret, token: revoked };
  t.equal((await api.call('POST /oauth/v2/revoke', { form })).status, 200);
  t.equal(await statusOf(revoked), 401);
  const holders = await Promise.all(
    servers.slice(0, masters).map(({ client }) => client.keys('*:rev:*:token:*')),
  );
  const index = holders.findIndex((keys) => keys.length > 0);
  const replica = servers[masters + index] as RedisServer;
  t.same(await replica.client.call('KEYS', '*:rev:*:token:*'), [], 'the replica does not know it');
  await servers[index]?.kill();

  const killed = performance.now();
  const seen = { revoked: new Set<number>(), kept: new Set<number>() };
  await until(
    async () => {
      seen.revoked.add(await statusOf(revoked));
      const status = await statusOf(kept);
      seen.kept.add(status);
      return /role:master/.test(await replica.client.info('replication')) && status === 200;
    },
    { within, every: 100 },
  );
  t.pass(`well ${Math.round(performance.now() - killed)} ms after the master ended`);
  for (let round = 0; round < 20; round++) seen.revoked.add(await statusOf(revoked));
  t.same(others(seen.revoked, [401, 503]), [], 'the revoked token is refused, or told to wait');
  t.same(others(seen.kept, [200, 503]), [], 'the other one is taken, or told to wait');
  if (seen.revoked.has(500) || seen.kept.has(500)) t.comment(logged(api, 50));
  t.equal(await statusOf(kept), 200);
  await until(
    async () => {
      // Each check begins the filling, unless one is under way.
      await statusOf(kept);
      return (await epochs(replica)).length > 0;
    },
    { within, every: 100 },
  );
  t.equal(await statusOf(revoked), 401, 'nor when Redis is filled again');

  await until(async () => (await api.call('GET /readyz')).status === 200, { within });
  await untilBulkWorks(stage, api, { within }).catch((error: unknown) => {
    for (const process of [api, worker]) t.comment(process.log().slice(-20_000));
    throw error;
  });
  t.pass('jobs are done again');
  await Promise.all([api.crash(), worker.crash()]);
}

/** Those of the statuses that are not expected. */
function others(seen: ReadonlySet<number>, expected: readonly number[]): number[] {
  return [...seen].filter((status) => !expected.includes(status));
}

/** The log lines of a process at a level. */
function logged(process: Running, level: number): string {
  const lines = process.log().split('\n');
  return lines.filter((line) => line.includes(`"level":${level}`)).join('\n');
}

function epochs({ client }: RedisServer): Promise<string[]> {
  return client.keys('*:rev:*:epoch');
}

/** Ends the replication; the replica does not know that more was written. */
async function cutOff(replica: RedisServer, master: RedisServer): Promise<void> {
  await master.client.call('ACL', 'SETUSER', 'replica', 'off');
  await master.client.call('CLIENT', 'KILL', 'TYPE', 'replica');
  await until(async () => /master_link_status:down/.test(await replica.client.info('replication')), {
    within,
  });
}
