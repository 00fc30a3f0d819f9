import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testBundle, withSources } from './bundle-tests.js';
import { laterFiles } from './later-files.js';
import { readCounts, readFiles, readSkipped } from './tap-output.js';

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
  /** The time limit of each file. At this limit tap ends the file and prints what the file waits for. */
  readonly limitSeconds: number;
  readonly env: NodeJS.ProcessEnv;
  /** The folder for the output of the file. The output stays there after the run. */
  readonly logs: string;
}

const quickPromises = pathToFileURL(join(import.meta.dirname, 'quick-promises.mjs')).href;

/** Compiles every function at once without optimizing it. Most functions of a test run a few times, and this saves a tenth of the time. */
const quickly = ['--always-sparkplug'];

/** tap needs this time to print what the file waits for. Afterwards the file is killed. */
const graceMs = 10_000;

/** A test file leads a group of processes. Those that leave the group are ended by `leftovers.ts`. */
const running = new Set<number>();

/**
 * Runs test files, compiled or from the bundle, as one process. Several must be from the bundle: they run one after another.
 * Processes that they leave behind are killed.
 */
export async function runTestFiles(
  files: readonly [string, ...string[]],
  { isBundled, limitSeconds, env, logs }: Options,
): Promise<FileResult[]> {
  const logOf = (file: string) => join(logs, file.replace(/\.ts$/, '.tap'));
  const [first, ...others] = files;
  for (const file of files) await mkdir(dirname(logOf(file)), { recursive: true });
  // A process that is left behind may keep a pipe open forever. It cannot do that with a file.
  const log = openSync(logOf(first), 'w');
  const started = performance.now();
  const compiled = join('dist', first.replace(/\.ts$/, '.js'));
  const script = isBundled ? [testBundle, first] : ['--enable-source-maps', compiled];
  const child = spawn(process.execPath, [...quickly, '--import', quickPromises, ...script], {
    env: {
      ...env,
      TAP_TIMEOUT: String(limitSeconds * files.length),
      ...(others.length > 0 && { [laterFiles]: others.join() }),
    },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const group = child.pid;
  if (group !== undefined) running.add(group);
  const limit = setTimeout(() => child.kill('SIGKILL'), limitSeconds * files.length * 1000 + graceMs);
  const exit = await new Promise<number | string>((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('exit', (code, signal) => done(code ?? signal ?? ''));
  });
  clearTimeout(limit);
  if (group !== undefined) endGroup(group);
  const seconds = (performance.now() - started) / 1000;
  const written = await readFile(logOf(first), 'utf8');
  const output = isBundled && exit !== 0 ? await withSources(written) : written;
  if (others.length === 0) {
    const ok = exit === 0 && /^# \{ total: /m.test(output);
    return [resultOf(first, { ok, exit, seconds, output, ...readCounts(output) })];
  }
  return resultsOf(files, { exit, output });
}

function resultOf(file: string, { ok, failed, ...rest }: Omit<FileResult, 'file' | 'skipped'>): FileResult {
  const isOk = ok && failed === 0;
  const skipped = readSkipped(rest.output);
  return { ...rest, file, ok: isOk, failed: isOk ? 0 : Math.max(1, failed), skipped };
}

/** The results of files that shared a process. If it fails although each of them succeeded, the last one counts as failed. */
function resultsOf(
  files: readonly string[],
  { exit, output }: Pick<FileResult, 'exit' | 'output'>,
): FileResult[] {
  const results = readFiles(output, files).map(({ file, ended, ...part }) => {
    const { ok = false, seconds = 0 } = ended ?? {};
    return resultOf(file, { ok, exit, seconds, ...part });
  });
  if (exit === 0 || results.some(({ ok }) => !ok)) return results;
  const last = results.pop();
  return last === undefined ? results : [...results, { ...last, ok: false, failed: 1, output }];
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
