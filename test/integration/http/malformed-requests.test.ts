import type { AddressInfo } from 'node:net';
import t from 'tap';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { openConnection, received } from '../../support/network/raw-connection.js';

const { app, container } = await buildTestApp(t, { trustProxy: '1', rateLimitPerAddress: 100_000 });
const { id: orgId } = await makeOrganization(container);
const { token } = await makeCaller(container, orgId, ['IAM_OWNER']);
let reached: { url: string; ip: string }[] = [];
app.addHook('preHandler', (request, _reply, done) => {
  reached.push({ url: request.url, ip: request.ip });
  done();
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

/** Sends bytes, and returns the answer. The connection ends after it, if the server does not end it before. */
async function ask(lines: readonly string[], { body = '', closes = true } = {}) {
  reached = [];
  const socket = await openConnection(port);
  const whole = received(socket);
  const head = [...lines, ...(closes ? ['Connection: close'] : [])];
  socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
  const answer = await whole;
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0),
    count: answer.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0,
    location: /^location: (.*)\r$/im.exec(answer)?.[1],
    text: answer,
  };
}

const authorization = `Authorization: Bearer ${token}`;
/** One request of each family of addresses, as it is answered when it is well-formed. */
const families: readonly [request: string, status: number, ...headers: string[]][] = [
  ['GET /', 303],
  ['GET /healthz', 200],
  ['GET /login', 200],
  ['GET /console', 303],
  ['GET /oauth/v2/keys', 200],
  ['GET /nothing', 404],
  [`GET /scim/v2/${orgId}/Users`, 200, authorization],
  ['GET /admin/v1/me', 200, authorization],
];

t.test('requests with one valid Host are answered', async (t) => {
  for (const [request, status, ...more] of families) {
    for (const host of [
      'localhost',
      'a.example:8443',
      '127.0.0.1:8080',
      '[::1]:8080',
      '[2001:DB8::1]',
      'my_service',
    ])
      t.equal(
        (await ask([`${request} HTTP/1.1`, `Host: ${host}`, ...more])).status,
        status,
        `${request} ${host}`,
      );
    t.equal(
      (await ask([`${request} HTTP/1.0`, ...more])).status,
      status,
      `${request} of HTTP/1.0 without a host`,
    );
  }
});

t.test('two hosts, none, or one that is no host are refused (RFC 9112 section 3.2)', async (t) => {
  const hosts: readonly (readonly string[])[] = [
    ['Host: localhost', 'Host: localhost'],
    ['Host: localhost', 'host: evil.example'],
    ['HOST: evil.example', 'X: y', 'Host: localhost'],
    ['Host: localhost', 'Host:'],
    [],
    ['X: y'],
    ...[
      ...[
        '',
        ' ',
        'a b',
        'a,b',
        'localhost, evil.example',
        'user@evil.example',
        'evil.example/path',
        'http://localhost',
      ],
      ...[
        'localhost:8080:80',
        'localhost:port',
        ':80',
        'localhost:-1',
        'localhost:123456',
        '[::1',
        '::1',
        '[g::1]',
      ],
      ...['a?b', 'a#b', 'a\\b', 'a%00b', '<script>', 'a\tb', 'a\xe9b', '"a"', `${'a'.repeat(300)}.example`],
    ].map((host) => [`Host: ${host}`]),
  ];
  for (const given of hosts) {
    for (const [request, , ...more] of families) {
      const name = `${request} ${JSON.stringify(given)}`;
      const { text, ...answer } = await ask([`${request} HTTP/1.1`, ...given, ...more]);
      t.same({ ...answer, reached }, { status: 400, count: 1, location: undefined, reached: [] }, name);
      t.match(text, /x-error-id: http\.requestMalformed/i, name);
    }
  }
  t.equal((await ask(['GET /healthz HTTP/1.0', 'Host: a', 'Host: b'])).status, 400, 'two hosts of HTTP/1.0');
});

t.test(
  'a refusal ends the connection, because the sender and the service may read the rest differently',
  async (t) => {
    const { status, text } = await ask(['GET /healthz HTTP/1.1', 'Host: a', 'Host: b'], { closes: false });
    t.equal(status, 400);
    t.match(text, /connection: close/i);
  },
);

