import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { freePort, listensAt } from '../../../dev/free-port.js';
import { clearIfLeft, killIfLeft } from '../../../dev/leftovers.js';
import { repository } from '../../../dev/repository.js';
import { until } from '../../../dev/until.js';
import { type Example, examplesIn } from '../processes/run-examples.js';
import { openShell, type Shell } from '../processes/shell.js';
import { commandsIn, filesIn } from './guide-blocks.js';
import { adminFunction, type MusterOfReader } from './muster-of-reader.js';

/** A guide whose reader has an empty folder. Free ports stand in place of the ports of the guide. */
export interface OpenGuide {
  readonly folder: string;
  /** The files that the guide tells its reader to save. They are in the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The `sh` blocks. The reader has run none of them. */
  readonly examples: readonly Example[];
  /** The commands of the `console` blocks. */
  readonly commands: readonly string[];
  /** The shell of the reader in the folder, with the variables and the function of the README. */
  readonly shell: Shell;
  /** The port in place of the only or the first one of the guide. */
  readonly port: number;
  /** Runs a command of the `console` blocks, by default the last, and waits for its port. It ends with the test. */
  start(command?: string, port?: number): Promise<void>;
}

/** A program in Java takes a while to start, and minutes on a busy machine. */
const within = 240_000;

/**
 * Opens a guide. The packages that it installs are those of this repository.
 * @param given the file, and the ports that the programs of the guide listen at
 */
export async function openGuide(
  t: Test,
  { env }: Pick<MusterOfReader, 'env'>,
  { name, ports }: { name: string; ports: readonly number[] },
): Promise<OpenGuide> {
  let guide = await readFile(`docs/guides/${name}`, 'utf8');
  let first: number | undefined;
  for (const port of ports) {
    const own = await freePort();
    first ??= own;
    guide = guide.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(own));
  }
  const folder = await makeFolder(t);
  const shell = openShell(t, { env, cwd: folder });
  await shell.run(adminFunction);
  const files = filesIn(guide);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  const commands = commandsIn(guide);
  const port = first ?? 0;
  return {
    folder,
    files,
    examples: examplesIn(guide),
    commands,
    shell,
    port,
    start: (command = commands.at(-1) ?? 'false', at = port) =>
      startCommand(t, { command, folder, port: at }),
  };
}

/** Opens a guide and runs its `sh` blocks. */
export async function followGuide(...given: Parameters<typeof openGuide>): Promise<OpenGuide> {
  const guide = await openGuide(...given);
  for (const { script } of guide.examples) await guide.shell.run(script);
  return guide;
}

/** An empty folder of the reader, with the packages of this repository. It ends with the test. */
export async function makeFolder(t: Test): Promise<string> {
  const folder = await makeEmptyFolder(t);
  // The packages that guides install, and the command line of Muster.
  for (const name of ['node_modules', 'dist']) await symlink(join(repository, name), join(folder, name));
  return folder;
}

/** An empty folder of the reader, who installs packages. It ends with the test. */
export async function makeEmptyFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-guide-'));
  const cleared = clearIfLeft(folder);
  t.teardown(async () => {
    await rm(folder, { recursive: true, force: true });
    cleared();
  });
  return folder;
}

/** Runs a command until the test ends, and waits for its port. */
export async function startCommand(
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
    const runs = child.exitCode === null && child.signalCode === null;
    if (runs && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  await until(async () => hasEnded || (await listensAt(port)), { within });
  if (hasEnded) throw new Error(`${command} ended: ${output}`);
}
