import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import t from 'tap';
import { checkBucket } from '#src/cli/doctor/check-bucket.js';
import { exportFile } from '#src/cli/jobs/export.js';
import { type VerifyOptions, verifyFile } from '#src/cli/jobs/verify.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import { createLazyBlobStore } from '#src/platform/blobs/lazy-blob-store.js';
import { newId } from '#src/platform/ids.js';
import { importWorker } from '#workers/import.worker.js';
import { runJob } from '#workers/run-job.js';
import { startWorkers } from '#workers/start-workers.js';
import { until } from '../../../dev/until.js';
import { openConsole } from '../../support/app/console.js';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { humanUser, humanUsers, importOf } from '../../support/migration/imports.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { azureAccount } from '../../support/storage/azure-server.js';
import { type Cloud, startAzure, startS3 } from '../../support/storage/clouds.js';
import { s3Key } from '../../support/storage/s3-server.js';
import type { FrontFault } from '../../support/storage/storage-front.js';

/** Imports from Amazon S3 and Azure Blob Storage and exports to them, as s3rver and Azurite stand in for them. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const s3 = await startS3(t, certificate);
const azure = await startAzure(t, certificate);
const hosts = [s3.front.host, azure.front.host];
const opened = await buildListeningApp(t, {
  outgoingCa: certificate.cert,
  bucketHosts: hosts.join(', '),
  importMaxBytes: 500_000,
});
const { container, call, baseUrl } = opened;
/** Workers whose patience ends soon. */
const hasty = { stallMs: 400, pauseMs: 1, attempts: 2 };
const processes = { ...container, blobs: createLazyBlobStore({ hosts, ca: certificate.cert, ...hasty }) };
const workers = startWorkers(processes);
t.teardown(() => workers.close());
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);

const owner = await openConsole(opened, home, { roles: ['IAM_OWNER'] });

const secrets = [s3Key.secretAccessKey, azureAccount.accountKey];
const importFrom = (source: object, timeout = '1m') =>
  call('POST /admin/v1/import', { as, body: { timeout, ...source } });

