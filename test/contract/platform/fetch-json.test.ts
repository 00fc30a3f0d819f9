import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { createFetchJson } from '#src/platform/outgoing/fetch-json.js';
import { endable } from '../../../dev/end-server.js';
import { makeCertificate } from '../../support/network/certificate.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const { cert, certFile, keyFile } = certificate;
let respond = (_request: IncomingMessage, response: ServerResponse): void => {
  response.end('{}');
};
const seen: IncomingMessage[] = [];
const server = createServer({ cert: await readFile(certFile), key: await readFile(keyFile) }, (...both) => {
  seen.push(both[0]);
  respond(...both);
});
t.teardown(endable(server));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const address = `https://127.0.0.1:${port}/x`;
const bounds = { maxBytes: 1_000, timeoutMs: 2_000 };
const fetchJson = createFetchJson({ privateHosts: ['127.0.0.1'], ca: cert });
const problem = (problem: string) => ({ name: 'OutgoingError', problem });

t.test('it reads JSON, and says nothing about this service', async (t) => {
  respond = (_request, response) => response.end('{"a":[1]}');
  t.same(await fetchJson(address, bounds), { a: [1] });
  const { method, headers } = seen.at(-1) ?? {};
  t.equal(method, 'GET');
  t.same(Object.keys(headers ?? {}).sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ]);
});

t.test('it waits no longer than it was told', async (t) => {
  const hold = [
    () => undefined,
    (_request: IncomingMessage, response: ServerResponse) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(drip));
    },
  ];
  const held: ServerResponse[] = [];
  for (const holding of hold) {
    respond = (request, response) => {
      held.push(response);
      holding(request, response);
    };
    // Ends only when the server lets go of it, so no clock is needed to see that the other one was sooner.
    let isPatientOver = false;
    const patient = fetchJson(address, { maxBytes: 1_000_000, timeoutMs: 3_600_000 }).finally(() => {
      isPatientOver = true;
    });
    const patientEnd = t.rejects(patient, problem('unreachable'));
    await t.rejects(fetchJson(address, { maxBytes: 1_000_000, timeoutMs: 200 }), problem('tooSlow'));
    t.equal(isPatientOver, false);
    for (const response of held) response.destroy();
    await patientEnd;
  }
});

t.test('it reads no more than it was told', async (t) => {
  let written = 0;
  respond = (_request, response) => {
    const pump = () => {
      while (!response.destroyed && response.write(Buffer.alloc(10_000))) written += 10_000;
      if (!response.destroyed) response.once('drain', pump);
    };
    pump();
  };
  await t.rejects(fetchJson(address, bounds), problem('tooLarge'));
  t.ok(written < 20_000_000, 'the connection is closed');
  respond = (_request, response) => response.end('x'.repeat(1_001));
  await t.rejects(fetchJson(address, bounds), problem('tooLarge'));
  respond = (_request, response) => response.end(JSON.stringify('x'.repeat(998)));
  t.equal(await fetchJson(address, bounds), 'x'.repeat(998));
  respond = (_request, response) => {
    response.setHeader('x-long', 'x'.repeat(20_000));
    response.end('{}');
  };
  await t.rejects(fetchJson(address, bounds), problem('unreachable'));
});

t.test('only 200 and JSON in UTF-8', async (t) => {
  for (const status of [204, 301, 302, 307, 401, 404, 500]) {
    respond = (_request, response) => response.writeHead(status, { location: address }).end('{}');
    const asked = seen.length;
    await t.rejects(fetchJson(address, bounds), problem('wrongStatus'));
    t.equal(seen.length, asked + 1, 'no redirect is followed');
  }
  for (const body of ['', '{', 'x', Buffer.from([0x22, 0xff, 0x22])]) {
    respond = (_request, response) => response.end(body);
    await t.rejects(fetchJson(address, bounds), problem('notJson'));
  }
  respond = (_request, response) => response.destroy();
  await t.rejects(fetchJson(address, bounds), problem('unreachable'));
});

t.test('only https, public hosts and trusted certificates', async (t) => {
  respond = (_request, response) => response.end('{}');
  const asked = seen.length;
  for (const wrong of [
    '',
    'x',
    `http://127.0.0.1:${port}/x`,
    'file:///etc/passwd',
    `https://a:b@127.0.0.1:${port}/x`,
  ])
    await t.rejects(fetchJson(wrong, bounds), problem('notHttps'));
  await t.rejects(
    createFetchJson({ privateHosts: [], ca: cert })(address, bounds),
    problem('privateAddress'),
  );
  await t.rejects(createFetchJson({ privateHosts: ['127.0.0.1'] })(address, bounds), problem('untrusted'));
  t.equal(seen.length, asked);
});
