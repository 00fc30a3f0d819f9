import t from 'tap';
import { runImportPart } from '#src/migration/import/parts/run-import-part.js';
import { unpackImport } from '#src/migration/import/run/unpack-import.js';
import { newId } from '#src/platform/ids.js';
import { importWorker } from '#workers/import.worker.js';
import { startWorkers } from '#workers/start-workers.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUsers, importOf } from '../../support/migration/imports.js';

/** Whose imports go on when many wait for one worker, which has a place for one of them. */

const { container, call } = await buildTestApp(t, { workerConcurrency: 1 });
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
const [many, one] = [await makeOrganization(container), await makeOrganization(container)];
const { importParts, jobQueue, jobs } = container;

/** Asks for something that is answered later. @returns its job */
async function begin(path: 'import' | 'export', body: object): Promise<string> {
  const { status, headers } = await call(`POST /admin/v1/${path}`, {
    as,
    body,
    headers: { prefer: 'respond-async' },
  });
  if (status !== 202) throw new Error(`Answered ${status}`);
  const id = (headers['location'] ?? '').split('/').at(-1) ?? '';
  await unpackImport(container, id);
  return id;
}

/** Hands the parts of users of imports to the queue, where no worker takes them. @returns the parts */
async function offerParts(...jobIds: string[]): Promise<string[]> {
  const parts: string[] = [];
  for (const jobId of jobIds) {
    for (const id of await importParts.waiting(jobId, { phase: 0, limit: 10 }))
      await runImportPart(container, id);
    parts.push(...(await importParts.waiting(jobId, { phase: 4, limit: 100 })));
  }
  const queued = async () => {
    const counts = await jobQueue.counts();
    return counts.find(({ kind, state }) => kind === 'import-part' && state === 'waiting')?.count ?? 0;
  };
  const before = await queued();
  // The attempts keep their places, though others wait.
  const alone = { ...container, jobQueue: { ...jobQueue, oldestWaiting: async () => undefined } };
  const stopping = new AbortController();
  const handler = importWorker(alone);
  const attempts = jobIds.map((jobId) =>
    handler({ jobId, attemptId: newId() }, container.logger, stopping.signal),
  );
  await until(async () => (await queued()) === before + parts.length);
  stopping.abort();
  await Promise.all(attempts);
  return parts;
}

const stateOf = async (jobId: string) => (await jobs.find(jobId))?.state;

t.test('ten imports of one organization, and then one of another', async (t) => {
  const wrong = Array.from({ length: 501 }, () => ({}));
  const first = await begin('import', importOf(many.id, wrong));
  const ofMany = [first];
  while (ofMany.length < 10) ofMany.push(await begin('import', importOf(many.id, wrong)));
  const ofOne = await begin('import', importOf(one.id, humanUsers('one', 1_001)));
  const partsOfMany = await offerParts(...ofMany);
  const partsOfOne = await offerParts(ofOne);
  t.same([partsOfMany.length, partsOfOne.length], [20, 3]);

  // The first import cannot end before the one of the other organization has: one of its parts waits for that.
  const begun = new Set<string>();
  const [part = ''] = partsOfMany;
  let isHeld = true;
  const workers = startWorkers({
    ...container,
    importParts: {
      ...importParts,
      async findWaiting(id) {
        begun.add(id);
        return isHeld && id === part ? undefined : importParts.findWaiting(id);
      },
    },
  });
  t.teardown(() => workers.close());
  await until(async () => (await stateOf(ofOne)) === 'completed');
  t.equal(await stateOf(first), 'running', 'the first import left its place to the other');
  t.same((await call(`GET /admin/v1/jobs/${ofOne}?result=summary`, { as })).body.result.summary, {
    created: 1_001,
    skipped: 0,
    failed: 0,
    total: 1_001,
  });

  isHeld = false;
  await jobQueue.enqueue({ kind: 'import-part', id: part, queuedUnder: many.id });
  for (const id of ofMany) {
    await until(async () => (await stateOf(id)) === 'completed');
    t.equal((await importParts.counts(id)).failed, 501);
  }
  const order = [...begun];
  const last = Math.max(...partsOfOne.map((id) => order.indexOf(id)));
  const passed = order.slice(0, last).filter((id) => partsOfMany.includes(id)).length;
  // As many come before as the other has, and as run at once.
  t.ok(passed <= partsOfOne.length + 3, `${passed} of 20 parts came before the third of the other`);
  await workers.close();
});

t.test('the organization under which an import or export queues', async (t) => {
  const queuedUnder = async (path: 'import' | 'export', body: object) =>
    (await jobs.find(await begin(path, body)))?.queuedUnder;
  const orgs = (...ids: string[]) => ({
    timeout: '5m',
    dataOrgs: { orgs: ids.map((orgId) => ({ orgId })) },
  });
  const made = { timeout: '5m', dataOrgsv1: { orgs: [{ org: { name: 'Made' } }] } };
  t.equal(await queuedUnder('import', orgs(one.id)), one.id, 'of the organization that it is for');
  t.equal(
    await queuedUnder('import', orgs(one.id, many.id)),
    home.id,
    'of the requester, if it is for several',
  );
  t.equal(await queuedUnder('import', made), home.id, 'of the requester, if it makes the organization');
  const responseOutput = true;
  t.equal(await queuedUnder('export', { responseOutput, orgIds: [one.id, one.id] }), one.id);
  t.equal(await queuedUnder('export', { responseOutput, orgIds: [one.id, many.id] }), home.id);
  t.equal(await queuedUnder('export', { responseOutput }), home.id);
});
