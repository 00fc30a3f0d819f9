import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import t from 'tap';
import { setPassword } from '#src/authentication/set-password.js';
import { type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import { createJobsStore } from '#src/jobs/jobs.store.js';
import { keyErrors } from '#src/keys/errors.js';
import { createSealer } from '#src/keys/sealer.js';
import { endImport } from '#src/migration/import/end/end-import.js';
import type { ImportSection } from '#src/migration/import/lists/section/section.js';
import { runImportPart } from '#src/migration/import/parts/run-import-part.js';
import { stageImport } from '#src/migration/import/receive/stage-import.js';
import { startImport } from '#src/migration/import/receive/start-import.js';
import { unpackImport } from '#src/migration/import/run/unpack-import.js';
import type { ImportPart } from '#src/migration/import/stores/import-parts.store.js';
import { blobErrors } from '#src/platform/blobs/transfer/blob-errors.js';
import { StorageAway } from '#src/platform/blobs/transfer/storage-faults.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { endImports, importWorker } from '#workers/import.worker.js';
import { importPartWorker } from '#workers/import-part.worker.js';
import { runJob } from '#workers/run-job.js';
import { startWorkers } from '#workers/start-workers.js';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { until } from '../../../dev/until.js';
import { testEditor as editor, makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { bcryptHash, humanUser, humanUsers, importOf } from '../../support/migration/imports.js';
import { openOwnGateway } from '../../support/stores/own-gateway.js';
import { beginningWith } from '../../support/stores/queries.js';

// No worker runs: the test does the parts of the imports itself, one by one.
const { container, app, call, clock } = await buildTestApp(t);
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
const other = await makeTenant(container);

/** A worker process that takes its parts by this. */
function withEnd(end: typeof container.importParts.end): typeof container {
  return { ...container, importParts: { ...container.importParts, end } };
}

const isActive = (wanted: string) => (one: { kind: string; state: string; count: number }) =>
  one.kind === wanted && one.state === 'active' && one.count > 0;

/** Starts an import that is answered later. A small one is unpacked, so that its parts can be run. */
async function begin(users: readonly unknown[], more: Record<string, unknown> = {}): Promise<string> {
  const id = await beginKept(users, more);
  await unpackImport(container, id);
  return id;
}

/** Starts an import that is answered later. The job of a small one keeps it. */
async function beginKept(users: readonly unknown[], more: Record<string, unknown> = {}): Promise<string> {
  const body = importOf(home.id, users, more);
  const { status, headers } = await call('POST /admin/v1/import', {
    as,
    body,
    headers: { prefer: 'respond-async' },
  });
  if (status !== 202) throw new Error(`Answered ${status}`);
  return (headers['location'] ?? '').split('/').at(-1) ?? '';
}

const jobOf = async (id: string) => (await call(`GET /admin/v1/jobs/${id}`, { as })).body;

/**
 * The parts that wait, those of organizations first. They are read last: an attempt may store all parts meanwhile, and records whose
 * organization was not imported before are refused.
 */
async function waiting(id: string): Promise<string[]> {
  const records = await container.importParts.waiting(id, { phase: 4, limit: 100 });
  return [...(await container.importParts.waiting(id, { phase: 0, limit: 100 })), ...records];
}

async function runParts(id: string, count: number): Promise<void> {
  for (const partId of (await waiting(id)).slice(0, count)) await runImportPart(container, partId);
}

const eventsOfJob = async (jobId: string) =>
  (await container.events.search({ aggregateId: jobId, limit: 10, ascending: true })).map(({ type }) => type);

t.test('an import that is answered later can be followed', async (t) => {
  const id = await begin([...humanUsers('later', 600), humanUser('bad', { userName: '' })]);
  t.match(await jobOf(id), {
    id,
    kind: 'import',
    state: 'queued',
    progress: { processed: 0, total: 601, errors: 0 },
    result: undefined,
  });
  await container.jobs.start({ jobId: id, attemptId: newId() });
  await runParts(id, 2);
  const half = await jobOf(id);
  t.match(half, { state: 'running', progress: { processed: 500, total: 601, errors: 0 } });
  t.ok(half.progress.perSecond > 0 && half.progress.remainingSeconds > 0);
  await runParts(id, 1);
  await container.jobs.end(id, 'completed');
  await endImports(container);
  const { state, progress, result } = await jobOf(id);
  t.equal(state, 'completed');
  t.same(progress, { processed: 601, total: 601, errors: 1 });
  t.same(result.summary, { created: 600, skipped: 0, failed: 1, total: 601 });
  t.equal(result.success.orgs[0].humanUserIds.length, 600);
  t.same(await eventsOfJob(id), ['import.completed']);
  await endImports(container);
  t.same(await eventsOfJob(id), ['import.completed'], 'once');
  const errors = await app.inject({
    url: `/admin/v1/jobs/${id}/errors`,
    headers: { authorization: `Bearer ${as.token}` },
  });
  t.equal(errors.headers['content-type'], 'application/x-ndjson; charset=utf-8');
  t.match(JSON.parse(errors.payload), { type: 'human_user', id: 'id-bad', message: /^RECORD-INVALID: / });
  for (const path of ['', '/errors', '/created']) {
    t.equal((await call(`GET /admin/v1/jobs/${id}${path}`, { as: other.owner })).status, 404);
  }
});

t.test('a part is imported once, however often it is tried', async (t) => {
  const id = await begin(humanUsers('once', 20));
  const parts = await waiting(id);
  await runParts(id, 2);
  for (const partId of parts) await runImportPart(container, partId);
  t.same((await jobOf(id)).progress, { processed: 20, total: 20, errors: 0 });
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
  t.same((await jobOf(id)).result.summary, { created: 20, skipped: 0, failed: 0, total: 20 });
});

t.test('a cancelled import stops between two parts, and reports the imported records', async (t) => {
  const id = await begin(humanUsers('cancel', 1200));
  const parts = await waiting(id);
  await runParts(id, 2);
  const { status, body } = await call(`DELETE /admin/v1/jobs/${id}`, { as });
  t.equal(status, 200);
  t.equal(body.state, 'cancelled');
  t.same(body.result.summary, { created: 500, skipped: 0, failed: 700, total: 1200 });
  t.match(body.result.errors, [{ type: 'import', id: '', message: /^CANCELLED: .*700 records/ }]);
  t.equal(body.result.errors.length, 1);
  for (const partId of parts) await runImportPart(container, partId);
  t.equal(await container.users.count(home.id, beginningWith('search.userName', 'cancel-')), 500);
  t.same(await eventsOfJob(id), ['job.cancelled', 'import.completed']);
  const events = await container.events.search({ aggregateId: id, limit: 10, ascending: true });
  t.same(
    events.map(({ sequence }) => sequence),
    [1, 2],
  );
  t.same((await jobOf(id)).result, body.result);
});

t.test('the timeout cuts between two parts, and the rest can be sent again', async (t) => {
  const id = await begin(humanUsers('slow', 700), { timeout: '1h' });
  const parts = await waiting(id);
  await runParts(id, 2);
  clock.advance(3_601);
  for (const partId of parts) await runImportPart(container, partId);
  await container.jobs.endLate(100);
  await endImports(container);
  const { state, result } = await jobOf(id);
  t.equal(state, 'expired');
  t.same(result.summary, { created: 500, skipped: 0, failed: 200, total: 700 });
  t.match(result.errors, [{ type: 'timeout', id: '', message: /^TIMEOUT: .*200 records/ }]);
  const again = await begin(humanUsers('slow', 700), { timeout: '1h' });
  await runParts(again, 3);
  await call(`DELETE /admin/v1/jobs/${again}`, { as });
  t.same((await jobOf(again)).result.summary, { created: 200, skipped: 500, failed: 0, total: 700 });
});

t.test('an attempt that comes after the deadline ends the import', async (t) => {
  const id = await begin(humanUsers('tardy', 3), { timeout: '1h' });
  clock.advance(3_601);
  await importWorker(container)({ jobId: id, attemptId: newId() }, container.logger);
  t.match(await jobOf(id), { state: 'expired', result: { summary: { created: 0, failed: 3 } } });
  t.same(await eventsOfJob(id), ['import.completed']);
});

t.test('a waiting requester gets the answer at the deadline', async (t) => {
  const answer = await call('POST /admin/v1/import', {
    as,
    body: importOf(home.id, humanUsers('nobody', 3), { timeout: '1s' }),
  });
  t.equal(answer.status, 200);
  t.same(answer.body.summary, { created: 0, skipped: 0, failed: 3, total: 3 });
  t.match(answer.body.errors, [{ type: 'timeout', message: /^TIMEOUT: / }]);
});

/** The application, with this section for people. */
function withUsers(section: ImportSection): typeof container {
  const find: typeof container.importSections.find = (key, form) =>
    key === section.key ? section : container.importSections.find(key, form);
  return { ...container, importSections: { ...container.importSections, find } };
}

/** The parts of the application, with something in the way of a plan of users. */
function withObstacle(obstacle: (records: readonly unknown[]) => void) {
  const section = container.importSections.find('humanUsers', 'external');
  if (section === undefined) throw new Error('Users cannot be imported');
  const plan: typeof section.plan = async (records, context) => {
    obstacle(records);
    return section.plan(records, context);
  };
  return withUsers({ ...section, plan });
}

/** The application, with work that happens once after the users of a part were planned. */
function overtakenBy(work: () => Promise<unknown>) {
  const section = container.importSections.find('humanUsers', 'external');
  if (section === undefined) throw new Error('Users cannot be imported');
  let isOver = false;
  const plan: typeof section.plan = async (records, context) => {
    const planned = await section.plan(records, context);
    if (!isOver) {
      isOver = true;
      await work();
    }
    return planned;
  };
  return withUsers({ ...section, plan });
}

const renamed = (word: string, count: number, lastName: string) =>
  Array.from({ length: count }, (_, at) => humanUser(`${word}-${at}`, { profile: { lastName } }));
const versionOf = async (id: string) => (await container.users.find(home.id, id))?.version;

/** Runs the only part of users of an import, as this worker. */
async function runUsers(id: string, worker: typeof container) {
  await runParts(id, 1);
  for (const partId of await waiting(id)) await runImportPart(worker, partId);
}

t.test('an update and a PATCH of the same person lose nothing of each other', async (t) => {
  await runUsers(await begin(humanUsers('patched', 3)), container);
  const id = await begin(renamed('patched', 3, 'Updated'), { update: true });
  const patch = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'title', value: 'Chief' }],
  };
  const worker = overtakenBy(async () => {
    const { status } = await call(`PATCH /scim/v2/${home.id}/Users/id-patched-1`, { as, body: patch });
    t.equal(status, 204);
  });
  await runUsers(id, worker);
  t.same((await jobOf(id)).progress, { processed: 3, total: 3, errors: 0 });
  t.match(await container.users.find(home.id, 'id-patched-1'), {
    title: 'Chief',
    name: { familyName: 'Updated' },
    version: 3,
  });
  t.equal(await versionOf('id-patched-0'), 2, 'the part was planned again, and written once');
});

