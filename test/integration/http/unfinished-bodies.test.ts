// Runs alone: it measures the memory of the process.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { lingerMs } from '#src/http/bodies/linger.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { openBothEnds, openConnection, received } from '../../support/network/raw-connection.js';

/** Bodies that clients never finish. What they make a process hold is bounded, and honest clients do not notice them. */

const mib = 1_048_576;
const formType = 'application/x-www-form-urlencoded';

const { app, container } = await buildTestApp(t, { bodyMemoryMib: 8 });
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
const { authenticated, others } = app.bodyPools;

interface Post {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | Buffer;
}

async function post(
  { path, headers, body }: Post,
  options: { allowHalfOpen?: boolean } = {},
): Promise<Socket> {
  const socket = await openConnection(port, options);
  socket.write([`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n'));
  socket.write(body);
  return socket;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The memory of all buffers of this process, in bytes. Buffers that nobody uses do not count. */
function bufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** The least memory that buffers take within a second. What just arrives takes more for a moment. */
async function held(sockets: readonly Socket[], before: number): Promise<number> {
  let bytes = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 10; times++) {
    await pause(100);
    bytes = Math.min(bytes, bufferBytes() - before);
  }
  for (const socket of sockets) socket.destroy();
  return bytes;
}

const answersQuickly = async () => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' });
  const answer = await fetch(`http://127.0.0.1:${port}/oauth/v2/token`, { method: 'POST', body });
  return answer.status;
};

t.test('hundreds of unfinished forms take no more memory than their bound', async (t) => {
  const before = bufferBytes();
  const body = Buffer.alloc(65_000, 'a');
  const paths = ['/oauth/v2/token', '/oauth/v2/introspect', '/oauth/v2/authorize', '/oidc/v1/userinfo'];
  const headers = [`Content-Type: ${formType}`, 'Content-Length: 65001'];
  const sockets: Socket[] = [];
  const answers: Promise<string>[] = [];
  for (let n = 0; n < 300; n++) {
    const socket = await post({ path: paths[n % paths.length] ?? '', headers, body });
    sockets.push(socket);
    answers.push(received(socket));
  }
  await until(() => others.bytes > 0, { within: 10_000 });
  t.equal(await answersQuickly(), 401, 'a form of an honest client is answered');
  t.ok(others.bytes <= 2 * mib, `${others.bytes} bytes are counted`);
  const bytes = await held(sockets, before);
  t.ok(bytes < 6 * mib, `${bytes} bytes are held`);
  const refused = (await Promise.all(answers)).filter((answer) => answer !== '');
  t.ok(refused.length >= 250, `${refused.length} are refused`);
  for (const answer of refused) {
    t.match(answer, /^HTTP\/1\.1 503 /);
    t.match(answer, /^retry-after: 2\r$/im);
  }
  await until(() => others.bytes === 0, { within: 10_000 });
});

t.test('bodies in chunks of one byte take no more', async (t) => {
  const before = bufferBytes();
  const body = Buffer.from('1\r\na\r\n'.repeat(30_000));
  const headers = [`Content-Type: ${formType}`, 'Transfer-Encoding: chunked'];
  const sockets = [];
  for (let n = 0; n < 40; n++) sockets.push(await post({ path: '/oauth/v2/token', headers, body }));
  const bytes = await held(sockets, before);
  t.ok(bytes < 6 * mib, `${bytes} bytes are held`);
  await until(() => others.bytes === 0, { within: 10_000 });
});

t.test('where no body is used, none is held', async (t) => {
  const before = bufferBytes();
  const body = Buffer.alloc(200_000, 'a');
  const headers = [`Content-Type: ${formType}`, 'Content-Length: 200001'];
  const paths = [
    '/nothing',
    '/oauth/v2/keys',
    '/scim/v2/x/nothing',
    '/scim/v2/x/Users',
    '/scim/v2/x/Schemas',
  ];
  const sockets = [];
  for (let n = 0; n < 200; n++) {
    sockets.push(await post({ path: paths[n % paths.length] ?? '', headers, body }));
  }
  t.equal(others.bytes + authenticated.bytes, 0);
  const bytes = await held(sockets, before);
  t.ok(bytes < 6 * mib, `${bytes} bytes are held`);
});

t.test('a caller with a token takes memory from nobody without one, and at most a quarter', async (t) => {
  const { id } = await makeOrganization(container);
  const { token } = await makeCaller(container, id, ['ORG_OWNER']);
  const headers = [
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 500001',
  ];
  const body = Buffer.alloc(500_000, ' ');
  const sockets = [];
  for (const path of [`/scim/v2/${id}/Users`, `/admin/v1/orgs/${id}/projects`]) {
    for (let n = 0; n < 20; n++) sockets.push(await post({ path, headers, body }));
  }
  await until(() => authenticated.bytes > mib, { within: 10_000 });
  await pause(200);
  t.ok(authenticated.bytes <= 2 * mib, `${authenticated.bytes} bytes are counted`);
  t.equal(others.bytes, 0);
  for (const socket of sockets) socket.destroy();
  await until(() => authenticated.bytes === 0, { within: 10_000 });
});

t.test('what was counted is forgotten with the answer, over kept connections too', async (t) => {
  for (let n = 0; n < 5; n++) t.equal(await answersQuickly(), 401);
  await until(() => others.bytes === 0, { within: 10_000 });
  const pipelined = await openConnection(port);
  const one = `POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\nContent-Type: ${formType}\r\nContent-Length: 1\r\n\r\na`;
  pipelined.write(one.repeat(20));
  pipelined.destroySoon();
  await until(() => others.bytes === 0, { within: 10_000 });
  const { id } = await makeOrganization(container);
  const { token } = await makeCaller(container, id, ['ORG_OWNER']);
  const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', 'Content-Length: 9'];
  for (let n = 0; n < 50; n++) {
    const socket = await post({ path: `/admin/v1/orgs/${id}/projects`, headers, body: '{' });
    if (n % 2 === 0) await pause(n % 5);
    socket.destroy();
  }
  await pause(300);
  await until(() => authenticated.bytes === 0, { within: 10_000 });
});

t.test('a method that has no body refuses one', async (t) => {
  for (const path of ['/oauth/v2/keys', '/login', '/nothing', '/scim/v2/x/Schemas', '/healthz']) {
    for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS'] as const) {
      const headers = { 'content-type': 'text/plain', accept: '*/*' };
      const answer = await app.inject({ method, url: path, headers, payload: 'x' });
      // An address without the method says so, whatever was sent.
      const isThere = ['GET', 'HEAD'].includes(method) || (method === 'OPTIONS' && path === '/oauth/v2/keys');
      const expected = path === '/nothing' ? 404 : isThere ? 413 : 405;
      t.equal(answer.statusCode, expected, `${method} ${path}`);
    }
  }
  const chunked = await openConnection(port);
  const answer = received(chunked);
  chunked.write(
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  );
  t.match(await answer, /^HTTP\/1\.1 200 /, 'an empty body of unknown length is none');
});

t.test('a client that still sends sees why its body is refused', async (t) => {
  const { id } = await makeOrganization(container);
  const { token } = await makeCaller(container, id, ['ORG_OWNER']);
  const half = Buffer.alloc(mib, ' ');
  const known = [`Authorization: Bearer ${token}`, 'Content-Type: application/scim+json'];
  const announced = `Content-Length: ${2 * mib}`;
  const users = `/scim/v2/${id}/Users`;
  const refused: readonly { name: string; first: Post; rest: Buffer }[] = [
    {
      name: 'a body that is too long',
      first: { path: users, headers: [...known, announced], body: half },
      rest: half,
    },
    {
      name: 'the same in chunks',
      first: {
        path: users,
        headers: [...known, 'Transfer-Encoding: chunked'],
        body: Buffer.concat([Buffer.from('100000\r\n'), half, Buffer.from('\r\n100000\r\n')]),
      },
      rest: Buffer.concat([half, Buffer.from('\r\n0\r\n\r\n')]),
    },
    {
      name: 'a long form of an unknown caller',
      first: { path: '/oauth/v2/token', headers: [`Content-Type: ${formType}`, announced], body: half },
      rest: half,
    },
    {
      // The request keeps what was sent until its token is checked, and Node.js stops reading meanwhile.
      name: 'a body that no buffer between client and server has room for',
      first: { path: users, headers: [...known, 'Content-Length: 8000000'], body: half },
      rest: Buffer.alloc(8_000_000 - mib, ' '),
    },
  ];
  for (const { name, first, rest } of refused) {
    const accepted = once(app.server, 'connection');
    const socket = await post(first, { allowHalfOpen: true });
    const [served] = (await accepted) as [Socket];
    const faults: Error[] = [];
    socket.on('error', (fault) => faults.push(fault));
    const answer = received(socket);
    const began = performance.now();
    await once(socket, 'end');
    // The whole answer has arrived, and half of the body is still to come.
    socket.end(rest);
    await once(served, 'close');
    t.match(await answer, /^HTTP\/1\.1 413 /, name);
    t.strictSame(faults, [], `${name}: the connection was not reset`);
    t.ok(performance.now() - began < lingerMs, `${name}: the connection ends with the body`);
  }
});

t.test('a client that is refused can send a little more, not without end', async (t) => {
  const head = `POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\nContent-Type: ${formType}\r\n`;
  const silent = await openBothEnds(app, { allowHalfOpen: true });
  const began = performance.now();
  silent.client.resume().write(`${head}Content-Length: 900000000\r\n\r\na`);
  await once(silent.served, 'close');
  t.ok(performance.now() - began < lingerMs + 3_000, 'one that sends nothing more is cut off');
  silent.client.destroy();
  for (const [kind, start, piece] of [
    ['one that sends too much', 'Content-Length: 900000000\r\n\r\n', Buffer.alloc(mib, 'a')],
    [
      'one that sends tiny chunks',
      'Transfer-Encoding: chunked\r\n\r\n',
      Buffer.from('1\r\na\r\n'.repeat(30_000)),
    ],
  ] as const) {
    const { client, served } = await openBothEnds(app, { allowHalfOpen: true });
    const began = performance.now();
    let sent = 0;
    const pour = () => {
      while (!client.destroyed && sent < 64 * mib) {
        sent += piece.length;
        if (!client.write(piece)) return;
      }
    };
    client.resume().on('drain', pour).write(`${head}${start}`);
    pour();
    await once(served, 'close');
    t.ok(sent < 32 * mib, `${kind} is cut off after ${sent} bytes`);
    t.ok(performance.now() - began < lingerMs, `${kind} is cut off before the time is over`);
    client.destroy();
  }
});

t.test('a form of an unknown caller must arrive within ten seconds', { timeout: 60_000 }, async (t) => {
  const headers = [`Content-Type: ${formType}`, 'Content-Length: 2'];
  const began = performance.now();
  t.equal(await received(await post({ path: '/oauth/v2/token', headers, body: 'a' })), '');
  t.ok(performance.now() - began >= 9_000);
});

t.test('a form has 64 KiB, and a form or query a hundred parameters', async (t) => {
  const form = async (path: string, payload: string) => {
    const headers = { 'content-type': formType, accept: '*/*' };
    return (await app.inject({ method: 'POST', url: path, headers, payload })).statusCode;
  };
  const parameters = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&');
  for (const path of ['/oauth/v2/token', '/oauth/v2/authorize', '/oidc/v1/end_session/confirm', '/login']) {
    t.equal(await form(path, `a=${'b'.repeat(65_535)}`), 413, path);
    t.equal(await form(path, parameters(101)), 400, path);
  }
  for (const [path, allowed] of [
    ['/oauth/v2/authorize', 400],
    ['/login', 200],
    ['/nothing', 404],
    ['/scim/v2/x/Schemas', 404],
  ] as const) {
    const get = (query: string) => app.inject({ url: `${path}?${query}` });
    t.equal((await get(parameters(100))).statusCode, allowed, path);
    const refused = await get(parameters(101));
    t.equal(refused.statusCode, 400, path);
    if (path !== '/login') t.match(refused.payload, /too many parameters/i, path);
  }
});

t.test('a path has 8,192 characters', async (t) => {
  const longest = 8_192;
  for (const [start, type, says] of [
    ['/', /^application\/problem\+json/, /"http\.urlTooLong"/],
    ['/oauth/v2/', /^application\/problem\+json/, /"http\.urlTooLong"/],
    ['/admin/v1/orgs/', /^application\/problem\+json/, /"http\.urlTooLong"/],
    ['/scim/v2/x/Schemas/', /^application\/scim\+json/, /"status":"414".*"http\.urlTooLong"/],
    ['/scim/v2/x/', /^application\/scim\+json/, /"status":"414".*"http\.urlTooLong"/],
  ] as const) {
    const url = start.padEnd(longest, 'a');
    t.not((await app.inject({ url })).statusCode, 414, start);
    const answer = await app.inject({ url: `${url}a?b=${'c'.repeat(100)}` });
    t.equal(answer.statusCode, 414, start);
    t.match(answer.headers['content-type'], type, start);
    t.match(answer.payload, says, start);
  }
});
