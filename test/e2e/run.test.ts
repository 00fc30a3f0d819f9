import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import { clearIfLeft, killIfLeft } from '../../dev/leftovers.js';
import { stopServices } from '../../dev/services.js';
import { until } from '../../dev/until.js';

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
  ready(): Promise<void>;
}

/** Processes of Linux with their parents, without those that only wait to be collected. */
function processes(): { pid: number; parent: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const status = readFileSync(`/proc/${Number(name)}/status`, 'utf8');
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
      return /^State:\s+Z/m.test(status) ? [] : [{ pid: Number(name), parent }];
    } catch {
      return [];
    }
  });
}

function descendants(of: number): number[] {
  const all = processes();
  const found = [of];
  for (const ancestor of found) {
    found.push(...all.filter(({ parent }) => parent === ancestor).map(({ pid }) => pid));
  }
  return found;
}

const stillRunning = (pids: number[]) =>
  processes()
    .map(({ pid }) => pid)
    .filter((pid) => pids.includes(pid));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

t.test('make run', { timeout: 200_000 }, async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'muster-run-'));
  const checkout = join(root, 'checkout');
  // What a clone has; the installed packages are linked, each by itself: nothing that is done here reaches the originals.
  for (const name of ['src', 'workers', 'dev', 'package.json', 'package-lock.json', 'Makefile']) {
    await cp(name, join(checkout, name), { recursive: true });
  }
  for (const name of ['tsconfig.json', 'tsconfig.build.json']) await cp(name, join(checkout, name));
  await mkdir(join(checkout, 'node_modules'));
  for (const name of await readdir('node_modules')) {
    if (name === '.muster-installed') continue;
    await symlink(resolve('node_modules', name), join(checkout, 'node_modules', name));
  }
  await writeFile(join(checkout, 'node_modules', '.muster-installed'), '');
  const dataDir = join(root, 'data');
  const cleared = [dataDir, root].map(clearIfLeft);
  const port = await freePort();
  const started: number[] = [];
  t.teardown(async () => {
    for (const pid of stillRunning(started)) process.kill(pid, 'SIGKILL');
    await rm(root, { recursive: true, force: true });
    for (const done of cleared) done();
  });

  const run = (command: string, args: string[], settings: Record<string, string> = {}): Run => {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      MUSTER_DATA_DIR: dataDir,
      PORT: String(port),
      ...settings,
    };
    delete env['MONGODB_URL'];
    delete env['REDIS_URL'];
    // Without what tap adds to every process that it sees.
    const child = spawn('env', ['-u', 'NODE_OPTIONS', command, ...args], {
      cwd: checkout,
      env,
      detached: true,
    });
    killIfLeft(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    const ended = new Promise<{ code: number | null; output: string }>((done) => {
      child.once('exit', (code) => done({ code, output }));
    });
    const ready = () =>
      until(
        () => {
          if (child.exitCode !== null) throw new Error(`It ended: ${output}`);
          return /^ready /m.test(output);
        },
        { within: 90_000 },
      ).then(() => void started.push(...descendants(child.pid ?? 0)));
    return { child, ended, ready };
  };
  const program = ['--import=tsx', '--conditions=muster-source', 'dev/run.ts'];
  const address = `http://127.0.0.1:${port}`;
  const firstStart = join(dataDir, 'first-start.json');
  const list = async () => {
    const { orgId, adminToken } = JSON.parse(await readFile(firstStart, 'utf8'));
    const answer = await fetch(`${address}/scim/v2/${orgId}/Users`, {
      headers: { authorization: `Bearer ${adminToken}`, connection: 'close' },
    });
    return answer.status;
  };

  await t.test('reaches ready, and Ctrl-C ends all of it', async (t) => {
    const clock = performance.now();
    const first = run('make', ['run']);
    await first.ready();
    t.comment(`ready after ${Math.round(performance.now() - clock)} ms`);
    t.equal(statSync(firstStart).mode & 0o777, 0o600);
    const fields = Object.keys(JSON.parse(await readFile(firstStart, 'utf8')));
    t.same(fields, ['baseUrl', 'orgId', 'adminUserName', 'adminPassword', 'adminToken']);
    t.equal(await list(), 200);
    // A terminal sends it to the whole foreground group.
    process.kill(-(first.child.pid ?? 0), 'SIGINT');
    await first.ended;
    t.same(stillRunning(started), [], 'no process of it is left');
  });

  await t.test('starts again with the same data', async (t) => {
    const clock = performance.now();
    const again = run(process.execPath, program);
    await again.ready();
    const ms = performance.now() - clock;
    t.comment(`ready again after ${Math.round(ms)} ms`);
    t.equal(await list(), 200, 'the token of the first start is still good');

    const other = run(process.execPath, program, { MUSTER_DATA_DIR: join(root, 'other') });
    const refused = await other.ended;
    t.not(refused.code, 0);
    t.match(refused.output, `Port ${port} of 127.0.0.1 is taken`);
    t.notMatch(refused.output, /^\s+at /m, 'no stack');
    t.notOk(existsSync(join(root, 'other', 'services.json')), 'it started nothing');
    t.equal(await list(), 200, 'who has the port goes on');

    again.child.kill('SIGINT');
    t.equal((await again.ended).code, 0);
    t.same(stillRunning(started), [], 'no process of it is left');
  });

  await t.test('a process that dies takes the rest with it', async (t) => {
    const broken = run(process.execPath, program);
    await broken.ready();
    const worker = descendants(broken.child.pid ?? 0).find((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workers/main.js'),
    );
    process.kill(worker ?? 0, 'SIGKILL');
    const { code, output } = await broken.ended;
    t.not(code, 0);
    t.match(output, /workers\/main\.js ended with/);
    t.same(stillRunning(started), [], 'no process of it is left');
  });

  await t.test('a terminal that closes ends all of it', async (t) => {
    const closed = run(process.execPath, program);
    await closed.ready();
    closed.child.kill('SIGHUP');
    t.equal((await closed.ended).code, 0);
    t.same(stillRunning(started), [], 'no process of it is left');
  });

  await t.test('API and worker end when what started them is killed', async (t) => {
    const killed = run(process.execPath, program);
    await killed.ready();
    const own = descendants(killed.child.pid ?? 0).filter((pid) =>
      /src\/server\.js|workers\/main\.js/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
    );
    t.equal(own.length, 2);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await until(() => stillRunning(own).length === 0);

    const again = run(process.execPath, program);
    await again.ready();
    t.equal(await list(), 200, 'it starts again');
    again.child.kill('SIGINT');
    t.equal((await again.ended).code, 0);
    // What ran before a start goes on after it: the stores that the kill left, until make down.
    await stopServices(dataDir);
    t.same(stillRunning(started), [], 'no process of it is left');
  });

  await t.test('a signal during the start ends what was started', async (t) => {
    const early = run(process.execPath, program);
    await until(
      () => existsSync(join(dataDir, 'services.json')) && descendants(early.child.pid ?? 0).length > 3,
    );
    const sofar = descendants(early.child.pid ?? 0);
    early.child.kill('SIGINT');
    t.equal((await early.ended).code, 0);
    t.same(stillRunning(sofar), []);
  });

  await t.test('wrong configuration is listed and nothing is started', async (t) => {
    const settings = {
      MUSTER_DATA_DIR: join(root, 'wrong'),
      MUSTER_SHUTDOWN_SECONDS: 'soon',
      MUSTER_MASTER_KEYS: 'not-a-key',
      LOG_LEVEL: 'loud',
    };
    const { code, output } = await run(process.execPath, program, settings).ended;
    t.not(code, 0);
    t.match(output, /The configuration is wrong:/);
    for (const name of ['MUSTER_SHUTDOWN_SECONDS', 'MUSTER_MASTER_KEYS', 'LOG_LEVEL']) t.match(output, name);
    t.notMatch(output, /not-a-key|^\s+at /m);
    t.notOk(existsSync(join(root, 'wrong', 'services.json')));
  });

  await t.test('an empty data folder setting is none', async (t) => {
    // What is wrong is told after the folder has got its keys.
    const { code } = await run(process.execPath, program, { MUSTER_DATA_DIR: '', LOG_LEVEL: 'loud' }).ended;
    t.not(code, 0);
    t.ok(existsSync(join(checkout, '.muster', 'master-keys')));
    t.notOk(existsSync(join(checkout, 'master-keys')));
  });
});
