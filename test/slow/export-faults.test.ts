import { once } from 'node:events';
import t, { type Test } from 'tap';
import { type Api, openStage, type Stage } from '../../dev/stage/stage.js';
import { encodeServiceAccount } from '../../dev/storage/service-account.js';
import { type StorageServer, startStorageServer } from '../../dev/storage/storage-server.js';
import { until } from '../../dev/until.js';
import { inDatabase } from '../support/migration/fault-import.js';
import { humanUser, importOf } from '../support/migration/imports.js';

/**
 * The users are so many and so large that an upload takes several requests of 8 MiB, and reading ahead of one does not
 * cover them all.
 */
const users = 2_500;
const photo = `https://people.example/${'p'.repeat(1_800)}`;
/** The limit of waits, in milliseconds. It is large for noisy machines. Usually these waits take seconds. */
const within = 120_000;
/** Exports that are begun until the worker died in the middle of one. */
const tries = 8;

t.test('an export outlives what happens to its processes', { timeout: 400_000 }, async (t) => {
  const storage = await startStorageServer(t, ['bucket']);
  const stage = await openStage(t, { settings: { STORAGE_EMULATOR_HOST: storage.endpoint } });
  if (stage === undefined) return;
  const api = await stage.startApi();
  let worker = await stage.startWorker();
  await importUsers(stage, api);

  const exportTo = (path: string) => ({
    orgIds: [stage.orgId],
    gcsOutput: { bucket: 'bucket', path, serviceaccountJson: encodeServiceAccount() },
  });

  for (const [name, end] of [
    ['kill -9', () => worker.crash()],
    [
      'SIGTERM',
      async (t: Test) => {
        worker.signal('SIGTERM');
        t.equal(await worker.exitCode, 0);
      },
    ],
  ] as const) {
    await t.test(`${name} of the worker that uploads it`, async (t) => {
      storage.reset();
      const upload = holdUpload(storage);
      const id = await begin(api, exportTo('worker.json'));
      await expectInTheMiddle(t, { storage, api, id, upload });
      await end(t);
      upload.release();
      t.same([...storage.objects.keys()], [], 'no part of it is an object');
      t.equal((await jobOf(api, id)).state, 'running');
      worker = await stage.startWorker();
      await expectExported(t, api, id);
      expectWhole(t, storage.objects.get('bucket/worker.json')?.content);
    });
  }

  await t.test('kill -9 of the API process that waits for it', async (t) => {
    storage.reset();
    const upload = holdUpload(storage);
    const doomed = await stage.startApi();
    const before = await latestJob(api);
    const answer = doomed
      .call('POST /admin/v1/export', { json: exportTo('api.json') })
      .catch((error: Error) => error);
    await until(async () => (await latestJob(api)) !== before, { within });
    const id = await latestJob(api);
    await expectInTheMiddle(t, { storage, api, id, upload });
    await doomed.crash();
    t.type(await answer, Error);
    t.same([...storage.objects.keys()], [], 'no part of it is an object');
    upload.release();
    await expectExported(t, api, id);
    expectWhole(t, storage.objects.get('bucket/api.json')?.content);
  });

  await t.test('kill -9 of the worker that writes it for download', async (t) => {
    for (let attempt = 1; attempt <= tries; attempt++) {
      const id = await begin(api, { orgIds: [stage.orgId], responseOutput: true });
      await inDatabase(stage, (db) =>
        until(() => db.collection<{ _id: string }>('stagedBlocks').findOne({ _id: blocksOf(id) }), {
          within,
          every: 1,
        }),
      );
      await worker.crash();
      const isOpen = (await jobOf(api, id)).state === 'running';
      if (isOpen) t.equal((await api.call(`GET /admin/v1/jobs/${id}/result`)).status, 404);
      const [begun] = await stagedTexts(stage, id);
      worker = await stage.startWorker();
      await expectExported(t, api, id);
      const answer = await fetch(`${api.address}/admin/v1/jobs/${id}/result`, {
        headers: { authorization: `Bearer ${stage.token}` },
      });
      expectWhole(t, Buffer.from(await answer.arrayBuffer()));
      // The output of the dead worker is removed a moment after the end.
      const [kept] = await until(
        async () => {
          const texts = await stagedTexts(stage, id);
          return texts.length === 1 ? texts : undefined;
        },
        { within },
      );
      if (isOpen && (begun?.blocks ?? 0) < (kept?.blocks ?? 0)) {
        t.not(
          kept?.text,
          begun?.text,
          `${begun?.blocks} of ${kept?.blocks} blocks were written when it died`,
        );
        return;
      }
      t.comment('it was written before the worker died');
    }
    t.fail(`the middle of an export was missed ${tries} times`);
  });
});