t.test('a password that is set during an update stays', async (t) => {
  const hash = (last: string) => ({ hashedPassword: { value: bcryptHash.replace(/.$/, last) } });
  await runUsers(await begin([humanUser('setting')]), container);
  const id = await begin([humanUser('setting', hash('4'))], { update: true });
  let own: string | undefined;
  const worker = overtakenBy(async () => {
    await setPassword(container, { organization: home, id: 'id-setting', password: goodPassword, editor });
    own = (await container.accounts.find(home.id, 'id-setting'))?.password?.hash;
  });
  await runUsers(id, worker);
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
  t.match((await jobOf(id)).result.summary, { updated: 0, skipped: 1, failed: 0 });
  t.equal((await container.accounts.find(home.id, 'id-setting'))?.password?.hash, own);
});

t.test('two updates at the same time change each person once, or one after the other', async (t) => {
  await runUsers(await begin(humanUsers('twice', 200)), container);
  const same = await Promise.all([1, 2].map(() => begin(renamed('twice', 200, 'Same'), { update: true })));
  await Promise.all(same.map((id) => runUsers(id, container)));
  const counts = await Promise.all(same.map(async (id) => container.importParts.counts(id)));
  t.match(counts, [{ failed: 0 }, { failed: 0 }]);
  const sumOf = (name: 'updated' | 'skipped') => counts.reduce((sum, one) => sum + one[name], 0);
  t.equal(sumOf('updated'), 200);
  t.equal(sumOf('skipped'), 200);
  for (const at of [0, 199]) t.equal(await versionOf(`id-twice-${at}`), 2);

  const other = await Promise.all(
    ['One', 'Two'].map((lastName) => begin(renamed('twice', 200, lastName), { update: true })),
  );
  await Promise.all(other.map((id) => runUsers(id, container)));
  t.match(await Promise.all(other.map(async (id) => container.importParts.counts(id))), [
    { updated: 200, failed: 0 },
    { updated: 200, failed: 0 },
  ]);
  for (const at of [0, 199]) t.equal(await versionOf(`id-twice-${at}`), 4);
});

