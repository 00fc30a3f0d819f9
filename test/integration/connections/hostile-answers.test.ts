import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { exportJWK, generateKeyPair } from 'jose';
import t from 'tap';
import { createStorageTransport } from '#src/platform/blobs/transfer/storage-transport.js';
import { createGuardedFetch } from '#src/platform/outgoing/guarded-fetch.js';
import { createHttpsObjects } from '#src/platform/outgoing/https-objects.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Lies, startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { allowedHoldMs, longestHold } from '../../support/hostile/longest-hold.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  type Connected,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
  refusedPage,
  signInBy,
} from '../../support/oidc/connected.js';

/** Answers of a provider that are huge, deep, slow, doubled, or no HTTP. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
const json = { 'content-type': 'application/json' };
t.beforeEach(() => {
  provider.lies = {};
  provider.own.instead.delete('/keys');
});

/** Signs in with a lie. Returns the reason that the owner sees, or undefined if the person is signed in. */
async function reasonOf(connected: Connected, lies: Lies, claims: Record<string, unknown> = {}) {
  provider.lies = lies;
  clock.advance(11);
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, connected, provider, { sub: 'anna', ...claims });
  if (isSignedIn(seen)) return undefined;
  await refusedPage(visitor, seen);
  return lastReason(connected);
}

async function lastReason({ path, owner }: Connected): Promise<string> {
  const { body } = await call(`GET ${path}/health`, { as: owner });
  return body.refusals[0].reason;
}

