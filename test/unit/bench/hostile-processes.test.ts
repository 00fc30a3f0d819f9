import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { watchHealth } from '../../../bench/hostile/health.js';
import { keepProcess } from '../../../bench/hostile/kept-process.js';
import { comeToRest } from '../../../bench/hostile/rest.js';
import type { Running } from '../../../bench/processes.js';
import { until } from '../../../dev/until.js';

t.test(
  'a process that ends by itself is counted and started again, and one that is stopped is not',
  async (t) => {
    const ends: (() => void)[] = [];
    const start = async (n: number): Promise<Running> => {
      const ended = new Promise<void>((done) => ends.push(done));
      const memory = async () => (n === 0 ? Number.NaN : 100 * n);
      return {
        ...{ name: 'fake', memory, processorTime: async () => 0, ended },
        stop: async () => ends[n]?.(),
      };
    };
    const kept = await keepProcess(start);
    t.equal(await kept.memory(), 0, 'a process that has ended takes no memory');
    ends[0]?.();
    await until(() => kept.deaths() === 1);
    await kept.ready();
    t.equal(await kept.memory(), 100);
    await kept.stop();
    t.equal(kept.deaths(), 1);
    t.equal(ends.length, 2);
  },
);

t.test('a process that cannot be started again fails the run', async (t) => {
  let end = () => {};
  const kept = await keepProcess(async (n) => {
    if (n > 0) throw new Error('it did not start');
    const ended = new Promise<void>((done) => {
      end = done;
    });
    const nothing = async () => 0;
    return {
      ...{ name: 'fake', memory: nothing, processorTime: nothing, ended },
      stop: async () => undefined,
    };
  });
  end();
  await until(() => kept.deaths() === 1);
  await t.rejects(kept.ready(), { message: 'it did not start' });
  await kept.stop();
});

t.test('processes come to rest when they use little of a core', async (t) => {
  let used = 0;
  let looks = 0;
  const busyAtFirst = {
    async processorTime() {
      used += looks++ < 2 ? 1_000 : 0;
      return used;
    },
  };
  t.equal(await comeToRest([busyAtFirst], 60_000), true);
  t.ok(looks > 2, 'it looked again');
  const busy = { processorTime: async () => (used += 1_000) };
  t.equal(await comeToRest([busy], 300), false);
  t.equal(await comeToRest([busy], 0), true, 'it does not matter');
});

t.test('probes tell the slowest health check, and those that failed', async (t) => {
  const probes: string[] = [];
  let answer = 200;
  const server = createServer(({ url = '', socket }, response) => {
    probes.push(`${url} ${socket.remoteAddress}`);
    setTimeout(() => response.writeHead(answer).end(), 30);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const end = watchHealth([`http://127.0.0.1:${port}`]);
  await until(() => probes.length === 2);
  const { slowestMs, failed } = await end();
  t.ok(slowestMs >= 29, `${slowestMs} ms`);
  t.equal(failed, 0);
  t.same(new Set(probes), new Set(['/healthz 127.0.2.1']));
  answer = 503;
  const again = watchHealth([`http://127.0.0.1:${port}`]);
  await until(() => probes.length === 3);
  t.match(await again(), { slowestMs: 0, failed: 1 });
});