t.test(
  'a part of an update is written once, however often it is tried, and goes on after a crash',
  async (t) => {
    await runUsers(await begin(humanUsers('again', 700)), container);
    const id = await begin(renamed('again', 700, 'Updated'), { update: true });
    const parts = await waiting(id);
    await runParts(id, 2);
    // The worker dies before the transaction commits.
    const dying = withEnd(async () => {
      throw new MongoNetworkError('gone');
    });
    await t.rejects(runImportPart(dying, parts[2] ?? ''));
    t.match(await container.importParts.counts(id), { updated: 500, remaining: 200 });
    for (const partId of [...parts, ...parts]) await runImportPart(container, partId);
    t.match(await container.importParts.counts(id), {
      updated: 700,
      created: 0,
      skipped: 0,
      failed: 0,
      remaining: 0,
    });
    for (const at of [0, 499, 500, 699]) t.equal(await versionOf(`id-again-${at}`), 2);
  },
);

t.test('a record that no rule foresees fails alone', async (t) => {
  const id = await begin(humanUsers('fault', 7));
  const faulty = withObstacle((records) => {
    if (JSON.stringify(records).includes('fault-3')) throw new Error('A fault');
  });
  await runParts(id, 1);
  for (const partId of await waiting(id)) await runImportPart(faulty, partId);
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
  const { result } = await jobOf(id);
  t.same(result.summary, { created: 6, skipped: 0, failed: 1, total: 7 });
  t.match(result.errors, [{ type: 'human_user', message: /^FAULT: .*\(humanUsers 4\)$/ }]);
});

t.test('records do not fail because of what MongoDB refuses for other reasons', async (t) => {
  const id = await begin(humanUsers('refused', 3));
  await runParts(id, 1);
  const [part = ''] = await waiting(id);
  for (const code of [175, 1, 96]) {
    const refusing = withObstacle(() => {
      throw new MongoServerError({ message: 'not about a record', code });
    });
    const thrown = await runImportPart(refusing, part).catch((error: unknown) => error);
    t.ok(isStoreUnavailable(thrown), `${code} is for later`);
  }
  await runImportPart(container, part);
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
  t.same((await jobOf(id)).result.summary, { created: 3, skipped: 0, failed: 0, total: 3 });
});

t.test('what the server refuses fails neither a small import nor a part of another', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl: container.config.mongodbUrl });
  if (gateway === undefined) return;
  const own = await buildTestApp(t, { mongodbUrl: gateway.url, workers: true });
  const { id: orgId } = await makeOrganization(own.container);
  const owner = await makeCaller(own.container, orgId, ['IAM_OWNER']);
  const { failures } = gateway.faults;
  for (const code of [175, 13, 96]) {
    // The first refusal is for the transaction of a small import. After it, the import has parts.
    for (const refusals of [1, 2]) {
      for (let n = 0; n < refusals; n++) failures.push({ command: 'insert', collection: 'users', code });
      const body = importOf(orgId, humanUsers(`refused-${code}-${refusals}`, 3));
      const answer = await own.call('POST /admin/v1/import', { as: owner, body });
      t.same(answer.body.summary, { created: 3, skipped: 0, failed: 0, total: 3 }, `${code}, ${refusals}`);
      t.same(failures, []);
    }
  }
});

