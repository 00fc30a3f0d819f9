import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { inDatabase } from '../support/migration/fault-import.js';
import { bcryptHash, humanUsers, importOf } from '../support/migration/imports.js';

t.test('kill -9 of a worker in the middle of an update', { timeout: 400_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  const worker = await stage.startWorker();
  const count = 2_000;
  const send = async (lastName: string, more: object = {}) => {
    const users = humanUsers('delta', count).map(({ userId, user }) => ({
      userId,
      user: { ...user, profile: { firstName: 'First', lastName } },
    }));
    const json = importOf(stage.orgId, users, { timeout: '1h', ...more });
    const { headers } = await api.call('POST /admin/v1/import', {
      json,
      headers: { prefer: 'respond-async' },
    });
    return String(headers.location).split('/').at(-1);
  };
  const jobWhen = (
    id: string | undefined,
    isSo: (job: { state: string; progress: { processed: number } }) => boolean,
  ) =>
    until(
      async () => {
        const { body } = await api.call(`GET /admin/v1/jobs/${id}`);
        return isSo(body) ? body : undefined;
      },
      { within: 120_000, every: 20 },
    );
  const imported = await send('Old');
  await jobWhen(imported, ({ state }) => state === 'completed');
  const id = await send('New', { update: true });
  const changed = { 'name.familyName': 'New', version: 2 };
  const countChanged = () => inDatabase(stage, (db) => db.collection('users').countDocuments(changed));
  await jobWhen(id, ({ progress: { processed } }) => processed >= 500);
  worker.signal('SIGSTOP');
  const before = await countChanged();
  t.ok(before > 0 && before < count, `${before} of ${count} were changed when it struck`);
  await worker.crash();
  await stage.startWorker();
  const { result } = await jobWhen(id, ({ state }) => state === 'completed');
  t.same(result.summary, { created: 0, updated: count, skipped: 0, failed: 0, total: count });
  t.equal(await countChanged(), count);
  const events = { 'aggregate.id': { $gte: 'id-delta-', $lt: 'id-delta.' }, type: 'user.human.changed' };
  t.equal(await inDatabase(stage, (db) => db.collection('events').countDocuments(events)), count);
  const again = await send('New', { update: true });
  const after = await jobWhen(again, ({ state }) => state === 'completed');
  t.match(after.result.summary, { updated: 0, skipped: count });
});
