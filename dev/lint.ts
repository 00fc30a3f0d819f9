import { spawn } from 'node:child_process';

const node = ['--import=tsx', '--conditions=muster-source'];

/** What `make lint` checks, side by side. */
const checks: [name: string, command: string, args: string[]][] = [
  ['types', 'npx', ['tsc', '-p', 'tsconfig.json']],
  ['style', 'npx', ['biome', 'check', '--error-on-warnings', '.']],
  ['dependency directions', process.execPath, [...node, 'dev/check-dependencies.ts']],
  ['licences', process.execPath, [...node, 'dev/check-licences.ts']],
  ['Kubernetes objects', process.execPath, [...node, 'dev/check-kubernetes.ts']],
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
    return code === 0;
  }),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
