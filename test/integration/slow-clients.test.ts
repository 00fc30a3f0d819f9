import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { buildTestApp } from '../support/test-app.js';

const { app } = await buildTestApp(t, { headersTimeoutSeconds: 1, bodyTimeoutSeconds: 1, maxConnections: 3 });
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

t.test('who sends headers byte by byte is cut off', { timeout: 120_000 }, async (t) => {
  const socket = await open();
  const answer = text(socket);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  const drip = setInterval(() => socket.write('x'), 100);
  t.teardown(() => clearInterval(drip));
  t.match(await answer, /^HTTP\/1\.1 408 /, 'and nobody else waits for it');
});

t.test('who sends a body byte by byte is cut off', { timeout: 120_000 }, async (t) => {
  for (const path of ['/oauth/v2/token', '/login']) {
    const socket = await open();
    const closed = once(socket, 'close');
    const type = 'application/x-www-form-urlencoded';
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 20000\r\n\r\n`,
    );
    const drip = setInterval(() => socket.write('x'), 100);
    t.teardown(() => clearInterval(drip));
    socket.resume();
    await closed;
    t.pass(path);
  }
});

t.test('connections above the limit are closed at once', { timeout: 120_000 }, async (t) => {
  const held = await Promise.all([open(), open(), open()]);
  t.teardown(() => {
    for (const socket of held) socket.destroy();
  });
  for (const socket of held) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(socket, 'data');
    t.match(String(answer), /^HTTP\/1\.1 200 /);
  }
  const another = await open();
  another.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  t.equal(await text(another).catch(() => ''), '');
});
