import t from 'tap';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import { createFairQueue } from '#src/jobs/fair-queue.js';
import { startWorkers } from '#workers/start-workers.js';
import { until } from '../../../dev/until.js';
import { openScim } from '../../support/app/scim-app.js';
import { newUser, type ScimClient, urn } from '../../support/scim/scim-client.js';

/** Which organization's Bulk begins first when many wait for one worker. */

const { tenant, container } = await openScim(t, { workerConcurrency: 1 });

/** Hands a Bulk over and does not wait for it. @returns its job */
async function send(scim: ScimClient): Promise<string> {
  const body = {
    schemas: [urn.bulkRequest],
    Operations: [{ method: 'POST', path: '/Users', bulkId: 'one', data: newUser() }],
  };
  const answer = await scim.post('/Bulk', body, { prefer: 'respond-async' });
  if (answer.status !== 202) throw new Error(answer.text);
  return String(answer.headers['location']).split('/').at(-1) ?? '';
}

t.test('one Bulk does not wait for all earlier ones of another organization', async (t) => {
  const [many, one, few] = [await tenant(), await tenant(), await tenant()];
  const jobs: { of: string; id: string }[] = [];
  for (let i = 0; i < 40; i++) jobs.push({ of: 'many', id: await send(many) });
  jobs.push({ of: 'one', id: await send(one) });
  for (let i = 0; i < 3; i++) jobs.push({ of: 'few', id: await send(few) });

  const workers = startWorkers(container);
  t.teardown(() => workers.close());
  const found = async () =>
    Promise.all(jobs.map(async ({ of, id }) => ({ of, job: await container.jobs.find(id) })));
  await until(async () => (await found()).every(({ job }) => job?.state === 'completed'), {
    within: 150_000,
  });

  const ended = (await found()).map(({ of, job }) => ({ of, at: job?.finished?.getTime() ?? 0 }));
  const before = (of: string) => {
    const last = Math.max(...ended.filter((one) => one.of === of).map(({ at }) => at));
    return ended.filter((one) => one.of === 'many' && one.at < last).length;
  };
  t.ok(before('one') <= 3, `${before('one')} of the 40 came before the one`);
  t.ok(before('few') <= 5, `${before('few')} of the 40 came before the third of the few`);
});

t.test(
  'rounds continue from the present one, so that newcomers do not overtake waiting jobs forever',
  async (t) => {
    const { redis, config } = container;
    const fairQueue = createFairQueue(redis, `{${config.redisPrefix}:fair}`);
    const next = (queuedUnder: string) => fairQueue.nextRound({ kind: 'scim-bulk', id: 'new', queuedUnder });
    t.same([await next('a'), await next('a'), await next('a'), await next('b')], [1, 2, 3, 1]);
    await fairQueue.advanceTo('scim-bulk', 2);
    await fairQueue.advanceTo('scim-bulk', 1);
    t.same([await next('b'), await next('c'), await next('a')], [3, 3, 4]);
    await fairQueue.reset('scim-bulk');
    await fairQueue.advanceTo('scim-bulk', 4);
    t.equal(await next('a'), 1);
  },
);

t.test('whoever begins has three parts of an import in a round for a while', async (t) => {
  const { redis, config } = container;
  const fairQueue = createFairQueue(redis, `{${config.redisPrefix}:head-start}`);
  const next = (queuedUnder: string) => fairQueue.nextRound({ kind: 'import-part', id: 'new', queuedUnder });
  const rounds = async (queuedUnder: string, count: number) => {
    const given: (number | undefined)[] = [];
    while (given.length < count) given.push(await next(queuedUnder));
    return given;
  };
  const { headStart } = jobCatalogue['import-part'];
  const first = await rounds('giant', headStart);
  t.same([first[0], first.at(-1)], [1, headStart], 'a giant import begins as any other');
  t.same(await rounds('giant', 3), [headStart + 3, headStart + 6, headStart + 9]);
  await fairQueue.advanceTo('import-part', headStart);
  t.same(
    await rounds('small', 4),
    [1, 2, 3, 4].map((step) => headStart + step),
    'three for one of the other',
  );
  await fairQueue.advanceTo('import-part', headStart + 2);
  t.same(await rounds('small', 1), [headStart + 5], 'it counts on while some of its parts wait');
  await rounds('small', headStart - 5);
  t.same(await rounds('small', 1), [2 * headStart + 3], 'and not forever');
  await fairQueue.advanceTo('import-part', 2 * headStart + 3);
  t.same(
    await rounds('small', 2),
    [1, 2].map((step) => 2 * headStart + 3 + step),
    'it begins again later',
  );
});
