import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { startServices } from './services.js';

/** The tiers in order, quick ones first. Each is a folder below test/; `seconds` limits one file. */
const tiers: { folder: string; seconds: number; jobs: number }[] = [
  { folder: 'unit', seconds: 60, jobs: 2 },
  { folder: 'dev', seconds: 240, jobs: 1 },
  { folder: 'contract', seconds: 120, jobs: 2 },
  { folder: 'integration', seconds: 180, jobs: 2 },
  { folder: 'conformance', seconds: 120, jobs: 2 },
  { folder: 'e2e', seconds: 300, jobs: 1 },
  { folder: 'browser', seconds: 300, jobs: 1 },
];

const dataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');

/** `make test`: lint, build, local services, every tier, and one line that adds it up. */
async function main(): Promise<number> {
  const chosen = process.argv.slice(2);
  const started = Date.now();
  let passed = 0;
  let failed = 0;
  const count = (ok: boolean) => {
    if (ok) passed++;
    else failed++;
  };
  count((await run(process.execPath, ['--import=tsx', 'dev/lint.ts'])).ok);
  count((await run('npx', ['tsc', '-p', 'tsconfig.build.json'])).ok);

  const services = await startServices({ dataDir, log: (message) => console.log(message) });
  console.log(`MongoDB ${services.via.mongodb}, Redis ${services.via.redis}`);
  const env = { ...process.env, MONGODB_URL: services.mongodbUrl, REDIS_URL: services.redisUrl };
  try {
    for (const { folder, seconds, jobs } of tiers) {
      if (!existsSync(`test/${folder}`) || (chosen.length > 0 && !chosen.includes(folder))) continue;
      console.log(`\n# ${folder}`);
      const limits = [`--timeout=${seconds}`, `--jobs=${jobs}`];
      const args = ['tap', 'run', '--reporter=tap', ...limits, `test/${folder}/**/*.test.ts`];
      const result = await run('npx', args, { env, quiet: true });
      const counted = readCounts(result.output);
      passed += counted.passed;
      failed += counted.failed;
      if (!result.ok && counted.failed === 0) failed++;
      console.log(result.ok ? `ok ${counted.passed} assertions` : failures(result.output));
    }
  } finally {
    await services.stop();
  }
  console.log(`\ntook ${Math.round((Date.now() - started) / 1000)} s`);
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

/** tap closes with `# { total: 3, pass: 2, fail: 1 }`. */
function readCounts(output: string): { passed: number; failed: number } {
  const summary = output.slice(output.lastIndexOf('# { total:'));
  const number = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(summary)?.[1] ?? 0);
  return { passed: number('pass'), failed: number('fail') };
}

/** The lines around each failure, without the assertions that passed. */
function failures(output: string): string {
  const lines = output.split('\n');
  const shown = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (!/^\s*not ok /.test(line)) continue;
    for (let i = index; i < Math.min(index + 30, lines.length); i++) {
      shown.add(i);
      if (/^\s*\.\.\.$/.test(lines[i] as string)) break;
    }
  }
  return [...shown].map((index) => lines[index]).join('\n') || lines.slice(-60).join('\n');
}

process.exitCode = await main();
