import t from 'tap';
import { changeServiceUser } from '#src/clients/service-users/change-service-user.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { basic, postForm } from '../../support/app/oauth-client.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import type { Seen } from '../../support/oidc/visitor.js';

const opened = await buildTestApp(t);
const { container, call } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
// Without one, no service user can be deactivated or removed.
await makeCaller(container, (await makeHome(container)).id, ['IAM_OWNER']);
const list = `/console/orgs/${home.id}/service-users`;
const secretOf = (page: Seen) => /<code class="secret"[^>]*>([^<]+)<\/code>/.exec(page.text)?.[1] ?? '';

async function added(userName: string, role = 'ORG_USER_MANAGER') {
  const page = await owner.get(`${list}/new`);
  const seen = await owner.fill(page, { name: `Name of ${userName}`, userName, role }, `${list}/new`);
  return seen.location ?? '';
}

t.test('a service user is added with its role, and gets a secret that works and is shown once', async (t) => {
  const empty = (await owner.get(list)).text;
  t.match(empty, 'No service user yet');
  const scim = `${container.config.baseUrl}/scim/v2/${home.id}`;
  t.match(empty, `<code data-copy>${scim}</code>`);
  t.match(empty, `<code data-copy>${scim}/SecurityEvents</code>`);
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
  t.match(refused, { status: 409, text: /Another service user of the organization has this user name/ });
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
