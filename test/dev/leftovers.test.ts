import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../../dev/until.js';

/** Starts a child, a frozen child with a child of its own, and a service that a data folder records. */
const script = `
  import { spawn } from 'node:child_process';
  import { killIfLeft, clearIfLeft } from './dev/leftovers.js';
  import { startDetached } from './dev/services/processes.js';
  import { putRecord } from './dev/services/record.js';
  const [, folder] = process.argv;
  const plain = spawn('sleep', ['600']);
  const frozen = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { detached: true });
  for (const child of [plain, frozen]) killIfLeft(child);
  const own = String(await new Promise((done) => frozen.stdout.once('data', done)));
  frozen.kill('SIGSTOP');
  clearIfLeft(folder);
  const service = startDetached({ name: 'sleep', command: 'sleep', args: ['600'], logFile: folder + '/log' });
  await putRecord(folder, 'redis', { url: '', via: '', processes: [service] });
  console.log([plain.pid, frozen.pid, Number(own), service.pid].join(' '));
`;

const runs = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

for (const [how, end] of Object.entries({ 'a kill': 'SIGKILL', 'a limit of tap': 'SIGALRM' } as const)) {
  t.test(`${how} leaves no process behind, and no folder`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-left-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const node = ['--import=tsx', '--conditions=muster-source', '--input-type=module', '--eval', script];
    const child = spawn(process.execPath, [...node, folder], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = await once(child.stdout, 'data');
    const pids = String(printed).trim().split(' ').map(Number);
    t.same(pids.map(runs), [true, true, true, true]);
    child.kill(end);
    await until(() => !pids.some(runs) && !existsSync(folder));
  });
}
