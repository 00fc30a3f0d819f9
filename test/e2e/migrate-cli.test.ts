import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { inDatabase } from '../support/migration/fault-import.js';
import { openMuster } from '../support/processes/muster-command.js';

/** A verification compares 250 at a time. */
const users = 300;
const waitLong = { within: 120_000 };

/** An import body; user `bad` cannot be imported. */
function bodyOf(
  orgId: string,
  { word, bad, count = users }: { word: string; bad?: number; count?: number },
): string {
  const humanUsers = Array.from({ length: count }, (_, n) => ({
    userId: `${word}-${n}`,
    user: {
      userName: `${word}-${n}`,
      profile: { firstName: 'User', lastName: `${n}` },
      email: { email: n === bad ? 'nobody' : `${word}-${n}@example.com`, isEmailVerified: true },
      hashedPassword: { value: `$2b$10$${String(n).padStart(53, '.')}` },
    },
  }));
  return JSON.stringify({ timeout: '10m', dataOrgs: { orgs: [{ orgId, humanUsers }] } });
}

/** The environment names the service. */
const openCommand = (t: Test, api: { address: string }, token: string) =>
  openMuster(t, { MUSTER_BASE_URL: api.address, MUSTER_TOKEN: token });

/** The rows of the first table that was printed. */
function tableOf(out: string): Record<string, string> {
  const [head = '', row = ''] = out.split('\n');
  const values = row.trim().split(/ {2,}/);
  return Object.fromEntries(
    head
      .trim()
      .split(/ {2,}/)
      .map((name, index) => [name, values[index] ?? '']),
  );
}