/** The ID token with a claim that has so many objects in each other. */
const deep = (depth: number) => (own: string) => {
  const claims = Buffer.from(own.split('.')[1] ?? '', 'base64url').toString();
  const value = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  return provider.own.signText(
    `${claims.slice(0, -1)},"deep":${value},"list":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  );
};

t.test(
  'claims that are huge, deep or of another type neither sign in wrongly nor hold the process',
  async (t) => {
    const acme = await makeConnected(service, provider, {
      mapping: { values: [{ to: 'title', from: ['deep', 'many', 'odd'] }] },
    });
    const many = (count: number) => Array.from({ length: count }, (_, at) => `group-${at}`);
    const taken: Record<string, unknown>[] = [
      { groups: many(10_000), roles: many(2_000) },
      { many: Array.from({ length: 5_000 }, () => [[[]]]) },
      { odd: { toString: 'x', length: 1e9 }, constructor: 'x', hasOwnProperty: 1 },
      {
        name: 7,
        given_name: ['A'],
        family_name: { a: 1 },
        email: true,
        locale: null,
        email_verified: 'true',
      },
      { name: 'x'.repeat(100_000), given_name: '\u202e\u0000<script>', zoneinfo: '../../etc/passwd' },
      { amr: 'mfa', acr: ['x'], sid: 'x'.repeat(5_000), session_expiry: -1 },
      { amr: many(3_000), session_expiry: 1e300 },
      Object.fromEntries(many(3_000).map((name) => [name, name])),
    ];
    for (const [at, claims] of taken.entries()) {
      const what = JSON.stringify(claims).slice(0, 80);
      const hold = await longestHold(async () => {
        t.equal(await reasonOf(acme, {}, { ...claims, sub: `person-${at}` }), undefined, what);
      }, 3);
      t.ok(hold <= allowedHoldMs, `${what} holds the event loop for ${hold} ms`);
    }
    t.equal(await container.users.count(acme.orgId), taken.length);
    const { body } = await call(`GET /scim/v2/${acme.orgId}/Users?count=100`, { as: acme.owner });
    t.notMatch(JSON.stringify(body), /\[object|<script>|etc\/passwd|x{300}/);
    // A connection that keeps what waits for a proof keeps these claims, too.
    const asks = await makeConnected(service, provider, { linking: { byPerson: true }, creation: 'refuse' });
    for (const depth of [1_000, 10_000]) {
      t.equal(
        await reasonOf(acme, { idToken: deep(depth) }, { sub: `deep-${depth}` }),
        undefined,
        `${depth}`,
      );
      provider.lies = { idToken: deep(depth) };
      const waits = await signInBy(newVisitor(service), asks, provider, { sub: `deep-${depth}` });
      t.match(waits, { status: 303, location: /^\/login\/link\?/ }, `${depth}`);
    }
    const refused: [Record<string, unknown>, string | undefined][] = [
      [{ auth_time: 'now' }, 'tokenInvalid'],
      [{ auth_time: -1e300 }, 'tokenInvalid'],
      [{ sub: 'x'.repeat(1_000_000) }, 'unreachable'],
      [{ groups: many(40_000) }, 'unreachable'],
      [{ sub: 'x'.repeat(100_000) }, 'tokenInvalid'],
      [{ sub: {} }, 'tokenInvalid'],
      [{ sub: ['anna'] }, 'tokenInvalid'],
      [{ sub: ' anna' }, 'tokenInvalid'],
      [{ sub: 'anna\ud800' }, 'tokenInvalid'],
      [{ iss: provider.issuer.toUpperCase() }, 'tokenInvalid'],
      [{ iss: provider.issuer.replace('https', 'HTTPS') }, 'tokenInvalid'],
      [{ iss: [provider.issuer] }, 'tokenInvalid'],
      [{ exp: 1e308 }, undefined],
      [{ exp: -1e308 }, 'tokenInvalid'],
      [{ aud: [['muster']] }, 'tokenInvalid'],
    ];
    for (const [claims, reason] of refused)
      t.equal(await reasonOf(acme, { claims }), reason, JSON.stringify(claims).slice(0, 80));
  },
);

t.test('an answer through the browser has each parameter once', async (t) => {
  const acme = await makeConnected(service, provider);
  for (const name of ['code', 'state', 'iss', 'error']) {
    for (const order of ['before', 'after']) {
      const visitor = newVisitor(service);
      const back = provider.authorize(await leaveFor(visitor, acme), { sub: 'anna' });
      const [path = '', query = ''] = back.split('?');
      const own = new URLSearchParams(query).get(name) ?? 'access_denied';
      const twice = new URLSearchParams({ [name]: order === 'before' ? 'other' : own }).toString();
      const answers = order === 'before' ? `${path}?${twice}&${query}` : `${path}?${query}&${twice}`;
      const seen = await visitor.get(answers);
      t.notOk(isSignedIn(seen), `${name} ${order}`);
    }
  }
  t.equal(await container.users.count(acme.orgId), 0);
});

t.test('a set of keys is read within bounds, and each key has a name of its own', async (t) => {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const { x, y } = await exportJWK(publicKey);
  const other = (kid: number) => ({ kty: 'EC', crv: 'P-256', x, y, kid: `k${kid}` });
  const published = JSON.parse(await textOf(`${provider.issuer}/keys`)).keys as object[];
  const [own] = published;
  const publish = (keys: unknown) => {
    clock.advance(601);
    provider.own.instead.set('/keys', (_request, response) =>
      response.writeHead(200, json).end(JSON.stringify({ keys })),
    );
  };
  const sets: [what: string, keys: unknown, reason: string | undefined][] = [
    [
      '800 keys, and the right one first',
      [own, ...Array.from({ length: 799 }, (_, n) => other(n))],
      undefined,
    ],
    [
      '800 keys, and the right one last',
      [...Array.from({ length: 799 }, (_, n) => other(n)), own],
      'signatureInvalid',
    ],
    ['two keys of one name', [own, { ...other(1), kid: 'key-1', alg: undefined }], undefined],
    ['one key twice', [own, own], 'signatureInvalid'],
    ['a name that is no text', [{ ...own, kid: 7 }], 'unreachable'],
    ['a private key', [{ ...own, d: 'AAAA' }], 'unreachable'],
    ['no list', { 0: own, length: 1 }, 'unreachable'],
    ['what is no key', [null, 7, 'x', [], {}, { kty: 'oct', k: 'AAAA' }], 'unreachable'],
    ['a name that is missing', [{ ...own, kid: undefined }], 'signatureInvalid'],
  ];
  for (const [what, keys, reason] of sets) {
    // Each has a connection of its own organization, so that no keys of before are known.
    provider.own.instead.delete('/keys');
    const acme = await makeConnected(service, provider);
    publish(keys);
    const hold = await longestHold(async () => {
      clock.advance(3_601);
      t.equal(await reasonOf(acme, {}), reason, what);
    }, 3);
    t.ok(hold <= allowedHoldMs, `${what}: ${hold} ms`);
  }
});

/** Reads a document of the provider. */
async function textOf(address: string): Promise<string> {
  const fetch = createGuardedFetch({ privateHosts: ['127.0.0.1'], ca: certificate?.cert });
  const { body } = await fetch(address, { maxBytes: 100_000, timeoutMs: 5_000 });
  return body.toString();
}

t.test('a body that drips, or that only a decompression makes large, is cut off', async (t) => {
  const acme = await makeConnected(service, provider);
  const drip: Lies['token'] = (_request, response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(timer));
  };
  const began = performance.now();
  t.equal(await reasonOf(acme, { token: drip }), 'unreachable');
  t.ok(performance.now() - began < 8_000, 'it waits five seconds in all');
  const bomb = gzipSync(Buffer.alloc(200_000_000, 32));
  for (const encoding of ['gzip', 'GZIP, gzip', 'br', 'identity']) {
    const before = process.memoryUsage().rss;
    const token: Lies['token'] = (_request, response) =>
      void response.writeHead(200, { ...json, 'content-encoding': encoding }).end(bomb);
    t.equal(await reasonOf(acme, { token }), 'tokenInvalid', encoding);
    t.ok(process.memoryUsage().rss - before < 100_000_000, 'it is not inflated');
  }
});

t.test('what is no HTTP, or more than one answer, belongs to no request', async (t) => {
  const ok = (body: string) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const answers: Record<string, string | ((socket: TLSSocket) => void)> = {
    'two answers at once': `${ok('{"n":1}')}${ok('{"n":"stolen"}')}`,
    'an answer, and text after it': `${ok('{"n":1}')}garbage\r\n\r\n`,
    'an answer, and another one a moment later': (socket) => {
      socket.write(ok('{"n":1}'));
      setTimeout(() => socket.write(ok('{"n":"stolen"}')), 50);
    },
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 7\r\n\r\n{"n":1}',
    'a length and chunks':
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n7\r\n{"n":1}\r\n0\r\n\r\n',
    'no HTTP': 'SSH-2.0-OpenSSH_9\r\n',
    'a status that is none': 'HTTP/1.1 99999 Oh\r\n\r\n',
    'headers without an end': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(`x-${'a'.repeat(500)}: b\r\n`), 1);
      socket.on('close', () => clearInterval(timer));
    },
    'a protocol that nobody asked for':
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'early hints for ever': (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    },
    'a line break in a header': 'HTTP/1.1 200 OK\r\nx: a\rb: c\r\ncontent-length: 2\r\n\r\n{}',
  };
  let answer: string | ((socket: TLSSocket) => void) = '';
  const { certFile, keyFile } = certificate as { certFile: string; keyFile: string };
  const server = createServer({ cert: await readFile(certFile), key: await readFile(keyFile) }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => (typeof answer === 'string' ? void socket.write(answer) : answer(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  const fetch = createGuardedFetch({ privateHosts: ['127.0.0.1'], ca: certificate?.cert });
  const ask = async () => {
    try {
      const { body } = await fetch(address, { maxBytes: 1_000, timeoutMs: 1_500 }, { share: 'acme' });
      return body.toString();
    } catch (error) {
      return (error as { problem?: string }).problem;
    }
  };
  for (const [what, given] of Object.entries(answers)) {
    answer = given;
    const first = await ask();
    t.notMatch(first, 'stolen', what);
    t.match(first, /^(\{"n":1\}|unreachable|tooSlow|untrusted|wrongStatus)$/, `${what}: ${first}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer = ok('{"n":2}');
    t.match(await ask(), /^(\{"n":2\}|unreachable)$/, `after ${what}, the next request has its own answer`);
    t.equal(await ask(), '{"n":2}', 'and so has the one after it');
  }
});

t.test('a host that switches to another protocol ends no request without an error', async (t) => {
  const { certFile, keyFile, cert: ca } = certificate;
  const server = createServer({ cert: await readFile(certFile), key: await readFile(keyFile) }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const objects = createHttpsObjects({ hosts: [host], ca });
  await t.rejects(objects.open(`https://${host}/x`)[Symbol.asyncIterator]().next(), {
    message: /did not transfer the object/,
  });
  const hosts = {
    require: () => undefined,
    requirePublic: () => undefined,
    isOperators: () => false,
    privateNames: new Set(['127.0.0.1']),
  };
  const send = createStorageTransport({ hosts, stallMs: 60_000, ca });
  await t.rejects(send({ method: 'GET', host, path: '/x', headers: { host } }), {
    message: /connection to the storage broke/,
  });
});
