import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { clearIfLeft, killIfLeft } from '../../../dev/leftovers.js';
import { until } from '../../../dev/until.js';

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
  /** Waits until `make run` reports ready. @throws Error if it ends */
  ready(): Promise<void>;
}

/** The content of a clone in its own folder, with its own stores. All of it is removed at the end of the test. */
export interface Checkout {
  readonly folder: string;
  /** A folder for the test. It contains the others. */
  readonly root: string;
  readonly dataDir: string;
  readonly port: number;
  /** Processes of all runs that became ready. */
  readonly started: readonly number[];
  run(command: string, args: readonly string[], settings?: Record<string, string>): Run;
  /** `make run` without the steps before `dev/run.ts`. */
  start(settings?: Record<string, string>): Run;
  /** The status of a list of users, requested with the token of the first start. */
  list(): Promise<number>;
}

/**
 * The installed packages are links, so that nothing here changes the originals. `make run` builds `dist`, or it is a
 * link.
 */
export async function makeCheckout(
  t: Pick<Test, 'teardown'>,
  { compiled }: { compiled: boolean },
): Promise<Checkout> {
  const root = await mkdtemp(join(tmpdir(), 'muster-run-'));
  const folder = join(root, 'checkout');
  const code = ['src', 'workers', 'dev', 'package.json', 'package-lock.json', 'tsconfig.json', 'Makefile'];
  // The service serves its documents.
  const sources = [...code, 'README.md', 'SECURITY.md', 'docs'];
  for (const name of sources) await cp(name, join(folder, name), { recursive: true });
  if (compiled) await symlink(resolve('dist'), join(folder, 'dist'));
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir('node_modules')) {
    if (name === '.muster-installed') continue;
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  await writeFile(join(folder, 'node_modules', '.muster-installed'), '');
  const dataDir = join(root, 'data');
  const cleared = [dataDir, root].map(clearIfLeft);
  const port = await freePort();
  const started: number[] = [];
  t.teardown(async () => {
    for (const pid of stillRunning(started)) process.kill(pid, 'SIGKILL');
    await rm(root, { recursive: true, force: true });
    for (const done of cleared) done();
  });

  const run: Checkout['run'] = (command, args, settings = {}) => {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      MUSTER_DATA_DIR: dataDir,
      PORT: String(port),
      ...settings,
    };
    delete env['MONGODB_URL'];
    delete env['REDIS_URL'];
    // Removes the settings that tap adds to its processes.
    const child = spawn('env', ['-u', 'NODE_OPTIONS', command, ...args], {
      cwd: folder,
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
  return {
    ...{ folder, root, dataDir, port, started, run },
    start: (settings) => run(process.execPath, program, settings),
    async list() {
      const { orgId, adminToken } = JSON.parse(await readFile(join(dataDir, 'first-start.json'), 'utf8'));
      const answer = await fetch(`http://127.0.0.1:${port}/scim/v2/${orgId}/Users`, {
        headers: { authorization: `Bearer ${adminToken}`, connection: 'close' },
      });
      return answer.status;
    },
  };
}

/** Linux processes with their parents, without zombies. */
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

/** A process and its descendants. */
export function descendants(of: number): number[] {
  const all = processes();
  const found = [of];
  for (const ancestor of found) {
    found.push(...all.filter(({ parent }) => parent === ancestor).map(({ pid }) => pid));
  }
  return found;
}

/** The processes of these that run. */
export function stillRunning(pids: readonly number[]): number[] {
  return processes()
    .map(({ pid }) => pid)
    .filter((pid) => pids.includes(pid));
}
