import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import t, { type Test } from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { startUnreadClients, type UnreadOptions } from '../../../dev/stage/unread/unread-clients.js';
import { until } from '../../../dev/until.js';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const size = 1_000_000;
/** As over a real network. */
const network = { mss: 1400, receiveBuffer: 4096 };

/** A server that answers each request with a megabyte. */
async function listen(t: Test) {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end(Buffer.alloc(size, 'a'));
  }).listen(0, '127.0.0.1');
  server.on('connection', (socket) => sockets.add(socket));
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    sockets,
    requests: () => requests,
    unsent: () => [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0),
    async start(options: Omit<UnreadOptions, 'port' | 'request'>) {
      const { port } = server.address() as AddressInfo;
      const clients = await startUnreadClients({ port, request, ...options });
      t.teardown(() => clients.close());
      return clients;
    },
  };
}

t.test('clients that read no response', async (t) => {
  if ((await findProgram('python3')) === undefined) return notRun(t, 'python3 is not installed');

  t.test(
    'leave nearly all of it in the process of the server, over a connection as of a network',
    async (t) => {
      const server = await listen(t);
      const { counts, close } = await server.start({ ...network, connections: 5, from: '127.0.1.1' });
      await until(() => counts().statuses['200'] === 5);
      const addresses = [...server.sockets].map(({ remoteAddress }) => remoteAddress);
      t.same(addresses, Array(5).fill('127.0.1.1'));
      t.ok(server.unsent() > 5 * size * 0.8, `${server.unsent()} bytes wait`);
      t.match(await close(), {
        opened: 5,
        refused: 0,
        ended: 0,
        requests: 5,
        bytesRead: 0,
        statuses: { 200: 5 },
      });
      await until(() => [...server.sockets].every(({ destroyed }) => destroyed));
    },
  );

  t.test('send several requests at once', async (t) => {
    const server = await listen(t);
    const { counts } = await server.start({ ...network, connections: 2, pipelined: 3 });
    await until(() => server.requests() === 6 && counts().requests === 6);
    t.match(counts(), { open: 2, statuses: { 200: 2 } });
  });

  t.test('may read slowly', async (t) => {
    const server = await listen(t);
    const { counts } = await server.start({ ...network, connections: 1, readBytesPerSecond: 50_000 });
    await until(() => counts().bytesRead > 5_000);
    t.ok(counts().bytesRead < size / 2);
  });

  t.test('count the connections that the server resets, and may open them again', async (t) => {
    const server = await listen(t);
    const first = await server.start({ ...network, connections: 2 });
    await until(() => first.counts().statuses['200'] === 2);
    for (const socket of server.sockets) socket.resetAndDestroy();
    await until(() => first.counts().reset === 2);
    t.match(await first.close(), { opened: 2, open: 0, ended: 2 });
    server.sockets.clear();
    const again = await server.start({ ...network, connections: 2, reopen: true });
    await until(() => again.counts().statuses['200'] === 2);
    for (const socket of server.sockets) socket.resetAndDestroy();
    await until(() => again.counts().statuses['200'] === 4);
    t.match(again.counts(), { opened: 4, open: 2, ended: 2, reset: 2 });
  });

  t.test('count the connections that nobody accepts', async (t) => {
    const port = await freePort();
    const { counts, close } = await startUnreadClients({ port, request, connections: 3 });
    t.teardown(close);
    await until(() => counts().refused === 3);
    t.match(counts(), { opened: 0, open: 0 });
  });

  t.test('end after their time, and refuse other addresses', async (t) => {
    const server = await listen(t);
    const short = await server.start({ connections: 1, seconds: 0.2 });
    await until(() => server.sockets.size === 1 && [...server.sockets].every(({ destroyed }) => destroyed));
    t.match(await short.close(), { opened: 1 });
    await t.rejects(server.start({ connections: 1, from: '192.0.2.1' }), { message: /ended with code 1/ });
  });
});
