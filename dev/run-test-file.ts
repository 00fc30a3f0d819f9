import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testBundle, withSources } from './bundle-tests.js';
import { readCounts, readSkipped } from './tap-output.js';

/** The result of one test file. */
export interface FileResult {
  /** The path below the root of the repository, such as `test/unit/keys/sealer.test.ts`. */
  readonly file: string;
  readonly ok: boolean;
  readonly passed: number;
  /** Failed assertions. It is at least 1 if the file failed in another way, such as by its exit code. */
  readonly failed: number;
  /** The tests that did not run, with the reason. */
  readonly skipped: readonly string[];
  /** The exit code, or the signal that ended it. */
  readonly exit: number | string;
  readonly seconds: number;
  readonly output: string;
}

interface Options {
  /** Whether the file is in the bundle of tests. */
  readonly isBundled: boolean;
  /** The time limit of the file. At this limit tap ends the file and prints what the file waits for. */
  readonly limitSeconds: number;
  readonly env: NodeJS.ProcessEnv;
  /** The folder for the output of the file. The output stays there after the run. */
  readonly logs: string;
}

const quickPromises = pathToFileURL(join(import.meta.dirname, 'quick-promises.mjs')).href;

/** tap needs this time to print what the file waits for. Afterwards the file is killed. */
const graceMs = 10_000;

/** A test file leads a group of processes. Those that leave the group are ended by `leftovers.ts`. */
const running = new Set<number>();

/** Runs one test file, compiled or from the bundle, as a process of its own. Processes that the file leaves behind are killed. */
export async function runTestFile(
  file: string,
  { isBundled, limitSeconds, env, logs }: Options,
): Promise<FileResult> {
  const log = join(logs, file.replace(/\.ts$/, '.tap'));
  await mkdir(dirname(log), { recursive: true });
  // A process that is left behind may keep a pipe open forever. It cannot do that with a file.
  const out = openSync(log, 'w');
  const started = performance.now();
  const compiled = join('dist', file.replace(/\.ts$/, '.js'));
  const script = isBundled ? [testBundle, file] : ['--enable-source-maps', compiled];
  const child = spawn(process.execPath, ['--import', quickPromises, ...script], {
    env: { ...env, TAP_TIMEOUT: String(limitSeconds) },
    stdio: ['ignore', out, out],
    detached: true,
  });
  closeSync(out);
  const group = child.pid;
  if (group !== undefined) running.add(group);
  const limit = setTimeout(() => child.kill('SIGKILL'), limitSeconds * 1000 + graceMs);
  const exit = await new Promise<number | string>((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('exit', (code, signal) => done(code ?? signal ?? ''));
  });
  clearTimeout(limit);
  if (group !== undefined) endGroup(group);
  const written = await readFile(log, 'utf8');
  const output = isBundled && exit !== 0 ? await withSources(written) : written;
  const { passed, failed } = readCounts(output);
  const ok = exit === 0 && failed === 0 && /^# \{ total: /m.test(output);
  const seconds = (performance.now() - started) / 1000;
  const counts = { ok, passed, failed: ok ? 0 : Math.max(1, failed) };
  return { file, ...counts, skipped: readSkipped(output), exit, seconds, output };
}

/** Ends every running test file. */
export function endTestFiles(): void {
  for (const group of running) endGroup(group);
}

function endGroup(group: number): void {
  running.delete(group);
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Every process of the group has ended.
  }
}
