import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { openConnection, received } from '../../support/network/raw-connection.js';

const { app, container } = await buildTestApp(t, {
  headersTimeoutSeconds: 1,
  bodyTimeoutSeconds: 1,
  maxConnections: 3,
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

const open = () => openConnection(port);

t.test('a client that sends headers byte by byte is cut off', { timeout: 120_000 }, async (t) => {
  const socket = await open();
  const answer = received(socket);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  const drip = setInterval(() => socket.write('x'), 100);
  t.teardown(() => clearInterval(drip));
  const text = await answer;
  t.match(text, /^HTTP\/1\.1 408 /, 'and nobody else waits for it');
  t.match(text, /"id":"http\.requestTooSlow"/);
});

t.test('bytes that are no request are answered with a problem document', async (t) => {
  const cases = [
    [`GET /?${'a'.repeat(40_000)} HTTP/1.1\r\n`, 431, 'http.headersTooLarge'],
    ['GET /healthz HTTP/1.1\r\nHo st: x\r\n\r\n', 400, 'http.requestMalformed'],
  ] as const;
  for (const [bytes, status, id] of cases) {
    const socket = await open();
    const answer = received(socket);
    socket.write(bytes);
    const [head = '', body = ''] = (await answer).split('\r\n\r\n');
    t.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    t.match(head.toLowerCase(), `x-error-id: ${id.toLowerCase()}`);
    t.match(head, 'Content-Type: application/problem+json');
    t.match(JSON.parse(body), { id, status, type: `urn:muster:error:${id}` });
  }
});

t.test('a client that sends a body byte by byte is cut off', { timeout: 120_000 }, async (t) => {
  // The last one is refused at once, and its body is of no use.
  for (const path of ['/oauth/v2/token', '/login', '/admin/v1/orgs']) {
    const socket = await open();
    // A reset is an end as well.
    const closed = new Promise((done) => socket.once('close', done));
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
  t.equal(await received(another), '');
});

t.test('a connection does not remember the imports that came over it', { timeout: 120_000 }, async (t) => {
  const { id } = await makeOrganization(container);
  const { token } = await makeCaller(container, id, ['IAM_OWNER']);
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => connections.add(socket));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const listeners: number[] = [];
  for (let times = 0; times < 3; times++) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = { host: '127.0.0.1', port, path: '/admin/v1/import', method: 'POST', agent, headers };
    const [answer] = await once(request(options).end('{"timeout":"never"}'), 'response');
    t.equal(answer.statusCode, 400);
    await text(answer);
    listeners.push(...[...connections].map((socket) => socket.listenerCount('timeout')));
  }
  t.equal(connections.size, 1);
  t.same(new Set(listeners).size, 1, String(listeners));
});

t.test('an import that is refused while it is sent ends its connection and nothing else', async (t) => {
  const { id } = await makeOrganization(container);
  const { token } = await makeCaller(container, id, ['IAM_OWNER']);
  const socket = await open();
  const answer = received(socket);
  socket.write(
    `POST /admin/v1/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 30000000\r\n\r\n{"timeout":"1m","dataOrgs":{"orgs":[x',
  );
  const drip = setInterval(() => socket.write(' '.repeat(65_536)), 5);
  t.teardown(() => clearInterval(drip));
  t.match(await answer, /^HTTP\/1\.1 400 /);
  t.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
});

t.test('an import that stands still is cut off, and one that comes slowly is read', async (t) => {
  // The limit is far above the pause between two pieces, so that a busy machine cuts off no slow client.
  const limitSeconds = 3;
  const patient = await buildTestApp(t, { bodyTimeoutSeconds: limitSeconds });
  await patient.app.listen({ host: '127.0.0.1', port: 0 });
  const { id } = await makeOrganization(patient.container);
  const { token } = await makeCaller(patient.container, id, ['IAM_OWNER']);
  const begin = async () => {
    const socket = await openConnection((patient.app.server.address() as AddressInfo).port);
    socket.write(
      `POST /admin/v1/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
    );
    return socket;
  };
  t.equal(await received(await begin()), '');
  const socket = await begin();
  const answer = received(socket);
  for (let sentMs = 0; sentMs < 1.5 * limitSeconds * 1000 && !socket.destroyed; sentMs += 100) {
    await pause(100);
    socket.write('1\r\n \r\n');
  }
  socket.write('12\r\n"timeout":"never"}\r\n0\r\n\r\n');
  t.match(
    await answer,
    /^HTTP\/1\.1 400 .*"import\.timeoutInvalid"/s,
    'it is read to its end, over more time than a body may stand still',
  );
});
