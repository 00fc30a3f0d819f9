import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type RequestOptions, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import t from 'tap';
import { createGuardedFetch } from '#src/platform/outgoing/guarded-fetch.js';
import { KeptAgent } from '#src/platform/outgoing/kept-agent.js';
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
let isResumed = false;
server.on('secureConnection', (socket) => {
  opened.push(socket);
  isResumed = socket.isSessionReused();
});
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
  t.equal(await openedBy(() => ask('acme', { headers: { a: '1' } })), 0);
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

t.test('a POST is never sent twice, and keeps its connection for a second', async (t) => {
  const post = () => ask('posting', { method: 'POST', body: 'code=1' });
  await ask('posting');
  t.equal(await openedBy(post), 1, 'it takes none of a GET');
  t.equal(await openedBy(post), 0);
  t.equal(await openedBy(() => ask('other', { method: 'POST', body: 'code=2' })), 1, 'another share');
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  t.equal(await openedBy(post), 1);
  t.ok(isResumed, 'it resumes the TLS session');
  let seen = 0;
  respond = (request, response) => {
    seen++;
    request.socket.destroy();
    response.destroy();
  };
  await ask('posting').catch(() => undefined);
  seen = 0;
  t.equal(await openedBy(() => t.rejects(post(), problem('unreachable'))), 0, 'over the kept connection');
  t.equal(seen, 1);
});

t.test('one share with many connections leaves room for others', async (t) => {
  const agent = new KeptAgent({ timeout: 15_000 });
  t.teardown(() => agent.destroy());
  const hosts = [`https://127.0.0.1:${port}`, `https://localhost:${port}`];
  const get = (share: string, host = hosts[0], servername = '') =>
    new Promise<void>((resolve, reject) => {
      const options = {
        agent,
        share,
        ca: cert,
        ...(servername && { servername }),
        rejectUnauthorized: false,
      };
      const asked = request(`${host}/`, options as RequestOptions, (response) =>
        response.resume().once('close', resolve),
      );
      asked.once('error', reject).end();
    });
  // A name for TLS stands for a host: each has connections of its own.
  for (let count = 0; count < 20; count++) await get('greedy', hosts[1], `host-${count}.example`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(Object.values(agent.freeSockets).flat().length, 12);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  respond = (_request, response) => void held.then(() => response.end('{}'));
  const active = Array.from({ length: 210 }, () => get('greedy'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  respond = (_request, response) => response.end('{}');
  await get('other');
  t.equal(await openedBy(() => get('other')), 0, 'the other one keeps its connection');
  release();
  await Promise.all(active);
});
