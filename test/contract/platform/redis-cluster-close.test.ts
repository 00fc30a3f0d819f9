import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { startCluster } from '../../support/stores/redis-topologies.js';

/** A process that closes a connection to a Cluster at the moment when the slots are refreshed, and has nothing else to do. */
const script = `
  import { connectRedis } from '#src/platform/redis/redis.js';
  const [, url, kind] = process.argv;
  const first = connectRedis(url, 'patient');
  const cluster = kind === 'duplicate' ? first.duplicate() : first;
  if (cluster !== first) first.disconnect();
  const refresh = cluster.refreshSlotsCache.bind(cluster);
  cluster.once('ready', () => {
    cluster.refreshSlotsCache = (done) => {
      cluster.refreshSlotsCache = refresh;
      refresh(done);
      cluster.disconnect();
    };
  });
`;
/** Such a process never ended by itself: only the limit tells. */
const timeout = 60_000;

const cluster = await startCluster(t, { masters: 2 });
if (cluster !== undefined) {
  for (const kind of ['connection', 'duplicate']) {
    t.test(`a process ends though a refresh of slots was under way when it closed its ${kind}`, async (t) => {
      const node = ['--import=tsx', '--conditions=muster-source', '--input-type=module', '--eval', script];
      // Removes the settings that tap adds to its processes.
      const env = { PATH: process.env['PATH'] };
      const run = promisify(execFile)(process.execPath, [...node, cluster.url, kind], { env, timeout });
      await t.resolves(run);
    });
  }
}
