import { gzipSync } from 'node:zlib';
import t from 'tap';
import { detailsOf } from '#src/migration/import/stores/kept-imports.js';
import { newId } from '#src/platform/ids.js';
import { until } from '../../../dev/until.js';
import { type ConsoleUser, openConsole } from '../../support/app/console.js';
import { makeCaller, makeOrganization, uniqueName } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';

/** Imports and exports in the console, with the jobs that do them. */

const opened = await buildTestApp(t, { workers: true });
const { app, call, container, clock } = opened;
const { baseUrl } = container.config;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
const path = '/console/migration';

async function makeJob(kind: 'import' | 'export' | 'scim-bulk', orgId = '*'): Promise<string> {
  const id = newId();
  const created = clock.now();
  await container.jobs.insert({
    id,
    kind,
    orgId,
    requestedBy: 'x',
    total: 10,
    created,
    body: Buffer.from('{}'),
  });
  return id;
}

/** What is stored of the import whose page is at this address. */
async function importAt(location: string) {
  const job = await container.jobs.find(location.split('/').at(-1) ?? '');
  return job && detailsOf(container, job);
}

/** Posts a form with a file, as a browser does. The fields stand before the file. */
async function upload(user: ConsoleUser, file: Buffer, fields: Record<string, string>) {
  const boundary = 'b0undary';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.json"\r\ncontent-type: application/json\r\n\r\n`;
  const answer = await app.inject({
    method: 'POST',
    url: `${path}/import`,
    remoteAddress: '192.0.2.1',
    headers: {
      cookie: [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: new URL(baseUrl).origin,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: Buffer.concat([
      Buffer.from(parts.join('') + head),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  });
  const location = String(answer.headers.location ?? '').replace(baseUrl, '');
  if (/[?&]refused=/.test(location)) return { ...(await user.get(location)), location: '' };
  return { status: answer.statusCode, text: answer.payload, location };
}

async function tokenOf(user: ConsoleUser): Promise<string> {
  const { text } = await user.get(`${path}/import`);
  return /enctype="multipart\/form-data"[\s\S]*?name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

async function settled(user: ConsoleUser, address: string) {
  await until(async () => !(await user.get(address)).text.includes('hx-trigger'));
  return user.get(address);
}

const exportOf = (orgId: string, users: object[]) =>
  Buffer.from(JSON.stringify({ orgs: [{ orgId, org: { name: uniqueName('org') }, humanUsers: users }] }));
const human = (name: string) => humanUser(name);

t.test('a file is imported: dry run, errors as a table and as a file, then for real', async (t) => {
  const orgId = newId();
  const file = exportOf(orgId, [
    human(uniqueName('ok')),
    humanUser('<b>bad</b>', { email: { email: 'no address' } }),
  ]);
  const csrf = await tokenOf(owner);
  const dry = await upload(owner, file, { csrf, dryRun: 'on', timeout: '30m' });
  t.equal(dry.status, 303, dry.text.slice(0, 3_000));
  const seen = await settled(owner, dry.location);
  t.match(seen.text, 'Download all errors');
  t.notMatch(seen.text, '<b>bad');
  const errors = await owner.get(`${dry.location}/errors`);
  t.equal(errors.status, 200);
  t.match(errors.headers['content-disposition'], 'attachment');
  t.equal(
    errors.text
      .trim()
      .split('\n')
      .every((line) => 'type' in JSON.parse(line)),
    true,
  );
  t.equal(await container.organizations.find(orgId), undefined, 'a dry run changes nothing');
  const german = await openConsole(opened, home, {
    roles: ['IAM_OWNER'],
    profile: { preferredLanguage: 'de' },
  });
  const inGerman = (await german.get(dry.location)).text;
  t.match(
    inGerman,
    'Ein Wert ist ungültig.<details><summary><code>VALUE-INVALID</code></summary><p lang="en">',
  );

  const real = await upload(owner, gzipSync(file), { csrf, timeout: '30m' });
  await settled(owner, real.location);
  t.ok(await container.organizations.find(orgId));
});

t.test('a dry run cannot be mistaken for an import', async (t) => {
  const as = await makeCaller(container, home.id, ['IAM_OWNER']);
  const csrf = await tokenOf(owner);
  const file = exportOf(newId(), [human(uniqueName('dry')), human(uniqueName('dry'))]);
  const { location } = await upload(owner, file, { csrf, dryRun: 'on', timeout: '30m' });
  await settled(owner, location);
  const id = location.split('/').at(-1) ?? '';

  const { body: job } = await call(`GET /admin/v1/jobs/${id}`, { as });
  t.match(job, { kind: 'import', dryRun: true, result: { dryRun: true, summary: { created: 3 } } });
  t.match((await call(`GET /admin/v1/jobs/${id}?result=summary`, { as })).body, { result: { dryRun: true } });
  const { body: listed } = await call('GET /admin/v1/jobs?kind=import', { as });
  t.equal(listed.items.find((one: { id: string }) => one.id === id)?.dryRun, true);
  const { body: found } = await call('POST /admin/v1/events/_search', { as, body: { aggregateId: id } });
  t.match(found.events, [{ type: 'import.completed', payload: { dryRun: true } }]);

  const words = {
    en: ['Dry run', 'Would be created', 'Nothing was changed'],
    de: ['Probelauf', 'Würden angelegt', 'Nichts wurde geändert'],
    fr: ['Essai', 'Seraient créés', 'Rien n’a été modifié'],
    es: ['Ensayo', 'Se crearían', 'No se cambió nada'],
    it: ['Prova', 'Verrebbero creati', 'Nulla è stato modificato'],
  };
  const user = `PATCH /scim/v2/${home.id}/Users/${owner.person.id}`;
  for (const [language, [name = '', created = '', nothing = '']] of Object.entries(words)) {
    const Operations = [{ op: 'replace', path: 'preferredLanguage', value: language }];
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    t.equal((await call(user, { as, body: { schemas, Operations } })).status, 204);
    const page = (await owner.get(location)).text;
    t.match(page, `<h1>${name}</h1>`);
    t.match(page, created);
    t.match(page, nothing);
    const history = (await owner.get(path)).text;
    const row = history.split('<tr').find((one) => one.includes(id)) ?? '';
    t.match(row, name);
    t.match(row, nothing);
    const logged = (await owner.get('/console/log?topic=import')).text.replaceAll(/<[^>]+>/g, '');
    t.match(logged, new RegExp(`${name.toLowerCase()}[^]*${nothing}`, 'i'));
  }
  const Operations = [{ op: 'replace', path: 'preferredLanguage', value: 'en' }];
  await call(user, { as, body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations } });

  const real = await upload(owner, file, { csrf, timeout: '30m' });
  const seen = await settled(owner, real.location);
  t.match(seen.text, '<h1>Import</h1>');
  t.notMatch(seen.text, 'Nothing was changed');
  const realId = real.location.split('/').at(-1);
  const { body: realJob } = await call(`GET /admin/v1/jobs/${realId}`, { as });
  t.equal(realJob.dryRun, false);
  t.equal(realJob.result.dryRun, undefined);
});

t.test('a dry run that was cancelled, or failed, is none of an import that goes on', async (t) => {
  const csrf = await tokenOf(owner);
  const { location } = await upload(owner, exportOf(newId(), [human(uniqueName('dry'))]), {
    ...{ csrf, dryRun: 'on', timeout: '30m' },
  });
  const id = location.split('/').at(-1) ?? '';
  await settled(owner, location);
  // As a job that a worker gave up.
  await container.mongo.collection('jobs').updateOne({ _id: id as never }, { $set: { state: 'failed' } });
  const page = (await owner.get(location)).text;
  t.notMatch(page, 'objects that exist are skipped');
  t.match(page, 'To check the whole file, send it again.');
  t.match((await owner.get('/console')).text, />Dry run</);
});

t.test('the file is read only after the form token was checked', async (t) => {
  const jobs = (await container.jobs.page(undefined, { limit: 100 })).length;
  const refused = await upload(owner, exportOf(newId(), []), { csrf: 'x'.repeat(43) });
  t.equal(refused.status, 403);
  t.equal((await upload(owner, exportOf(newId(), []), {})).status, 403);
  t.equal((await container.jobs.page(undefined, { limit: 100 })).length, jobs);
});

t.test('a file that is no import says so, and the choices stay', async (t) => {
  const csrf = await tokenOf(owner);
  for (const file of ['', 'userName,email\na,b', '[1]', '{"orgs":', '{"timeout":"1m","dryRun":false}']) {
    const refused = await upload(owner, Buffer.from(file), { csrf, dryRun: 'on', timeout: '8h' });
    t.equal(refused.status, 400, file);
    t.match(refused.text, /role="alert"/);
    t.match(refused.text, 'value="8h" selected');
  }
});

t.test('a body of muster convert keeps its own timeout, and the dry run is asked for', async (t) => {
  const csrf = await tokenOf(owner);
  const body = Buffer.from(`\n { "timeout": "10m", "dataOrgsv1": ${exportOf(newId(), [])} }`);
  const sent = await upload(owner, body, { csrf, dryRun: 'on', update: 'on' });
  t.equal(sent.status, 303, sent.text.slice(0, 2_000));
  const details = await importAt(sent.location);
  t.match(details, { dryRun: true, update: true });
  await settled(owner, sent.location);
});

t.test('a large file streams through', async (t) => {
  const csrf = await tokenOf(owner);
  const users = Array.from({ length: 4_000 }, () => human(uniqueName('big')));
  const file = exportOf(newId(), users);
  t.ok(file.length > 500_000, `${file.length} bytes`);
  const sent = await upload(owner, file, { csrf, dryRun: 'on', timeout: '30m' });
  t.equal(sent.status, 303);
  t.equal((await importAt(sent.location))?.update, undefined);
  const seen = await settled(owner, sent.location);
  t.match(seen.text, '4,00');
});

t.test('the key of a bucket is not shown again, and waits in no draft', async (t) => {
  const secret = JSON.stringify({ private_key: 'TOP-SECRET' });
  const fields = { form: 'dataOrgsGcs', bucket: 'b', path: '', serviceAccount: secret, timeout: '2h' };
  const page = await owner.get(`${path}/import`);
  const refused = await owner.fill(page, fields, `${path}/import/bucket`);
  t.equal(refused.status, 400);
  t.match(refused.text, 'name="bucket" value="b"'.split(' ')[1] ?? '');
  t.notMatch(refused.text, 'TOP-SECRET');
  clock.advance(3_600);
  const asked = await owner.fill(page, fields, `${path}/import/bucket`);
  t.match(asked.location, 'prompt=login');
  const again = await owner.signIn(asked);
  t.equal(again.url, `${path}/import`, 'the form, empty');
  t.notMatch(again.text, 'TOP-SECRET');
});

t.test('credentials of S3 and Azure are not shown again, and the rest of the form is', async (t) => {
  const cases: readonly Readonly<Record<string, string>>[] = [
    {
      storage: 'S3',
      region: 'mars-north-1',
      accessKeyId: 'TOP-ID',
      secretAccessKey: 'TOP-SECRET',
      sessionToken: 'TOP-TOKEN',
    },
    { storage: 'Azure', account: 'acme', azureKey: 'sv=1&sig=TOP-SIG' },
    { storage: 'Azure', azureKey: 'AccountName=acme;AccountKey=TOP-KEY' },
    { storage: 'Azure', account: 'acme', azureKey: 'VE9QLUtFWQ==' },
  ];
  for (const [page, address] of [
    ['import', `${path}/import/bucket`],
    ['export', `${path}/export`],
  ] as const) {
    for (const given of cases) {
      const fields = {
        ...given,
        target: 'bucket',
        form: 'dataOrgs',
        bucket: 'some-bucket',
        path: '',
        timeout: '2h',
      };
      const refused = await owner.fill(await owner.get(`${path}/${page}`), fields, address);
      t.equal(refused.status, 400);
      t.match(refused.text, `value="${given['storage']}" checked`);
      t.match(refused.text, 'value="some-bucket"');
      if (given['region'] !== undefined) t.match(refused.text, 'value="mars-north-1"');
      if (given['account'] !== undefined) t.match(refused.text, 'value="acme"');
      t.notMatch(refused.text, /TOP-|VE9Q/);
    }
  }
});

t.test('an https address is not shown again, and the service says which hosts it reads', async (t) => {
  const url = 'https://files.example.com/body.json?signature=TOP-SIGNATURE';
  for (const form of ['dataOrgs', 'dataOrgsv1']) {
    const fields = { form, url, timeout: '8h', update: 'on' };
    const page = await owner.get(`${path}/import`);
    const refused = await owner.fill(page, fields, `${path}/import/address`);
    t.equal(refused.status, 400);
    t.match(refused.text, 'MUSTER_IMPORT_HOSTS, the list of hosts');
    t.match(refused.text, `<option value="${form}" selected>`);
    t.match(refused.text, 'id="f-update-address" name="update" value="on" checked');
    t.notMatch(refused.text, 'TOP-SIGNATURE');
  }
});

t.test('the form asks for the sign-in first', async (t) => {
  clock.advance(3_600);
  for (const form of ['import', 'export']) {
    const asked = await owner.get(`${path}/${form}`);
    t.match(asked.location, 'prompt=login');
    if (form === 'export') t.equal((await owner.signIn(asked)).url, `${path}/export`);
  }
});

t.test('an export is downloaded', async (t) => {
  const org = await makeOrganization(container);
  const page = await owner.get(`${path}/export`);
  const begun = await owner.fill(page, { org: org.id, target: 'download', timeout: '30m' }, `${path}/export`);
  t.equal(begun.status, 303, begun.text.slice(0, 2_000));
  const seen = await settled(owner, begun.location ?? '');
  t.match(seen.text, `${begun.location}/result`);
  const file = await owner.get(`${begun.location}/result`);
  t.equal(file.status, 200);
  t.match(JSON.parse(file.text), { orgs: [{ orgId: org.id }] });
});

t.test('an open job is cancelled, and an import then says how it goes on', async (t) => {
  const id = await makeJob('export');
  const seen = await owner.get(`${path}/jobs/${id}`);
  t.match(seen.text, 'hx-trigger="every 2s"');
  t.match(seen.text, '<noscript><meta http-equiv="refresh" content="5"></noscript>');
  const after = await owner.follow(await owner.fill(seen, {}, `${path}/jobs/${id}/cancel`));
  t.match(after.text, 'cancelled');
  t.notMatch(after.text, 'hx-trigger');
});

t.test('older jobs are on pages of their own, and the former address leads here', async (t) => {
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) {
    const id = await makeJob('scim-bulk', '<b>org</b>');
    await container.jobs.end(id, 'completed');
    ids.unshift(id);
  }
  const old = await owner.get('/operations/jobs');
  t.equal(old.status, 308);
  t.equal(old.location, '/console/service/jobs');
  const first = await owner.get('/console/service/jobs');
  const on = (text: string) => ids.filter((id) => text.includes(id));
  t.ok(on(first.text).length >= 20);
  t.match(first.text, '&lt;b&gt;org&lt;/b&gt;');
  const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await owner.get(next);
  t.same([...on(first.text), ...on(second.text)], ids);
  t.notMatch(second.text, 'hx-trigger="every', 'what is old is not kept up to date');
  t.notMatch((await owner.get(path)).text, ids[0] ?? '', 'the page of imports and exports has no other jobs');
});

t.test('others do not see them', async (t) => {
  const theirs = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  const id = await makeJob('import');
  for (const address of [`${path}/jobs/${id}`, `${path}/jobs/${id}/errors`, `${path}/jobs/${id}/result`])
    t.ok([403, 404].includes((await theirs.get(address)).status), address);
});
