import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { openConsole } from '../../support/app/console.js';
import { testEditor } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { keysOf } from '../../support/stores/redis-keys.js';

/** A form of the console that was refused leads to its page, which can be loaded again. Nobody else sees that page. */

const opened = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { container } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const colleague = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const groups = `/console/orgs/${home.id}/groups`;
const taken = { name: 'Engineers' };
await owner.fill(await owner.get(`${groups}/new`), taken, `${groups}/new`);

/** Sends the form for a group whose name is taken. */
const refuse = async () => owner.fill(await owner.get(`${groups}/new`), taken, `${groups}/new`);

t.test('the page says what is wrong and has what was typed, as often as it is loaded', async (t) => {
  const seen = await refuse();
  t.match(seen.url, /\/groups\/new\?refused=[\w-]{43}$/);
  for (const page of [seen, await owner.get(seen.url), await owner.get(seen.url)]) {
    t.equal(page.status, 409);
    t.match(page.text, 'role="alert"');
    t.match(page.text, 'value="Engineers"');
    t.match(page.headers, { 'cache-control': 'no-store', 'content-security-policy': /default-src 'none'/ });
  }
  const added = await owner.fill(seen, { name: 'Designers' }, `${groups}/new`);
  t.match(added, { status: 303, location: RegExp(`^${groups}/`) }, 'its form can be sent again');
});

t.test('nobody else sees it, and it is seen at its own address alone', async (t) => {
  const { url } = await refuse();
  const secret = url.split('refused=')[1] ?? '';
  t.match(await colleague.get(url), { status: 200 });
  for (const path of [groups, `/console/orgs/${home.id}/users/new`, '/console'])
    t.equal((await owner.get(`${path}?refused=${secret}`)).status, 200, path);
  for (const wrong of ['x', secret.slice(1), `${secret}x`, `${secret}&refused=${secret}`, 'a'.repeat(4_000)])
    t.equal((await owner.get(`${groups}/new?refused=${wrong}`)).status, 200, wrong.slice(0, 50));
  const stranger = await openConsole(opened, await makeHome(container), { roles: ['ORG_OWNER'] });
  t.equal((await stranger.get(url)).status, 403);
  t.equal((await owner.get(url)).status, 409, 'it is still there');
});

t.test('one page of each person is kept, sealed, for 15 minutes', async (t) => {
  const first = await refuse();
  const second = await refuse();
  t.equal((await owner.get(first.url)).status, 200, 'the former one is gone');
  t.equal((await owner.get(second.url)).status, 409);
  const [key = '', ...others] = await keysOf(
    container.redis,
    `${container.config.redisPrefix}:console-refused:*`,
  );
  t.strictSame(others, []);
  t.notMatch(key, owner.person.id);
  t.notMatch(await container.redis.get(key), 'Engineers');
  const seconds = await container.redis.ttl(key);
  t.ok(seconds > 800 && seconds <= 900, `${seconds}`);
});

t.test('who has signed out sees it no more', async (t) => {
  const { url } = await refuse();
  await container.sessions.endAllOf(owner.person.id);
  t.match(await owner.get(url), { status: 303, location: /^\/oauth\/v2\/authorize\?/ });
});

t.test('a page is shown after another sign-in in its browser, and not after a change of roles', async (t) => {
  const person = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  const seen = await person.fill(await person.get(`${groups}/new`), taken, `${groups}/new`);
  t.equal(seen.status, 409);
  await addMembership(container, {
    ...{ userId: person.person.id, orgId: home.id, role: 'ORG_USER_VIEWER' as const },
    editor: testEditor,
  });
  t.equal((await person.get(seen.url)).status, 200, 'the empty form of the present roles');
  const again = await person.fill(await person.get(`${groups}/new`), taken, `${groups}/new`);
  t.equal(again.status, 409);
  await container.sessions.endAllOf(person.person.id);
  await person.signIn(await person.get('/console'));
  const later = await person.get(again.url);
  t.equal(later.status, 409, 'the form tokens of the browser stay valid');
  t.equal((await person.fill(later, { name: 'After' }, `${groups}/new`)).status, 303);
});
