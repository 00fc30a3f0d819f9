import t from 'tap';
import { freePort } from '../../dev/free-port.js';
import { makeServiceUser } from '../../dev/stage/service-user.js';
import { type Api, openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { keepCalling } from '../support/processes/load.js';
import { bulkOf, namesByStatus, newUser, sendBulk } from '../support/scim/bulk.js';

const within = 200_000;

t.test('muster start keeps processes running that share one port', { timeout: 295_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const metricsPort = await freePort(1, 2);
  const MUSTER_METRICS_PORT = String(metricsPort);
  // A caller pauses between its requests. On a busy machine the pause may take longer than the least drain of a process, half a second. The
  // next request would then meet a closed connection.
  const MUSTER_DRAIN_SECONDS = '3';
  const service = await stage.startSupervised(
    { processes: 2, workers: 1 },
    { MUSTER_METRICS_PORT, MUSTER_DRAIN_SECONDS },
  );
  const list = `GET /scim/v2/${stage.orgId}/Users?count=1`;

  t.test('all API processes and the worker take part', async (t) => {
    await until(
      async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => service.call(list)));
        t.same([...new Set(answers.map(({ status }) => status))], [200]);
        return servers(service).size === 2;
      },
      { within },
    );
    const answer = await sendBulk(stage, service, bulkOf('together', 3));
    t.equal(namesByStatus(answer)[201]?.length, 3);
  });

  t.test('SIGHUP replaces every process, and no request fails', async (t) => {
    const before = servers(service);
    const { clientId, clientSecret } = await makeServiceUser(stage, service, 'ORG_USER_MANAGER');
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const load = keepCalling(
      (number) => {
        if (number % 3 === 0) return service.call('POST /oauth/v2/token', { form });
        if (number % 3 === 1) return service.call(list);
        return service.call(`POST /scim/v2/${stage.orgId}/Users`, { json: newUser(`restart-${number}`) });
      },
      { parallel: 4, expected: [200, 201] },
    );
    service.signal('SIGHUP');
    await until(() => count(service, /process replaced/g) === 3, { within });
    await load.answers(50);
    t.same(await load.stop(), []);
    // The load keeps its connections, perhaps all of them to the first successor. New connections reach the other.
    const headers = { connection: 'close' };
    await until(
      async () => {
        t.equal((await service.call(list, { headers })).status, 200);
        return [...servers(service)].filter((pid) => !before.has(pid)).length === 2;
      },
      { within },
    );
    const answer = await sendBulk(stage, service, bulkOf('after', 3));
    t.equal(namesByStatus(answer)[201]?.length, 3, 'the new worker works');
  });

  t.test(
    'each tells its metrics at a port of its own, successors at that of their predecessor',
    async (t) => {
      const kinds = await Promise.all(
        [0, 1, 2].map(async (place) => {
          const text = await (await fetch(`http://127.0.0.1:${metricsPort + place}/metrics`)).text();
          return /^process_cpu_seconds_total\{process="(\w+)"\}/m.exec(text)?.[1];
        }),
      );
      t.same(kinds, ['api', 'api', 'worker']);
    },
  );

  t.test('a process that dies is replaced', async (t) => {
    const [victim = 0] = [...servers(service)].slice(-1);
    const ready = count(service, /Server listening/g);
    process.kill(victim, 'SIGKILL');
    await until(() => count(service, /Server listening/g) > ready, { within });
    t.match(service.log(), /process ended; another in/);
    await until(async () => (await service.call(list)).status === 200, { within });
  });

  t.test('a process that cannot start ends the start', async (t) => {
    const PORT = new URL(service.address).port;
    const refused = stage.startSupervised({ processes: 2, workers: 0 }, { PORT });
    await t.rejects(refused, /A process could not be started/);
  });

  t.test('metrics at the port of clients, or beyond the last port, are refused', async (t) => {
    const count = { processes: 2, workers: 1 };
    const clash = { PORT: '20002', MUSTER_METRICS_PORT: '20000' };
    await t.rejects(stage.startSupervised(count, clash), /ports 20000 to 20002, and clients come to 20002/);
    const beyond = { MUSTER_METRICS_PORT: '65534' };
    await t.rejects(stage.startSupervised(count, beyond), /ports 65534 to 65536, and 65535 is the last/);
  });

  t.test('SIGTERM ends all of them in good order', async (t) => {
    service.signal('SIGTERM');
    t.equal(await service.exitCode, 0);
    await t.rejects(service.call('GET /healthz'), { code: 'ECONNREFUSED' });
  });
});

function count(service: Api, pattern: RegExp): number {
  return [...service.log().matchAll(pattern)].length;
}

/** The processes that have answered requests, by their log lines. */
function servers(service: Api): ReadonlySet<number> {
  const lines = service
    .log()
    .split('\n')
    .filter((line) => line.includes('/scim/v2/'));
  return new Set(lines.map((line) => Number(/"pid":(\d+)/.exec(line)?.[1])));
}
