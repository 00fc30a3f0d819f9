import { request } from 'node:http';
import t from 'tap';
import { type Api, openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import {
  beginImport,
  expectImportedOnce,
  faultImport,
  faultUsers,
  inDatabase,
  strikeInTheMiddle,
} from '../support/migration/fault-import.js';
import { bcryptHash } from '../support/migration/imports.js';

const timeout = 400_000 + faultUsers * 150;

t.test('an import outlives the death of the API processes', { timeout }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  const scene = { stage, api };
  const worker = await stage.startWorker();

  await t.test('kill -9 of the API process that waits for it', async (t) => {
    let doomed: Api | undefined;
    let answer: Promise<unknown> | undefined;
    await strikeInTheMiddle(t, scene, {
      word: 'api',
      async begin(word) {
        const before = await jobsOf(api);
        doomed = await stage.startApi();
        answer = doomed
          .call('POST /admin/v1/import', { json: JSON.parse(faultImport(stage, word)) })
          .catch((error: Error) => error);
        return until(async () => (await jobsOf(api)).find((job) => !before.includes(job)), {
          within: 60_000,
        });
      },
      worker: () => worker,
      strike: async () => doomed?.crash(),
    });
    t.type(await answer, Error);
  });

  await t.test('kill -9 of the API process while the body comes in', async (t) => {
    const doomed = await stage.startApi();
    const before = await jobsOf(api);
    const body = faultImport(stage, 'half');
    const sent = request(`${doomed.address}/admin/v1/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
    });
    const broken = new Promise<void>((done) => sent.once('error', () => done()));
    sent.write(body.slice(0, -100));
    const uploads = () =>
      inDatabase(stage, async (db) => {
        const found = await db.collection<{ _id: string }>('importUploads').find().toArray();
        const blocks = await db.collection<{ _id: string }>('stagedBlocks').find().toArray();
        return found.filter(({ _id }) => blocks.some((block) => block._id.startsWith(`${_id}.`)));
      });
    await until(async () => (await uploads()).length === 1, { within: 60_000 });
    await doomed.crash();
    await broken;
    t.same(await jobsOf(api), before, 'there is no job');
    t.equal((await uploads()).length, 1, 'what was staged is known, and removed when nobody went on with it');
    const id = await beginImport(scene, 'half');
    await expectImportedOnce(t, scene, { word: 'half', id });
  });
});

/** Identifiers of the latest jobs. */
async function jobsOf(api: Api): Promise<string[]> {
  const { body } = await api.call('GET /admin/v1/jobs');
  return body.items.map(({ id }: { id: string }) => id);
}
