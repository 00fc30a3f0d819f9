import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { readMessagesFirst } from '#src/http/read-messages-first.js';

/**
 * Another side, in a thread: while this one stands still it sends the beginning of a request, then a message on the
 * other connection, then the rest of the request.
 */
const otherSide = `
  const { connect, createServer } = require('node:net');
  const { parentPort, workerData: { port, signal } } = require('node:worker_threads');
  const written = (socket, text) => new Promise((resolve) => socket.write(text, resolve));
  const server = createServer(async (subscriber) => {
    const client = connect({ port, host: '127.0.0.1', noDelay: true });
    await written(client, 'GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n');
    client.once('data', () => parentPort.postMessage('connected'));
    parentPort.once('message', async () => {
      client.on('data', (data) => {
        parentPort.postMessage(String(data).split('\\r\\n\\r\\n')[1]);
        client.destroy();
        subscriber.destroy();
        server.close();
      });
      await written(client, 'GET / HTTP/1.1\\r\\n');
      await written(subscriber, 'stale');
      await written(client, 'host: x\\r\\n\\r\\n');
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

async function heardBeforeRequest(t: Test, prepare: (app: ReturnType<typeof Fastify>) => void) {
  const app = Fastify();
  t.teardown(() => app.close());
  let heard = '';
  prepare(app);
  app.get('/', () => heard);
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(otherSide, { eval: true, workerData: { port: Number(port), signal } });
  const told = () => new Promise<unknown>((resolve) => worker.once('message', resolve));
  const subscriber = connect(Number(await told()), '127.0.0.1');
  subscriber.on('data', (message) => {
    heard += message;
  });
  await told();
  worker.postMessage('go');
  const answered = told();
  Atomics.wait(signal, 0, 0);
  return answered;
}

t.test('a message that arrived before a request is read before it', async (t) => {
  t.equal(await heardBeforeRequest(t, readMessagesFirst), 'stale');
});
