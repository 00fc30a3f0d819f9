import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { notRun } from '../../dev/not-run.js';
import { findProgram, type ProgramName } from '../../dev/programs.js';
import { openScim } from '../support/app/scim-app.js';
import { installPythonTool } from '../support/processes/python-tool.js';

/**
 * SCIM clients of other makers at a real server. They come from PyPI and Maven Central, and stay in the data folder. A test without its
 * programs says so. Both SDKs end at a ServiceProviderConfig with members that they do not know.
 */

const execute = promisify(execFile);
const folder = join(resolve(process.env['MUSTER_DATA_DIR'] || '.muster'), 'scim-sdks');

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const { app, tenant, call } = await openScim(t, { baseUrl, workers: true });
await app.listen({ host: '127.0.0.1', port });

/** Runs a program, and returns what it prints. It has no input, which scim2-cli would wait for. */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const running = execute(program, args, {
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 24,
    timeout: 240_000,
  });
  running.child.stdin?.end();
  return (await running).stdout;
}

/** The first of these programs that is missing. */
async function missingOf(...names: ProgramName[]): Promise<string | undefined> {
  for (const name of names) if ((await findProgram(name)) === undefined) return name;
  return undefined;
}

/** A folder with what `make` puts into it. It is made once for each text of `wanted`. */
async function madeFor(wanted: string, make: (path: string) => Promise<unknown>): Promise<string> {
  const path = join(folder, createHash('sha256').update(wanted).digest('hex').slice(0, 16));
  const mark = join(path, 'complete');
  if (existsSync(mark)) return path;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  await make(path);
  writeFileSync(mark, wanted);
  return path;
}

const pythonPackages = ['scim2-cli==0.6.0', 'scim2-client==0.13.2', 'scim2-tester==0.5.2'];

/**
 * What scim2-tester finds wrong with good reasons of ours. It makes up weak passwords and members that are no users. It does not know that
 * an only address is primary, or that a manager and a member get the `$ref` of their user.
 */
const refusals = [
  /The password needs /,
  /No users of the organization: /,
  /^Attribute '(emails|members)' was not /,
  /^Attribute 'urn:ietf:params:scim:schemas:extension:enterprise:2\.0:User(:manager)?' was not /,
];

t.test('scim2-cli with scim2-client and scim2-tester (Python)', async (t) => {
  const missing = await missingOf('python3');
  if (missing !== undefined) return notRun(t, `${missing} is not installed`);
  const path = await madeFor(pythonPackages.join(), async (path) => {
    await run('python3', ['-m', 'venv', path]);
    await run(join(path, 'bin', 'pip'), ['install', '--quiet', ...pythonPackages]);
  });
  const client = await tenant();
  // Its models take no extension of an error.
  const plain = { as: client, body: { plainScimErrors: true } };
  t.equal((await call(`PATCH /admin/v1/orgs/${client.orgId}`, plain)).status, 200);
  const env = {
    SCIM_CLI_URL: client.absoluteBase,
    SCIM_CLI_HEADERS: `Authorization: Bearer ${client.token}`,
  };
  const scim = (...args: string[]) => run(join(path, 'bin', 'scim'), args, env);
  const json = async (...args: string[]) => JSON.parse(await scim(...args));

  t.match(await json('query', 'serviceproviderconfig'), { patch: { supported: true } });
  const { id } = await json('create', 'user', '--user-name', 'anna');
  await scim('modify', 'user', id, 'replace', 'displayName', 'Anna Lind');
  const named = ['--filter', 'userName eq "anna"', '--count', '5', '--attribute', 'displayName'];
  t.match(await json('search', 'user', ...named), {
    totalResults: 1,
    Resources: [{ id, displayName: 'Anna Lind' }],
  });
  await scim('delete', 'user', id);
  t.match(await json('query', 'user'), { totalResults: 0 });

  // It ends with 1 if it finds anything wrong.
  const told = await scim('test').catch(({ stdout }: { stdout: unknown }) => String(stdout));
  const results = told.split(/^(?=[A-Z]+ \w)/m).flatMap((text) => {
    const [, status, title = '', reason = ''] = /^([A-Z]+) (\w+)\n? *(.*)/.exec(text) ?? [];
    return status === undefined ? [] : [{ status, title, reason }];
  });
  t.ok(results.length > 100, `${results.length} checks`);
  const succeeded = new Set(results.filter(({ status }) => status === 'SUCCESS').map(({ title }) => title));
  for (const title of [
    ...['service_provider_config_endpoint', 'query_all_resource_types', 'query_all_schemas', 'random_url'],
    ...[
      'object_creation',
      'object_query',
      'object_deletion',
      'check_add_attribute',
      'check_replace_attribute',
    ],
  ])
    t.ok(succeeded.has(title), title);
  const wrong = results.filter(
    ({ status, reason }) => status !== 'SUCCESS' && !refusals.some((known) => known.test(reason)),
  );
  t.strictSame(wrong, []);
});

/** A PATCH is answered with 204 (RFC 7644 section 3.5.2), and a member must be a user. scim-sanity expects 200 for both. */
const expectedOfSanity = [
  'PATCH /Users/{id}',
  'PATCH /Groups/{id}',
  'PATCH /Groups/{id} add member',
  'PATCH /Groups/{id} remove members',
];

t.test('scim-sanity (Python)', async (t) => {
  const missing = await missingOf('python3');
  if (missing !== undefined) return notRun(t, `${missing} is not installed`);
  const sanity = await installPythonTool('python3', {
    name: 'scim-sanity',
    version: '0.7.4',
    program: 'scim-sanity',
  });
  const client = await tenant();
  const given = ['--token', client.token, '--i-accept-side-effects', '--json-output'];
  // It ends with 1 if it finds anything wrong.
  const told = await run(sanity, ['probe', client.absoluteBase, ...given]).catch(
    ({ stdout }: { stdout: unknown }) => String(stdout),
  );
  const results: { name: string; status: string }[] = JSON.parse(told).results;
  const namesOf = (wanted: string) =>
    results.flatMap(({ name, status }) => (status === wanted ? [name] : []));
  t.ok(namesOf('pass').length >= 24, told);
  t.strictSame([...namesOf('fail'), ...namesOf('error'), ...namesOf('warn')], expectedOfSanity, told);
});

const java = 'test/support/scim/unboundid';

t.test('the SCIM 2 SDK of UnboundID (Java)', async (t) => {
  const missing = await missingOf('mvn', 'javac');
  if (missing !== undefined) return notRun(t, `${missing} is not installed`);
  const project = join(java, 'pom.xml');
  const path = await madeFor(readFileSync(project, 'utf8'), async (path) => {
    const copied = join(path, 'pom.xml');
    copyFileSync(project, copied);
    await run('mvn', ['-q', '-B', '-f', copied, 'dependency:copy-dependencies', '-DoutputDirectory=lib']);
  });
  const client = await tenant();
  const args = ['-cp', join(path, 'lib', '*'), join(java, 'Walk.java'), client.absoluteBase];
  const printed = await run('java', args, { SCIM_TOKEN: client.token });
  t.strictSame(printed.trim().split('\n'), [
    'provider true 100',
    'types 2 /Users',
    'schemas User',
    ...['User', 'Group', 'EnterpriseUser', 'UserExtension'].map((name) => `schema ${name}`),
    ...['ServiceProviderConfig', 'ResourceType', 'Schema'].map((name) => `schema ${name}`),
    'created babs Jensen User',
    'replaced Babs',
    'modified Chief',
    'found 1 null',
    'found by POST 1 Chief',
    'member 1',
    'refused 409 uniqueness',
    'gone 404',
  ]);
});
