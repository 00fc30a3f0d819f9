import t, { type Test } from 'tap';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { type Api, openStage, type Stage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { type Certificate, makeCertificate } from '../support/network/certificate.js';
import { bulkOf, namesByStatus, sendBulk, untilBulkWorks } from '../support/scim/bulk.js';
import {
  startCluster,
  startSentinels,
  startSingle,
  type Topology,
} from '../support/stores/redis-topologies.js';

const within = 120_000;
const certificate = await makeCertificate(t);
const skip = certificate === undefined && 'openssl is not to be had here';

t.test('one server over TLS', { timeout: 200_000, skip }, async (t) => {
  if (certificate === undefined) return;
  const topology = await startSingle(t, { certificate });
  if (topology === undefined) return;
  t.match(topology.url, /^rediss:/);
  await serves(t, topology, certificate);
});

t.test('a Cluster over TLS', { timeout: 200_000, skip }, async (t) => {
  if (certificate === undefined) return;
  const topology = await startCluster(t, { certificate });
  if (topology === undefined) return;
  t.match(topology.url, /^rediss-cluster:/);
  await serves(t, topology, certificate);
});

t.test('Sentinels over TLS, which let the replica take over', { timeout: 290_000, skip }, async (t) => {
  if (certificate === undefined) return;
  const topology = await startSentinels(t, { certificate });
  if (topology === undefined) return;
  t.match(topology.url, /^rediss-sentinel:/);
  const [stage, api] = (await serves(t, topology, certificate)) ?? [];
  if (stage === undefined || api === undefined) return;
  const [, replica, sentinel] = topology.servers;
  await sentinel?.client.call('SENTINEL', 'FAILOVER', 'mymaster');
  await until(async () => /role:master/.test((await replica?.client.info('replication')) ?? ''), { within });
  await untilBulkWorks(stage, api, { within });
  t.pass('jobs are done again');
  await tokensWork(t, stage, api);
});

/** Requests, messages and jobs go through such a Redis. */
async function serves(
  t: Test,
  { url }: Topology,
  { certFile }: Certificate,
): Promise<[Stage, Api] | undefined> {
  const stage = await openStage(t, { settings: { REDIS_URL: url, NODE_EXTRA_CA_CERTS: certFile } });
  if (stage === undefined) return undefined;
  const stranger = stage.startApi({ NODE_EXTRA_CA_CERTS: '' });
  const refused = t.rejects(
    stranger,
    /A process ended at its start/,
    'who cannot check the server does not start',
  );
  const [api] = await Promise.all([stage.startApi(), stage.startWorker()]);
  await refused;
  t.equal((await api.call('GET /readyz')).status, 200);
  const bulk = await sendBulk(stage, api, bulkOf('tls', 3));
  t.equal(namesByStatus(bulk)[201]?.length, 3);
  await tokensWork(t, stage, api);
  return [stage, api];
}

async function tokensWork(t: Test, stage: Stage, api: Api): Promise<void> {
  const client = await makeServiceUser(stage, api, 'ORG_USER_VIEWER');
  const token = await accessTokenOf(stage, api, client);
  const list = async () => (await api.call(`GET /scim/v2/${stage.orgId}/Users?count=1`, { token })).status;
  t.equal(await list(), 200);
  const form = { client_id: client.clientId, client_secret: client.clientSecret, token };
  t.equal((await api.call('POST /oauth/v2/revoke', { form })).status, 200);
  t.equal(await list(), 401);
}
