import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { faultUsers, strikeInTheMiddle } from '../support/migration/fault-import.js';
import { bcryptHash } from '../support/migration/imports.js';

const timeout = 400_000 + faultUsers * 150;

t.test('an import outlives the death of its workers', { timeout }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  const scene = { stage, api };
  let worker = await stage.startWorker();
  const startWorker = async () => {
    worker = await stage.startWorker();
  };

  await t.test('kill -9 of a worker', (t) =>
    strikeInTheMiddle(t, scene, {
      word: 'worker',
      worker: () => worker,
      strike: () => worker.crash(),
      mend: startWorker,
    }),
  );
});
