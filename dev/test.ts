import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { installPrograms, programNames } from './programs.js';
import { startServices } from './services.js';
import { readCounts, readFailedFiles, readFailures, readSkipped, slowestFiles } from './tap-output.js';

/** The tiers in order, quick ones first. Each is a folder below test/; `seconds` limits one file. */
const tiers: { folder: string; seconds: number; jobs: number }[] = [
  { folder: 'unit', seconds: 60, jobs: 2 },
  { folder: 'dev', seconds: 240, jobs: 1 },
  { folder: 'contract', seconds: 120, jobs: 2 },
  { folder: 'integration', seconds: 180, jobs: 3 },
  { folder: 'conformance', seconds: 120, jobs: 3 },
  { folder: 'e2e', seconds: 300, jobs: 3 },
  { folder: 'browser', seconds: 300, jobs: 1 },
];

const dataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');

/**
 * `make test`: lint, build, local services, every tier, and one line that adds it up. A file that fails runs once
 * more by itself, since real processes share few cores with the other files; one that passes only then is named. So is
 * what could not run here, with the reason.
 */
async function main(): Promise<number> {
  const chosen = process.argv.slice(2);
  const started = Date.now();
  let passed = 0;
  let failed = 0;
  const unsteady: string[] = [];
  const failedFiles: string[] = [];
  const notRun = new Set<string>();
  const count = (ok: boolean) => {
    if (ok) passed++;
    else failed++;
  };
  await installPrograms(programNames, console.log);
  const lint = await run(process.execPath, ['--import=tsx', 'dev/lint.ts']);
  count(lint.ok);
  for (const [, what = ''] of lint.output.matchAll(/^not checked: (.*)$/gm)) notRun.add(`make lint: ${what}`);
  count((await run('npx', ['tsc', '-p', 'tsconfig.build.json'])).ok);

  const services = await startServices({ dataDir, log: (message) => console.log(message) });
  console.log(`MongoDB ${services.via.mongodb}, Redis ${services.via.redis}`);
  // One for the whole run: a file that runs once more sends the same random requests.
  const seed = process.env['FUZZ_SEED'] ?? String(randomInt(2 ** 31));
  console.log(`FUZZ_SEED=${seed}`);
  const stores = { MONGODB_URL: services.mongodbUrl, REDIS_URL: services.redisUrl };
  const env = { ...process.env, ...stores, FUZZ_SEED: seed };
  try {
    for (const { folder, seconds, jobs } of tiers) {
      if (!existsSync(`test/${folder}`) || (chosen.length > 0 && !chosen.includes(folder))) continue;
      console.log(`\n# ${folder}`);
      const tier = (files: string[], jobs: number) =>
        runTap(files, ['--reporter=tap', `--timeout=${seconds}`, `--jobs=${jobs}`], env);
      let result = await tier([`test/${folder}/**/*.test.ts`], jobs);
      const slowest = slowestFiles(result.output).join(', ');
      passed += result.passed;
      for (const skipped of readSkipped(result.output)) notRun.add(skipped);
      if (!result.ok) {
        console.log(readFailures(result.output));
        if (result.failedFiles.length > 0) {
          console.log(`# once more, each by itself: ${result.failedFiles.join(' ')}`);
          const first = result;
          result = await tier(first.failedFiles, 1);
          passed += Math.max(0, first.failed - result.failed);
          const steady = first.failedFiles.filter((file) => !result.failedFiles.includes(file));
          unsteady.push(...(result.ok ? first.failedFiles : steady));
          if (!result.ok) console.log(readFailures(result.output));
        }
      }
      if (!result.ok) failed += Math.max(1, result.failed);
      failedFiles.push(...(result.ok ? [] : result.failedFiles));
      console.log(`${result.ok ? 'ok' : 'not ok'} ${folder} after ${secondsSince(started)} s`);
      console.log(slowest);
    }
  } finally {
    await services.stop();
  }
  console.log(`\ntook ${secondsSince(started)} s`);
  for (const what of notRun) console.log(`not run here: ${what}`);
  for (const file of unsteady) console.log(`unsteady: ${file} failed among others and passed by itself`);
  for (const file of failedFiles) console.log(`failed: ${file}`);
  console.log(`${notRun.size} not run here, ${unsteady.length} unsteady`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

interface Result {
  readonly ok: boolean;
  readonly output: string;
}

function run(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; quiet?: boolean } = {},
): Promise<Result> {
  const { env = process.env, quiet = false } = options;
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (!quiet) process.stdout.write(chunk);
  });
  return new Promise((done) => child.once('close', (code) => done({ ok: code === 0, output })));
}

interface TapResult extends Result {
  readonly passed: number;
  readonly failed: number;
  readonly failedFiles: string[];
}

async function runTap(files: string[], options: string[], env: NodeJS.ProcessEnv): Promise<TapResult> {
  const { ok, output } = await run('npx', ['tap', 'run', ...options, ...files], { env, quiet: true });
  return { ok, output, ...readCounts(output), failedFiles: readFailedFiles(output) };
}

function secondsSince(started: number): number {
  return Math.round((Date.now() - started) / 1000);
}

process.exitCode = await main();