t.test('a part that workers have lost twice is imported record by record', async (t) => {
  const id = await begin(humanUsers('lost', 3));
  await runParts(id, 1);
  const [part = ''] = await waiting(id);
  const queued = { name: 'import-part', data: { jobId: part }, attemptsMade: 0, timestamp: 0 };
  await runJob(container, importPartWorker(container), { ...queued, stalledCounter: 2 });
  const records = await waiting(id);
  t.equal(records.length, 3);
  const [first = '', second = '', third = ''] = records;
  await runImportPart(container, first);
  const lost = { ...queued, data: { jobId: second }, stalledCounter: 2 };
  await runJob(container, importPartWorker(container), lost);
  await runImportPart(container, third);
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
  const { result } = await jobOf(id);
  t.same(result.summary, { created: 2, skipped: 0, failed: 1, total: 3 });
  t.match(result.errors, [{ type: 'human_user', message: /^FAULT: .*\(humanUsers 2\)$/ }]);
});

t.test('a job that workers have lost twice without progress fails, if its kind shows progress', async (t) => {
  const { jobs } = container;
  const failing = [];
  for (const [name, definition] of Object.entries(jobCatalogue)) {
    if (!('failsWhenStuck' in definition)) continue;
    const kind = name as JobKind;
    failing.push(kind);
    const jobId = newId();
    const job = { kind, orgId: home.id, requestedBy: as.id, total: 1, created: clock.now() } as const;
    await jobs.insert({ id: jobId, ...job, body: Buffer.from('{}') });
    const queued = { name: kind, data: { jobId }, attemptsMade: 0, timestamp: 1 };
    let runs = 0;
    const run = (stalledCounter: number) =>
      runJob(
        container,
        async () => {
          runs++;
        },
        { ...queued, stalledCounter },
      );
    await run(0);
    await run(1);
    t.equal((await jobs.find(jobId))?.state, 'queued', kind);
    await run(2);
    t.equal(runs, 2, kind);
    t.equal((await jobs.find(jobId))?.state, 'failed', kind);
  }
  t.same(failing, ['scim-bulk', 'export', 'user-actions', 'policy-trial']);
});

t.test('a part that finds the hash pool saturated is tried later', async (t) => {
  const id = await begin(humanUsers('busy', 3));
  const busy = withObstacle(() => {
    throw new AppError(keyErrors.hashPoolSaturated);
  });
  await runParts(id, 1);
  const [part = ''] = await waiting(id);
  await t.rejects(runImportPart(busy, part));
  t.same((await jobOf(id)).progress, { processed: 0, total: 3, errors: 0 });
  await runParts(id, 1);
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
  t.same((await jobOf(id)).result.summary, { created: 3, skipped: 0, failed: 0, total: 3 });
});

t.test(
  'ending the parts of an import waits for the part that is being committed, and stops all later ones',
  async (t) => {
    const { importParts, mongo } = container;
    const stagingId = newId();
    const part = (number: number): ImportPart => ({
      id: `${stagingId}.${number}`,
      stagingId,
      jobId: stagingId,
      section: 'humanUsers',
      phase: 4,
      org: 0,
      first: 1,
      ranges: [{ start: 0, end: 2 ** 40 }],
      orgs: 0,
      count: 1,
    });
    await importParts.insert([part(1), part(2)], new Date(Date.now() + 3_600_000));
    t.same(await importParts.findWaiting(`${stagingId}.1`), part(1));
    const counts = { created: 1, updated: 0, skipped: 0, failed: 0 };
    let ending: Promise<void> | undefined;
    await mongo.transaction(async (transaction) => {
      t.equal(await importParts.end(part(1), counts, transaction), true);
      ending ??= importParts.endAll(stagingId);
    });
    await ending;
    t.same(await importParts.counts(stagingId), {
      total: 2,
      remaining: 1,
      created: 1,
      updated: 0,
      skipped: 0,
      failed: 0,
    });
    await mongo.transaction(async (transaction) => {
      t.equal(await importParts.end(part(2), counts, transaction), false);
    });
    t.same(await importParts.counts(stagingId), {
      total: 2,
      remaining: 1,
      created: 1,
      updated: 0,
      skipped: 0,
      failed: 0,
    });
  },
);

t.test('a process that ends in the middle of an import leaves it to another', async (t) => {
  const users = 3_000;
  const id = await begin(humanUsers('moved', users));
  const { importParts, jobQueue } = container;
  const done = { first: 0, second: 0 };
  const ending = new AbortController();
  const isEnding = once(ending.signal, 'abort');
  // The first process gets its end signal while it commits its first part of users.
  const first = startWorkers(
    withEnd(async (part, ...rest) => {
      if (part.count > 0) await isEnding;
      done.first += part.count;
      return importParts.end(part, ...rest);
    }),
  );
  await until(async () => (await jobQueue.counts()).some(isActive('import-part')));
  const closed = first.close();
  ending.abort();
  await closed;
  t.equal((await jobOf(id)).state, 'running');
  t.ok(done.first < users, `${done.first} were in`);
  const left = (await jobQueue.counts()).filter(({ count }) => count > 0);
  t.match(
    left.find(({ kind }) => kind === 'import'),
    { state: 'waiting', count: 1 },
    'it is in the queue, and nobody has to find out that its process is gone',
  );
  const second = startWorkers(
    withEnd(async (part, ...rest) => {
      done.second += part.count;
      return importParts.end(part, ...rest);
    }),
  );
  t.teardown(() => second.close());
  await until(async () => (await jobOf(id)).state === 'completed');
  t.same((await jobOf(id)).result.summary, { created: users, skipped: 0, failed: 0, total: users });
  t.ok(done.second >= users - done.first, `${done.second} were done by the other one`);
  t.same(await eventsOfJob(id), ['import.completed']);
  await second.close();
});

