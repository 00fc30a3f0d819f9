import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createAdminClient } from '#src/cli/base/admin-client.js';
import { followJob } from '#src/cli/jobs/follow-job.js';
import { readImportErrors } from '#src/cli/jobs/import-errors.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { endable } from '../../../dev/end-server.js';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { humanUser, humanUsers, importOf } from '../../support/migration/imports.js';

const nowhere = { write: () => true };
const output = createOutput({ stdout: nowhere, stderr: nowhere }, false);
const folder = mkdtempSync(join(tmpdir(), 'muster-errors-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);

t.test('errors of an import are read beside a job that is told without them', async (t) => {
  const { container, call, baseUrl } = await buildListeningApp(t, { workers: true });
  const { id } = await makeOrganization(container);
  const as = await makeCaller(container, id, ['IAM_OWNER']);
  const bad = Array.from({ length: 1_100 }, (_, n) => humanUser(`bad-${n}`, { email: { email: 'nobody' } }));
  const nameless = humanUser('nameless', { userName: '' });
  const begun = await call('POST /admin/v1/import', {
    as,
    body: importOf(id, [...bad, ...humanUsers('good', 20), nameless]),
    headers: { prefer: 'respond-async' },
  });
  const jobId = begun.headers['location']?.split('/').at(-1) ?? '';
  const client = createAdminClient(baseUrl, as.token);

  const job = await followJob(client, { jobId, label: 'import' }, output);
  t.equal(job.state, 'completed');
  const summary = { created: 20, skipped: 0, failed: 1_101, total: 1_121 };
  t.same(job.result, { summary, jobId });
  const full = (await call(`GET /admin/v1/jobs/${jobId}`, { as })).body;
  t.same(full.result.summary, summary);
  t.equal(full.result.errors.length, 1_101, 'who asks for all of it gets it');
  t.equal((await call(`GET /admin/v1/jobs/${jobId}?result=none`, { as })).status, 400);

  const path = join(folder, 'errors.ndjson');
  const { counts, first } = await readImportErrors(client, jobId, { path });
  t.same(
    counts,
    new Map([
      ['human_user VALUE-INVALID', 1_100],
      ['human_user RECORD-INVALID', 1],
    ]),
  );
  t.same(
    linesOf(path).map((line) => JSON.parse(line)),
    full.result.errors,
  );
  t.same(first, linesOf(path).slice(0, 10));
  t.same(await readImportErrors(client, jobId, {}), { counts, first });
  await t.rejects(readImportErrors(client, jobId, { path: join(folder, 'missing', 'errors') }), {
    message: /cannot be written/,
  });
});

t.test('errors are read again from the start where the connection broke', async (t) => {
  const line = (n: number) =>
    `${JSON.stringify({ type: 'human_user', id: `u${n}`, message: 'ID-TAKEN: x' })}\n`;
  const lines = Array.from({ length: 5_000 }, (_, n) => line(n));
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    if (asked > 1) {
      response.end(lines.join(''));
      return;
    }
    response.write(lines.slice(0, 2_000).join(''), () => response.destroy());
  }).listen(0, '127.0.0.1');
  t.teardown(endable(server));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createAdminClient(`http://127.0.0.1:${port}`, 'token');
  const path = join(folder, 'broken.ndjson');
  const { counts } = await readImportErrors(client, 'job', { path });
  t.equal(asked, 2);
  t.same(counts, new Map([['human_user ID-TAKEN', 5_000]]));
  t.equal(readFileSync(path, 'utf8'), lines.join(''));
});
