import t from 'tap';
import { startCluster } from '../support/redis-topologies.js';

/** What the service keeps in Redis, on a Cluster: the same tests as on one server, so that no command crosses slots. */
const files = [
  'contract/sessions',
  'contract/authorization.stores',
  'contract/caches',
  'contract/revocation',
  'contract/stamps',
  'integration/oidc-authorization-code',
  'integration/scheduled-jobs',
];

const cluster = await startCluster(t);
if (cluster !== undefined) {
  const env = { ...process.env, REDIS_URL: cluster.url };
  for (const file of files) {
    const script = new URL(`../${file}.test.ts`, import.meta.url).pathname;
    t.spawn(process.execPath, [...process.execArgv, script], { env, name: file });
  }
}