/** A worker whose attempts keep their places, though the imports of other tests wait for a worker. */
const alone = { ...container, jobQueue: { ...container.jobQueue, oldestWaiting: async () => undefined } };

/** Runs an attempt of an import, whose parts no other worker takes. */
const attemptOf = (id: string, worker: typeof container = alone, stalls = 0) =>
  importWorker(worker)({ jobId: id, attemptId: newId(), stalls }, container.logger);

/** What is there of an import of these users: the users, and the events of the import. */
async function broughtIn(id: string, word: string) {
  return {
    users: await container.users.count(home.id, beginningWith('search.userName', `${word}-`)),
    events: await eventsOfJob(id),
    waiting: (await waiting(id)).length,
    blocks: (await stagedBlocks(id)).length,
  };
}

t.test('a small import is done in one transaction, and no part is handed out', async (t) => {
  const id = await beginKept([...humanUsers('small', 20), humanUser('wrong', { userName: '' })]);
  let isEnded = false;
  const ended = () => {
    isEnded = true;
  };
  await importWorker(alone)({ jobId: id, attemptId: newId(), ended }, container.logger);
  t.ok(isEnded, 'so nobody looks whether it has ended');
  t.same(await broughtIn(id, 'small'), { users: 20, events: ['import.completed'], waiting: 0, blocks: 0 });
  const { state, progress, result } = await jobOf(id);
  t.equal(state, 'completed');
  t.same(progress, { processed: 21, total: 21, errors: 1 });
  t.same(result.summary, { created: 20, skipped: 0, failed: 1, total: 21 });
  t.match(result.errors, [{ type: 'human_user', id: 'id-wrong', line: 1 }]);
  t.equal(result.success.orgs[0].humanUserIds.length, 20);
  const counts = await container.jobQueue.counts();
  t.notOk(counts.some(({ kind, count }) => kind === 'import-part' && count > 0));
});

const gone = async () => {
  throw new Error('The process is gone');
};
const { completeKept } = container.jobs;
// After each of these steps nothing of the worker is left: it also unpacks nothing.
const deaths: Record<string, () => typeof container> = {
  planned: () =>
    withObstacle(() => {
      throw new Error('The process is gone');
    }),
  'ending the job': () => ({ ...container, jobs: { ...container.jobs, completeKept: gone } }),
  'ended the job': () => ({
    ...container,
    jobs: { ...container.jobs, completeKept: async (...of) => (await completeKept(...of)) && gone() },
  }),
  'told of the end': () => ({ ...container, events: { ...container.events, append: gone } }),
};
for (const [step, deathAt] of Object.entries(deaths)) {
  t.test(`of a small import whose worker dies nothing is there: ${step}`, async (t) => {
    const word = `mortal-${step.replaceAll(' ', '-')}`;
    const id = await beginKept(humanUsers(word, 20));
    const dying = deathAt();
    await t.rejects(attemptOf(id, { ...dying, jobs: { ...dying.jobs, takeKept: gone } }), {
      message: 'The process is gone',
    });
    t.same(await broughtIn(id, word), { users: 0, events: [], waiting: 0, blocks: 0 });
    t.equal((await jobOf(id)).state, 'running');
    await Promise.all([attemptOf(id), attemptOf(id)]);
    t.same(await broughtIn(id, word), { users: 20, events: ['import.completed'], waiting: 0, blocks: 0 });
    await attemptOf(id);
    t.same(await eventsOfJob(id), ['import.completed']);
    t.same((await jobOf(id)).result.summary, { created: 20, skipped: 0, failed: 0, total: 20 });
  });
}

t.test('a small import whose worker dies while it is unpacked is unpacked by a later attempt', async (t) => {
  for (const word of ['before', 'after']) {
    const id = await beginKept(humanUsers(`unpacked-${word}`, 20));
    const transaction: typeof container.mongo.transaction = async (...of) => {
      if (word === 'after') await container.mongo.transaction(...of);
      return gone();
    };
    const dying = { ...alone, mongo: { ...container.mongo, transaction } };
    await t.rejects(attemptOf(id, dying, 1), { message: 'The process is gone' });
    const running = attemptOf(id, alone, 1);
    await until(async () => {
      await runParts(id, 2);
      return (await jobOf(id)).state === 'completed';
    });
    await running;
    t.same((await jobOf(id)).result.summary, { created: 20, skipped: 0, failed: 0, total: 20 });
    t.same(await eventsOfJob(id), ['import.completed']);
  }
});

t.test('a small import that ended without its worker is noted as ended', async (t) => {
  const states = ['cancelled', 'expired', 'failed'] as const;
  const ids: string[] = [];
  for (const state of states) {
    const id = await beginKept(humanUsers(`left-${state}`, 3));
    await container.jobs.end(id, state);
    ids.push(id);
  }
  await Promise.all([endImports(container), endImports(container)]);
  for (const [at, id] of ids.entries()) {
    t.same(await eventsOfJob(id), ['import.completed'], String(states[at]));
    const { progress, result } = await jobOf(id);
    t.same(progress, { processed: 0, total: 3, errors: 0 });
    t.same(result.summary, { created: 0, skipped: 0, failed: 3, total: 3 });
    t.match(result.errors, [{ message: /3 records were not imported/ }]);
    t.same(result.success, { orgs: [] });
  }
  t.same(await container.jobs.endedWithOpen(10), []);
});

