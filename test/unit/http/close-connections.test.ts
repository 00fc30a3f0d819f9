import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { closeConnectionsAtShutdown } from '#src/http/close-connections.js';
import { until } from '../../../dev/until.js';

/** A server, and a client with one connection. The headers of `/long` are sent at once, and the rest when the test says so. */
async function serve(t: Test, drainSeconds: number) {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  closeConnectionsAtShutdown(app, { drainSeconds });
  let end: () => void = () => undefined;
  app.get('/long', (_request, reply) => {
    reply.hijack();
    reply.raw.write('begin');
    end = () => void reply.raw.end();
  });
  app.get('/', async () => 'answer');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const get = (path: string): ClientRequest => request({ port, host: '127.0.0.1', path, agent }).end();
  const [long] = (await once(get('/long'), 'response')) as [IncomingMessage];
  const endLong = async () => {
    end();
    for await (const _chunk of long);
  };
  return { app, get, endLong };
}

t.test('a client whose response began before the draining may send its next request', async (t) => {
  const { app, get, endLong } = await serve(t, 1);
  const closed = app.close();
  await endLong();
  // The server has time to close the connection.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const next = get('/');
  const [answer] = (await once(next, 'response')) as [IncomingMessage];
  t.ok(next.reusedSocket, 'on the same connection');
  t.match(answer, { statusCode: 200, headers: { connection: 'close' } });
  answer.resume();
  await closed;
});

t.test('a response that began before the draining and ends after it ends its connection', async (t) => {
  const { app, endLong } = await serve(t, 0);
  const closed = app.close();
  await until(() => !app.server.listening);
  await endLong();
  await closed;
});
