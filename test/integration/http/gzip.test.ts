import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import zlib, { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { registeredRoutes } from '../../support/hostile/api-operations.js';
import { humanUsers, importOf } from '../../support/migration/imports.js';
import { openConnection } from '../../support/network/raw-connection.js';
import { newUser, urn } from '../../support/scim/scim-client.js';

/** Compressed requests and responses. */

const mib = 1_048_576;

const { app, container } = await buildTestApp(t, {
  bodyMemoryMib: 8,
  importMaxBytes: 40 * mib,
  workers: true,
});
const { id: orgId } = await makeOrganization(container);
const { token } = await makeCaller(container, orgId, ['IAM_OWNER']);
const bearer = { authorization: `Bearer ${token}` };
const scimUrl = `/scim/v2/${orgId}`;

const post = (url: string, payload: Buffer | Readable | string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...bearer, 'content-type': 'application/json', 'content-encoding': 'gzip', ...headers },
  });
const gzipped = (value: unknown) => gzipSync(JSON.stringify(value));

t.test('SCIM takes bodies that are compressed with gzip', async (t) => {
  const created = await post(`${scimUrl}/Users`, gzipped(newUser({ userName: 'packed', title: 'ß 😀' })));
  t.equal(created.statusCode, 201, created.payload);
  t.match(created.json(), { userName: 'packed', title: 'ß 😀' });
  const { id } = created.json();
  const patch = { schemas: [urn.patchOp], Operations: [{ op: 'replace', path: 'title', value: 'new' }] };
  const patched = await app.inject({
    method: 'PATCH',
    url: `${scimUrl}/Users/${id}`,
    payload: gzipped(patch),
    headers: { ...bearer, 'content-type': 'application/scim+json', 'content-encoding': 'X-GZIP' },
  });
  t.equal(patched.statusCode, 204, patched.payload);
  const search = { schemas: [urn.searchRequest], filter: 'title eq "new"' };
  t.equal((await post(`${scimUrl}/Users/.search`, gzipped(search))).json().totalResults, 1);
  const bulk = {
    schemas: [urn.bulkRequest],
    Operations: [{ method: 'DELETE', path: `/Users/${id}` }],
  };
  const pieces = gzipped(bulk);
  const slow = Readable.from([...pieces].map((byte) => Buffer.from([byte])));
  const answer = await post(`${scimUrl}/Bulk`, slow, { 'transfer-encoding': 'chunked' });
  t.equal(answer.json().Operations[0].status, '204', answer.payload);
  const plain = await post(`${scimUrl}/Users`, JSON.stringify(newUser()), { 'content-encoding': 'identity' });
  t.equal(plain.statusCode, 201);
});

t.test('an import may be compressed', async (t) => {
  const users = humanUsers('packed-import', 600);
  const answer = await post('/admin/v1/import', gzipped(importOf(orgId, users)));
  t.equal(answer.statusCode, 200, answer.payload);
  t.same(answer.json().summary, { created: 600, skipped: 0, failed: 0, total: 600 });
});

const bodies: Record<string, string> = {
  'a user': `${scimUrl}/Users`,
  'a Bulk': `${scimUrl}/Bulk`,
  'an import': '/admin/v1/import',
};

t.test('other codings are refused, and the answer says which one is taken', async (t) => {
  for (const [name, url] of Object.entries(bodies)) {
    for (const coding of ['br', 'deflate', 'zstd', 'gzip, gzip']) {
      const answer = await post(url, deflateRawSync('{}'), { 'content-encoding': coding });
      t.equal(answer.statusCode, 415, `${name} ${coding}`);
      t.equal(answer.headers['accept-encoding'], 'gzip');
      t.match(answer.payload, /"http\.encodingUnsupported"/);
    }
  }
});

