import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { killIfLeft } from '../../dev/leftovers.js';
import { until } from '../../dev/until.js';
import { keycloakFiles } from '../support/migration/exports.js';
import { openMuster } from '../support/processes/muster-command.js';

const users = 2_000;

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
  lines[1_699] = '{"user_id":';
  writeFileSync(path, lines.join('\n'));
  writeFileSync(join(folder, 'importBody.json'), 'before');
  const { code, output } = await convert(folder);
  t.equal(code, 1);
  t.match(output, 'users.ndjson:1700: error: not JSON\n');
  t.equal(readFileSync(join(folder, 'importBody.json'), 'utf8'), 'before');
  t.same(readdirSync(folder).sort(), ['importBody.json', 'passwords.ndjson', 'users.ndjson']);
});

t.test('arguments that are missing or wrong are named', async (t) => {
  const folder = makeFolder(t);
  const cases: [more: string[], code: number, message: string][] = [
    [[], 1, 'passwords.ndjson cannot be read: ENOENT'],
    [['--timeout', 'soon'], 1, '--timeout soon is not a duration'],
    [['--verified'], 2, "unknown option '--verified'. Did you mean --email-verified?"],
    [['--output', 'no/where.json'], 1, 'where.json cannot be written: ENOENT'],
  ];
  for (const [more, expected, message] of cases) {
    const { code, output } = await convert(folder, ...more);
    t.equal(code, expected);
    t.match(output, message);
  }
});

t.test('a SCIM server is read with a token from a file or the environment alone', async (t) => {
  const folder = makeFolder(t);
  const scim = (...more: string[]) =>
    start(folder, process.execPath, [main, 'convert', 'scim', '--org', '42', ...more]).ended;
  writeFileSync(join(folder, 'token'), 'of-the-file');
  const none = await scim('--url', 'https://scim.example.com/v2');
  t.same([none.code, /--token-file or SCIM_TOKEN must give/.test(none.output)], [1, true], none.output);
  const http = await scim('--url', 'http://scim.example.com/v2', '--token-file', 'token');
  t.same([http.code, /--url must be the https address/.test(http.output)], [1, true], http.output);
  t.equal((await scim('--url', 'https://scim.example.com/v2', '--token', 'x')).code, 2);
  t.same(readdirSync(folder), ['token']);
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
  t.match(output, /left out: notBefore of 3 records, first at shop-users-0\.json:1\n/);
  const body = readFileSync(join(folder, 'importBody.json'), 'utf8');
  t.match(body, `"created":"${new Date(1795511252201).toISOString()}"`, 'with the dates of the realm');
  t.equal((await keycloak(...names.flatMap((name) => ['--realm', name]))).code, 0);
  t.equal(readFileSync(join(folder, 'importBody.json'), 'utf8'), body, 'its files, one by one');
  writeFileSync(join(folder, 'other-realm.json'), '{"users":[]}');
  t.match(await keycloak('--realm', '.'), { code: 1, output: /has 2 realms .* Name one with --realm-name/ });
  t.equal((await keycloak('--realm', '.', '--realm-name', 'shop')).code, 0);
  t.equal(readFileSync(join(folder, 'importBody.json'), 'utf8'), body, 'the realm by its name');
  t.match(await keycloak('--realm', '.', '--realm-name', 'none'), { code: 1, output: /has 0 realms/ });
  t.match(await keycloak('--realm', 'other-realm.json'), { code: 1, output: /has no users and no groups/ });
});

