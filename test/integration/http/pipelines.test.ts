import type { AddressInfo } from 'node:net';
import t from 'tap';
import { until } from '../../../dev/until.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { openConnection, received } from '../../support/network/raw-connection.js';

const { app } = await buildTestApp(t, { bodyTimeoutSeconds: 5 });
let reached = 0;
app.addHook('onRequest', (_request, _reply, done) => {
  reached += 1;
  done();
});
let effects = 0;
app.get('/test/effect', { schema: { hide: true } }, async () => {
  effects += 1;
  return { effects };
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

async function ask(text: string): Promise<string> {
  const socket = await openConnection(port);
  const answer = received(socket);
  socket.write(text);
  return answer;
}

t.test('thirty-two requests at once are answered in their order', async (t) => {
  const paths = Array.from({ length: 32 }, (_, n) => (n % 3 === 0 ? '/healthz' : '/nothing'));
  const last = paths.pop() ?? '';
  const answer = await ask(paths.map((path) => get(path)).join('') + get(last, 'Connection: close\r\n'));
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
  t.same(
    statuses,
    [...paths, last].map((path) => (path === '/healthz' ? '200' : '404')),
  );
});

t.test('a connection may have any number of requests one after the other', async (t) => {
  const socket = await openConnection(port);
  let answers = 0;
  socket.on('data', (data) => {
    answers += String(data).match(/HTTP\/1\.1 200 /g)?.length ?? 0;
  });
  for (let round = 1; round <= 5; round++) {
    socket.write(get('/healthz').repeat(20));
    await until(() => answers === 20 * round, { within: 10_000 });
  }
  t.equal(answers, 100);
  socket.destroy();
});

t.test('more than that end the connection before they cost anything', async (t) => {
  for (const path of ['/nothing', '/login', '/%', '/oauth/v2/keys']) {
    reached = 0;
    const answer = await ask(get(path).repeat(1_500));
    t.ok(reached <= 32, `${reached} requests of ${path} are looked at`);
    t.ok((answer.match(/HTTP\/1\.1 /g)?.length ?? 0) <= 32);
  }
});

t.test('behind a response that closes the connection, nothing takes effect', async (t) => {
  t.equal((await ask(get('/test/effect', 'Connection: close\r\n'))).match(/"effects":1/g)?.length, 1);
  const answer = await ask(get('/test/effect', 'Host: y\r\n') + get('/test/effect').repeat(5));
  t.match(answer, /^HTTP\/1\.1 400 /);
  t.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1);
  t.equal(effects, 1, 'the second host refuses the first request, and the others are not looked at');
});

t.test('chunks that are too small end a body', async (t) => {
  const post = (chunks: string) =>
    ask(
      'POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n' +
        `Content-Type: application/x-www-form-urlencoded\r\n\r\n${chunks}`,
    );
  t.match(await post(`${'1\r\na\r\n'.repeat(900)}0\r\n\r\n`), /^HTTP\/1\.1 400 .*grant_type/s);
  t.match(
    await post(`${'10\r\naaaaaaaaaaaaaaaa\r\n'.repeat(3_000)}0\r\n\r\n`),
    /^HTTP\/1\.1 400 .*grant_type/s,
  );
  t.match(await post('1\r\na\r\n'.repeat(5_000)), /^HTTP\/1\.1 400 .*too small pieces/s);
});

t.test('an unknown caller that goes on sending chunks is not read any further', async (t) => {
  for (const request of ['GET /login', 'POST /nothing', 'POST /scim/v2/x/Users', 'POST /admin/v1/orgs']) {
    const socket = await openConnection(port);
    const answer = received(socket);
    socket.write(
      `${request} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`,
    );
    t.match(await answer, /^connection: close\r$/im, request);
  }
});
