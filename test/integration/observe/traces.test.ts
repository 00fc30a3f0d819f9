import t from 'tap';
import { createTracing } from '#src/observe/tracing.js';
import { startWorkers } from '#workers/start-workers.js';
import { makeCaller } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { humanUsers, importOf } from '../../support/migration/imports.js';
import { startOtlpReceiver } from '../../support/network/otlp-receiver.js';
import { newUser } from '../../support/scim/scim-client.js';

/** The spans that a collector receives for requests and for the jobs that they start. */

const receiver = await startOtlpReceiver(t);
const tracing = createTracing({ endpoint: receiver.endpoint, processName: 'test', ratio: 1 });
const { tenant, container, call } = await openScim(t, { observer: { tracing } });
const workers = startWorkers(container);
const scim = await tenant();

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const password = 'Canary-Horse-77';
const create = {
  method: 'POST',
  path: '/Users',
  bulkId: 'one',
  data: newUser({ userName: 'canary-user', password }),
};
const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [create] };
const inTrace = (flags: string, trace = traceId) => ({ traceparent: `00-${trace}-${callerSpan}-${flags}` });

const bulk = await scim.post('/Bulk', body, inTrace('01'));
const unsampled = await scim.get('/Users', inTrace('00', 'f'.repeat(32)));
const missing = await scim.get('/Users/nobody', { traceparent: 'this is none' });
const probe = await call('GET /readyz');
const importTrace = 'a'.repeat(32);
const imported = await call('POST /admin/v1/import', {
  as: await makeCaller(container, scim.orgId, ['IAM_OWNER']),
  // One more than a part has: an import of one part has no jobs of its parts.
  body: importOf(scim.orgId, humanUsers('canary-import', 501)),
  headers: inTrace('01', importTrace),
});
// The spans of jobs in flight end first.
await workers.close();
await tracing.close();

t.test('a request continues the trace of its caller, and its job is in it', (t) => {
  t.same([bulk.status, bulk.body.Operations[0].status], [200, '201'], bulk.text);
  const spans = receiver.spans.filter((span) => span.traceId === traceId);
  const request = spans.find(({ parentSpanId }) => parentSpanId === callerSpan);
  t.match(request, {
    name: 'POST /scim/v2/:orgId/Bulk',
    failed: false,
    attributes: { 'http.route': '/scim/v2/:orgId/Bulk', 'http.response.status_code': '200' },
  });
  const job = spans.find(({ name }) => name === 'job scim-bulk');
  t.equal(job?.parentSpanId, request?.spanId, 'the job is a child of the request');
  const writes = spans.filter(({ name }) => name.endsWith(' users'));
  t.ok(writes.length > 0, 'what the job asks of MongoDB has spans');
  t.ok(
    writes.every(({ parentSpanId }) => parentSpanId === job?.spanId),
    'below the job',
  );
  t.ok(
    spans.some(({ attributes }) => attributes['db.system.name'] === 'redis'),
    'so has what is asked of Redis',
  );
  t.end();
});

t.test('the parts of an import are below its job, whichever worker runs them', (t) => {
  t.match(imported, { status: 200, body: { summary: { created: 501 } } });
  const spans = receiver.spans.filter((span) => span.traceId === importTrace);
  const job = spans.find(({ name }) => name === 'job import');
  const parts = spans.filter(({ name }) => name === 'job import-part');
  t.ok(parts.length > 0);
  t.ok(
    parts.every(({ parentSpanId }) => parentSpanId === job?.spanId),
    'each is a child of the job',
  );
  t.end();
});

t.test('a caller that does not record its trace is followed; one without a trace begins one', (t) => {
  t.equal(unsampled.status, 200);
  t.notOk(receiver.spans.some(({ traceId: id }) => id === 'f'.repeat(32)));
  t.equal(missing.status, 404);
  const own = receiver.spans.find(({ name }) => name === 'GET /scim/v2/:orgId/Users/:id');
  t.match(own, { parentSpanId: '', attributes: { 'http.response.status_code': '404' } });
  t.not(own?.traceId, traceId);
  t.equal(probe.status, 200);
  t.notOk(
    receiver.spans.some(({ name }) => name.includes('readyz')),
    'probes are no news',
  );
  t.end();
});

t.test('no span carries request data or secrets', (t) => {
  const sent = receiver.text();
  for (const secret of [scim.token, scim.orgId, password, 'canary-user', 'canary-import', 'nobody']) {
    t.notOk(sent.includes(secret), secret);
  }
  t.end();
});