t.test('a strict conversion says what to add to the mapping, and takes it', async (t) => {
  const folder = makeFolder(t);
  const clients = [{ clientId: 'shop' }];
  writeFileSync(join(folder, 'realm.json'), JSON.stringify({ ...keycloakFiles[1], clients, 'a*b': 1 }));
  const keycloak = (...more: string[]) => {
    const args = ['convert', 'keycloak', '--org', '42', '--realm', 'realm.json', '--strict', ...more];
    return start(folder, process.execPath, [main, ...args]).ended;
  };
  const refused = await keycloak();
  t.equal(refused.code, 1);
  t.match(refused.output, /--strict writes nothing because of \d+ losses/);
  t.match(refused.output, '1 of them can only be accepted together with others, by a path with *\n');
  t.match(refused.output, './importBody.json was not written\n');
  const told = refused.output.split('\n').find((line) => line.startsWith('{"acceptedLosses":')) ?? '{}';
  const { acceptedLosses } = JSON.parse(told) as { acceptedLosses: string[] };
  t.ok(['(realm) clients', 'notBefore'].every((path) => acceptedLosses.includes(path)));
  writeFileSync(
    join(folder, 'map.json'),
    JSON.stringify({ acceptedLosses: [...acceptedLosses, '(realm) a*'] }),
  );
  const { code, output } = await keycloak('--map', 'map.json');
  t.equal(code, 0, output);
  t.match(output, /left out \(accepted\): notBefore of 2 records, first at realm\.json:1\n/);
  t.notMatch(output, '--strict writes nothing');
  t.ok(existsSync(join(folder, 'importBody.json')));
});

t.test('a system that is unknown is answered with the nearest', async (t) => {
  const folder = makeFolder(t);
  const { code, output } = await start(folder, process.execPath, [main, 'convert', 'octa']).ended;
  t.equal(code, 2);
  t.match(output, "muster convert: unknown command 'octa'. Did you mean okta?");
});

t.test('no input is replaced by the file of errors', async (t) => {
  const folder = makeFolder(t);
  writeTenant(folder);
  const { code, output } = await convert(folder, '--errors', './users.ndjson');
  t.equal(code, 1);
  t.match(output, './users.ndjson is an input, users.ndjson: it would be lost');
  t.ok(readFileSync(join(folder, 'users.ndjson'), 'utf8').length > 100_000);
});

t.test('of many errors twenty are printed, and a file has all', async (t) => {
  const { run, at } = openMuster(t);
  const user = (n: number) => ({ user_id: `auth0|${n}`, email: `u${n}@example.com`, email_verified: true });
  const bad = Array.from({ length: 1_500 }, () => '{"user_id":');
  writeFileSync(at('users'), [...bad, JSON.stringify(user(1))].join('\n'));
  const passwordHash = `$2b$10$${'a'.repeat(53)}`;
  writeFileSync(
    at('passwords'),
    JSON.stringify({ _id: { $oid: '1' }, email: 'u1@example.com', passwordHash }),
  );
  const args = ['convert', 'auth0', '--org', '42', '--users', 'users', '--passwords', 'passwords'];
  const { code, err } = await run(...args);
  t.equal(code, 1);
  const lines = err.split('\n').slice(0, -1);
  const shown = lines.filter((line) => line.includes(': error: '));
  t.same(
    shown,
    Array.from({ length: 20 }, (_, n) => `users:${n + 1}: error: not JSON`),
  );
  const all = './importBody.json.problems.ndjson';
  t.same(lines.slice(20, 22), ['... and 1480 more errors', `All of them: ${all}`]);
  const problems = readFileSync(at(all), 'utf8').split('\n').slice(0, -1);
  t.equal(problems.length, 1_500);
  t.same(JSON.parse(problems.at(-1) ?? ''), {
    file: 'users',
    line: 1_500,
    severity: 'error',
    message: 'not JSON',
  });
  t.equal(statSync(at(all)).mode & 0o777, 0o600);

  const answer = await run(...args, '--json', '--errors', 'told.ndjson');
  const { problems: listed, ...report } = JSON.parse(answer.out);
  t.equal(listed.length, 20);
  t.same(report, {
    ...{
      written: false,
      users: 0,
      withPassword: 0,
      groups: 0,
      memberships: 0,
      identityLinks: 0,
      webauthnCredentials: 0,
    },
    ...{ errors: 1_500, notes: 0, problemsFile: 'told.ndjson', leftOut: [] },
  });

  writeFileSync(at('users'), JSON.stringify(user(1)));
  t.match(await run(...args), { code: 0, err: /\n0 errors, 0 notes\n$/ });
  t.notOk(existsSync(at(all)), 'what is not about this conversion is gone');
});