/** Requests of uploads, also those that a client sends again, are answered when the test says so. */
function holdUpload(storage: StorageServer) {
  const events = new EventTarget();
  const reached = once(events, 'reached');
  const released = once(events, 'released');
  const hold = async () => {
    events.dispatchEvent(new Event('reached'));
    await released;
  };
  storage.fail(...Array.from({ length: 20 }, () => ({ on: 'chunk', hold }) as const));
  return { reached, release: () => void events.dispatchEvent(new Event('released')) };
}

/** Asserts that a first piece is with the storage, and that some users were read and others were not. */
async function expectInTheMiddle(
  t: Test,
  of: { storage: StorageServer; api: Api; id: string; upload: { reached: Promise<unknown> } },
): Promise<void> {
  await of.upload.reached;
  t.ok(
    of.storage.requests.some((request) => / bytes 0-\d+\/\*$/.test(request)),
    'more is to come',
  );
  const { state, progress } = await until(
    async () => {
      const job = await jobOf(of.api, of.id);
      return job.progress.processed > 0 ? job : undefined;
    },
    { within },
  );
  t.equal(state, 'running');
  t.ok(progress.processed < progress.total, `${progress.processed} of ${progress.total} were read`);
}

async function importUsers({ orgId }: Stage, api: Api): Promise<void> {
  const people = Array.from({ length: users }, (_, n) =>
    humanUser(`export-${n}`, {
      scim: { photos: [1, 2, 3, 4].map((place) => ({ value: `${photo}${place}` })) },
    }),
  );
  const { status, body } = await api.call('POST /admin/v1/import', { json: importOf(orgId, people) });
  if (status !== 200 || body.summary.created !== users) throw new Error(`Imported ${JSON.stringify(body)}`);
}

/** Starts an export that is answered later. @returns its job */
async function begin(api: Api, json: unknown): Promise<string> {
  const answer = await api.call('POST /admin/v1/export', { json, headers: { prefer: 'respond-async' } });
  if (answer.status !== 202) throw new Error(`The export is answered ${answer.status}`);
  return String(answer.headers.location).split('/').at(-1) ?? '';
}

const jobOf = async (api: Api, id: string) => (await api.call(`GET /admin/v1/jobs/${id}`)).body;

const latestJob = async (api: Api): Promise<string> =>
  (await api.call('GET /admin/v1/jobs?limit=1')).body.items[0].id;

/** Asserts that the job succeeds and that one event reports it. */
async function expectExported(t: Test, api: Api, id: string): Promise<void> {
  const job = await until(
    async () => {
      const found = await jobOf(api, id);
      return ['queued', 'running'].includes(found.state) ? undefined : found;
    },
    { within, every: 100 },
  );
  t.equal(job.state, 'completed');
  t.ok(job.result?.counts.humanUsers >= users, 'the job tells how many');
  const json = { aggregateId: id, eventTypes: ['export.completed'] };
  t.equal((await api.call('POST /admin/v1/events/_search', { json })).body.events.length, 1);
}

/** Asserts that a text is an export from its beginning to its end, and holds each user once. */
function expectWhole(t: Test, text: Buffer | undefined): void {
  const { orgs } = JSON.parse(text?.toString() ?? '""');
  const ids: string[] = orgs[0].humanUsers.map(({ userId }: { userId: string }) => userId);
  const imported = ids.filter((id) => id.startsWith('id-export-'));
  t.equal(imported.length, users);
  t.equal(new Set(ids).size, ids.length, 'each user is there once');
}

/** Identifiers of the blocks of all attempts of an export. */
function blocksOf(id: string) {
  return { $gte: `${id}.`, $lt: `${id}/` };
}

/** The texts that attempts of an export have staged, and the blocks of each. */
function stagedTexts(stage: Stage, id: string): Promise<{ text: string; blocks: number }[]> {
  return inDatabase(stage, async (db) => {
    const found = await db
      .collection<{ _id: string }>('stagedBlocks')
      .find({ _id: blocksOf(id) }, { projection: { _id: 1 } })
      .toArray();
    const counts = new Map<string, number>();
    for (const { _id } of found) {
      const text = _id.slice(0, _id.lastIndexOf('.'));
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return [...counts].map(([text, blocks]) => ({ text, blocks }));
  });
}
