import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { openStage } from '../../dev/stage/stage.js';
import { faultUsers, strikeInTheMiddle } from '../support/migration/fault-import.js';
import { bcryptHash } from '../support/migration/imports.js';

const timeout = 400_000 + faultUsers * 150;

t.test('an import outlives the end of its worker and the death of its stores', { timeout }, async (t) => {
  const stage = await openStage(t, { ownStores: true });
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  const scene = { stage, api };
  let worker = await stage.startWorker();

  await t.test('SIGTERM of a worker: another one does the rest', (t) =>
    strikeInTheMiddle(t, scene, {
      word: 'term',
      strike: async () => {
        worker.signal('SIGTERM');
        t.equal(await worker.exitCode, 0);
      },
      mend: async () => {
        worker = await stage.startWorker();
      },
    }),
  );

  for (const [store, names] of [
    ['Redis', ['redis-server']],
    ['MongoDB', stage.storeProcesses.filter((name) => name !== 'redis-server')],
  ] as const) {
    await t.test(`kill -9 of ${store}`, async (t) => {
      if (!names.every((name) => stage.storeProcesses.includes(name)) || names.length === 0) {
        notRun(t, `${store} is no process of ours`);
        return;
      }
      await strikeInTheMiddle(t, scene, {
        word: store.toLowerCase(),
        strike: () => stage.crashStore(...names),
        mend: () => stage.restoreStores({ emptyRedis: store === 'Redis' }),
      });
    });
  }
});
