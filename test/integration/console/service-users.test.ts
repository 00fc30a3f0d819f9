import t from 'tap';
import { changeServiceUser } from '#src/directory/service-users/change-service-user.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { basic, postForm } from '../../support/app/oauth-client.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { formsOf, type Seen } from '../../support/oidc/visitor.js';
import { keysOf } from '../../support/stores/redis-keys.js';

const opened = await buildTestApp(t, { anonymousStoreMib: 3 });
const { container, app, call, clock } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
// Without one, no service user can be deactivated or removed.
await makeCaller(container, (await makeHome(container)).id, ['IAM_OWNER']);
const list = `/console/orgs/${home.id}/service-users`;
const secretOf = (page: Seen) => /<code class="secret">([^<]+)<\/code>/.exec(page.text)?.[1] ?? '';

async function added(userName: string, role = 'ORG_USER_MANAGER') {
  const page = await owner.get(`${list}/new`);
  const seen = await owner.fill(page, { name: `Name of ${userName}`, userName, role }, `${list}/new`);
  return seen.location ?? '';
}

t.test('a service user is added with its role, and gets a secret that works and is shown once', async (t) => {
  t.match((await owner.get(list)).text, 'No service user yet');
  const one = await added('robot');
  const page = await owner.get(one);
  const shown = await owner.fill(page, { label: 'CI <b>', expires: '2090-01-01' }, `${one}/secrets`);
  t.equal(shown.status, 200);
  const secret = secretOf(shown);
  const id = one.split('/').at(-1) ?? '';
  const token = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'client_credentials' },
    as: basic(id, secret),
  });
  t.equal(token.status, 200);
  t.equal(
    (await call(`GET /scim/v2/${home.id}/Users`, { as: { token: token.body.access_token } })).status,
    200,
  );
  const later = await owner.get(one);
  t.notMatch(later.text, secret);
  t.match(later.text, 'CI &lt;b&gt;');
});

t.test('a form that is refused keeps what was typed', async (t) => {
  await added('twice');
  const page = await owner.get(`${list}/new`);
  const fields = { name: 'Another "name"', userName: 'twice', role: 'ORG_OWNER' };
  const refused = await owner.fill(page, fields, `${list}/new`);
  t.match(refused, { status: 409, text: /directory\.clientIdTaken/ });
  t.match(refused.text, 'value="Another &quot;name&quot;"');
  t.match(refused.text, /value="ORG_OWNER" selected/);
});

t.test('tokens and keys are shown once, and removed after the name is typed', async (t) => {
  const one = await added('keyed');
  const token = secretOf(await owner.fill(await owner.get(one), { tokenExpires: '' }, `${one}/tokens`));
  t.equal((await call(`GET /scim/v2/${home.id}/Users`, { as: { token } })).status, 200);
  const page = await owner.get(one);
  const remove = new RegExp(`${one}/tokens/[^/"]+/remove`).exec(page.text)?.[0] ?? '';
  const asked = await owner.get(remove);
  t.match(asked.text, 'Type the name to confirm: Name of keyed');
  t.equal((await owner.fill(asked, { confirmed: 'no' }, remove)).status, 400);
  t.equal((await owner.fill(asked, { confirmed: 'Name of keyed' }, remove)).status, 303);
  t.equal((await call(`GET /scim/v2/${home.id}/Users`, { as: { token } })).status, 401);

  const pair = await owner.fill(await owner.get(one), { jwkJson: '' }, `${one}/keys`);
  t.match(secretOf(pair), 'kty');
  const wrong = await owner.fill(await owner.get(one), { jwkJson: '{' }, `${one}/keys`);
  t.match(wrong, { status: 400, text: /no JSON object/ });
  const late = await owner.fill(await owner.get(one), { tokenExpires: '2001-01-01' }, `${one}/tokens`);
  t.match(late, { status: 400, text: /value="2001-01-01"/ });
});

t.test('credentials that expire soon are marked', async (t) => {
  const one = await added('expiring');
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await owner.fill(await owner.get(one), { label: 'far', expires: day(100) }, `${one}/secrets`);
  t.notMatch((await owner.get(one)).text, 'expires soon');
  await owner.fill(await owner.get(one), { label: 'near', expires: day(5) }, `${one}/secrets`);
  t.match((await owner.get(one)).text, 'expires soon');
});

t.test('two administrators: the second one is told', async (t) => {
  const one = await added('shared');
  const id = one.split('/').at(-1) ?? '';
  const page = await owner.get(one);
  const change = { name: 'Of another' };
  await changeServiceUser(container, { orgId: home.id, id, change, editor: testEditor });
  const refused = await owner.fill(page, { name: 'Mine', userName: 'shared' }, one);
  t.match(refused, { status: 409, text: /Somebody else changed this/ });
  t.match(refused.text, 'value="Mine"');
  t.match(refused.text, 'Of another');
});

