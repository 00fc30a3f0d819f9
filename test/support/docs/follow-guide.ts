import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort, listensAt } from '../../../dev/free-port.js';
import { clearIfLeft, killIfLeft } from '../../../dev/leftovers.js';
import { repository } from '../../../dev/repository.js';
import { until } from '../../../dev/until.js';
import { examplesIn } from '../processes/run-examples.js';
import { openShell, type Shell } from '../processes/shell.js';
import { commandsIn, filesIn } from './guide-blocks.js';
import { adminFunction, type MusterOfReader } from './muster-of-reader.js';

/** A guide whose reader has run its `sh` blocks and saved its files in an empty folder. */
export interface FollowedGuide {
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  /** The shell of the reader, with the variables that the guide has set. */
  readonly shell: Shell;
  /** The address of the application that the guide makes. It has a free port in place of the port of the guide. */
  readonly address: string;
  readonly port: number;
  /** Runs the last command of the guide's `console` blocks, and waits until it listens. It ends with the test. */
  start(): Promise<void>;
}

const within = 30_000;

/**
 * Does what a guide tells its reader to do. The packages that it installs are those of this repository.
 * @param given `name` of the guide, and the `port` of its application, such as 3000
 */
export async function followGuide(
  t: Test,
  { env }: MusterOfReader,
  { name, port }: { name: string; port: number },
): Promise<FollowedGuide> {
  const own = await freePort();
  const guide = (await readFile(`docs/guides/${name}`, 'utf8')).replaceAll(
    `localhost:${port}`,
    `localhost:${own}`,
  );
  const folder = await makeFolder(t);
  const shell = openShell(t, { env, cwd: folder });
  await shell.run(adminFunction);
  for (const { script } of examplesIn(guide)) await shell.run(script);
  const files = filesIn(guide);
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  return {
    folder,
    files,
    shell,
    address: `http://localhost:${own}`,
    port: own,
    start: () => start(t, { command: commandsIn(guide).at(-1) ?? 'false', folder, port: own }),
  };
}

async function makeFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-guide-'));
  const cleared = clearIfLeft(folder);
  t.teardown(async () => {
    await rm(folder, { recursive: true, force: true });
    cleared();
  });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function start(
  t: Test,
  { command, folder, port }: { command: string; folder: string; port: number },
): Promise<void> {
  // Some programs end when their input closes.
  const child = spawn('bash', ['-c', command], { cwd: folder, detached: true, stdio: 'pipe' });
  killIfLeft(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  t.teardown(async () => {
    // The command leads a group of its own, with the programs that it starts.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  await until(async () => child.exitCode !== null || (await listensAt(port)), { within });
  if (child.exitCode !== null) throw new Error(`${command} ended: ${output}`);
}
