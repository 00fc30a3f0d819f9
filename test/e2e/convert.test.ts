import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { killIfLeft } from '../../dev/leftovers.js';
import { until } from '../../dev/until.js';
import { keycloakFiles } from '../support/migration/exports.js';

const users = 20_000;

function makeFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The two files of an Auth0 tenant, the hashes in another order than the users. */
function writeTenant(folder: string): void {
  const numbers = Array.from({ length: users }, (_, n) => n);
  const hashOf = (n: number) => `$2b$10$${String(n).padStart(53, '.')}`;
  const lines = (values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  writeFileSync(
    join(folder, 'users.ndjson'),
    lines(numbers.map((n) => ({ user_id: `auth0|${n}`, email: `u${n}@example.com`, name: `User ${n}` }))),
  );
  writeFileSync(
    join(folder, 'passwords.ndjson'),
    lines(
      numbers
        .map((n) => ({ _id: { $oid: `${n}` }, email: `u${n}@example.com`, passwordHash: hashOf(n) }))
        .reverse(),
    ),
  );
}

const main = join(process.cwd(), 'dist/src/cli/main.js');

/** `muster convert auth0` as its own process in the folder. */
function convert(folder: string, ...more: string[]) {
  const files = ['--users', 'users.ndjson', '--passwords', 'passwords.ndjson'];
  return start(folder, process.execPath, [main, 'convert', 'auth0', '--org', '42', ...files, ...more]).ended;
}

function start(folder: string, command: string, args: string[]) {
  const env = { PATH: process.env['PATH'] };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'pipe'] });
  killIfLeft(child);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise<{ code: number | null; output: string }>((done) => {
    child.once('close', (code) => done({ code, output }));
  });
  return { child, ended };
}

t.test('the files of a tenant become one import body', async (t) => {
  const folder = makeFolder(t);
  writeTenant(folder);
  const { code, output } = await convert(folder, '--timeout', '1h', '--multiline', '--email-verified');
  t.equal(code, 0, output);
  t.match(output, `./importBody.json: ${users} users, ${users} with a password, 0 without`);
  const body = JSON.parse(readFileSync(join(folder, 'importBody.json'), 'utf8'));
  t.equal(body.timeout, '1h');
  const [{ orgId, humanUsers }] = body.dataOrgs.orgs;
  t.equal(orgId, '42');
  t.equal(humanUsers.length, users);
  t.match(humanUsers.at(-1), {
    userId: `auth0|${users - 1}`,
    user: { email: { isEmailVerified: true }, hashedPassword: { value: new RegExp(`\\.${users - 1}$`) } },
  });
});

t.test('a line that is not JSON is told, and what was there before stays', async (t) => {
  const folder = makeFolder(t);
  writeTenant(folder);
  const path = join(folder, 'users.ndjson');
  const lines = readFileSync(path, 'utf8').split('\n');
  lines[16_999] = '{"user_id":';
  writeFileSync(path, lines.join('\n'));
  writeFileSync(join(folder, 'importBody.json'), 'before');
  const { code, output } = await convert(folder);
  t.equal(code, 1);
  t.match(output, 'users.ndjson:17000: error: not JSON\n');
  t.equal(readFileSync(join(folder, 'importBody.json'), 'utf8'), 'before');
  t.same(readdirSync(folder).sort(), ['importBody.json', 'passwords.ndjson', 'users.ndjson']);
});

t.test('arguments that are missing or wrong are named', async (t) => {
  const folder = makeFolder(t);
  const cases: [more: string[], message: string][] = [
    [[], 'passwords.ndjson cannot be read: ENOENT'],
    [['--timeout', 'soon'], '--timeout soon is not a duration'],
    [['--verified'], "Unknown option '--verified'"],
    [['--output', 'no/where.json'], 'where.json cannot be written: ENOENT'],
  ];
  for (const [more, message] of cases) {
    const { code, output } = await convert(folder, ...more);
    t.equal(code, 1);
    t.match(output, message);
  }
});

t.test('an interrupted conversion leaves no hashes behind', async (t) => {
  const folder = makeFolder(t);
  writeTenant(folder);
  // An endless input of users. The writing process ends with the reading one.
  const endless = "--users <(while echo '{}'; do sleep 0.05; done)";
  const script = `exec "$0" "$1" convert auth0 --org 42 --passwords passwords.ndjson ${endless}`;
  const { child, ended } = start(folder, 'bash', ['-c', script, process.execPath, main]);
  const begun = () => readdirSync(folder).some((name) => name.startsWith('.importBody.json'));
  await until(begun, { within: 60_000 });
  child.kill('SIGTERM');
  child.kill('SIGINT');
  const { code, output } = await ended;
  t.equal(code, 1);
  t.match(output, 'Interrupted; nothing was written.');
  t.same(readdirSync(folder).sort(), ['passwords.ndjson', 'users.ndjson']);
});

t.test('a folder of Keycloak is one realm', async (t) => {
  const folder = makeFolder(t);
  const keycloak = (...args: string[]) =>
    start(folder, process.execPath, [main, 'convert', 'keycloak', '--org', '42', ...args]).ended;
  const names = ['shop-realm.json', 'shop-users-0.json', 'shop-users-1.json'];
  for (const [n, name] of names.entries())
    writeFileSync(join(folder, name), JSON.stringify(keycloakFiles[n]));
  const { code, output } = await keycloak('--realm', '.');
  t.equal(code, 0, output);
  t.match(output, '3 users, 3 with a password, 0 without; 1 groups, 1 memberships');
  t.match(output, /left out: createdTimestamp of 3 users, first at shop-users-0\.json:1\n/);
  const body = readFileSync(join(folder, 'importBody.json'), 'utf8');
  t.equal((await keycloak(...names.flatMap((name) => ['--realm', name]))).code, 0);
  t.equal(readFileSync(join(folder, 'importBody.json'), 'utf8'), body, 'its files, one by one');
  writeFileSync(join(folder, 'other-realm.json'), '{"users":[]}');
  t.match(await keycloak('--realm', '.'), { code: 1, output: /has 2 realms .* Name the files of one/ });
  t.match(await keycloak('--realm', 'other-realm.json'), { code: 1, output: /has no users and no groups/ });
});

t.test('a system that is unknown is answered with those that are known', async (t) => {
  const folder = makeFolder(t);
  for (const name of ['octa', 'constructor']) {
    const { code, output } = await start(folder, process.execPath, [main, 'convert', name]).ended;
    t.equal(code, 1);
    t.match(output, 'muster convert auth0, cognito, entra, firebase, fusionauth, keycloak, kratos, okta');
  }
});
