import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import t from 'tap';
import { createGuardedFetch } from '#src/platform/outgoing/guarded-fetch.js';
import { endable } from '../../../dev/end-server.js';
import { makeCertificate } from '../../support/network/certificate.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const { cert, certFile, keyFile } = certificate;
let respond = (_request: IncomingMessage, response: ServerResponse): void => {
  response.end('{}');
};
const server = createServer({ cert: await readFile(certFile), key: await readFile(keyFile) }, (...both) =>
  respond(...both),
);
const opened: Socket[] = [];
server.on('secureConnection', (socket) => opened.push(socket));
t.teardown(endable(server));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const guarded = createGuardedFetch({ privateHosts: ['127.0.0.1', 'localhost'], ca: cert });
const ask = (share?: string, more: object = {}) =>
  guarded(
    `https://127.0.0.1:${port}/x`,
    { maxBytes: 1_000, timeoutMs: 2_000 },
    { ...(share !== undefined && { share }), ...more },
  );

const problem = (name: string) => ({ name: 'OutgoingError', problem: name });

/** The connections that were opened meanwhile. */
async function openedBy(work: () => Promise<unknown>): Promise<number> {
  const before = opened.length;
  await work();
  return opened.length - before;
}

t.beforeEach(() => {
  respond = (_request, response) => response.end('{}');
});

t.test('a share keeps its connection, and nobody else gets it', async (t) => {
  t.equal(await openedBy(() => ask('acme')), 1);
  t.equal(await openedBy(() => ask('acme', { method: 'POST', body: 'a=1' })), 0);
  t.equal(await openedBy(() => ask('other')), 1, 'another share');
  t.equal(await openedBy(() => ask()), 1, 'no share');
  t.equal(await openedBy(() => ask()), 1, 'no share keeps none');
});

t.test('what was not read to its end leaves no connection', async (t) => {
  respond = (_request, response) => response.end('x'.repeat(2_000));
  await t.rejects(ask('long'), problem('tooLarge'));
  respond = (_request, response) => response.writeHead(302).end('{}');
  await t.rejects(ask('moved', { onlyStatus: 200 }), problem('wrongStatus'));
  respond = (_request, response) => response.end('{}');
  t.equal(await openedBy(() => ask('long')), 1);
  t.equal(await openedBy(() => ask('moved')), 1);
});

t.test('what a host says unasked on a kept connection answers nothing', async (t) => {
  await ask('liar');
  opened.at(-1)?.write('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { body } = await ask('liar');
  t.equal(body.toString(), '{}');
});

t.test('a host that ended a kept connection is asked once more, by another one', async (t) => {
  await ask('ended');
  respond = (request, response) => {
    // It reads the request, and ends the connection without an answer.
    respond = (_request, other) => other.end('{"b":2}');
    request.socket.destroy();
    response.destroy();
  };
  t.equal((await ask('ended')).body.toString(), '{"b":2}');
  respond = (request) => request.socket.destroy();
  await t.rejects(ask('ended'), problem('unreachable'), 'not more often');
});

t.test('few connections of a share wait unused', async (t) => {
  const many = () => Promise.all(Array.from({ length: 10 }, () => ask('many')));
  await many();
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(await openedBy(many), 6, 'four were kept');
});
