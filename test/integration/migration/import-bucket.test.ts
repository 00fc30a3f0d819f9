import t from 'tap';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { startStorageServer } from '../../../dev/storage/storage-server.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser, humanUsers, importOf } from '../../support/migration/imports.js';

const storage = await startStorageServer(t, ['bucket']);
const { container, call } = await buildTestApp(t, {
  workers: true,
  storageEmulatorHost: storage.endpoint,
  importMaxBytes: 500_000,
});
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);

const serviceAccount = encodeServiceAccount();

const importFrom = async (path: string, key = 'data_orgs_gcs') => {
  const body = { timeout: '5m', [key]: { bucket: 'bucket', path, serviceaccount_json: serviceAccount } };
  return (await call('POST /admin/v1/import', { as, body })).body;
};

t.test('users are read from the object of a bucket, a body or a list alone', async (t) => {
  storage.put(
    'bucket/body.json',
    JSON.stringify(importOf(home.id, [...humanUsers('body', 1100), { bad: 1 }])),
  );
  const body = await importFrom('body.json');
  t.same(body.summary, { created: 1100, skipped: 0, failed: 1, total: 1101 });
  t.match(body.errors, [{ type: 'human_user', message: /^RECORD-INVALID: / }]);
  t.equal(body.success.orgs[0].humanUserIds.length, 1100);

  const orgs = [{ orgId: 'from-bucket', org: { name: 'New' }, humanUsers: [humanUser('listed')] }];
  storage.put('bucket/list.json', JSON.stringify({ orgs }));
  const list = await importFrom('list.json', 'data_orgsv1_gcs');
  t.equal(list.errors, undefined);
  // The answer may come a moment before a worker has cleared up.
  await until(async () => (await container.mongo.db.collection('stagedBlocks').countDocuments({})) === 0);
  t.same(list.summary, { created: 2, skipped: 0, failed: 0, total: 2 });
  t.equal((await container.organizations.find('from-bucket'))?.name, 'New');
  const [job] = await container.jobs.page(undefined, { limit: 1 });
  t.equal(
    job?.queuedUnder,
    'from-bucket',
    'it queues under the organization that it concerns, known once it is read',
  );
});

t.test('a broken connection is taken up again', async (t) => {
  storage.put('bucket/cut.json', JSON.stringify(importOf(home.id, humanUsers('cut', 300))));
  storage.fail({ on: 'download', cutAfter: 20_000 }, { on: 'download', status: 503 });
  const { summary } = await importFrom('cut.json');
  t.same(summary, { created: 300, skipped: 0, failed: 0, total: 300 });
});

t.test('an object that cannot be used is told, and nothing is imported', async (t) => {
  storage.put('bucket/text.json', 'no JSON at all');
  storage.put('bucket/half.json', JSON.stringify(importOf(home.id, humanUsers('half', 3))).slice(0, -5));
  storage.put('bucket/empty.json', '{}');
  for (const [path, why] of [
    ['missing.json', /bucket\.objectMissing/],
    ['text.json', /import\.bodyMalformed/],
    ['half.json', /import\.bodyMalformed/],
    ['empty.json', /import\.dataMissing/],
  ] as const) {
    const answer = await importFrom(path);
    t.match(answer.errors, [{ type: 'import', id: '', message: why }], path);
    t.match(answer.errors[0].message, /^STOPPED: .*nothing was imported$/);
    t.same(answer.summary, { created: 0, skipped: 0, failed: 0, total: 0 });
  }
  t.equal(await container.users.find(home.id, 'id-half-0'), undefined);
});

t.test('there is a largest import, wherever it is', async (t) => {
  const body = importOf(home.id, humanUsers('many', 2_000));
  t.match(await call('POST /admin/v1/import', { as, body }), {
    status: 413,
    body: { id: 'import.tooLarge' },
  });
  storage.put('bucket/large.json', JSON.stringify(body));
  t.match((await importFrom('large.json')).errors, [{ message: /^STOPPED: .*import\.tooLarge/ }]);
  t.equal(await container.users.find(home.id, 'id-many-0'), undefined);
});

t.test('the key of the service account is in no collection afterwards', async (t) => {
  const { db } = container.mongo;
  for (const { name } of await db.listCollections().toArray()) {
    const text = JSON.stringify(await db.collection(name).find().toArray());
    t.notOk(text.includes(serviceAccount.slice(200, 300)), name);
  }
});
