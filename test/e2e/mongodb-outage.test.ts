import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { openStage } from '../../dev/stage/stage.js';
import { expectMongodbOutageOutlived, mongodbOutageStage } from '../support/processes/mongodb-outage.js';

t.test('MongoDB goes away and comes back', { timeout: 240_000 }, async (t) => {
  const stage = await openStage(t, mongodbOutageStage);
  const names = stage?.storeProcesses.filter((name) => name !== 'redis-server') ?? [];
  if (stage === undefined || names.length === 0) {
    notRun(t, 'MongoDB is no process of ours');
    return;
  }
  const api = await stage.startApi();
  await stage.startWorker();
  await expectMongodbOutageOutlived(t, { stage, api }, { names, word: 'all' });
});
