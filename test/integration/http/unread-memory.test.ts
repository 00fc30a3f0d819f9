// Runs alone: it measures the memory of the process.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { pieceBytes } from '#src/http/responses/body-pieces.js';
import { publicDocument } from '#src/http/responses/public-document.js';
import type { Measures } from '#src/observe/measures.js';
import { startUnreadClients, type UnreadOptions } from '../../../dev/stage/unread/unread-clients.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { openBothEnds, openConnection, received } from '../../support/network/raw-connection.js';

/** Clients that ask and do not read. Nothing may grow with the number of them. */

const mebibyte = 1024 ** 2;
const cutOff = { full: 0, stalled: 0 };
const measures = {
  requestAnswered: () => undefined,
  requestLimited: () => undefined,
  workShed: () => undefined,
  responseCutOff(reason) {
    cutOff[reason] += 1;
  },
} satisfies Partial<Measures>;

const { app, container } = await buildTestApp(t, {
  responseMemoryMib: 64,
  bodyTimeoutSeconds: 60,
  rateLimitPerAddress: 0,
  observer: { measures: measures as unknown as Measures },
});
const { id: orgId } = await makeOrganization(container);
const { token } = await makeCaller(container, orgId, ['ORG_USER_VIEWER']);
const { id: otherId } = await makeOrganization(container);
const other = await makeCaller(container, otherId, ['ORG_USER_VIEWER']);

const hidden = { schema: { hide: true } };
const shared = publicDocument('shared '.repeat(100_000));
let begun = 0;
app.get('/test/shared', hidden, async (_request, reply) => {
  begun += 1;
  return reply.type('text/plain').send(shared.plain);
});
/** A page of 60 KB for everybody who asks: too short for pieces. The kernel takes one or two of them for a client. */
app.get('/test/short', hidden, async (_request, reply) => {
  begun += 1;
  return reply.type('text/html').send('short '.repeat(10_000));
});
let lateBegan = false;
let answerLate = () => {};
const late = new Promise<void>((done) => {
  answerLate = done;
});
app.register(async (scope) => {
  const { authenticateRequest } = await import('#src/http/auth/bearer-auth.js');
  scope.addHook('onRequest', async (request) => {
    await authenticateRequest(request, container.authenticate);
  });
  scope.get('/test/late', hidden, async (_request, reply) => {
    lateBegan = true;
    await late;
    return reply.type('text/plain').send('long '.repeat(1_200_000));
  });
  scope.get('/test/long', hidden, async (_request, reply) => {
    begun += 1;
    return reply.type('text/plain').send('long '.repeat(1_200_000));
  });
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
const { authenticated, others } = app.responsePools;

const head = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const slow = (options: Pick<UnreadOptions, 'connections' | 'request'> & Partial<UnreadOptions>) =>
  startUnreadClients({ port, mss: 1_400, receiveBuffer: 4_096, ...options });
const memory = () => process.memoryUsage().rss / mebibyte;
const bearer = (of: string) => `Authorization: Bearer ${of}`;

/** Runs the clients until all of their requests have begun or were cut off. @returns the growth of the memory in MiB */
async function grownBy(options: Parameters<typeof slow>[0]): Promise<number> {
  begun = 0;
  const before = memory();
  const clients = await slow(options);
  try {
    await until(() => begun >= options.connections, { within: 60_000 });
    // What is held must not grow afterwards either.
    await pause(500);
    return memory() - before;
  } finally {
    await clients.close();
    await until(() => others.bytes === 0 && authenticated.bytes === 0, { within: 30_000 });
  }
}

t.test('a document that is the same for all costs one copy', { timeout: 120_000 }, async (t) => {
  await fetch(`http://127.0.0.1:${port}/test/shared`).then((answer) => answer.text());
  const mib = await grownBy({ connections: 500, request: head('/test/shared') });
  t.ok(mib < 100, `500 unread documents of 700 KB took ${mib} MiB`);
});

t.test('a request begins when the response before it was taken', { timeout: 120_000 }, async (t) => {
  begun = 0;
  const clients = await slow({ connections: 5, pipelined: 20, request: head('/test/shared') });
  await until(() => begun >= 5, { within: 30_000 });
  await pause(500);
  t.equal(begun, 5, 'no second response is made while the first one waits');
  await clients.close();
  const socket = await openConnection(port);
  const answer = received(socket);
  socket.write(head('/test/short').repeat(9) + head('/test/short', 'Connection: close'));
  t.equal((await answer).match(/HTTP\/1\.1 200 /g)?.length, 10, 'a client that reads gets all of them');
});

t.test(
  'callers without a token have a bound, and one address a quarter of it',
  { timeout: 120_000 },
  async (t) => {
    cutOff.full = 0;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, others.bytes);
    }, 5);
    t.teardown(() => clearInterval(watch));
    await grownBy({ connections: 200, pipelined: 5, request: head('/test/short') });
    t.ok(most <= 4 * mebibyte, `${most} bytes were held for an address`);
    t.ok(cutOff.full > 50, `${cutOff.full} connections gave way`);
  },
);

