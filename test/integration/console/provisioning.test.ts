import t from 'tap';
import { openConsole } from '../../support/app/console.js';
import { makeCaller } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import type { Seen } from '../../support/oidc/visitor.js';

const opened = await buildTestApp(t);
const { container, call } = opened;
const { baseUrl } = container.config;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const base = `/console/orgs/${home.id}/provisioning`;
const secretOf = (page: Seen) => /<code class="secret"[^>]*>([^<]+)<\/code>/.exec(page.text)?.[1] ?? '';

async function connect(client: string, userName: string, more: Record<string, string> = {}) {
  const page = await owner.get(`${base}/connect`);
  return owner.fill(page, { client, userName, credential: '', expires: '', ...more }, `${base}/connect`);
}

t.test(
  'one form connects a client: its credential is shown once, tried, and stands beside its guide',
  async (t) => {
    t.match((await owner.get(base)).text, 'No program provisions users yet.');
    const entra = await connect('entra', 'entra');
    t.equal(entra.status, 200);
    t.match(entra.text, `${baseUrl}/scim/v2/${home.id}?aadOptscim062020`);
    t.match(entra.text, `${baseUrl}/oauth/v2/token`);
    t.match(entra.text, '/docs/guides/entra" hreflang="en"');
    t.equal(entra.text.match(/class="badge good">works/g)?.length, 3, 'token, discovery and search work');
    const okta = await connect('okta', 'okta', { ignorePasswords: 'on' });
    const token = secretOf(okta);
    t.equal((await call(`GET /scim/v2/${home.id}/Users`, { as: { token } })).status, 200);
    t.equal((await call(`GET /admin/v1/orgs/${home.id}`, { as: { token } })).status, 403, 'it is no owner');
    const overview = await owner.get(base);
    t.match(overview.text, 'Microsoft Entra ID');
    t.notMatch(overview.text, token);
  },
);

t.test('a refused form keeps what was typed', async (t) => {
  const refused = await connect('onelogin', 'entra');
  t.match(refused, { status: 409, text: /value="onelogin" selected/ });
  t.match(refused.text, 'value="entra"');
});

t.test('an existing credential is tested step by step', async (t) => {
  const test = `${base}/test`;
  const { token } = await makeCaller(container, home.id, ['ORG_USER_VIEWER']);
  const good = await owner.fill(await owner.get(test), { tokenSecret: token }, test);
  t.equal(good.text.match(/class="badge good">works/g)?.length, 2);
  t.notMatch(good.text, token, 'the page does not repeat it');
  const wrong = await owner.fill(await owner.get(test), { tokenSecret: 'nothing' }, test);
  t.match(wrong.text, 'tokens.tokenInvalid');
  t.match(wrong.text, '401');
  const secret = await owner.fill(await owner.get(test), { clientId: 'entra', clientSecret: 'wrong' }, test);
  t.match(secret.text, 'Client ID and secret do not fit together');
  const elsewhere = await makeCaller(container, (await makeHome(container)).id, ['ORG_OWNER']);
  const foreign = await owner.fill(await owner.get(test), { tokenSecret: elsewhere.token }, test);
  t.match(foreign.text, 'directory.organizationNotFound');
  t.equal((await owner.fill(await owner.get(test), {}, test)).status, 400);
});

t.test('the log says what a client sent and got, and what an error means', async (t) => {
  const caller = await makeCaller(container, home.id, ['ORG_USER_MANAGER']);
  await call(`GET /scim/v2/${home.id}/Users/missing`, { as: caller, headers: { 'user-agent': '<script>' } });
  await call(`GET /scim/v2/${home.id}/Users?filter=${encodeURIComponent('userName eq "ann@x.example"')}`, {
    as: caller,
  });
  await container.provisioningLog.flush();
  const all = await owner.get(`${base}/log`);
  t.match(all.text, 'GET /Users?filter(userName)');
  t.notMatch(all.text, 'ann@x.example');
  t.match(all.text, '&lt;script&gt;');
  const german = await openConsole(opened, home, {
    roles: ['ORG_OWNER'],
    profile: { preferredLanguage: 'de' },
  });
  const inGerman = (await german.get(`${base}/log`)).text;
  t.match(
    inGerman,
    'Niemand hat hier diesen Anmeldenamen, diese Adresse oder diese Kennung. Vielleicht hat jemand die Person entfernt.',
  );
  t.match(inGerman, '<summary><code>directory.userNotFound</code></summary><p lang="en">');
  const failed = await owner.get(`${base}/log?kind=failure&serviceUserId=${caller.id}`);
  t.match(failed.text, 'GET /Users/missing');
  t.match(failed.text, 'directory.userNotFound');
  t.match(failed.text, 'User not found');
  t.notMatch(failed.text, 'filter(userName)');
  t.match((await owner.get(`${base}/log?kind=success&serviceUserId=nobody`)).text, 'No request fits.');
});