/** Keys in snake_case, as ZITADEL has them. */
function snake(given: object): object {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`),
      value,
    ]),
  );
}

for (const cloud of [s3, azure] as const satisfies Cloud[]) {
  const name = cloud.name.toLowerCase();
  const { front, at } = cloud as Cloud;

  t.test(cloud.name, async (t) => {
    t.beforeEach(() => front.reset());
    const users = (word: string, count = 3) =>
      JSON.stringify(importOf(home.id, humanUsers(`${name}-${word}`, count)));

    await t.test('users are read from an object, a body or a list alone', async (t) => {
      await cloud.put('body.json', JSON.stringify(importOf(home.id, [...humanUsers(name, 700), { bad: 1 }])));
      const { status, body } = await importFrom({ [`data_orgs_${name}`]: snake(at('body.json')) });
      t.equal(status, 200, JSON.stringify(body));
      t.same(body.summary, { created: 700, skipped: 0, failed: 1, total: 701 });

      const orgs = [
        { orgId: `from-${name}`, org: { name: 'New' }, humanUsers: [humanUser(`${name}-listed`)] },
      ];
      await cloud.put('list.json', gzipSync(JSON.stringify({ orgs })), 'gzip');
      const absent = cloud.name === 'S3' ? { sessionToken: null, pathStyle: null } : { sasToken: null };
      const list = await importFrom({ [`dataOrgsv1${cloud.name}`]: { ...at('list.json'), ...absent } });
      t.same(list.body.summary, { created: 2, skipped: 0, failed: 0, total: 2 }, JSON.stringify(list.body));
    });

    await t.test('a broken connection is taken up again', async (t) => {
      await cloud.put('cut.json', users('cut', 300));
      front.fail({ instead: (to) => to.writeHead(503).end() }, { cutAfter: 20_000 });
      const { body } = await importFrom({ [`dataOrgs${cloud.name}`]: at('cut.json') });
      t.same(body.summary, { created: 300, skipped: 0, failed: 0, total: 300 }, JSON.stringify(body));
      t.ok(
        front.requests.some((request) => / bytes=[1-9]\d*-/.test(request)),
        'the rest alone was asked for',
      );
    });

    await t.test('each fault is told by its own name, and nothing is imported', async (t) => {
      await cloud.put('good.json', users('good'));
      await cloud.put('text.json', 'no JSON at all');
      await cloud.put('half.json', users('half').slice(0, -5));
      await cloud.put('large.json', users('large', 2_000));
      await cloud.put('bomb.json', gzipSync(Buffer.alloc(64 * 2 ** 20, ' ')), 'gzip');
      await cloud.put('wide.json', users('wide', 300));
      await cloud.put('replaced.json', users('wide', 300));
      const other = cloud.name === 'S3' ? azure : s3;
      const always = (fault: FrontFault) => front.fail(...Array.from({ length: 60 }, () => fault));
      const faults: [fault: string, source: object, why: RegExp, arrange?: () => void][] = [
        ['no object', at('none.json'), /bucket\.objectMissing/],
        ['no bucket', cloud.elsewhere('good.json'), /bucket\.bucketMissing/],
        ['text', at('text.json'), /import\.bodyMalformed/],
        ['half a text', at('half.json'), /import\.bodyMalformed/],
        ['too large', at('large.json'), /import\.tooLarge/],
        ['a bomb', at('bomb.json'), /bucket\.expandsTooMuch|import\.tooLarge/],
        [
          'wrong credentials',
          at('good.json', cloud.name === 'S3' ? { secretAccessKey: 'wrong' } : { accountKey: 'd3Jvbmc=' }),
          /bucket\.(credentialsRefused|permissionMissing)/,
        ],
        [
          'a redirect',
          at('good.json'),
          /bucket\.redirected/,
          () =>
            front.fail({
              instead: (to) => to.writeHead(307, { location: `${other.front.url}/moves/good.json` }).end(),
            }),
        ],
        [
          'replaced while it is read',
          at('replaced.json'),
          /bucket\.objectChanged/,
          () =>
            front.fail(
              { cutAfter: 20_000 },
              { before: () => cloud.put('replaced.json', randomBytes(150_000)) },
            ),
        ],
        [
          'shorter than it says',
          at('wide.json'),
          /bucket\.refused: .*the rest/,
          () =>
            always({
              change: ({ headers, ...answer }) => ({
                ...answer,
                headers: { ...headers, 'content-length': '200000' },
              }),
              cutAfter: 1_000,
            }),
        ],
        [
          'longer than it says',
          at('wide.json'),
          /import\.bodyMalformed/,
          () =>
            front.fail({
              change: ({ status, headers: { 'content-md5': _, ...headers }, body }) => ({
                status,
                headers: { ...headers, 'content-length': '900' },
                body: body.subarray(0, 900),
              }),
            }),
        ],
      ];
      for (const [fault, source, why, arrange] of faults) {
        front.reset();
        other.front.reset();
        arrange?.();
        const { body } = await importFrom({ [`dataOrgs${cloud.name}`]: source });
        t.match(body.errors, [{ type: 'import', id: '', message: why }], fault);
        t.match(body.errors[0].message, /^STOPPED: .*nothing was imported$/, fault);
        t.notOk(
          secrets.some((secret) => JSON.stringify(body).includes(secret)),
          fault,
        );
        t.same(body.summary, { created: 0, skipped: 0, failed: 0, total: 0 }, fault);
        t.same(other.front.requests, [], fault);
      }
      t.equal(await container.users.find(home.id, `id-${name}-good-0`), undefined);
    });

    await t.test('a storage that is away is waited for until the deadline', async (t) => {
      await cloud.put('wide.json', users('wide', 300));
      // Each takes the two seconds of the timeout, so each provider has two.
      const faults: [fault: string, why: RegExp, FrontFault][] =
        cloud.name === 'S3'
          ? [
              ['stalled', /bucket\.tooSlow/, { stallAfter: 100 }],
              [
                'broken',
                /bucket\.transferFailed: The storage answers 503;/,
                { instead: (to) => void to.writeHead(503).end() },
              ],
            ]
          : [
              ['slow', /bucket\.tooSlow/, { dripMs: 50 }],
              ['silent', /bucket\.tooSlow/, { instead: () => undefined }],
            ];
      for (const [name, why, fault] of faults) {
        front.reset();
        front.fail(...Array.from({ length: 60 }, () => fault));
        const { body } = await importFrom({ [`dataOrgs${cloud.name}`]: at('wide.json') }, '2s');
        t.match(body.errors, [{ type: 'timeout', message: why }], name);
        t.match(body.errors[0].message, /^TIMEOUT: .*nothing was imported$/, name);
      }
    });

    await t.test('an export goes there, and comes back', async (t) => {
      const output = { [`${name}_output`]: snake(at('export.json')) };
      const exported = await call('POST /admin/v1/export', {
        as,
        body: { org_ids: [`from-${name}`], ...output },
      });
      const { path } = at('export.json') as { path: string };
      const place = cloud.name === 'S3' ? { bucket: 'moves', path } : { container: 'moves', path };
      t.match(exported, { status: 200, body: { [name]: place } }, JSON.stringify(exported.body));
      t.same(Object.keys(exported.body), ['jobId', name]);
      t.equal(JSON.parse(String(await cloud.get('export.json'))).orgs[0].orgId, `from-${name}`);
      const job = await call(`GET /admin/v1/jobs/${exported.body.jobId}`, { as });
      t.match(job.body.result, { [name]: place });
      const found = await call('POST /admin/v1/events/_search', {
        as,
        body: { aggregateId: exported.body.jobId, eventTypes: ['export.completed'] },
      });
      t.match(found.body.events, [{ payload: { [name]: place } }]);

      const again = await importFrom({ [`dataOrgsv1${cloud.name}`]: at('export.json') });
      t.match(again.body.summary, { created: 0, failed: 0 });

      front.fail({ instead: (to) => to.writeHead(403).end() });
      const refused = await call('POST /admin/v1/export', { as, body: { org_ids: [home.id], ...output } });
      t.match(refused, { status: 400, body: { id: 'bucket.permissionMissing' } });
    });

    await t.test('the forms of the console export there and import from there', async (t) => {
      const pages = '/console/migration';
      const { endpoint = '' } = at('');
      const fields =
        cloud.name === 'S3'
          ? { storage: 'S3', s3Endpoint: endpoint, ...s3Key }
          : {
              storage: 'Azure',
              azureEndpoint: endpoint,
              account: azureAccount.account,
              azureKey: azureAccount.accountKey,
            };
      const object = { ...fields, bucket: 'moves', path: 'console.json', timeout: '30m' };
      const ended = async (page: { status: number; text: string; location: string | undefined }) => {
        t.equal(page.status, 303, page.text.slice(0, 2_000));
        const address = page.location ?? '';
        await until(async () => !(await owner.get(address)).text.includes('hx-trigger'));
        return (await owner.get(address)).text;
      };
      const toExport = await owner.get(`${pages}/export`);
      const choices = { ...object, org: `from-${name}`, target: 'bucket' };
      const exported = await ended(await owner.fill(toExport, choices, `${pages}/export`));
      t.match(exported, 'moves/console.json');
      t.equal(JSON.parse(String(await cloud.get('console.json'))).orgs[0].orgId, `from-${name}`);

      const toImport = await owner.get(`${pages}/import`);
      const send = (more: object) =>
        owner.fill(toImport, { ...object, form: 'dataOrgsv1', ...more }, `${pages}/import/bucket`);
      const imported = await ended(await send({ dryRun: 'on', update: 'on' }));
      t.match(imported, 'Would be skipped');
      const refused = await send({ path: '', update: 'on' });
      t.equal(refused.status, 400);
      for (const kept of [`value="${cloud.name}" checked`, `value="${endpoint}"`, 'value="moves"']) {
        t.match(refused.text, kept);
      }
      t.match(refused.text, /id="f-update-bucket" name="update" value="on" checked/);
      for (const { text } of [{ text: exported }, { text: imported }, refused])
        t.notOk([...secrets, s3Key.accessKeyId].some((secret) => text.includes(secret)));
    });

    const folder = mkdtempSync(join(tmpdir(), 'muster-clouds-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const storage = join(folder, 'storage.json');
    const placed = ['path', 'bucket', 'container'];
    const file = Object.fromEntries(Object.entries(at('')).filter(([name]) => !placed.includes(name)));

    await t.test('muster export writes there', async (t) => {
      const [output, tokenFile] = [join(folder, 'export.json'), join(folder, 'token')];
      writeFileSync(storage, JSON.stringify(snake(file)));
      writeFileSync(tokenFile, as.token);
      const told: string[] = [];
      const screen = { write: (text: string) => told.push(text) > 0, isTTY: false };
      const options = { baseUrl, bucket: 'moves', path: 'command.json', storage };
      await exportFile(
        { ...options, org: [`from-${name}`], excludeOrg: [], timeout: '1m', tokenFile, output },
        createOutput({ stdout: screen, stderr: screen }, false),
      );
      t.match(told.join(''), `${output} and command.json in moves: `);
      t.notOk(secrets.some((secret) => told.join('').includes(secret)));
      const written = String(await cloud.get('command.json'));
      t.equal(JSON.parse(written).orgs[0].orgId, `from-${name}`);
      t.equal(readFileSync(output, 'utf8'), written, 'the file has the same');
    });

    await t.test('muster verify compares with what is there', async (t) => {
      const tokenFile = join(folder, 'token');
      const verify = async (options: VerifyOptions, asJson = true) => {
        const [told, noted]: [string[], string[]] = [[], []];
        const into = (list: string[]) => ({ write: (text: string) => list.push(text) > 0, isTTY: false });
        const given = { baseUrl, bucket: 'moves', storage, tokenFile, ...options };
        const output = createOutput({ stdout: into(told), stderr: into(noted) }, asJson);
        await verifyFile(undefined, given, output);
        const code = process.exitCode ?? 0;
        process.exitCode = undefined;
        const text = told.join('');
        t.notOk(secrets.some((secret) => (text + noted.join('')).includes(secret)));
        return { code, text };
      };
      const orgs = JSON.parse(String(await cloud.get('command.json'))).orgs;
      const same = await verify({ path: 'command.json' });
      t.equal(same.code, 0, same.text);
      t.match(JSON.parse(same.text), { state: 'completed', same: 2, missing: 0, different: 0, extra: 0 });

      orgs[0].humanUsers[0].user.profile.lastName = 'Other';
      orgs[0].humanUsers.push(humanUser(`${name}-absent`));
      await cloud.put('other.json', JSON.stringify({ orgs }));
      const differences = join(folder, 'differences.ndjson');
      const other = await verify({ path: 'other.json', differences, extra: true });
      t.equal(other.code, 1);
      t.match(JSON.parse(other.text), { same: 1, missing: 1, different: 1, refused: 0, extra: 0 });
      const lines = readFileSync(differences, 'utf8').trim().split('\n');
      t.match(
        lines.map((line) => JSON.parse(line)),
        [
          { kind: 'missing', id: `id-${name}-absent` },
          { kind: 'different', id: `id-${name}-listed`, message: /differs in name/ },
        ],
      );
      await cloud.put('users.json', JSON.stringify({ orgs: [{ orgId: `from-${name}`, humanUsers: [] }] }));
      const external = await verify({ path: 'users.json', external: true, extra: true });
      t.match(JSON.parse(external.text), { same: 0, missing: 0, different: 0, extra: 1 });
      t.equal(external.code, 1, 'the person is extra');

      const none = await verify({ path: 'none.json' }, false);
      t.equal(none.code, 1);
      t.match(
        none.text,
        /The verification ended early: failed\nSTOPPED: .*bucket\.objectMissing.*nothing was compared/,
      );
      const { errors, same: count } = JSON.parse((await verify({ path: 'none.json' })).text);
      t.match(errors, [{ type: 'import', id: '', message: /^STOPPED: .*bucket\.objectMissing/ }]);
      t.equal(count, 0);
    });

    await t.test('a verification has the bounds and the errors of an import', async (t) => {
      await cloud.put('text.json', 'no JSON at all');
      await cloud.put('large.json', users('large', 2_000));
      const compareWith = (source: object) =>
        call('POST /admin/v1/verify', { as, body: { timeout: '1m', [`dataOrgs${cloud.name}`]: source } });
      const wrong = cloud.name === 'S3' ? { secretAccessKey: 'wrong' } : { accountKey: 'd3Jvbmc=' };
      for (const [source, why] of [
        [cloud.elsewhere('text.json'), /bucket\.bucketMissing/],
        [at('text.json'), /import\.bodyMalformed/],
        [at('large.json'), /import\.tooLarge/],
        [at('text.json', wrong), /bucket\.(credentialsRefused|permissionMissing)/],
      ] as const) {
        const { status, body } = await compareWith(source);
        t.equal(status, 200);
        t.match(body.errors, [{ type: 'import', id: '', message: why }]);
        t.match(body.errors[0].message, /^STOPPED: .*nothing was compared$/);
        t.match(body, { counts: { total: 0 }, lists: [], isSame: undefined, sourceDigest: undefined });
        t.notOk(secrets.some((secret) => JSON.stringify(body).includes(secret)));
        const job = await call(`GET /admin/v1/jobs/${body.jobId}`, { as });
        t.match(job.body, { kind: 'verify', state: 'failed', result: { errors: body.errors } });
      }
      t.match(await compareWith(at('x', { endpoint: 'https://169.254.169.254' })), {
        status: 400,
        body: { id: 'bucket.hostNotAllowed' },
      });
    });

    await t.test('muster doctor writes an object there and reads it', async (t) => {
      const bucketHosts = hosts.join(', ');
      const check = async (more: object = {}, ca: string | undefined = certificate.cert) => {
        writeFileSync(storage, JSON.stringify(snake({ ...file, ...more })));
        const settings = { storageEmulatorHost: '', bucketHosts, ...(ca !== '' && { ca }) };
        return (await checkBucket({ bucket: 'moves', path: 'doctor.txt', storage }, settings))[0];
      };
      t.match(await check(), { state: 'ok', text: 'doctor.txt was written to moves and read again' });
      t.match(String(await cloud.get('doctor.txt')), /^Written by muster doctor at /);
      t.match(await check({}, ''), { state: 'failed', remedy: /NODE_EXTRA_CA_CERTS/ });
      front.reset();
      front.fail({ instead: (to) => to.writeHead(403).end() });
      const refused = await check();
      t.match(refused, { state: 'failed', remedy: cloud.name === 'S3' ? /s3:PutObject/ : /r, c and w/ });
      t.notOk(secrets.some((secret) => JSON.stringify(refused).includes(secret)));
    });
  });
}

t.test('a request is refused before its job if it cannot be right', async (t) => {
  const before = [...s3.front.requests, ...azure.front.requests].length;
  const { port } = new URL(s3.front.url);
  const link = { endpoint: 'https://169.254.169.254' };
  for (const [key, source, id] of [
    ['S3', s3.at('x', link), 'bucket.hostNotAllowed'],
    ['S3', s3.at('x', { endpoint: `https://localhost:${port}` }), 'bucket.hostNotAllowed'],
    ['S3', s3.at('x', { pathStyle: false }), 'bucket.hostNotAllowed'],
    [
      'S3',
      s3.at('x', { endpoint: 'https://s3.eu-central-1.amazonaws.com.other.example' }),
      'bucket.hostNotAllowed',
    ],
    ['S3', s3.at('x', { endpoint: `http://127.0.0.1:${port}` }), 'bucket.targetInvalid'],
    ['S3', s3.at('x', { endpoint: undefined }), 'bucket.targetInvalid'],
    ['S3', s3.at('x', { endpoint: undefined, region: 'x.other.example/' }), 'bucket.targetInvalid'],
    ['S3', s3.at('a/../b'), 'bucket.targetInvalid'],
    ['S3', s3.at('x', { secretAccessKey: 'a\nb' }), 'bucket.credentialsInvalid'],
    ['S3', s3.at('x', { profile: 'default' }), 'import.bodyMalformed'],
    ['S3', s3.at('x', { pathStyle: 'true' }), 'import.bodyMalformed'],
    ['Azure', azure.at('x', link), 'bucket.hostNotAllowed'],
    ['Azure', azure.at('x', { sasToken: 'sig=a' }), 'bucket.credentialsInvalid'],
    ['Azure', azure.at('x', { accountKey: undefined }), 'bucket.credentialsInvalid'],
    [
      'Azure',
      { container: 'moves', path: 'x', connectionString: 'UseDevelopmentStorage=true' },
      'bucket.credentialsInvalid',
    ],
    ['Azure', { container: 'moves', path: 'x', accountKey: 'AAAA' }, 'bucket.targetInvalid'],
    ['Azure', { container: 'moves' }, 'import.bodyMalformed'],
  ] as const) {
    const answer = await importFrom({ [`dataOrgs${key}`]: source });
    t.match(answer, { status: 400, body: { id } }, JSON.stringify([source, answer.body]));
    t.notOk(secrets.some((secret) => JSON.stringify(answer.body).includes(secret)));
    const exported = await call('POST /admin/v1/export', {
      as,
      body: { [`${key.toLowerCase()}Output`]: source },
    });
    t.match(
      exported,
      { status: 400, body: { id: id.replace('import.', 'http.') } },
      JSON.stringify(exported.body),
    );
  }
  const both = { s3Output: s3.at('x'), azureOutput: azure.at('x') };
  t.match(await call('POST /admin/v1/export', { as, body: both }), { body: { id: 'export.outputTwice' } });
  t.equal([...s3.front.requests, ...azure.front.requests].length, before);
});

