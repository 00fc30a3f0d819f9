import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { startOtlpReceiver } from '../support/network/otlp-receiver.js';
import { bulkOf, namesByStatus, sendBulk } from '../support/scim/bulk.js';

const password = 'Observed-Horse-7';

t.test('real processes tell of themselves', { timeout: 200_000 }, async (t) => {
  const receiver = await startOtlpReceiver(t);
  const stage = await openStage(t, { settings: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint } });
  if (stage === undefined) return;
  stage.keepSecret(password);
  const ports = { api: String(await freePort()), worker: String(await freePort()) };
  const api = await stage.startApi({ MUSTER_METRICS_PORT: ports.api });
  const worker = await stage.startWorker({ MUSTER_METRICS_PORT: ports.worker });
  const metricsOf = async (port: string) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

  const answer = await sendBulk(stage, api, bulkOf('observed', 3, password));
  t.same(Object.keys(namesByStatus(answer)), ['201']);

  t.test('each at its own port, which no other process can take', async (t) => {
    const counted = /^muster_http_request_seconds_count\{.*route="\/scim\/v2\/:orgId\/Bulk".*\} 1$/m;
    // It is counted as it is sent, which the client may be a moment ahead of.
    await until(async () => counted.test(await metricsOf(ports.api)), { within: 60_000 });
    t.match(await metricsOf(ports.worker), /^muster_jobs\{.*kind="scim-bulk".*state="waiting".*\} 0$/m);
    t.equal((await fetch(`http://127.0.0.1:${ports.worker}/healthz`)).status, 200, 'what its probes ask');
    await t.rejects(
      stage.startWorker({ MUSTER_METRICS_PORT: ports.api }),
      /Port \d+ of 127\.0\.0\.1 is taken/,
    );
  });

  t.test('one trace goes through both, and is sent before they end', async (t) => {
    api.signal('SIGTERM');
    worker.signal('SIGTERM');
    t.same(await Promise.all([api.exitCode, worker.exitCode]), [0, 0]);
    const request = receiver.spans.find(({ name }) => name === 'POST /scim/v2/:orgId/Bulk');
    const job = receiver.spans.find(({ name }) => name === 'job scim-bulk');
    t.match(request, { service: 'muster-api' });
    t.match(job, { service: 'muster-worker', traceId: request?.traceId, parentSpanId: request?.spanId });
    for (const secret of [password, stage.token, stage.orgId]) t.notOk(receiver.text().includes(secret));
  });
});
