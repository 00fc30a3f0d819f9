import t from 'tap';
import { openConsole } from '../../support/app/console.js';
import { makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { startHookServer } from '../../support/network/hook-server.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const opened = await buildTestApp(t, { privateHookHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container } = opened;
const home = await makeHome(container, { name: 'Home' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const hook = await startHookServer(t, certificate);
const path = `/console/orgs/${home.id}/settings/migration`;

t.test('an owner sets a hook, copies its secret once, tests it and removes it', async (t) => {
  const empty = await owner.get(path);
  t.equal(empty.status, 200);
  t.notMatch(empty.text, 'Test the hook');
  const refused = await owner.fill(empty, { url: 'http://plain.example', timeoutMilliseconds: '500' }, path);
  t.equal(refused.status, 400);
  t.match(refused.text, 'value="http://plain.example"', 'what was typed is kept');
  const made = await owner.fill(await owner.get(path), { url: hook.url, timeoutMilliseconds: '500' }, path);
  const secret = /<code class="secret"[^>]*>([\w-]{43})<\/code>/.exec(made.text)?.[1] ?? '';
  t.not(secret, '');
  const page = await owner.get(path);
  t.notMatch(page.text, secret, 'shown once');
  t.match(page.text, `value="${hook.url}"`);
  const person = await makePerson(container, home, { password: null });
  hook.respond = (_request, response) =>
    response.end(JSON.stringify({ confirmed: true, user: { userName: person.userName } }));
  const fields = { loginName: person.userName, password: 'Secret-Horse-9' };
  const tested = await owner.fill(page, fields, `${path}/test`);
  t.match(tested.text, `The hook confirmed the password of: ${person.userName}`);
  t.notMatch(tested.text, 'Secret-Horse-9');
  hook.respond = (_request, response) => response.end('{"confirmed":true,"user":{"roles":"<script>"}}');
  t.match((await owner.fill(page, fields, `${path}/test`)).text, 'The hook gave no usable answer:');
  const removed = await owner.follow(await owner.fill(page, {}, `${path}/remove`));
  t.equal(removed.status, 200);
  t.notMatch(removed.text, 'Test the hook');
});

t.test('an owner sets a pepper, which no page shows, and removes it', async (t) => {
  const pepper = 'Peppercorn-of-the-page';
  const empty = await owner.get(path);
  t.notMatch(empty.text, 'Remove the pepper');
  const set = await owner.follow(await owner.fill(empty, { pepper }, `${path}/pepper`));
  t.match(set.text, 'Remove the pepper');
  t.notMatch(set.text, pepper);
  t.equal(await container.findPepper(home.id), pepper);
  const removed = await owner.follow(await owner.fill(set, {}, `${path}/pepper/remove`));
  t.notMatch(removed.text, 'Remove the pepper');
  t.equal(await container.findPepper(home.id), undefined);
});
