import t from 'tap';
import { type Api, openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { humanUsers, importOf } from '../support/migration/imports.js';
import { bulkOf, namesByStatus, sendBulk } from '../support/scim/bulk.js';

/** The number of users. The rest of this test finishes during their import. */
const users = 60_000;

t.test('a long import holds up no other organization', { timeout: 290_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const api = await stage.startApi({ MUSTER_REQUEST_TIMEOUT_SECONDS: '120' });
  await stage.startWorker();
  const { id: orgId } = (await api.call('POST /admin/v1/orgs', { json: { name: 'Other' } })).body;

  const long = await beginImport(api, importOf(stage.orgId, humanUsers('long', users), { timeout: '1h' }));
  await until(async () => (await jobOf(api, long)).progress.processed > 0);
  const answer = await sendBulk({ ...stage, orgId }, api, bulkOf('quick', 60));
  const then = await jobOf(api, long);
  const { 201: created = [], ...others } = namesByStatus(answer);
  t.same([answer.status, created.length, others], [200, 60, {}], 'a Bulk is applied as a whole');
  t.equal(then.state, 'running', `${then.progress.processed} of ${users} were in when it was answered`);
  t.ok(then.progress.processed < users);

  const short = await beginImport(api, importOf(orgId, humanUsers('short', 1_200)));
  await until(async () => !['queued', 'running'].includes((await jobOf(api, short)).state));
  const during = await jobOf(api, long);
  t.match(await jobOf(api, short), {
    state: 'completed',
    result: { summary: { created: 1_200, failed: 0 } },
  });
  t.equal(
    during.state,
    'running',
    `${during.progress.processed} of ${users} were in when the other had ended`,
  );
  t.ok(during.progress.processed < users);
  await until(async () => (await jobOf(api, long)).progress.processed > then.progress.processed);

  const { body } = await api.call(`DELETE /admin/v1/jobs/${long}?result=summary`);
  t.match(body, { state: 'cancelled' }, 'it was still running');
});

/** Starts an import that is answered later. @returns its job */
async function beginImport(api: Api, json: object): Promise<string> {
  const answer = await api.call('POST /admin/v1/import', { json, headers: { prefer: 'respond-async' } });
  if (answer.status !== 202) throw new Error(`The import is answered ${answer.status}`);
  return String(answer.headers.location).split('/').at(-1) ?? '';
}

async function jobOf(api: Api, id: string) {
  return (await api.call(`GET /admin/v1/jobs/${id}?result=summary`)).body;
}
