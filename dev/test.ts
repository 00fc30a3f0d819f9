import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { bundleTests, testBundle } from './bundle-tests.js';
import { installPrograms, programNames, slowProgramNames } from './programs.js';
import { endTestFiles, type FileResult, runTestFiles } from './run-test-files.js';
import { startServices } from './services.js';
import { readFailures } from './tap-output.js';

/**
 * The folders of `make test` in the order in which their files start. The unit tests come first, because they find most
 * in the least time.
 */
const tiers = ['unit', 'browser', 'e2e', 'integration', 'dev', 'conformance', 'contract'];

/** These files run from the bundle: most of them load the whole service. */
const fromBundle = (file: string) => /^test\/(unit|integration|contract|conformance|browser)\//.test(file);

/** These files take the longest. Each starts several processes. */
const isHeavy = (file: string) => /^test\/(browser|e2e|slow)\//.test(file);

/** The longest time of a file of `make test` on a machine with two cores. The run names the files that take longer. */
const wantedSeconds = 60;
/** A file of `make test` fails after this time. */
const limitSeconds = Number(process.env['TEST_SECONDS'] ?? 180);
/** The same for the files of `make test-slow`. */
const slowLimitSeconds = Number(process.env['TEST_SECONDS'] ?? 600);

/** So many files at most share a process. It costs more processor time to start one than most files take. */
const filesPerProcess = 16;

/**
 * The priority of a worker process, as `nice` counts it. Test files have the same one: beside files of a higher one, a worker would wait for
 * as long as they run.
 */
const niceness = 10;

/** Test files often wait for stores, so one more file than there are cores keeps the cores busy. */
const jobs = Number(process.env['TEST_JOBS'] ?? availableParallelism() + 1);

const dataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');

interface Counts {
  passed: number;
  failed: number;
}

/**
 * `make test`: installs programs, lints, compiles, starts MongoDB and Redis, and runs every test file. Arguments choose
 * tiers such as `unit`, or files such as `test/unit/keys/sealer.test.ts`, and skip `make lint`. The last line has the
 * sum. A file that fails once makes the run fail.
 * @returns the exit code
 */
