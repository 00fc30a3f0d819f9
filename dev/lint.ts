import { spawn } from 'node:child_process';
import { installPrograms } from './programs.js';

// The tests of the alerts need promtool.
await installPrograms(['promtool'], console.log);

const node = ['--import=tsx', '--conditions=muster-source'];

/**
 * The checks of `make lint`, which run side by side. If a check cannot examine something here, it prints a line that
 * begins with `not checked: `. That line is shown even if the check succeeds.
 */
const checks: [name: string, command: string, args: string[]][] = [
  ['types', 'npx', ['tsc', '-p', 'tsconfig.json']],
  ['style', 'npx', ['biome', 'check', '--error-on-warnings', '.']],
  ['dependencies', process.execPath, [...node, 'dev/check-dependencies.ts']],
  ['unused exports', 'npx', ['knip']],
  ['licences', process.execPath, [...node, 'dev/check-licences.ts']],
  ['vulnerabilities', process.execPath, [...node, 'dev/check-vulnerabilities.ts']],
  ['Kubernetes objects', process.execPath, [...node, 'dev/check-kubernetes.ts']],
  ['container images', process.execPath, [...node, 'dev/check-images.ts']],
  ['generated documents', process.execPath, [...node, 'dev/generate-docs.ts', '--check']],
];

const results = await Promise.all(
  checks.map(async ([name, command, args]) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const code = await new Promise((done) => child.once('close', done));
    console.log(`${code === 0 ? 'ok    ' : 'failed'} ${name}`);
    if (code !== 0) console.log(output);
    else for (const [line] of output.matchAll(/^not checked: .*$/gm)) console.log(line);
    return code === 0;
  }),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