t.test('bytes after a compressed body are refused, however they are cut', async (t) => {
  const texts = [
    gzipped(newUser()),
    gzipped({ schemas: [urn.bulkRequest], Operations: [] }),
    gzipped({ orgs: [] }),
  ];
  for (const [index, [name, url]] of Object.entries(bodies).entries()) {
    const whole = texts[index] as Buffer;
    for (const rest of [[0], [0, 0, 0, 0], [0, 120], [120], [0x1f], [0x1f, 0x8b]]) {
      const more = Buffer.from(rest);
      const cuts = {
        'one piece': [Buffer.concat([whole, more])],
        'a piece of their own': [whole, more],
        'pieces of a byte': [...Buffer.concat([whole, more])].map((byte) => Buffer.from([byte])),
      };
      for (const [cut, chunks] of Object.entries(cuts)) {
        const answer = await post(url, Readable.from(chunks), { 'transfer-encoding': 'chunked' });
        t.equal(answer.statusCode, 400, `${name} and ${rest} in ${cut}: ${answer.payload}`);
      }
    }
  }
});

t.test('a body that is not whole gzip is refused', async (t) => {
  const whole = gzipped(newUser());
  const broken = Buffer.from(whole);
  broken[20] = (broken[20] ?? 0) ^ 0xff;
  const bad = { 'plain text': Buffer.from('{}'), 'a part': whole.subarray(0, -5), 'a changed byte': broken };
  for (const [name, url] of Object.entries(bodies)) {
    for (const [what, body] of Object.entries(bad)) {
      const answer = await post(url, body);
      t.equal(answer.statusCode, 400, `${name}: ${what}`);
      t.match(answer.payload, /"http\.bodyMalformed"/, `${name}: ${what}`);
    }
  }
});

t.test('the limit of a body counts its bytes on both sides', async (t) => {
  const limits = { [`${scimUrl}/Users`]: 262_144, [`${scimUrl}/Bulk`]: 1_000_000 };
  for (const [url, limit] of Object.entries(limits)) {
    const text = (length: number) => gzipSync(Buffer.from(`{${' '.repeat(length - 2)}}`));
    t.equal((await post(url, text(limit))).statusCode, 400, 'as large as is taken, but without schemas');
    const over = await post(url, text(limit + 1));
    t.equal(over.statusCode, 413);
    t.match(over.payload, /"http\.bodyTooLarge"/);
    // Blocks without content: any number of bytes, and never an output.
    const empty = Buffer.alloc(limit + 10);
    gzipSync('').copy(empty, 0, 0, 10);
    for (let at = 10; at + 5 <= empty.length; at += 5) empty.set([0, 0, 0, 0xff, 0xff], at);
    t.equal((await post(url, empty)).statusCode, 413, 'announced');
    const pieces = Readable.from([empty.subarray(0, 600_000), empty.subarray(600_000)]);
    t.equal((await post(url, pieces, { 'transfer-encoding': 'chunked' })).statusCode, 413, 'in chunks');
  }
});

t.test('a bomb is refused before it is large', async (t) => {
  const bomb = gzipSync(Buffer.alloc(100 * mib, ' '));
  const { authenticated } = app.bodyPools;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, authenticated.bytes);
  }, 0);
  const answers = await Promise.all(
    [`${scimUrl}/Users`, `${scimUrl}/Bulk`].flatMap((url) => [1, 2, 3].map(() => post(url, bomb))),
  );
  clearInterval(watch);
  for (const { statusCode } of answers) t.ok([413, 503].includes(statusCode), String(statusCode));
  t.ok(most <= 2 * mib, `${most} bytes were counted`);
  const staged = () => container.mongo.db.collection('stagedBlocks').countDocuments();
  const before = await staged();
  const imported = await post('/admin/v1/import', bomb);
  t.equal(imported.statusCode, 400);
  t.match(imported.json().detail, /more than 200 times/);
  t.equal(await staged(), before, 'nothing of it is kept');
  t.equal(authenticated.bytes, 0);
});

