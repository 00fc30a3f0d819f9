import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { openStage } from '../../dev/stage/stage.js';
import { expectMongodbOutageOutlived, mongodbOutageStage } from '../support/processes/mongodb-outage.js';

/** The stand-in for MongoDB of dev/documentdb has two processes. A gateway without its PostgreSQL is not well either. */
t.test('one process of DocumentDB goes away and comes back', { timeout: 600_000 }, async (t) => {
  const stage = await openStage(t, mongodbOutageStage);
  const names = stage?.storeProcesses.filter((name) => name !== 'redis-server') ?? [];
  if (stage === undefined || names.length < 2) {
    notRun(t, 'MongoDB is not DocumentDB here');
    return;
  }
  const api = await stage.startApi();
  await stage.startWorker();
  for (const name of names) {
    const word = name.replaceAll('-', '');
    await t.test(name, (t) => expectMongodbOutageOutlived(t, { stage, api }, { names: [name], word }));
  }
});