t.test('the secrets are in no collection in the clear, not while a job waits either', async (t) => {
  await workers.close();
  for (const body of [
    { timeout: '5m', dataOrgsS3: s3.at('x') },
    { timeout: '5m', dataOrgsAzure: azure.at('x') },
  ])
    t.equal(
      (await call('POST /admin/v1/import', { as, body, headers: { prefer: 'respond-async' } })).status,
      202,
    );
  for (const body of [{ s3Output: s3.at('x') }, { azureOutput: azure.at('x') }])
    t.equal(
      (await call('POST /admin/v1/export', { as, body, headers: { prefer: 'respond-async' } })).status,
      202,
    );
  const { db } = container.mongo;
  for (const { name } of await db.listCollections().toArray()) {
    const documents = await db.collection(name).find().toArray();
    const text = documents.map((one) => JSON.stringify(one) + clearText(one)).join('\n');
    for (const secret of secrets) t.notOk(text.includes(secret), name);
  }
});

/** Begins an import that no worker runs. */
async function begin(source: object): Promise<string> {
  const answer = await call('POST /admin/v1/import', {
    as,
    body: { timeout: '5m', dataOrgsS3: source },
    headers: { prefer: 'respond-async' },
  });
  t.equal(answer.status, 202);
  return String(answer.headers['location']).split('/').at(-1) ?? '';
}
const jobOf = async (id: string) => (await call(`GET /admin/v1/jobs/${id}`, { as })).body;
const silent: FrontFault = { instead: () => undefined };