t.test('a small import whose commit got no answer is done once', async (t) => {
  const id = await beginKept(humanUsers('unheard', 20));
  let isLost = false;
  const transaction: typeof container.mongo.transaction = async (...of) => {
    const result = await container.mongo.transaction(...of);
    if (isLost) return result;
    isLost = true;
    throw new MongoNetworkError('connection closed');
  };
  await attemptOf(id, { ...container, mongo: { ...container.mongo, transaction } });
  t.ok(isLost);
  t.same(await broughtIn(id, 'unheard'), { users: 20, events: ['import.completed'], waiting: 0, blocks: 0 });
  t.same((await jobOf(id)).result.summary, { created: 20, skipped: 0, failed: 0, total: 20 });
});

t.test('a small import that is cancelled while it is planned imports nothing', async (t) => {
  const id = await beginKept(humanUsers('regretted', 20));
  const worker = overtakenBy(() => call(`DELETE /admin/v1/jobs/${id}`, { as }));
  await attemptOf(id, worker);
  t.same(await broughtIn(id, 'regretted'), {
    users: 0,
    events: ['job.cancelled', 'import.completed'],
    waiting: 0,
    blocks: 0,
  });
  t.match((await jobOf(id)).result, {
    summary: { created: 0, failed: 20, total: 20 },
    errors: [{ message: /^CANCELLED: .*20 records/ }],
  });
});

t.test('the parts of a small import are handed out when it cannot be done at once', async (t) => {
  const finish = async (id: string, running: Promise<void>) => {
    await until(async () => {
      await runParts(id, 2);
      return (await jobOf(id)).state === 'completed';
    });
    await running;
  };
  const overtaken = await beginKept(humanUsers('overtaken', 20));
  const worker = overtakenBy(() => makePerson(container, home, { userName: 'overtaken-7', password: null }));
  await finish(overtaken, attemptOf(overtaken, { ...worker, jobQueue: alone.jobQueue }));
  t.match((await jobOf(overtaken)).result, {
    summary: { created: 19, failed: 1, total: 20 },
    errors: [{ id: 'id-overtaken-7', message: /^NAME-TAKEN: / }],
  });

  const lost = await beginKept(humanUsers('strayed', 20));
  const running = attemptOf(lost, alone, 1);
  await until(async () =>
    (await container.jobQueue.counts()).some(({ kind, count }) => kind === 'import-part' && count > 0),
  );
  await finish(lost, running);
  t.same((await jobOf(lost)).result.summary, { created: 20, skipped: 0, failed: 0, total: 20 });
});

t.test('an import ends when the requester has lost the right', async (t) => {
  const owner = await makeCaller(container, home.id, ['IAM_OWNER']);
  const { headers } = await call('POST /admin/v1/import', {
    as: owner,
    body: importOf(home.id, humanUsers('late', 4)),
    headers: { prefer: 'respond-async' },
  });
  const id = (headers['location'] ?? '').split('/').at(-1) ?? '';
  const [membership] = await container.memberships.ofUser(owner.id);
  const removed = await call(`DELETE /admin/v1/memberships/${membership?.id}`, { as });
  t.equal(removed.status, 204);
  await importWorker(container)({ jobId: id, attemptId: newId() }, container.logger);
  const { state, result } = await jobOf(id);
  t.equal(state, 'failed');
  t.same(result.summary, { created: 0, skipped: 0, failed: 4, total: 4 });
  t.match(result.errors, [
    { type: 'import', id: '', message: /^STOPPED: .*tokens\.permissionMissing: .*4 records/ },
  ]);
  t.equal(await container.users.find(home.id, 'id-late-0'), undefined);
  t.same(await stagedBlocks(id), [], 'and nothing stays staged');
});

const stagedBlocks = (id: string) =>
  container.mongo.db
    .collection<{ _id: string; data: { buffer: Uint8Array } }>('stagedBlocks')
    .find({ _id: { $gte: `${id}.`, $lt: `${id}/` } })
    .toArray();

t.test('the workers end an import whose attempts all failed, without a request', async (t) => {
  const id = await begin(humanUsers('hopeless', 2));
  const bystander = await begin(humanUsers('bystander', 1));
  const queued = {
    name: 'import',
    data: { jobId: id },
    attemptsMade: jobCatalogue.import.attempts - 1,
    stalledCounter: 0,
    timestamp: 0,
  };
  const failing = (error: Error) => async () => {
    throw error;
  };
  const away = new MongoNetworkError('connection closed');
  await t.rejects(runJob(container, failing(away), queued), away);
  const bucketAway = new StorageAway(blobErrors.tooSlow);
  await t.rejects(runJob(container, failing(bucketAway), queued), bucketAway);
  t.equal((await jobOf(id)).state, 'queued', 'a store that is away fails nothing, however often it is asked');
  await t.rejects(runJob(container, failing(new Error('A fault')), queued), { message: 'A fault' });
  const { imports } = container;
  const broken = { ...imports, openBefore: async () => ['broken', id] };
  const find: typeof imports.find = async (jobId) => {
    if (jobId === 'broken') throw new Error('Another fault');
    return imports.find(jobId);
  };
  await endImports({ ...container, imports: { ...broken, find } });
  t.same(await eventsOfJob(id), ['import.completed'], 'also where another one cannot be ended');
  t.same(await stagedBlocks(id), []);
  t.match((await jobOf(id)).result, {
    summary: { created: 0, skipped: 0, failed: 2, total: 2 },
    errors: [{ type: 'import', message: /^STOPPED: / }],
  });
  t.equal((await jobOf(bystander)).state, 'queued');
  t.equal((await stagedBlocks(bystander)).length, 1);
});

