import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

/** What the example below the heading text must print; each is run in the README's order in one shell. */
const expectations: [sentence: string, check: (output: string) => unknown, expected: unknown][] = [
  ['The first start wrote', (output) => output, ''],
  ['Create a user', (output) => JSON.parse(output).userName, 'anna.lind'],
  ['Find her', (output) => JSON.parse(output).totalResults, 1],
  [
    'Create a hundred users',
    (output) => JSON.parse(output).Operations.filter((op: { status: string }) => op.status === '201').length,
    100,
  ],
  [
    'Page through them',
    (output) => {
      const { totalResults, Resources } = JSON.parse(output);
      return [totalResults, Resources.map((user: { userName: string }) => user.userName).slice(0, 3)];
    },
    [100, ['user0', 'user1', 'user10']],
  ],
  ['Give a program', (output) => JSON.parse(output).role, 'ORG_USER_MANAGER'],
  ['It gets access tokens', (output) => JSON.parse(output).token_type, 'Bearer'],
  ['What happened is recorded', (output) => JSON.parse(output).events.length, 5],
];

/** The `sh` blocks of the README with the sentence before each. */
async function examples(): Promise<{ sentence: string; script: string }[]> {
  const text = await readFile('README.md', 'utf8');
  const blocks = text.matchAll(/([^\n]+(?:\n[^\n]+)*)\n\n```sh\n([\s\S]*?)```/g);
  return [...blocks].map(([, sentence = '', script = '']) => ({ sentence, script }));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts `make run`'s program on a data folder of its own and waits for its line `ready`. */
async function startService(dataDir: string): Promise<ChildProcess> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(await freePort()),
    MUSTER_DATA_DIR: dataDir,
    MONGODB_DATABASE: `readme-${process.pid}`,
    REDIS_PREFIX: `readme-${process.pid}`,
  };
  const args = ['--import=tsx', '--conditions=muster-source', 'dev/run.ts'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  await new Promise<void>((ready, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (/^ready /m.test(output)) ready();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
  return child;
}

t.test('every example of the README does what it says', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-readme-'));
  const service = await startService(dataDir);
  t.teardown(async () => {
    const ended = new Promise((done) => service.once('exit', done));
    service.kill('SIGINT');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  });

  const found = await examples();
  t.equal(found.length, expectations.length, 'each example has an expectation');
  const mark = '=====next=====';
  const script = found.map((example) => `${example.script}\necho; echo ${mark}`).join('\n');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, MUSTER_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  t.equal(await new Promise((done) => shell.once('close', done)), 0, 'no example fails');
  const outputs = output.split(mark).map((part) => part.trim());
  for (const [index, [sentence, check, expected]] of expectations.entries()) {
    t.match(found[index]?.sentence, sentence);
    t.same(check(outputs[index] ?? ''), expected, sentence);
  }
});