t.test('a bucket that stands still ends no import, however often the queue has offered it', async (t) => {
  await s3.put('late.json', JSON.stringify(importOf(home.id, humanUsers('late', 2))));
  const id = await begin(s3.at('late.json'));
  s3.front.reset();
  s3.front.fail(...Array.from({ length: 20 }, () => silent));
  const queued = {
    name: 'import',
    data: { jobId: id },
    attemptsMade: jobCatalogue.import.attempts - 1,
    stalledCounter: 0,
    timestamp: 0,
  };
  const away = { name: 'AppError', definition: { id: 'bucket.tooSlow' } };
  await t.rejects(runJob(container, importWorker(processes), queued), away);
  t.equal((await jobOf(id)).state, 'running');
  t.match(await container.imports.find(id), { failure: /^bucket\.tooSlow: / });
  s3.front.reset();
  const later = startWorkers(processes);
  t.teardown(() => later.close());
  await until(async () => (await jobOf(id)).state === 'completed');
  await later.close();
  t.ok(await container.users.find(home.id, 'id-late-0'));
});

t.test('an import ends, and its worker too, before the first byte of its object came', async (t) => {
  const patient = { ...container, blobs: createLazyBlobStore({ hosts, ca: certificate.cert }) };
  const attempt = (jobId: string, stopping: AbortSignal) =>
    importWorker(patient)({ jobId, attemptId: newId() }, pino({ enabled: false }), stopping);
  const begun = async () => {
    s3.front.reset();
    s3.front.fail(silent);
    const id = await begin(s3.at('late.json'));
    const stopping = new AbortController();
    const run = attempt(id, stopping.signal);
    await until(async () => s3.front.requests.length === 1);
    return { id, stopping, run };
  };
  const cancelled = await begun();
  t.equal((await call(`DELETE /admin/v1/jobs/${cancelled.id}`, { as })).body.state, 'cancelled');
  await cancelled.run;
  t.equal(s3.front.requests.length, 1, 'the storage had time for no second attempt');

  const stopped = await begun();
  stopped.stopping.abort();
  await stopped.run;
  t.equal(s3.front.requests.length, 1, 'nor here');
  t.equal((await jobOf(stopped.id)).state, 'running', 'another worker continues it');
  await until(async () => s3.front.open() === 0);
});

/** What the binary values of a document have as text. */
function clearText(value: unknown): string {
  if (value === null || typeof value !== 'object') return '';
  const { buffer } = value as { buffer?: unknown };
  if (Buffer.isBuffer(buffer)) return buffer.toString('latin1');
  return Object.values(value).map(clearText).join('\n');
}
