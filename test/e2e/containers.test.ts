import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { IContainer } from 'kubernetes-models/v1/Container';
import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { isWorkload } from '../../dev/kubernetes/check-pods.js';
import { render } from '../../dev/kubernetes/render.js';
import { notRun } from '../../dev/not-run.js';
import { onPath } from '../../dev/services/exec.js';
import { openStage } from '../../dev/stage/stage.js';
import { withDatabase } from '../../dev/stage/with-database.js';
import { until } from '../../dev/until.js';
import { bulkOf, namesByStatus, sendBulk } from '../support/scim/bulk.js';

/** The processes run as in their containers: with the flags of the image and the probes of the manifests. */

const workloads = render('k8s/overlays/prod').objects.filter(isWorkload);
const containerOf = (name: string): IContainer => {
  const found = workloads.find(({ metadata }) => metadata.name === name);
  const [container] = found?.spec.template.spec.containers ?? [];
  if (container === undefined) throw new Error(`The overlay has no ${name}`);
  return container;
};
const imageFlags = /NODE_OPTIONS="([^"]*)"/.exec(readFileSync('Dockerfile', 'utf8'))?.[1]?.split(' ') ?? [];
/** Node.js 24 names the flag without `experimental`. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

t.test(
  'API and worker write nothing to the disk, and answer their probes',
  { timeout: 120_000 },
  async (t) => {
    const nodeFlags = [...imageFlags, permission, '--allow-addons', '--allow-worker', '--allow-fs-read=*'];
    const stage = await openStage(t, { nodeFlags });
    if (stage === undefined) return;
    const metricsPort = async () => ({ MUSTER_METRICS_PORT: String(await freePort()) });
    const [ofApi, ofWorker] = [await metricsPort(), await metricsPort()];
    const [api, worker] = await Promise.all([stage.startApi(ofApi), stage.startWorker(ofWorker)]);
    const addresses: Record<string, string> = {
      'muster-api http': api.address,
      'muster-worker metrics': `http://127.0.0.1:${ofWorker.MUSTER_METRICS_PORT}`,
    };
    for (const name of ['muster-api', 'muster-worker']) {
      const { startupProbe, livenessProbe, readinessProbe } = containerOf(name);
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        const { port, path } = probe?.httpGet ?? {};
        const answer = await fetch(`${addresses[`${name} ${port}`]}${path}`);
        t.equal(answer.status, 200, `${name} ${path}`);
      }
    }
    const answer = await sendBulk(stage, api, bulkOf('contained', 3, 'Correct-Horse-7'));
    t.equal(namesByStatus(answer)[201]?.length, 3);

    const { command = [] } = containerOf('muster-upgrade');
    const [muster, ...upgrade] = command;
    t.equal(muster, 'muster');
    t.equal(await stage.startCommand(upgrade).exitCode, 0);
    for (const running of [api, worker]) {
      running.signal('SIGTERM');
      t.equal(await running.exitCode, 0);
    }
  },
);

t.test('muster-init keeps what it made until it is told to end', { timeout: 120_000 }, async (t) => {
  const isolate = [
    '--fork',
    '--pid',
    '--kill-child',
    ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  ];
  const isAble = (await onPath('unshare')) !== null && (await spawned('unshare', [...isolate, 'true'])) === 0;
  if (!isAble) {
    notRun(t, 'no unshare that can make a process 1');
    return;
  }
  const stage = await openStage(t);
  if (stage === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'muster-init-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const muster = `#!/bin/sh\nexec ${process.execPath} ${resolve('dist/src/cli/main.js')} "$@"\n`;
  await writeFile(join(folder, 'muster'), muster, { mode: 0o755 });
  const database = `${stage.mongodb.database}-init`;
  const empty = { mongodb: { ...stage.mongodb, database } };
  t.teardown(() => withDatabase(empty, (db) => db.dropDatabase()));
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    MONGODB_URL: stage.mongodb.url,
    MONGODB_DATABASE: database,
    REDIS_URL: stage.redis.url,
    REDIS_PREFIX: database,
    MUSTER_BASE_URL: stage.baseUrl,
    MUSTER_MASTER_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64url')}`,
  };
  const { command = [], readinessProbe } = containerOf('muster-init');
  const here = (word: string) => word.replaceAll('/first-start/', `${folder}/`);
  const file = join(folder, 'first-start.json');
  const start = () => {
    const child = spawn('unshare', [...isolate, ...command.map(here)], { env });
    t.teardown(() => child.kill('SIGKILL'));
    const output = Promise.all([text(child.stdout), text(child.stderr)]).then((parts) => parts.join(''));
    return { pid: child.pid, output, closed: once(child, 'close') };
  };

  const first = start();
  const [probe = '', ...asked] = readinessProbe?.exec?.command ?? [];
  const isReady = async () => (await spawned(probe, asked.map(here))) === 0;
  const end = first.closed.then(async () => Promise.reject(new Error(await first.output)));
  const made = await Promise.race([end, until(isReady).then(() => until(() => readJson(file)))]);
  t.equal(statSync(file).mode & 0o777, 0o600);
  const shell = Number(readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, 'utf8'));
  // The shell sets its trap right after `muster init` ends.
  await until(() => catchesSigterm(shell));
  process.kill(shell, 'SIGTERM');
  t.same(await first.closed, [0, null]);
  const { adminToken = '', adminPassword = '' } = made;
  for (const secret of [adminToken, adminPassword]) t.notOk((await first.output).includes(secret));

  await rm(file);
  const second = start();
  t.same(await second.closed, [0, null], 'a database with an owner is left alone');
  t.notOk(existsSync(file));
});

/** @returns the exit code of a command */
async function spawned(command: string, args: readonly string[]): Promise<number | null> {
  const [code] = await once(spawn(command, args, { stdio: 'ignore' }), 'close');
  return code;
}

/** @returns undefined while the file is being written */
function readJson(path: string): Record<string, string> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether a process has a handler for SIGTERM: bit 14 of `SigCgt`, proc(5). */
function catchesSigterm(pid: number): boolean {
  const [, caught = '0'] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${caught}`) & (1n << 14n)) !== 0n;
}