async function main(): Promise<number> {
  const chosen = process.argv.slice(2);
  const started = performance.now();
  const notRun = new Set<string>();
  const checks: Counts = { passed: 0, failed: 0 };
  const isSlow = chosen.includes('slow');
  if (chosen.length === 0 || isSlow)
    await installPrograms(isSlow ? slowProgramNames : programNames, console.log);
  const [services] = await Promise.all([
    startServices({ dataDir, log: (message) => console.log(message), isCluster: true }),
    chosen.length === 0 ? lint(checks, notRun) : compile(checks),
  ]);
  await bundle(checks);
  const files = filesOf(chosen);
  // A few files are started sooner as they are.
  const bundled = chosen.some((name) => name.endsWith('.ts')) ? [] : files.filter(fromBundle);
  if (bundled.length > 0) await bundleTests(bundled);
  console.log(`MongoDB ${services.via.mongodb}, Redis ${services.via.redis}`);
  const seed = process.env['FUZZ_SEED'] ?? String(randomInt(2 ** 31));
  console.log(`FUZZ_SEED=${seed}`);
  const stores = { MONGODB_URL: services.mongodbUrl, REDIS_URL: services.redisUrl };
  setPriority(Math.max(niceness, getPriority()));
  let results: FileResult[];
  try {
    const bundle = chosen.length === 0 && { TEST_BUNDLE: resolve(testBundle) };
    results = await runAll({ files, bundled }, { ...process.env, ...stores, ...bundle, FUZZ_SEED: seed });
  } finally {
    // If a developer runs one file after another, the services keep running.
    if (chosen.length === 0) await services.stop();
  }
  const sum = (of: keyof Counts) => results.reduce((sum, result) => sum + result[of], checks[of]);
  report(results);
  console.log(`took ${Math.round((performance.now() - started) / 1000)} s`);
  for (const { file, skipped } of results) for (const what of skipped) notRun.add(`${file}: ${what}`);
  for (const what of notRun) console.log(`not run here: ${what}`);
  for (const { file, ok } of results) if (!ok) console.log(`failed: ${file}`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 ? 0 : 1;
}

/** Lints. The type check compiles everything to `dist`. */
async function lint(checks: Counts, notRun: Set<string>): Promise<void> {
  const { ok, output } = await run(process.execPath, [...process.execArgv, 'dev/lint.ts']);
  checks[ok ? 'passed' : 'failed']++;
  for (const [, what = ''] of output.matchAll(/^not checked: (.*)$/gm)) notRun.add(`make lint: ${what}`);
}

async function compile(checks: Counts): Promise<void> {
  const { ok } = await run('npx', ['tsc', '-p', 'tsconfig.json']);
  checks[ok ? 'passed' : 'failed']++;
}

/** Bundles the programs, as `make build` does. The tests start them. */
async function bundle(checks: Counts): Promise<void> {
  const { ok } = await run(process.execPath, [...process.execArgv, 'dev/bundle.ts']);
  checks[ok ? 'passed' : 'failed']++;
}

/** The test files in the order in which they start. */
function filesOf(chosen: readonly string[]): string[] {
  const files = chosen.filter((name) => name.endsWith('.ts'));
  const folders = chosen.length === 0 ? tiers : chosen.filter((name) => !name.endsWith('.ts'));
  for (const folder of folders) {
    const found = readdirSync(join('test', folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .sort();
    files.push(...found.map((path) => join('test', folder, path)));
  }
  return files;
}

/**
 * Runs the files, {@link jobs} at a time, and reports each when it ends. One job takes the light files first, so that
 * fewer heavy ones run side by side. The other jobs take the heavy files first, so that only light ones are left at the
 * end.
 */
async function runAll(
  { files, bundled }: { files: readonly string[]; bundled: readonly string[] },
  env: NodeJS.ProcessEnv,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const units = files.filter((file) => file.startsWith('test/unit/'));
  const heavy = files.filter(isHeavy);
  const light = files.filter((file) => !units.includes(file) && !heavy.includes(file));
  const logs = join(dataDir, 'test-output');
  const work = async (_: unknown, job: number) => {
    const queues = job === 0 ? [units, light, heavy] : [units, heavy, light];
    const next = () => takeFiles(queues.find(({ length }) => length > 0) ?? [], bundled);
    for (let taken = next(); taken !== undefined; taken = next()) {
      const limit = taken[0].startsWith('test/slow/') ? slowLimitSeconds : limitSeconds;
      const isBundled = bundled.includes(taken[0]);
      const ended = await runTestFiles(taken, { isBundled, limitSeconds: limit, env, logs });
      results.push(...ended);
      for (const result of ended) tell(result, { isOnly: files.length === 1 });
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

/** Takes the first file from a queue, and with it the next ones that may share its process. */
function takeFiles(queue: string[], bundled: readonly string[]): [string, ...string[]] | undefined {
  const first = queue.shift();
  if (first === undefined) return undefined;
  const shares = (file: string | undefined) =>
    file !== undefined && bundled.includes(file) && !runsAlone(file);
  const most = shares(first) ? Math.min(filesPerProcess, Math.ceil(queue.length / jobs)) : 1;
  const taken: [string, ...string[]] = [first];
  while (taken.length < most && shares(queue[0])) taken.push(queue.shift() as string);
  return taken;
}

/** A file says with such a comment that it needs a process of its own, and why. */
const runsAlone = (file: string) => /^\/\/ Runs alone: /m.test(readFileSync(file, 'utf8'));

function tell({ file, ok, seconds, exit, output }: FileResult, { isOnly }: { isOnly: boolean }): void {
  const told = `${file} ${seconds.toFixed(1)} s`;
  console.log(ok ? `ok ${told}` : `NOT OK ${told}, ended by ${exit}`);
  if (isOnly) console.log(output);
  else if (!ok) console.log(readFailures(output));
}

/** Prints where the time went: each tier, and the slowest files. */
function report(results: readonly FileResult[]): void {
  const tiers = new Map<string, number[]>();
  for (const { file, seconds } of results) {
    const tier = dirname(file).split(sep)[1] ?? '';
    tiers.set(tier, [...(tiers.get(tier) ?? []), seconds]);
  }
  const slowest = [...results].sort((a, b) => b.seconds - a.seconds).slice(0, 12);
  console.log();
  for (const [tier, files] of tiers) {
    const sum = files.reduce((sum, seconds) => sum + seconds, 0);
    console.log(`${tier}: ${files.length} files, ${Math.round(sum)} s in all`);
  }
  const tooLong = results.filter(
    ({ file, seconds }) => !file.startsWith('test/slow/') && seconds > wantedSeconds,
  );
  for (const { file } of tooLong) console.log(`longer than ${wantedSeconds} s: ${file}`);
  console.log(
    `longest: ${slowest.map(({ file, seconds }) => `${file} ${Math.round(seconds)} s`).join(', ')}`,
  );
}

/** Runs a program and shows its output as it comes. */
function run(command: string, args: string[]): Promise<{ ok: boolean; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  return new Promise((done) => child.once('close', (code) => done({ ok: code === 0, output })));
}

// Each test file leads a group of processes, which a terminal does not end.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endTestFiles();
    process.exit(1);
  });

process.exitCode = await main();
