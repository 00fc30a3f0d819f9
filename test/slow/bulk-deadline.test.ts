import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import {
  bulkOf,
  countOf,
  expectAppliedOnce,
  namesByStatus,
  saysOfBulk,
  sendBulk,
  slowBulk,
  usersAndEvents,
} from '../support/scim/bulk.js';

const password = 'Correct-Horse-7';

t.test('a Bulk that is not done by its deadline', { timeout: 200_000 }, async (t) => {
  const stage = await openStage(t, { settings: slowBulk });
  if (stage === undefined) return;
  stage.keepSecret(password);
  const api = await stage.startApi();

  t.test('without another worker the deadline answers 503 for exactly what was not applied', async (t) => {
    const hasty = await stage.startApi({ MUSTER_REQUEST_TIMEOUT_SECONDS: '15' });
    const worker = await stage.startWorker();
    // The first job of a process is slow.
    await sendBulk(stage, api, bulkOf('first', 1, password));
    const answer = sendBulk(stage, hasty, bulkOf('orphan', 60, password));
    await until(() => countOf(stage, api, 'orphan'));
    await worker.crash();
    const { 201: created = [], 503: prevented = [], ...others } = namesByStatus(await answer);
    t.comment(`${created.length} applied, ${prevented.length} prevented, after ${(await answer).ms} ms`);
    t.same(others, {});
    t.ok(created.length > 0 && prevented.length > 0);
    t.equal(created.length + prevented.length, 60);
    const back = await stage.startWorker();
    await until(() => back.log().includes('the job has ended already'));
    await expectAppliedOnce(t, { stage, api, word: 'orphan', names: created });
    await hasty.crash();
    await back.crash();
  });

  t.test('the deadline also stops a worker that is well, between two operations', async (t) => {
    const hasty = await stage.startApi({ MUSTER_REQUEST_TIMEOUT_SECONDS: '2' });
    const worker = await stage.startWorker();
    // The first job of a process is slow.
    await sendBulk(stage, api, bulkOf('second', 1, password));
    const [creation] = bulkOf('late', 1).Operations;
    const changes = Array.from({ length: 99 }, (_, index) => ({
      method: 'PATCH',
      path: '/Users/bulkId:late-0',
      data: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', value: { displayName: `change ${index + 1}`, password } }],
      },
    }));
    const bulk = { ...bulkOf('late', 0), Operations: [creation, ...changes] };
    const answer = await sendBulk(stage, hasty, bulk);
    const statuses: string[] = answer.body.Operations.map(({ status }: { status: string }) => status);
    const applied = statuses.filter((status) => status === '204').length;
    t.comment(`${applied} changes applied, after ${Math.round(answer.ms)} ms`);
    t.ok(applied > 0 && applied < 99, 'it stopped in the middle');
    const expected = ['201', ...changes.map((_, index) => (index < applied ? '204' : '503'))];
    t.same(statuses, expected);
    await until(() => saysOfBulk(worker, /job done/));
    const [user] = await usersAndEvents(stage, api, 'late');
    const { body } = await api.call(`GET /scim/v2/${stage.orgId}/Users/${user?.id}`);
    t.equal(body.displayName, `change ${applied}`, 'the last change that is told is the last that was made');
    const search = { aggregateId: user?.id, eventTypes: ['user.human.changed'] };
    const found = await api.call('POST /admin/v1/events/_search', { json: search });
    t.equal(found.body.events.length, applied, 'each change has one event');
    await hasty.crash();
    await worker.crash();
  });
});
