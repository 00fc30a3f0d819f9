import { lookup } from 'node:dns/promises';
import type { ServerResponse } from 'node:http';
import t from 'tap';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser, humanUsers, importOf } from '../../support/migration/imports.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { startHookServer } from '../../support/network/hook-server.js';

/** Imports whose data lies at an https address, such as a signed address of a bucket. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const host = await startHookServer(t, certificate);
const { container, call } = await buildTestApp(t, {
  workers: true,
  outgoingCa: certificate.cert,
  importHosts: `other.example, no-such-host.invalid, ${new URL(host.url).host}`,
  importMaxBytes: 500_000,
});
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
const signature = 'X-Amz-Signature=5ecre7';
const address = `${new URL(host.url).origin}/users.json?${signature}`;

const importFrom = (url: unknown, key = 'data_orgs_https', timeout = '1m') =>
  call('POST /admin/v1/import', { as, body: { timeout, [key]: { url } } });

/** The host sends this value to everybody. */
const give = (value: unknown) => {
  host.respond = (_request, response) => response.end(JSON.stringify(value));
};

t.test('users are read from an address, a body or a list alone', async (t) => {
  give(importOf(home.id, [...humanUsers('web', 1100), { bad: 1 }]));
  const { status, body } = await importFrom(address);
  t.equal(status, 200, JSON.stringify(body));
  t.same(body.summary, { created: 1100, skipped: 0, failed: 1, total: 1101 });
  t.match(host.asked.at(-1), {
    method: 'GET',
    headers: { accept: 'application/json', authorization: undefined },
  });

  give({ orgs: [{ orgId: 'from-web', org: { name: 'New' }, humanUsers: [humanUser('listed')] }] });
  const list = await importFrom(address, 'data_orgsv1_https');
  t.same(list.body.summary, { created: 2, skipped: 0, failed: 0, total: 2 });
});

t.test('a verification reads an address too', async (t) => {
  const compareWith = (url: string) =>
    call('POST /admin/v1/verify', { as, body: { timeout: '1m', data_orgs_https: { url } } });
  give(importOf(home.id, [...humanUsers('web', 2), humanUser('nobody')]));
  const { status, body } = await compareWith(address);
  t.equal(status, 200, JSON.stringify(body));
  t.match(body, { isSame: false, counts: { same: 2, missing: 1, different: 0, total: 3 } });
  host.respond = (_request, response) => response.writeHead(404).end();
  const missing = await compareWith(address);
  t.match(missing.body.errors, [
    { type: 'import', message: /source\.refused: .*404.*nothing was compared$/ },
  ]);
  t.notMatch(JSON.stringify(missing.body), signature);
  t.match(await compareWith('https://127.0.0.1/'), { status: 400, body: { id: 'source.hostNotAllowed' } });
});

t.test('only https addresses of the hosts that were allowed are asked', async (t) => {
  const before = host.asked.length;
  const { port, host: own } = new URL(host.url);
  for (const [url, id] of [
    [`https://localhost:${port}/`, 'source.hostNotAllowed'],
    ['https://127.0.0.1/', 'source.hostNotAllowed'],
    [`https://127.0.0.1.other.example:${port}/`, 'source.hostNotAllowed'],
    [`https://sub.other.example/`, 'source.hostNotAllowed'],
    [`http://${own}/`, 'source.addressInvalid'],
    [`https://me:secret@${own}/`, 'source.addressInvalid'],
    [`https://${own}/${'a'.repeat(5_000)}`, 'source.addressInvalid'],
    ['file:///etc/passwd', 'source.addressInvalid'],
    ['', 'source.addressInvalid'],
    [7, 'import.bodyMalformed'],
  ] as const) {
    const answer = await importFrom(url);
    t.match(answer, { status: 400, body: { id } }, String(url).slice(0, 60));
    t.notMatch(JSON.stringify(answer.body), /secret|passwd/);
  }
  const more = { timeout: '1m', data_orgs_https: { url: address, path: 'x' } };
  t.match(await call('POST /admin/v1/import', { as, body: more }), { status: 400 });
  t.equal(host.asked.length, before);

  const closed = await buildTestApp(t, { outgoingCa: certificate.cert });
  const owner = await makeCaller(closed.container, (await makeOrganization(closed.container)).id, [
    'IAM_OWNER',
  ]);
  const body = { timeout: '1m', dataOrgsHttps: { url: address } };
  t.match(await closed.call('POST /admin/v1/import', { as: owner, body }), {
    status: 400,
    body: { id: 'source.hostNotAllowed' },
  });
});

t.test('an object that cannot be used is told, without its address, and nothing is imported', async (t) => {
  const text = JSON.stringify(importOf(home.id, humanUsers('half', 3)));
  const answers: [string, (response: ServerResponse) => void, RegExp][] = [
    ['elsewhere', (to) => to.writeHead(302, { location: host.url }).end(), /source\.refused: .*302/],
    ['missing', (to) => to.writeHead(404).end(text), /source\.refused: .*404/],
    ['part', (to) => to.writeHead(206).end(text), /source\.refused: .*206/],
    [
      'gzip',
      (to) => to.writeHead(200, { 'content-encoding': 'gzip' }).end(text),
      /source\.refused: .*compressed/,
    ],
    ['page', (to) => to.end('<html>'), /import\.bodyMalformed/],
    ['half', (to) => to.end(text.slice(0, -5)), /import\.bodyMalformed/],
    [
      'large',
      (to) => to.end(JSON.stringify(importOf(home.id, humanUsers('many', 2_000)))),
      /import\.tooLarge/,
    ],
  ];
  for (const [name, respond, why] of answers) {
    host.respond = (_request, response) => respond(response);
    const { body } = await importFrom(address);
    t.match(body.errors, [{ type: 'import', id: '', message: why }], name);
    t.notMatch(JSON.stringify(body), signature, name);
  }
  t.equal(await container.users.find(home.id, 'id-half-0'), undefined);
});

t.test('a host that does not exist is not tried again', async (t) => {
  const why = await lookup('no-such-host.invalid').catch(({ code }) => code);
  // Where no name server answers, nobody knows that the host does not exist.
  const id = why === 'ENOTFOUND' ? 'source.hostUnknown' : 'source.transferFailed';
  const start = performance.now();
  const { body } = await importFrom('https://no-such-host.invalid/users.json');
  t.match(body.errors, [{ type: 'import', id: '', message: new RegExp(id) }]);
  // The pauses before further attempts are 7.5 s together.
  if (id === 'source.hostUnknown') t.ok(performance.now() - start < 7_000, `${performance.now() - start} ms`);
});

t.test('a connection that breaks, and a host that is busy, are tried again', async (t) => {
  const text = JSON.stringify(importOf(home.id, humanUsers('cut', 300)));
  let asked = 0;
  host.respond = (_request, response) => {
    asked++;
    if (asked === 1) response.writeHead(503).end();
    else if (asked === 2) {
      response.writeHead(200, { 'content-length': text.length }).write(text.slice(0, 20_000));
      setImmediate(() => response.destroy());
    } else response.end(text);
  };
  const { body } = await importFrom(address);
  t.same(body.summary, { created: 300, skipped: 0, failed: 0, total: 300 });
  t.equal(asked, 3);
});

t.test('the address is in no collection afterwards', async (t) => {
  const { db } = container.mongo;
  for (const { name } of await db.listCollections().toArray())
    t.notMatch(JSON.stringify(await db.collection(name).find().toArray()), signature, name);
});