t.test('users move in and out by the command', { timeout: 280_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const api = await stage.startApi();
  const worker = await stage.startWorker();
  const command = openCommand(t, api, stage.token);
  const jobs = async (kind: string) => {
    const { body } = await api.call('GET /admin/v1/jobs?limit=100');
    return body.items.filter((job: { kind: string }) => job.kind === kind).length;
  };

  t.test('a dry run says what an import would do', async (t) => {
    writeFileSync(command.at('bad.json'), bodyOf(stage.orgId, { word: 'bad', bad: 7 }));
    const { code, out, err } = await command.run(
      'import',
      'bad.json',
      '--dry-run',
      '--errors',
      'errors.ndjson',
    );
    t.equal(code, 1, err);
    t.same(tableOf(out), {
      'would be created': `${users - 1}`,
      'would be skipped': '0',
      'would fail': '1',
      total: `${users}`,
    });
    t.match(out, '\nThis was a dry run. Nothing was changed.\n');
    t.match(err, /^dry run: /m);
    t.match(out, /human_user VALUE-INVALID +1\n/);
    const [error = ''] = readFileSync(command.at('errors.ndjson'), 'utf8').split('\n');
    t.match(JSON.parse(error), { type: 'human_user', id: 'bad-7', message: /^VALUE-INVALID: / });
    t.match(out, `\n${error}\n`, 'which is also shown');
    t.equal((await api.call(`GET /scim/v2/${stage.orgId}/Users/bad-1`)).status, 404, 'nothing was changed');
  });

  t.test('an owner of the organization imports and exports it', async (t) => {
    const { id, pat } = await makeServiceUser(stage, api, 'ORG_OWNER');
    const own = openCommand(t, api, pat);
    writeFileSync(own.at('own.json'), bodyOf(stage.orgId, { word: 'own', count: 3 }));
    const refused = await own.run('import', 'own.json');
    t.equal(refused.code, 1, 'only with --owner-of');
    const { code, out, err } = await own.run('import', 'own.json', '--owner-of', stage.orgId, '--json');
    t.equal(code, 0, err);
    t.match(JSON.parse(out), { state: 'completed', created: 3, total: 3 });
    const exported = await own.run('export', '--output', 'mine.json', '--owner-of', stage.orgId);
    t.equal(exported.code, 0, exported.err);
    const [org] = JSON.parse(readFileSync(own.at('mine.json'), 'utf8')).orgs;
    t.equal(org.orgId, stage.orgId);
    t.notMatch(JSON.stringify(org), 'hashedPassword');
    t.equal((await api.call(`DELETE /admin/v1/orgs/${stage.orgId}/service-users/${id}`)).status, 204);
  });

  t.test('verify finds what is missing or differs from the file, and changes nothing', async (t) => {
    const body = bodyOf(stage.orgId, { word: 'v' });
    writeFileSync(command.at('v.json'), body);
    const before = await command.run('verify', 'v.json');
    t.equal(before.code, 1, before.err);
    t.match(tableOf(before.out), { same: '0', missing: `${users}`, different: '0', refused: '0' });
    t.equal((await command.run('import', 'v.json')).code, 0);
    const { code, out, err } = await command.run('verify', 'v.json', '--json');
    t.equal(code, 0, err);
    const verified = JSON.parse(out);
    t.match(verified, { state: 'completed', same: users, missing: 0, different: 0, total: users });
    t.match(verified.sourceDigest, /^[0-9a-f]{64}$/);
    t.equal(verified.sourceDigest === verified.targetDigest, verified.extra === 0);
    writeFileSync(command.at('samples'), 'v-5\tnot-the-password\nv-6@example.com neither is this\n');
    const sampled = await command.run('verify', '--passwords', 'samples', '--org', stage.orgId);
    t.equal(sampled.code, 1, sampled.err);
    t.match(sampled.out, /refused +2\n/);
    t.match(sampled.out, 'line 2: refused: v-6@example.com');
    t.notMatch(sampled.out + sampled.err, /not-the-password|neither/);
    for (const [args, expected, message] of [
      [[], 2, 'muster verify: a file, --bucket, --url-file or --passwords is required'],
      [['--passwords', 'v.json'], 1, /v\.json, line 1: expected|larger than/],
      [['--url-file', 'none'], 1, 'none cannot be read'],
    ] as const) {
      const refused = await command.run('verify', ...args);
      t.equal(refused.code, expected);
      t.match(refused.err, message);
    }

    const at = (id: string) => `/scim/v2/${stage.orgId}/Users/${id}`;
    await api.call(`DELETE ${at('v-1')}`);
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    const secretTitle = 'a title that no difference tells';
    const Operations = [{ op: 'add', path: 'title', value: secretTitle }];
    await api.call(`PATCH ${at('v-2')}`, { json: { schemas, Operations } });
    const damaged = JSON.parse(body);
    damaged.dataOrgs.orgs[0].humanUsers[280].user.userName = 'renamed';
    damaged.dataOrgs.orgs[0].humanUsers[4].user.email.email = 'nobody';
    writeFileSync(command.at('damaged.json'), JSON.stringify(damaged));
    const after = await command.run('verify', 'damaged.json', '--differences', 'differences.ndjson');
    t.equal(after.code, 1, after.err);
    t.match(tableOf(after.out), { same: `${users - 4}`, missing: '1', different: '2', refused: '1' });
    const text = readFileSync(command.at('differences.ndjson'), 'utf8');
    t.notMatch(text + after.out, secretTitle);
    const found: Record<string, unknown>[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.match(
      found.sort((a, b) => String(a['id']).localeCompare(String(b['id']))),
      [
        { kind: 'missing', orgId: stage.orgId, list: 'humanUsers', id: 'v-1' },
        { kind: 'different', id: 'v-2', message: /differs in .*title/ },
        { kind: 'different', id: 'v-280', message: /differs in .*userName/, line: 1 },
        { kind: 'refused', id: 'v-4', message: /^VALUE-INVALID/ },
      ],
    );
    t.equal((await api.call(`GET ${at('v-1')}`)).status, 404, 'nothing was changed');
    t.equal((await command.run('verify', 'absent.json')).code, 1);

    writeFileSync(command.at('delta.json'), body.replace('"lastName":"5"', '"lastName":"Five"'));
    const update = await command.run('import', 'delta.json', '--update', '--json');
    t.equal(update.code, 0, update.err);
    t.match(JSON.parse(update.out), { created: 1, updated: 1, skipped: users - 2, failed: 0, total: users });
    t.match((await api.call(`GET ${at('v-5')}`)).body.name, { familyName: 'Five' });
    const again = await command.run('import', 'delta.json', '--update');
    t.match(tableOf(again.out), {
      created: '0',
      updated: '0',
      skipped: `${users}`,
      failed: '0',
      total: `${users}`,
    });
    writeFileSync(command.at('asks.json'), body.replace('{', '{"update":true,'));
    const asks = await command.run('verify', 'asks.json');
    t.equal(asks.code, 1, 'a body that asks for an update hides no difference');
    // The other one has a title here, which the file does not mention.
    t.match(tableOf(asks.out), { same: `${users - 2}`, different: '2' });
  });

  t.test('a plan tells what a migration needs, loses and takes, and leaves nothing behind', async (t) => {
    const body = JSON.parse(bodyOf(stage.orgId, { word: 'plan', bad: 5 }));
    const [organization] = body.dataOrgs.orgs;
    organization.humanUsers[0].user.shoeSize = 44;
    for (const { user } of organization.humanUsers.slice(10, 13)) delete user.hashedPassword;
    writeFileSync(command.at('plan.json'), JSON.stringify(body));
    const orgs = async () => (await api.call('GET /admin/v1/orgs?limit=100')).body.items.length;
    const before = await orgs();
    const { code, out, err } = await command.run('migrate', 'plan', 'plan.json', '--json');
    t.equal(code, 0, err);
    const plan = JSON.parse(out);
    t.match(plan, {
      organizations: 1,
      lists: { humanUsers: users },
      hashes: { $2b$: users - 3 },
      withoutPassword: 3,
      created: users - 1,
      failed: 1,
      errorCounts: { 'human_user VALUE-INVALID': 1 },
      losses: [{ path: 'orgs[].humanUsers[].user.shoeSize', count: 1 }],
      sample: { people: users },
    });
    t.ok(plan.sample.seconds > 0);
    const shown = await command.run('migrate', 'plan', 'plan.json');
    t.match(
      shown.out,
      new RegExp(`\\n3\\. Import: .*Expect about \\d+ seconds: ${users} people took [\\d.]+ s here`),
    );
    await until(async () => (await orgs()) === before, waitLong);
    t.equal((await api.call(`GET /scim/v2/${stage.orgId}/Users/plan-1`)).status, 404);
    const imported = await command.run('import', 'plan.json');
    t.match(tableOf(imported.out), { created: `${users - 1}`, skipped: '0' });
    t.match(imported.out, /Values that reached nothing:\n.*\norgs\[\]\.humanUsers\[\]\.user\.shoeSize +1 /);
  });

  t.test('an import, and the same again', async (t) => {
    writeFileSync(command.at('body.json'), bodyOf(stage.orgId, { word: 'u' }));
    const first = await command.run('import', 'body.json');
    t.equal(first.code, 0, first.err);
    t.same(tableOf(first.out), { created: `${users}`, skipped: '0', failed: '0', total: `${users}` });
    t.equal((await api.call(`GET /scim/v2/${stage.orgId}/Users/u-1`)).status, 200);
    t.notOk(existsSync(command.at('body.json.job')), 'nothing is remembered of what has ended');
    const second = await command.run('import', 'body.json');
    t.equal(second.code, 0, second.err);
    t.same(tableOf(second.out), { created: '0', skipped: `${users}`, failed: '0', total: `${users}` });
  });

  t.test('the result of an import and of an export as JSON', async (t) => {
    const { code, out } = await command.run('import', 'bad.json', '--dry-run', '--json');
    t.equal(code, 1);
    t.match(JSON.parse(out), {
      ...{
        state: 'completed',
        dryRun: true,
        created: users - 1,
        skipped: 0,
        failed: 1,
        total: users,
        errors: 1,
      },
      errorCounts: { 'human_user VALUE-INVALID': 1 },
      firstErrors: [{ type: 'human_user', id: 'bad-7' }],
    });
    const exported = await command.run('export', '--output', 'json.json', '--org', stage.orgId, '--json');
    t.match(JSON.parse(exported.out), {
      output: 'json.json',
      records: Number,
      jobId: String,
      notExported: { personalAccessTokens: Number },
    });
  });

  t.test('an export is complete, and readable by its owner alone', async (t) => {
    const args = ['export', '--output', 'out.json', '--org', stage.orgId, '--with-passwords'];
    const { code, err } = await command.run(...args);
    t.equal(code, 0, err);
    t.equal(statSync(command.at('out.json')).mode & 0o777, 0o600);
    const [org] = JSON.parse(readFileSync(command.at('out.json'), 'utf8')).orgs;
    const imported = org.humanUsers.filter(({ userId }: { userId: string }) => userId.startsWith('u-'));
    t.equal(imported.length, users);
    t.ok(imported.every(({ user }: { user: { hashedPassword: object } }) => user.hashedPassword));
    t.notOk(existsSync(command.at('out.json.job')));
  });

  t.test('an export goes in as it is, also compressed, and so do lines', async (t) => {
    writeFileSync(command.at('out.json.gz'), gzipSync(readFileSync(command.at('out.json'))));
    for (const file of ['out.json', 'out.json.gz']) {
      const { code, out, err } = await command.run('import', file, '--timeout', '9m', '--json');
      t.equal(code, 0, err);
      const { total, ...counts } = JSON.parse(out);
      t.match(counts, { state: 'completed', created: 0, skipped: total, failed: 0 });
      t.ok(total >= users);
    }
    const line = (record: object) => JSON.stringify({ orgId: stage.orgId, list: 'humanUsers', record });
    const person = (userName: string) => ({ userId: userName, user: { userName } });
    const lines = [line(person('of-a-line')), '', line({ userId: 'bad-line', user: {} })];
    writeFileSync(command.at('lines.ndjson'), lines.join('\n'));
    const { code, out } = await command.run('import', 'lines.ndjson', '--errors', 'of-lines.ndjson');
    t.equal(code, 1);
    t.match(tableOf(out), { created: '1', failed: '1' });
    const error = JSON.parse(readFileSync(command.at('of-lines.ndjson'), 'utf8'));
    t.match(error, { id: 'bad-line', message: /^RECORD-INVALID: /, line: 3 });
    t.notOk('position' in error, 'the lines were sent joined');

    writeFileSync(command.at('lines.ndjson'), [...lines, 'Ada,ada@example.com'].join('\n'));
    const broken = await command.run('import', 'lines.ndjson', '--dry-run');
    t.equal(broken.code, 1);
    t.match(
      broken.err,
      /^(?:sending: .*\n)?Line 4 of lines\.ndjson is neither an organization, such as .*\n$/,
      'once, without another attempt',
    );
    writeFileSync(command.at('people.csv'), 'name,email\nAda,ada@example.com\n');
    const refused = await command.run('import', 'people.csv');
    t.equal(refused.code, 1);
    t.match(
      refused.err,
      /^people\.csv is no import\. Expected: the body of an import, what muster export wrote, /,
    );
  });

  t.test('after an interruption, the command finds the import again', async (t) => {
    await worker.crash();
    writeFileSync(command.at('again.json'), bodyOf(stage.orgId, { word: 'again' }));
    const before = await jobs('import');
    const { child, ended } = command.start('import', 'again.json');
    await until(() => existsSync(command.at('again.json.job')), waitLong);
    child.kill('SIGKILL');
    await ended;
    // No worker has seen these when they end.
    const ends = ['cancelled', 'failed', 'expired'];
    const few = 10;
    for (const state of ends) {
      const file = `${state}.json`;
      writeFileSync(command.at(file), bodyOf(stage.orgId, { word: state, count: few }));
      const cut = command.start('import', file);
      await until(() => existsSync(command.at(`${file}.job`)), waitLong);
      cut.child.kill('SIGKILL');
      await cut.ended;
      const { jobId } = JSON.parse(readFileSync(command.at(`${file}.job`), 'utf8'));
      t.equal((await api.call(`DELETE /admin/v1/jobs/${jobId}`)).status, 200);
      // Those that failed or expired have ended like a cancelled one. Only their state differs.
      const changed = await inDatabase(stage, (db) =>
        db.collection<{ _id: string }>('jobs').updateOne({ _id: jobId }, { $set: { state } }),
      );
      t.equal(changed.matchedCount, 1);
    }
    await stage.startWorker();
    const { code, out, err } = await command.run('import', 'again.json');
    t.equal(code, 0, err);
    t.same(tableOf(out), { created: `${users}`, skipped: '0', failed: '0', total: `${users}` });
    t.equal(await jobs('import'), before + 1 + ends.length, 'it was sent once');
    for (const state of ends) {
      const anew = await command.run('import', `${state}.json`);
      t.equal(anew.code, 0, anew.err);
      t.same(tableOf(anew.out), { created: `${few}`, skipped: '0', failed: '0', total: `${few}` }, state);
    }
    t.equal(await jobs('import'), before + 1 + 2 * ends.length, 'such a job is started again');
  });

  t.test('a command that cannot begin says why', async (t) => {
    const stranger = openCommand(t, api, 'no-token');
    writeFileSync(stranger.at('body.json'), '{}');
    const cases: [args: string[], code: number, message: string | RegExp][] = [
      [['import', 'body.json'], 1, /jobs: 401/],
      [['import', 'nothing.json'], 1, 'nothing.json is no file'],
      [['import'], 2, 'muster import: a file, --bucket or --url-file is required'],
      [['export'], 1, '--output or --bucket is required'],
    ];
    for (const [args, expected, message] of cases) {
      const { code, err } = await stranger.run(...args);
      t.equal(code, expected);
      t.match(err, message);
    }
    // The service refuses the body at its first bytes, while the rest is being sent.
    writeFileSync(
      command.at('broken.json'),
      `{"timeout":"1m","dataOrgs":{"orgs":[x${' '.repeat(30_000_000)}`,
    );
    const broken = await command.run('import', 'broken.json');
    t.equal(broken.code, 1);
    t.match(broken.err, /import: 400 /);
    const { code, err } = await command.run('export', '--output', 'x.json', '--timeout', 'soon');
    t.equal(code, 1);
    t.match(err, /export: 400 .*timeout/);
    t.notOk(existsSync(command.at('x.json')));
  });
});