t.test('a header that decides who calls or how the body is read comes once', async (t) => {
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const requests: readonly (readonly string[])[] = [
    ['GET /admin/v1/me', authorization, authorization],
    ['GET /admin/v1/me', authorization, 'authorization: Bearer other'],
    ['GET /admin/v1/me', 'Authorization: Bearer other', authorization],
    ['POST /oauth/v2/token', form, form, 'Content-Length: 0'],
    ['POST /oauth/v2/token', form, 'content-type: application/json', 'Content-Length: 0'],
    ['POST /oauth/v2/token', form, 'Content-Length: 1', 'Content-Length: 1'],
    ['POST /oauth/v2/token', form, 'Content-Length: 1', 'Content-Length: 0'],
    ['POST /oauth/v2/token', form, 'Content-Length: 1, 1'],
    ['POST /oauth/v2/token', form, 'Content-Length: +1'],
    ['POST /oauth/v2/token', form, 'Content-Length: 0x1'],
    ['POST /oauth/v2/token', form, 'Content-Length: 1', 'Transfer-Encoding: chunked'],
    ['POST /oauth/v2/token', form, 'Transfer-Encoding: chunked', 'Content-Length: 1'],
    ['POST /oauth/v2/token', form, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    ['POST /oauth/v2/token', form, 'Transfer-Encoding: identity'],
    ['POST /oauth/v2/token', form, 'Transfer-Encoding: chunked, identity'],
    ['POST /oauth/v2/token', form, 'Transfer-Encoding: gzip, chunked'],
    ['POST /oauth/v2/token', form, 'Transfer-Encoding:'],
    ['POST /oauth/v2/token', form, 'Transfer-Encoding: xchunked'],
    [`DELETE /admin/v1/orgs/${orgId}`, authorization, 'Transfer-Encoding: identity'],
    ['GET /admin/v1/me', authorization, 'Transfer-Encoding: gzip'],
  ];
  for (const [request, ...headers] of requests) {
    const name = `${request} ${headers.join(' | ').replaceAll(token, 'TOKEN')}`;
    const { status, count, text } = await ask([`${request} HTTP/1.1`, 'Host: x', ...headers], {
      body: '0\r\n\r\n',
    });
    t.equal(status, 400, name);
    t.equal(count, 1, name);
    t.match(text, /connection: close/i, name);
    t.same(reached, [], name);
  }
  const old = ['POST /oauth/v2/token HTTP/1.0', 'Host: x', form, 'Transfer-Encoding: chunked'];
  t.equal((await ask(old, { body: '0\r\n\r\n' })).status, 400, 'chunks of HTTP/1.0 (RFC 9112 section 6.1)');
  t.same(reached, []);
});

t.test('a chunked body is read, and a chunked request without a body too', async (t) => {
  const head = [
    'POST /oauth/v2/token HTTP/1.1',
    'Host: x',
    'Content-Type: application/x-www-form-urlencoded',
  ];
  for (const encoding of ['chunked', 'Chunked', ' chunked ']) {
    const { status, text } = await ask([...head, `Transfer-Encoding: ${encoding}`], {
      body: '3\r\na=b\r\n0\r\n\r\n',
    });
    t.equal(status, 400, encoding);
    t.match(text, /"error":"invalid_request".*grant_type/, encoding);
  }
});

t.test('more headers than Node.js keeps are refused, because it would hide the rest', async (t) => {
  const asked = (count: number) =>
    ask(['GET /healthz HTTP/1.1', 'Host: x', ...Array(count).fill('a: b'), 'Authorization: Bearer x']);
  for (const count of [1_000, 1_031, 1_033, 2_100, 5_000])
    t.equal((await asked(count)).status, 431, String(count));
  t.equal((await asked(990)).status, 200);
});

t.test('an absolute address means its path, with the same host (RFC 9112 section 3.2.2)', async (t) => {
  for (const [request, status, ...more] of families) {
    const [method, path] = request.split(' ');
    for (const scheme of ['http', 'HTTPS']) {
      const line = `${method} ${scheme}://localhost:8080${path}?x=y HTTP/1.1`;
      const { status: found, text } = await ask([line, 'Host: localhost:8080', ...more]);
      t.equal(found, status, line);
      t.notMatch(text, /https?:\/\/localhost:8080/i, 'no answer repeats it');
      if (status === 200) t.match(reached, [{ url: `${path}?x=y` }], line);
    }
  }
  t.equal(
    (await ask(['GET http://localhost HTTP/1.1', 'Host: localhost'])).status,
    303,
    'no path is the root',
  );
  t.match((await ask(['GET http://localhost?a=b HTTP/1.1', 'Host: localhost'])).status, 303);
  const scim = await ask(['GET http://localhost/scim/v2/x/Users HTTP/1.1', 'Host: localhost']);
  t.match(scim.text, /^HTTP\/1\.1 401 .*application\/scim\+json/s, 'it has the errors of its room');
});

t.test('other forms of the request line are refused', async (t) => {
  for (const target of [
    'http://evil.example/healthz',
    'http://localhost@evil.example/healthz',
    'http://localhost:81/healthz',
    'ftp://localhost/healthz',
    'https:/healthz',
    'http:healthz',
    '*',
    'healthz',
    '?a=b',
  ]) {
    const { status } = await ask([`GET ${target} HTTP/1.1`, 'Host: localhost']);
    t.equal(status, 400, target);
    t.same(reached, [], target);
  }
  t.equal((await ask(['OPTIONS * HTTP/1.1', 'Host: localhost'])).status, 400);
  for (const target of ['//evil.example/healthz', '/\\evil.example', '/http://localhost/healthz']) {
    const { status, location } = await ask([`GET ${target} HTTP/1.1`, 'Host: localhost']);
    t.equal(status, 404, target);
    t.equal(location, undefined, target);
  }
});

t.test(
  'headers of a proxy count from the end, however many there are, and never name the service',
  async (t) => {
    const asked = [
      'GET / HTTP/1.1',
      'Host: localhost',
      'X-Forwarded-For: 1.1.1.1',
      'X-Forwarded-For: 2.2.2.2',
    ];
    const forged = [
      'Forwarded: for=3.3.3.3;host=evil.example',
      'X-Forwarded-Proto: javascript',
      'X-Forwarded-Proto: ftp',
    ];
    const hosts = [
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Host: other.example',
      'X-Forwarded-Port: 1',
    ];
    const { status, location } = await ask([...asked, ...forged, ...hosts, 'X-Forwarded-For: 4.4.4.4']);
    t.equal(status, 303);
    t.equal(location, `${container.config.baseUrl}/console`);
    t.match(reached, [{ ip: '4.4.4.4' }]);
  },
);
