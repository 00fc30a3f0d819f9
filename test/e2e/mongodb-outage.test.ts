import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { makeCertificate } from '../support/network/certificate.js';
import { hookSettings, startFormerService, takenOverOnce } from '../support/processes/former-service.js';
import { expectMongodbOutageOutlived, mongodbOutageStage } from '../support/processes/mongodb-outage.js';

t.test('MongoDB goes away and comes back', { timeout: 240_000 }, async (t) => {
  const certificate = await makeCertificate(t);
  const { settings } = mongodbOutageStage;
  const stage = await openStage(t, {
    ...mongodbOutageStage,
    settings: { ...settings, ...(certificate && hookSettings(certificate)) },
  });
  const names = stage?.storeProcesses.filter((name) => name !== 'redis-server') ?? [];
  if (stage === undefined || names.length === 0) {
    notRun(t, 'MongoDB is no process of ours');
    return;
  }
  const api = await stage.startApi();
  await stage.startWorker();
  await expectMongodbOutageOutlived(t, { stage, api }, { names, word: 'all' });
  if (certificate === undefined) return;

  await t.test('while a migration hook is asked', async (t) => {
    const former = await startFormerService(t, { stage, api, certificate });
    const sent = former.signIn(api, 'lazy');
    await former.asked('lazy');
    await stage.crashStore(...names);
    former.answer('lazy');
    t.equal(await sent, 503, 'nobody is signed in whom MongoDB does not have');
    await stage.restoreStores();
    await until(async () => (await api.call('GET /readyz')).status === 200, { within: 60_000 });
    t.same(await former.stored('lazy'), { people: 0, whole: 0, added: 0 });
    former.answerAtOnce();
    t.equal(await former.signIn(api, 'lazy'), 303, 'the second sign-in works');
    t.same(await former.stored('lazy'), takenOverOnce);
  });
});
