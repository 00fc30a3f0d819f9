import { createRequire } from 'node:module';
import t from 'tap';
import { lookUpsOf } from '#src/observe/look-ups.js';
import { openObserver } from '#src/observe/observer.js';
import { createLogger } from '#src/platform/logger.js';
import { openMongo } from '#src/platform/mongo/mongo.js';
import { startWorkers } from '#workers/start-workers.js';
import { freePort } from '../../../dev/free-port.js';
import { until } from '../../../dev/until.js';
import { lateMs, makeLoopLate } from '../../support/app/late-loop.js';
import { makeCaller } from '../../support/app/make.js';
import { makeServiceClient, postForm } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { openScim } from '../../support/app/scim-app.js';
import { serve } from '../../support/app/test-app.js';
import { humanUsers, importOf } from '../../support/migration/imports.js';
import { visit } from '../../support/oidc/visitor.js';
import { newUser, urn } from '../../support/scim/scim-client.js';

/** The text that Prometheus reads at the metrics port. */

const logger = createLogger({ level: 'silent', processName: 'test' });
const off = { metricsHost: '127.0.0.1', metricsPort: 0, otlpEndpoint: '', traceRatio: 1 };
const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) =>
    /node_modules\/(prom-client|@opentelemetry)\//.test(path),
  );

await t.test('disabled metrics and traces load no libraries', async (t) => {
  const observer = await openObserver(off, { processName: 'test', logger });
  await observer.close();
  t.same(Object.keys(observer).sort(), ['close', 'start']);
  t.same(loaded(), []);
});

const place = { purpose: 'other', orgId: undefined } as const;
const metricsPort = await freePort();
const observer = await openObserver({ ...off, metricsPort }, { processName: 'test', logger });
t.teardown(() => observer.close());
const { app, call, container, tenant, clock } = await openScim(t, {
  observer,
  loginFailureMilliseconds: 0,
  hashConcurrency: 1,
  hashQueue: 1,
});
await observer.start(lookUpsOf(container));
const address = `http://127.0.0.1:${metricsPort}/metrics`;

const others = (counts: Record<string, number>) => counts['method="other",route="none",status="4xx"'] ?? 0;