/** A worker process that lacks the master key of the API processes. */
const otherKey = createSealer([{ id: 'other', key: Buffer.alloc(32, 9) }], 'job-body');
const withoutKey = { ...container, jobs: createJobsStore(container.mongo, otherKey, clock) };

/** The last attempt of an import, by this worker. */
const lastAttempt = (jobId: string, worker: typeof container) => {
  const attemptsMade = jobCatalogue.import.attempts - 1;
  const queued = { name: 'import', data: { jobId }, attemptsMade, stalledCounter: 0, timestamp: 0 };
  return runJob(worker, importWorker(worker), queued);
};

t.test('a small import that a worker cannot unseal waits for one that can', async (t) => {
  const id = await beginKept(humanUsers('sealed', 2));
  await t.rejects(lastAttempt(id, withoutKey), { message: /another master key/ });
  t.equal((await jobOf(id)).state, 'running');
  await lastAttempt(id, container);
  t.match(await jobOf(id), { state: 'completed', result: { summary: { created: 2, failed: 0 } } });
  t.same(await eventsOfJob(id), ['import.completed']);
});

t.test('a small import that no worker can unseal ends at its deadline, with a report', async (t) => {
  const id = await beginKept(humanUsers('unsealed', 2), { timeout: '1m' });
  await t.rejects(lastAttempt(id, withoutKey), { message: /another master key/ });
  clock.advance(61);
  await withoutKey.jobs.endLate(100);
  await endImports(withoutKey);
  t.match(await jobOf(id), {
    state: 'expired',
    result: { summary: { created: 0, failed: 2, total: 2 }, errors: [{ message: /^TIMEOUT: .*2 records/ }] },
  });
  t.same(await eventsOfJob(id), ['import.completed']);
});

t.test('an import that a worker does not find is left to others, with pauses', async (t) => {
  const id = await begin(humanUsers('elsewhere', 2));
  let looks = 0;
  const find: typeof container.imports.find = async (jobId) => {
    if (jobId !== id) return container.imports.find(jobId);
    looks += 1;
    return undefined;
  };
  // As if another version had stored it elsewhere.
  const workers = startWorkers({ ...container, imports: { ...container.imports, find } });
  await until(async () => looks > 0);
  await pause(1_500);
  await workers.close();
  t.ok(looks <= 10, `looked ${looks} times`);
  t.equal((await jobOf(id)).state, 'running');
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
});

t.test('of open imports the oldest come first', async (t) => {
  const at = (seconds: number) => new Date(clock.now().getTime() - 86_400_000 + seconds * 1000);
  const insert = async (seconds: number) => {
    const jobId = newId();
    const [created, expires] = [at(seconds), at(2 * 86_400)];
    const about = { form: 'external', dryRun: false, requestedBy: as.id } as const;
    await container.mongo.transaction((transaction) =>
      container.imports.insert({ jobId, ...about, created, deadline: created, expires }, transaction),
    );
    return jobId;
  };
  const [third, first, second] = [await insert(3), await insert(1), await insert(2)];
  t.same(await container.imports.openBefore(at(4), 2), [first, second]);
  t.same(await container.imports.openBefore(at(4), 3), [first, second, third]);
});

t.test('staged data is sealed, and gone at the end', async (t) => {
  const id = await begin(humanUsers('sealed', 2));
  const blocks = () => stagedBlocks(id);
  const [block] = await blocks();
  t.notOk(Buffer.from(block?.data.buffer ?? []).includes(bcryptHash.slice(7)));
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
  t.same(await blocks(), []);
  t.equal(await container.jobs.body(id), undefined);
});

t.test('what a small import keeps in its job is sealed, and gone at the end', async (t) => {
  const documentOf = (id: string) =>
    container.mongo.db
      .collection<{ _id: string; held?: { buffer: Uint8Array } }>('jobs')
      .findOne({ _id: id });
  const secret = bcryptHash.slice(7);
  for (const end of ['cancelled', 'completed']) {
    const id = await beginKept(humanUsers(`kept-${end}`, 2));
    const stored = await documentOf(id);
    t.ok((stored?.held?.buffer.length ?? 0) > 500);
    t.notOk(Buffer.from(stored?.held?.buffer ?? []).includes(secret));
    t.notMatch(JSON.stringify({ ...stored, held: '' }), secret);
    t.notMatch(JSON.stringify(await container.jobs.page(undefined, { limit: 5 })), 'held');
    if (end === 'cancelled') await call(`DELETE /admin/v1/jobs/${id}`, { as });
    else await attemptOf(id);
    t.equal((await documentOf(id))?.held, undefined, end);
  }
});

