import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { freePort } from '../../dev/free-port.js';
import { clearIfLeft, killIfLeft } from '../../dev/leftovers.js';
import { serviceAccountFile } from '../../dev/storage/service-account.js';
import { startStorageServer } from '../../dev/storage/storage-server.js';
import { isLoginPage, requireArrival, UserAgent } from '../support/oidc/user-agent.js';
import { type Expectation, examplesIn, runExamples } from '../support/processes/run-examples.js';

const credentials = ['clientId', 'clientSecret'];
const isForClients = (name: string) => credentials.includes(name);

/**
 * The required output of the example below each sentence. The examples of the README run in their order in one shell, with those of
 * docs/first-requests.md where the README leads there.
 */
const expectations: Expectation[] = [
  ['The first start wrote', (output) => output, ''],
  ['Create a user', (output) => JSON.parse(output).userName, 'anna.lind'],
  ['Find her', (output) => JSON.parse(output).totalResults, 1],
  ['Call the admin API with the same token', (output) => JSON.parse(output).kind, 'serviceUser'],
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
  ['Muster records each change as an event', (output) => JSON.parse(output).events.length, 5],
  [
    'Register an application',
    (output) => Object.keys(JSON.parse(output)).filter(isForClients).sort(),
    credentials,
  ],
  ['Any OpenID Connect library', (output) => new URL(JSON.parse(output).issuer).protocol, 'http:'],
  ['You move users from another provider', (output) => output.split('\n').at(-1), '0 errors, 0 notes'],
  ['Import them', (output) => output.split('\n')[1]?.trim().split(/ +/), ['2', '0', '0', '2']],
  ['Export the organization to a file', readExport, [2, true]],
  ['Export the organization to the bucket', readExport, [2, true]],
  [
    'Import that object',
    (output) => {
      const [created, skipped, failed] = output.split('\n')[1]?.trim().split(/ +/).map(Number) ?? [];
      return [created, (skipped ?? 0) > 100, failed];
    },
    [0, true, 0],
  ],
];

/** The number of lines of an export, and whether the last one tells what is left out. */
function readExport(output: string): [number, boolean] {
  const lines = output.split('\n');
  return [lines.length, /^Not exported: \d+ personal access token/.test(lines.at(-1) ?? '')];
}

/** Starts a program of dev/ and waits for the line that says where it is. */
async function start(script: string, line: RegExp, settings: Record<string, string>) {
  const args = ['--import=tsx', '--conditions=muster-source', script];
  const env: NodeJS.ProcessEnv = { ...process.env, ...settings };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  killIfLeft(child);
  const address = await new Promise<string>((ready, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = line.exec(output)?.[1];
      if (found !== undefined) ready(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
  return { address, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGINT');
  await ended;
}

t.test('every example of the README does what it says', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-readme-'));
  const cleared = clearIfLeft(dataDir);
  const storage = await startStorageServer(t, ['moving']);
  const serviceAccount = join(dataDir, 'service-account.json');
  await writeFile(serviceAccount, JSON.stringify(serviceAccountFile));
  const service = await start('dev/run.ts', /^ready (\S+)$/m, {
    PORT: String(await freePort()),
    MUSTER_DATA_DIR: dataDir,
    MONGODB_DATABASE: `readme-${process.pid}`,
    REDIS_PREFIX: `readme-${process.pid}`,
    STORAGE_EMULATOR_HOST: storage.endpoint,
  });
  t.teardown(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
    cleared();
  });

  const [beginning = '', rest = ''] = (await readFile('README.md', 'utf8')).split(/^## Log in$/m);
  const furtherRequests = await readFile('docs/first-requests.md', 'utf8');
  const found = [beginning, furtherRequests, rest].flatMap(examplesIn);
  await runExamples(t, found, expectations, {
    env: { MUSTER_DATA_DIR: dataDir, BUCKET: 'moving', SERVICE_ACCOUNT: serviceAccount },
  });

  const sample = await start('dev/sample-client.ts', /^sample client (\S+)$/m, {
    MUSTER_DATA_DIR: dataDir,
    SAMPLE_PORT: String(await freePort()),
  });
  t.teardown(() => sample.stop());
  await logIn(t, { sample: sample.address, service: service.address, ...anna });
  await logIn(t, { sample: sample.address, service: service.address, ...maria });
});

/** A person that the README made, and one that it imported with a bcrypt hash. */
const anna = { loginName: 'anna.lind', name: 'Anna Lind', email: 'anna.lind@example.com' };
const maria = { loginName: 'maria.berg@example.com', name: 'Maria Berg', email: 'maria.berg@example.com' };

/** The steps of a person at the sample client. */
async function logIn(
  t: Test,
  { sample, service, loginName, name, email }: { sample: string; service: string } & typeof anna,
): Promise<void> {
  const agent = new UserAgent(service);
  const first = await fetch(sample);
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  t.match(await first.text(), 'Nobody is signed in');
  const open = (path: string) => fetch(new URL(path, sample), { headers: { cookie }, redirect: 'manual' });
  const leave = async (path: string) => agent.open((await open(path)).headers.get('location') ?? '');

  const asked = await leave('/login');
  const person = { loginName, password: 'Correct-Horse-7' };
  const { url } = requireArrival(await agent.signIn(asked, person));
  t.equal((await open(url.href)).headers.get('location'), `${sample}/`);
  const greeting = await (await open('/')).text();
  t.match(greeting, `Hello, ${name}`);
  t.match(greeting, email);
  t.equal((await open(url.href)).status, 400, 'an answer is good for one sign-in');

  t.equal(requireArrival(await leave('/logout')).url.href, `${sample}/`);
  t.match(await (await open('/')).text(), 'Nobody is signed in');
  t.ok(isLoginPage(await leave('/login')), 'signed out of the service too');
}