/** The values of a metric by its labels, `{}` without labels of its own. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const text = await (await fetch(address)).text();
  const lines = [...text.matchAll(new RegExp(`^${name}(?:\\{(.*?)\\})? (\\S+)$`, 'gm'))];
  return Object.fromEntries(
    lines.map(([, labels = '', value]) => [
      labels
        .split(',')
        .filter((label) => label !== '' && !label.startsWith('process='))
        .join(','),
      Number(value),
    ]),
  );
}

t.test('it answers for itself alone, and needs no token', async (t) => {
  t.ok(loaded().length > 0, 'now it is loaded');
  const answer = await fetch(address);
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), /^text\/plain/);
  t.match(await answer.text(), /^nodejs_eventloop_lag_p99_seconds\{process="test"\} /m);
  t.equal((await fetch(address.replace('/metrics', '/healthz'))).status, 200, 'a worker is asked here');
  t.equal((await fetch(address.replace('/metrics', '/scim/v2'))).status, 404);
  t.equal((await fetch(address, { method: 'POST' })).status, 404);
  t.equal((await call('GET /metrics')).status, 404, 'not at the port of clients');
});

t.test('requests are counted by the pattern of their route, whatever their address', async (t) => {
  const scim = await tenant();
  const { id } = await scim.create();
  await scim.get(`/Users/${id}`);
  await scim.get('/Users/nobody');
  await call('GET /no/such/address');
  await call('PROPFIND /no/such/address');
  // Requests are counted when their answer is sent, which the client may be a moment ahead of.
  await until(async () => others(await valuesOf('muster_http_request_seconds_count')) >= 2);
  const counts = await valuesOf('muster_http_request_seconds_count');
  const user = (status: string) => `method="GET",route="/scim/v2/:orgId/Users/:id",status="${status}"`;
  t.equal(counts[user('2xx')], 1);
  t.equal(counts[user('4xx')], 1);
  const text = await (await fetch(address)).text();
  for (const chosen of [id, scim.orgId, scim.token, 'nobody', 'such', 'PROPFIND']) {
    t.notOk(text.includes(chosen), chosen);
  }
});

t.test('tokens by grant and outcome, where a grant that does not exist has no name', async (t) => {
  const { orgId } = await tenant();
  const machine = await makeServiceClient(container, orgId);
  const token = (form: Record<string, string>) =>
    postForm(call, '/oauth/v2/token', { as: machine.credentials, form });
  t.equal((await token({ grant_type: 'client_credentials' })).status, 200);
  t.equal((await token({ grant_type: 'refresh_token', refresh_token: 'made-up' })).status, 400);
  t.equal((await token({ grant_type: 'made-up-grant' })).status, 400);
  t.match(await valuesOf('muster_token_requests_total'), {
    'grant="client_credentials",outcome="issued"': 1,
    'grant="refresh_token",outcome="invalid_grant"': 1,
    'grant="unknown",outcome="unsupported_grant_type"': 1,
  });
});

t.test('passwords by outcome, and how long their hashes waited', async (t) => {
  const { orgId } = await tenant();
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('The organization is gone');
  const { userName } = await makePerson(container, organization);
  const before = (await valuesOf('muster_hash_wait_seconds_count'))[''] ?? 0;
  for (const password of ['Wrong-Horse-7', 'Correct-Horse-7']) {
    const visitor = visit(app, container, { language: 'en', address: '198.51.100.1' });
    await visitor.fill(await visitor.get('/login'), { loginName: userName, password });
  }
  t.match(await valuesOf('muster_login_checks_total'), {
    'factor="password",outcome="wrong"': 1,
    'factor="password",outcome="right"': 1,
  });
  t.ok(((await valuesOf('muster_hash_wait_seconds_count'))[''] ?? 0) >= before + 2);
  t.match(await valuesOf('muster_hash_waiting'), { '': 0 });
});

t.test('password hashes that are computed, and those that wait', async (t) => {
  let seen = false;
  // One is computed and one waits, but for the moments between two of them.
  const hash = async () => {
    while (!seen) await container.passwords.hash('Correct-Horse-7', place);
  };
  const hashing = [hash(), hash()];
  await until(async () => {
    const [running, waiting] = [await valuesOf('muster_hash_running'), await valuesOf('muster_hash_waiting')];
    t.ok((running[''] ?? 9) <= 1 && (waiting[''] ?? 9) <= 1);
    seen = running[''] === 1 && waiting[''] === 1;
    return seen;
  });
  await Promise.all(hashing);
  t.same(
    [await valuesOf('muster_hash_running'), await valuesOf('muster_hash_waiting')],
    [{ '': 0 }, { '': 0 }],
  );
});

t.test('jobs by kind and state, their age, and what became of them', async (t) => {
  const scim = await tenant();
  const operation = { method: 'POST', path: '/Users', bulkId: 'one', data: newUser() };
  const body = { schemas: [urn.bulkRequest], Operations: [operation] };
  const accepted = await scim.post('/Bulk', body, { prefer: 'respond-async' });
  t.equal(accepted.status, 202, accepted.text);
  t.match(await valuesOf('muster_jobs'), { 'kind="scim-bulk",state="waiting"': 1 });
  const age = async () => (await valuesOf('muster_job_oldest_waiting_seconds'))['kind="scim-bulk"'] ?? -1;
  const before = await age();
  clock.advance(5);
  t.ok(before >= 0 && (await age()) >= before + 5, 'it grows as time passes');

  const workers = startWorkers(container);
  const done = 'kind="scim-bulk",outcome="done"';
  await until(async () => (await valuesOf('muster_job_attempt_seconds_count'))[done] === 1);
  await workers.close();
  t.match(await valuesOf('muster_job_attempt_seconds_count'), { [done]: 1 });
  t.match(await valuesOf('muster_jobs'), { 'kind="scim-bulk",state="waiting"': 0 });
});

t.test('records of imports by section and outcome', async (t) => {
  const { orgId } = await tenant();
  const as = await makeCaller(container, orgId, ['IAM_OWNER']);
  const body = importOf(orgId, humanUsers('metrics', 3));
  const workers = startWorkers(container);
  await call('POST /admin/v1/import', { as, body: { ...body, dryRun: true } });
  t.same(await valuesOf('muster_import_records_total'), {}, 'nothing becomes of the records of a dry run');
  const answers = [
    await call('POST /admin/v1/import', { as, body }),
    await call('POST /admin/v1/import', { as, body }),
  ];
  await workers.close();
  t.same(
    answers.map(({ status }) => status),
    [200, 200],
  );
  t.match(await valuesOf('muster_import_records_total'), {
    'section="humanUsers",outcome="created"': 3,
    'section="humanUsers",outcome="skipped"': 3,
  });
});

t.test('the stores: connections, and the time of commands', async (t) => {
  const connections = await valuesOf('muster_mongodb_connections');
  t.ok(Number(connections['state="open"']) >= 1);
  t.ok(Number(connections['state="used"']) <= Number(connections['state="open"']));
  t.same(Object.keys(await valuesOf('muster_mongodb_waiting')), ['']);
  t.match(await valuesOf('muster_redis_ready'), { '': 1 });
  const commands = await valuesOf('muster_redis_command_seconds_count');
  t.ok(Number(commands['command="publish"']) > 0, JSON.stringify(commands));
  t.notOk('command="bzpopmin"' in commands, 'waiting for a job is no slowness of Redis');
});

t.test('commands that Redis refused', async (t) => {
  const key = `${container.config.redisPrefix}:text`;
  await container.redis.set(key, 'no list');
  t.same(await valuesOf('muster_redis_command_errors_total'), {});
  for (let time = 0; time < 2; time++) await t.rejects(container.redis.lpush(key, 'one'), /WRONGTYPE/);
  const told = async () => (await valuesOf('muster_redis_command_errors_total'))['command="lpush"'];
  await until(async () => (await told()) === 2);
});

t.test('operations that wait for a connection to MongoDB, and for how long they did', async (t) => {
  const { createMetrics } = await import('#src/observe/metrics.js');
  const metrics = createMetrics('test');
  const { mongodbUrl: url, mongodbDatabase: database } = container.config;
  const mongo = await openMongo({
    url,
    database,
    poolSize: 1,
    connectionTaken: metrics.mongoConnectionTaken,
  });
  t.teardown(() => mongo.close());
  metrics.lookUp({ ...lookUpsOf(container), mongoPool: mongo.pool });
  const told = async (name: string) => {
    const { text } = await metrics.render();
    return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const counted = () => told('muster_mongodb_connection_wait_seconds_count');
  const [before, started] = [await counted(), performance.now()];
  const pings = Array.from({ length: 20 }, () => mongo.ping());
  await until(async () => mongo.pool().waiting > 1);
  // Both values are read before other work can happen.
  const [waiting, now] = [mongo.pool().waiting, told('muster_mongodb_waiting')];
  t.equal(await now, waiting);
  await Promise.all(pings);
  t.equal(await told('muster_mongodb_waiting'), 0);
  t.equal(await counted(), before + 20);
  const sum = await told('muster_mongodb_connection_wait_seconds_sum');
  const longest = (performance.now() - started) / 1000;
  t.ok(sum > 0 && sum < 21 * longest, `20 of them waited ${sum} seconds, within ${longest}`);
});

t.test('the age of parts of imports that wait for a worker', async (t) => {
  const part = 'kind="import-part"';
  const age = async () => Number((await valuesOf('muster_job_oldest_waiting_seconds'))[part]);
  t.equal(await age(), 0, 'none waits');
  for (const jobId of ['older', 'newer']) {
    await container.jobQueue.enqueue({ kind: 'import-part', id: jobId, queuedUnder: `of-${jobId}` });
    clock.advance(3_600);
  }
  t.ok((await age()) >= 7_200, 'the oldest of them');
  const workers = startWorkers(container);
  await until(async () => (await age()) === 0);
  await workers.close();
});

t.test('requests that a limit refused, each once, by limit', async (t) => {
  const { orgId, token } = await tenant();
  clock.startMinute();
  const limits = {
    rateLimitPerAddress: 5,
    rateLimitRefused: 1,
    rateLimitPerClient: 2,
    rateLimitPerOrganization: 1,
  };
  const limited = await serve(t, { ...container, config: { ...container.config, ...limits } });
  const statuses = [];
  const wrong = { token: 'invented' };
  for (const as of [{ token }, { token }, { token }, wrong, wrong, wrong]) {
    statuses.push((await limited.call(`GET /scim/v2/${orgId}/Users`, { as })).status);
  }
  t.same(statuses, [200, 429, 429, 401, 429, 429]);
  t.same(await valuesOf('muster_requests_limited_total'), {
    'limit="organization"': 1,
    'limit="client"': 1,
    'limit="refused"': 1,
    'limit="address"': 1,
  });
});

t.test('work that was refused for load, by kind', async (t) => {
  const scim = await tenant();
  const config = { ...container.config, shedDelayMilliseconds: lateMs };
  const loaded = await serve(t, { ...container, config });
  const relieve = await makeLoopLate(t, loaded.app);
  const heavy = [
    `GET /scim/v2/${scim.orgId}/Users`,
    `POST /scim/v2/${scim.orgId}/Bulk`,
    'POST /admin/v1/import',
    'POST /admin/v1/export',
  ];
  for (const request of heavy) t.equal((await loaded.call(request, { as: scim })).status, 503, request);
  relieve();
  const hashes = Array.from({ length: 4 }, () => container.passwords.hash('Correct-Horse-7', place));
  const refused = (await Promise.allSettled(hashes)).filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 2, 'one is computed, one waits');
  t.same(await valuesOf('muster_work_shed_total'), {
    'kind="list"': 1,
    'kind="bulk"': 1,
    'kind="migration"': 2,
    'kind="sign-in"': 1,
    'kind="hash"': 2,
  });
});

t.test('what cannot be looked up is left out, and the rest is told', async (t) => {
  const { counts } = container.jobQueue;
  container.jobQueue.counts = () => Promise.reject(new Error('Redis is away'));
  t.same(await valuesOf('muster_jobs'), {});
  t.match(await valuesOf('muster_redis_ready'), { '': 1 });
  // As while a store is silent: Prometheus would give up on an answer that waits for it.
  container.jobQueue.counts = () => new Promise(() => {});
  t.same(await valuesOf('muster_jobs'), {});
  t.match(await valuesOf('muster_redis_ready'), { '': 1 });
  container.jobQueue.counts = counts;
});