t.test('what was staged by a process that died is removed', async (t) => {
  const stagingId = newId();
  let goOn: () => void = () => undefined;
  const paused = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const text = Buffer.from(JSON.stringify(importOf(home.id, humanUsers('paused', 6000))));
  async function* source() {
    yield text.subarray(0, -1);
    await paused;
    yield text.subarray(-1);
  }
  const expires = new Date(clock.now().getTime() + 24 * 3_600_000);
  const request = { stagingId, jobId: stagingId, source: source(), root: 'body' as const, expires };
  const staged = stageImport(container, request).then(
    () => 'staged',
    (error: Error) => error.message,
  );
  await until(async () => (await stagedBlocks(stagingId)).length > 0);
  await endImports(container);
  t.ok((await stagedBlocks(stagingId)).length > 0, 'not at once');
  clock.advance(2 * 3_600 + 1);
  await endImports(container);
  t.same(await stagedBlocks(stagingId), []);
  goOn();
  t.match(await staged, /stood still/, 'and nothing of it is imported should the process have slept only');
  t.same(await stagedBlocks(stagingId), []);
});

/** The staged data of all imports: identifiers of blocks, parts, organizations and uploads. */
async function staged() {
  const { db } = container.mongo;
  const idsOf = async (name: string) =>
    (await db.collection<{ _id: string }>(name).find({}).project({ _id: 1 }).toArray()).map(({ _id }) => _id);
  return {
    blocks: await idsOf('stagedBlocks'),
    parts: await idsOf('importParts'),
    organizations: await idsOf('importOrganizations'),
    uploads: await idsOf('importUploads'),
  };
}

/** The same text, longer than a block. */
const long = (json: string) => `${json}${' '.repeat(600_000)}`;

/** Begins an import in a process that dies before the transaction that stores the job ends. */
async function beginDying(text: string): Promise<void> {
  const dying = {
    ...container,
    jobs: {
      ...container.jobs,
      insert: async () => {
        throw new Error('The process is gone');
      },
    },
  };
  const source = Readable.from([Buffer.from(text)]);
  await t.rejects(startImport(dying, { source, requestedBy: as.id, orgId: home.id }), {
    message: 'The process is gone',
  });
}

t.test('what was staged by a process that died before there was a job is removed', async (t) => {
  const before = await staged();
  t.same(before.uploads, []);
  const text = JSON.stringify(importOf(home.id, humanUsers('early', 3)));
  await beginDying(text);
  t.same(await staged(), before, 'a short text is stored with its job, or not at all');
  await beginDying(long(text));
  const left = await staged();
  t.ok(left.blocks.length > before.blocks.length);
  t.equal(left.uploads.length, 1);
  const [id = ''] = left.uploads;
  t.equal(await container.imports.find(id), undefined, 'there is no import without a job');
  t.equal(await container.jobs.find(id), undefined);
  await endImports(container);
  t.same(await staged(), left, 'not at once: the process may be alive');
  clock.advance(2 * 3_600 + 1);
  await endImports(container);
  t.same(await staged(), before);
});

t.test('an object that was staged by a process that died is staged again', async (t) => {
  const before = await staged();
  const source = { bucket: 'bucket', path: 'list.json', serviceaccount_json: encodeServiceAccount() };
  const { headers } = await call('POST /admin/v1/import', {
    as,
    body: { timeout: '5h', data_orgs_gcs: source },
    headers: { prefer: 'respond-async' },
  });
  const id = (headers['location'] ?? '').split('/').at(-1) ?? '';
  t.same(await staged(), before, 'the body that names it is gone');
  const text = long(JSON.stringify(importOf(home.id, humanUsers('object', 3)).dataOrgs));
  const blobs = { ...container.blobs, open: () => Readable.from([Buffer.from(text)]) };
  const dying: typeof container.imports = {
    ...container.imports,
    setStaging: async () => {
      throw new Error('The process is gone');
    },
  };
  const attempt = () => ({ jobId: id, attemptId: newId() });
  const doomed = importWorker({ ...alone, blobs, imports: dying });
  await t.rejects(doomed(attempt(), container.logger), { message: 'The process is gone' });
  t.equal((await staged()).uploads.length, 1);
  const running = importWorker({ ...alone, blobs })(attempt(), container.logger);
  const isDone = async () => {
    const { stagingId = '' } = (await container.imports.find(id)) ?? {};
    await runParts(stagingId, 2);
    return (await jobOf(id)).state === 'completed';
  };
  await until(isDone);
  await running;
  t.same((await jobOf(id)).result.summary, { created: 3, skipped: 0, failed: 0, total: 3 });
  clock.advance(2 * 3_600 + 1);
  await endImports(container);
  const { blocks, uploads } = await staged();
  t.same({ blocks, uploads }, { blocks: before.blocks, uploads: [] });
});

t.test('an import has its staged text as long as it takes', async (t) => {
  const id = await begin(humanUsers('lasting', 3), { timeout: '10h' });
  clock.advance(3 * 3_600);
  await endImports(container);
  t.equal((await stagedBlocks(id)).length, 1);
  await runParts(id, 2);
  await call(`DELETE /admin/v1/jobs/${id}`, { as });
  t.same((await jobOf(id)).result.summary, { created: 3, skipped: 0, failed: 0, total: 3 });
});

t.test('nothing stays staged where a process died before it recorded the end', async (t) => {
  const id = await begin(humanUsers('ended', 2));
  await container.jobs.end(id, 'failed');
  const dying = {
    ...container,
    events: {
      ...container.events,
      append: async () => {
        throw new Error('The process is gone');
      },
    },
  };
  await t.rejects(endImport(dying, id), { message: 'The process is gone' });
  t.same(await stagedBlocks(id), []);
  await endImports(container);
  t.same(await eventsOfJob(id), ['import.completed']);
});