t.test('unfinished compressed bodies are bounded as others are, with their inflaters', async (t) => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const head = [
    `POST ${scimUrl}/Users HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    'Content-Length: 5000',
  ];
  const sockets = [];
  const answers: string[] = [];
  for (let n = 0; n < 60; n++) {
    const socket = await openConnection(port);
    socket.on('data', (chunk) => answers.push(String(chunk)));
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(gzipSync('{').subarray(0, 10));
    sockets.push(socket);
  }
  const { authenticated } = app.bodyPools;
  await until(() => answers.length >= 28, { within: 10_000 });
  for (const answer of answers) t.match(answer, /^HTTP\/1\.1 503 /);
  t.ok(authenticated.bytes > mib, 'the others are still waited for');
  t.ok(authenticated.bytes <= 2 * mib, `${authenticated.bytes} bytes are counted`);
  for (const socket of sockets) socket.destroy();
  await until(() => authenticated.bytes === 0, { within: 10_000 });
});

const ask = (url: string, coding: string | undefined, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { ...bearer, ...headers, ...(coding && { 'accept-encoding': coding }) } });

t.test('long answers without secrets are compressed for clients that accept it', async (t) => {
  for (const url of [
    `${scimUrl}/Users?count=50`,
    `${scimUrl}/Schemas`,
    '/openapi.json',
    '/.well-known/openid-configuration',
  ]) {
    const plain = await ask(url, undefined);
    t.equal(plain.headers['content-encoding'], undefined);
    t.match(plain.headers['vary'], /accept-encoding/, 'caches keep both apart');
    const packed = await ask(url, 'br, gzip');
    t.equal(packed.statusCode, 200);
    t.equal(packed.headers['content-encoding'], 'gzip', url);
    t.match(packed.headers['vary'], /accept-encoding/);
    t.equal(packed.headers['content-type'], plain.headers['content-type']);
    t.equal(packed.headers['content-length'], String(packed.rawPayload.length));
    t.ok(packed.rawPayload.length < plain.rawPayload.length / 2, url);
    t.equal(gunzipSync(packed.rawPayload).toString(), plain.payload);
    for (const coding of ['br', 'gzip;q=0', 'identity'])
      t.equal((await ask(url, coding)).headers['content-encoding'], undefined, coding);
  }
});

t.test('what needs no token is compressed once', async (t) => {
  const { gzip } = zlib;
  let compressed = 0;
  Object.assign(zlib, {
    gzip(...given: Parameters<typeof gzip>) {
      compressed++;
      return gzip(...given);
    },
  });
  syncBuiltinESMExports();
  t.teardown(() => {
    Object.assign(zlib, { gzip });
    syncBuiltinESMExports();
  });
  await ask(`${scimUrl}/Users?count=50`, 'gzip');
  t.equal(compressed, 1);
  for (const url of ['/openapi.json', '/.well-known/openid-configuration']) {
    const get = () => app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    const first = await get();
    const before = compressed;
    const again = await get();
    t.equal(compressed, before, url);
    t.same(again.rawPayload, first.rawPayload);
    t.equal(gunzipSync(again.rawPayload).toString(), (await app.inject({ url })).payload);
  }
});

t.test('short answers are not compressed', async (t) => {
  const answer = await ask(`${scimUrl}/ResourceTypes/User`, 'gzip');
  t.equal(answer.headers['content-encoding'], undefined);
  t.ok(answer.rawPayload.length < 1_024);
});

t.test('nothing else is ever compressed', async (t) => {
  const login = await ask('/login', 'gzip');
  t.ok(login.rawPayload.length > 1_024);
  t.equal(login.headers['content-encoding'], undefined, 'the login page has the proof of its form');
  t.equal(login.headers['vary'], undefined);
  const compressible = new Set<string>();
  for (const route of registeredRoutes(app)) {
    const [method = '', path = ''] = route.split(' ');
    const url = path.replaceAll(':', '').replace('*', '');
    const { headers } = await app.inject({ method: method as 'GET', url });
    if (String(headers['vary'] ?? '').includes('accept-encoding'))
      compressible.add(path.replace(/^\/scim\/.*/, '/scim').replace(/[0-9a-f]{16}\.(css|js)$/, '$1'));
  }
  t.same([...compressible].sort(), [
    '/.well-known/openid-configuration',
    '/console/assets/css',
    '/console/assets/htmx-4.0.1.js',
    '/console/assets/js',
    '/docs/:',
    '/docs/api',
    '/docs/api/:',
    '/docs/api/schemas',
    '/docs/api/schemas/:',
    '/docs/assets/css',
    '/docs/guides',
    '/docs/guides/:',
    '/docs/mappings/:',
    '/favicon.ico',
    '/login/assets/css',
    '/login/assets/js',
    '/oauth/v2/keys',
    '/openapi-3.0.json',
    '/openapi.json',
    '/scim',
  ]);
});