t.test('an organization has a quarter, and takes it from nobody else', { timeout: 120_000 }, async (t) => {
  const { client, served } = await openBothEnds(app);
  client.pause();
  client.write(head('/test/long', bearer(other.token)));
  await until(() => authenticated.bytes > 0, { within: 10_000 });
  const ofOther = authenticated.bytes;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, authenticated.bytes);
  }, 5);
  begun = 0;
  const clients = await slow({ connections: 40, request: head('/test/long', bearer(token)) });
  await until(() => begun >= 30, { within: 60_000 });
  clearInterval(watch);
  t.ok(most <= 16 * mebibyte + ofOther, `${most} bytes were held`);
  t.notOk(served.destroyed, 'the response of the other organization still waits');
  client.resume();
  const [first] = await once(client, 'data');
  t.match(String(first), /^HTTP\/1\.1 200 /);
  client.destroy();
  await clients.close();
  await until(() => authenticated.bytes === 0, { within: 30_000 });
});

t.test('whoever reads gives no place to those who do not', { timeout: 120_000 }, async (t) => {
  const { client } = await openBothEnds(app);
  const answer = received(client);
  begun = 0;
  const clients = await slow({ connections: 60, pipelined: 5, request: head('/test/short'), reopen: true });
  await until(() => begun >= 60, { within: 60_000 });
  client.write(head('/test/shared', 'Connection: close'));
  t.ok((await answer).length > 700_000, 'the whole document came');
  await clients.close();
});

t.test(
  'a client without a token that takes nothing for ten seconds is cut off',
  { timeout: 120_000 },
  async (t) => {
    cutOff.stalled = 0;
    const { client, served } = await openBothEnds(app);
    client.pause();
    const started = performance.now();
    // The kernels take some of it. The rest waits here.
    client.write(head('/test/shared').repeat(30));
    await once(served, 'close');
    const seconds = (performance.now() - started) / 1000;
    t.ok(seconds > 9 && seconds < 20, `after ${seconds} s`);
    t.equal(cutOff.stalled, 1);
    client.destroy();
  },
);

t.test('long and short bodies come whole, with their length, plain and compressed', async (t) => {
  for (const [path, headers] of [
    ['/test/shared', {}],
    ['/test/short', {}],
    ['/test/long', { authorization: `Bearer ${token}` }],
    ['/openapi.json', {}],
    [`/scim/v2/${orgId}/Schemas`, {}],
  ] as const) {
    const plain = await app.inject({ url: path, headers });
    t.equal(plain.statusCode, 200);
    t.equal(plain.headers['content-length'], String(plain.rawPayload.length), path);
    t.equal(plain.headers['transfer-encoding'], undefined, path);
    const packed = await app.inject({ url: path, headers: { ...headers, 'accept-encoding': 'gzip' } });
    if (packed.headers['content-encoding'] === 'gzip')
      t.equal(gunzipSync(packed.rawPayload).toString(), plain.payload, path);
    const asked = await app.inject({ method: 'HEAD', url: path, headers });
    t.equal(asked.payload, '', path);
  }
  t.ok(shared.plain.length > pieceBytes);
});

t.test('HEAD makes no body, and a client that is gone keeps none', { timeout: 60_000 }, async (t) => {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  const asked = await app.inject({ method: 'HEAD', url: '/test/long', headers });
  t.equal(asked.headers['content-length'], '6000000');
  t.equal(authenticated.bytes, 0);
  cutOff.stalled = 0;
  const { client, served } = await openBothEnds(app);
  client.write(head('/test/late', bearer(token)));
  await until(() => lateBegan, { within: 10_000 });
  const closed = once(served, 'close');
  client.destroy();
  await closed;
  answerLate();
  await pause(100);
  t.equal(authenticated.bytes, 0, 'its response counts no byte');
  t.equal(cutOff.stalled, 0);
});

t.test('nobody learns the schemas of an organization that does not exist', async (t) => {
  for (const path of [
    'ServiceProviderConfig',
    'Schemas',
    'ResourceTypes',
    'Schemas/x',
    'ResourceTypes/User',
  ]) {
    const answer = await app.inject({ url: `/scim/v2/nowhere/${path}` });
    t.equal(answer.statusCode, 404, path);
    t.match(answer.payload, /"directory\.organizationNotFound"/, path);
  }
});