t.test('it is deactivated, activated and removed', async (t) => {
  const one = await added('ending');
  await owner.fill(await owner.get(one), {}, `${one}/active`);
  t.match((await owner.get(one)).text, '>inactive<');
  await owner.fill(await owner.get(one), {}, `${one}/active`);
  t.match((await owner.get(one)).text, '>active<');
  const asked = await owner.get(`${one}/remove`);
  t.match(asked.text, 'Personal access tokens');
  t.equal((await owner.fill(asked, { confirmed: 'Name of ending' }, `${one}/remove`)).status, 303);
  t.equal((await owner.get(one)).status, 404);
});

t.test('after a while, a secret needs a fresh sign-in, and the form comes back', async (t) => {
  const one = await added('fresh');
  const page = await owner.get(one);
  clock.advance(container.config.freshSignInSeconds + 60);
  const asked = await owner.fill(page, { label: 'kept label' }, `${one}/secrets`);
  t.equal(asked.status, 303);
  const resumed = await owner.signIn(asked);
  t.match(resumed.text, 'kept label');
  const shown = await owner.fill(resumed, {}, `${one}/secrets`);
  t.ok(secretOf(shown).length > 20);
});

t.test('of each person one form waits, whatever the session and whether it has ended', async (t) => {
  const one = await added('replacing');
  const formOf = async () =>
    formsOf((await owner.get(one)).text).find(({ action }) => action.endsWith('/secrets'));
  let form = await formOf();
  const kept = async () => {
    const keys = await keysOf(container.redis, `${container.config.redisPrefix}:console-draft:*`);
    return Promise.all(keys.map((key) => container.redis.strlen(key)));
  };
  const before = (await kept()).length;
  const most = (container.config.anonymousStoreMib * 1024 ** 2) / 4;
  const send = (label: string) => owner.post(`${one}/secrets`, { ...form?.hidden, label });
  const flood = async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < 1.1 * most; sent += 60_000)
      statuses.add((await send('x'.repeat(60_000))).status);
    t.strictSame([...statuses], [303]);
    const lengths = await kept();
    t.equal(lengths.length, before + 1, 'a new form replaces the former one');
    t.ok(lengths.reduce((sum, length) => sum + length, 0) < most);
  };
  clock.advance(container.config.freshSignInSeconds + 60);
  await flood();
  t.match((await owner.signIn(await send('latest label'))).text, 'latest label');
  t.equal((await kept()).length, before, 'a form that came back is removed');

  form = await formOf();
  await container.sessions.endAllOf(owner.person.id);
  await flood();
  t.equal((await owner.signIn(await owner.get('/console'))).status, 200);
});

t.test('only the secret of a form finds it', async (t) => {
  const { consoleDrafts: drafts } = container;
  const [one, another] = ['one', 'another'].map((name) => ({ action: '/console', fields: { name } }));
  const put = (draft = one, userId = 'u') => drafts.put(draft as NonNullable<typeof one>, { userId });
  const former = await put();
  const latest = await put(another);
  const ofSomebodyElse = await put(one, 'v');
  for (const wrong of [
    former,
    '',
    '.',
    hashSecret('u'),
    `${hashSecret('u')}.`,
    `${hashSecret('u')}.${latest}`,
  ])
    t.equal(await drafts.take(wrong), undefined, wrong);
  t.strictSame(await drafts.take(latest), another);
  t.equal(await drafts.take(latest), undefined, 'once');
  t.strictSame(await drafts.take(ofSomebodyElse), one);
});

t.test('forms of people who are not signed in have a bound, and others are kept', async (t) => {
  const one = await added('bounded');
  const page = await owner.get(one);
  const send = async (byteLength: number) => {
    const { baseUrl } = container.config;
    return app.inject({
      method: 'POST',
      url: `${one}/secrets`,
      headers: {
        origin: new URL(baseUrl).origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: `label=${'x'.repeat(byteLength)}`,
    });
  };
  const most = (container.config.anonymousStoreMib * 1024 ** 2) / 4;
  const statuses = [];
  for (let stored = 0; stored < 1.1 * most; stored += 60_000) statuses.push((await send(60_000)).statusCode);
  t.equal(statuses[0], 303, 'a form waits for the sign-in');
  t.equal(statuses.at(-1), 503);
  const refused = await send(10);
  t.match(refused, { statusCode: 503, headers: { 'retry-after': /^\d+$/ } });
  clock.advance(container.config.freshSignInSeconds + 60);
  const asked = await owner.fill(page, { label: 'kept all the same' }, `${one}/secrets`);
  t.equal(asked.status, 303);
  t.match((await owner.signIn(asked)).text, 'kept all the same', 'the form of a session is kept');
  clock.advance(3_660);
  t.equal((await send(10)).statusCode, 303, 'there is room again');
});
