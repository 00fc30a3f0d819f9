import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { earlierLts, fetchLts, newestLts } from './lts.js';
import { runCommand } from './services/exec.js';

/**
 * The tests that show that the service runs: the unit tests, `make run` with the README's examples, and the processes
 * of the image.
 */
const tests = ['unit', 'test/e2e/readme.test.ts', 'test/e2e/containers.test.ts'];

/** If a native module does not load, either slower code replaces it, or a sign-in is the first to fail. */
const loadNativeModules = `
  for (const name of ['argon2', 'msgpackr-extract']) require(name);
  console.log('Node.js ' + process.version + ', LTS ' + process.release.lts);
`;

/** `make test-lts`: runs {@link tests} by the two LTS versions of Node.js that get security fixes. */
async function main(): Promise<number> {
  for (const lts of [newestLts, earlierLts]) {
    const node = await fetchLts(lts, console.log);
    const loaded = await runCommand(node, ['-e', loadNativeModules], { timeoutMs: 30_000 });
    process.stdout.write(loaded);
    if (loaded.includes('undefined')) throw new Error(`Node.js ${lts.version} is no LTS version`);
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
    const args = ['--import=tsx', '--conditions=muster-source', 'dev/test.ts', ...tests];
    const child = spawn(node, args, { env, stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) return code ?? 1;
  }
  return 0;
}

process.exitCode = await main();
