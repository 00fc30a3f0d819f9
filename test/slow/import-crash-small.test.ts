import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { inDatabase } from '../support/migration/fault-import.js';
import { bcryptHash, humanUsers, importOf } from '../support/migration/imports.js';

t.test(
  'kill -9 of a worker in the middle of small imports: each is done once',
  { timeout: 170_000 },
  async (t) => {
    const stage = await openStage(t);
    if (stage === undefined) return;
    stage.keepSecret(bcryptHash);
    const api = await stage.startApi();
    const worker = await stage.startWorker();
    const [imports, size] = [40, 50];
    const begin = async (n: number) => {
      const json = importOf(stage.orgId, humanUsers(`tiny${n}`, size), { timeout: '1h' });
      const answer = await api.call('POST /admin/v1/import', { json, headers: { prefer: 'respond-async' } });
      return String(answer.headers.location).split('/').at(-1) ?? '';
    };
    const ids = await Promise.all(Array.from({ length: imports }, (_, n) => begin(n)));
    const ended = () =>
      inDatabase(stage, (db) =>
        db.collection<{ _id: string }>('jobs').countDocuments({ _id: { $in: ids }, state: 'completed' }),
      );
    await until(async () => (await ended()) > 0, { within: 60_000, every: 5 });
    worker.signal('SIGSTOP');
    const before = await ended();
    t.ok(before < imports, `${before} of ${imports} had ended when it struck`);
    await worker.crash();
    await stage.startWorker();
    await until(async () => (await ended()) === imports, { within: 120_000 });
    for (const id of ids) {
      const { body } = await api.call(`GET /admin/v1/jobs/${id}`);
      t.same(body.result.summary, { created: size, skipped: 0, failed: 0, total: size });
    }
    const users = { orgId: stage.orgId, 'search.userName': { $gte: 'tiny', $lt: 'tinz' } };
    t.equal(await inDatabase(stage, (db) => db.collection('users').countDocuments(users)), imports * size);
    const added = { 'aggregate.id': { $gte: 'id-tiny', $lt: 'id-tinz' }, type: 'user.human.added' };
    t.equal(await inDatabase(stage, (db) => db.collection('events').countDocuments(added)), imports * size);
    const completions = { 'aggregate.id': { $in: ids }, type: 'import.completed' };
    t.equal(await inDatabase(stage, (db) => db.collection('events').countDocuments(completions)), imports);
  },
);
