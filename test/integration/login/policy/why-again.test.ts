import t from 'tap';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeOrganization, testEditor } from '../../../support/app/make.js';
import { makeApplication, redirectUri } from '../../../support/app/oauth-client.js';
import { goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { visit } from '../../../support/oidc/visitor.js';

/** The login page says why it asks again, to somebody who has signed in at the browser. */

const { container, app, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeOrganization(container);
const orgId = home.id;
const web = await makeApplication(container, orgId, { name: 'Shop & Co' });
const person = await makePerson(container, home);
const setPolicy = (signInPolicy: SignInPolicy) =>
  changeOrganization(container, { orgId, change: { signInPolicy }, editor: testEditor });
t.afterEach(() => setPolicy({}));

const parameters = { client_id: web.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
const authorize = (more = {}) => `/oauth/v2/authorize?${new URLSearchParams({ ...parameters, ...more })}`;

let lastAddress = 0;
const browser = () => visit(app, container, { address: `198.51.100.${++lastAddress}` });
async function signedIn() {
  const visitor = browser();
  const page = await visitor.get('/login');
  await visitor.fill(page, { loginName: person.userName, password: goodPassword });
  return visitor;
}
const pageOf = async (visitor: ReturnType<typeof browser>, more = {}) =>
  (await visitor.follow(await visitor.get(authorize(more)))).text;
const reasons = /wants to be sure|too long ago|does not accept your last|asks for a stronger sign-in/;

t.test('an application asks for a new, a recent or a stronger sign-in', async (t) => {
  const visitor = await signedIn();
  t.match(await pageOf(visitor, { prompt: 'login' }), 'Shop &amp; Co wants to be sure that it is still you.');
  clock.advance(120);
  t.match(
    await pageOf(visitor, { max_age: '60' }),
    'Your last sign-in is too long ago for Shop &amp; Co. Sign in again.',
  );
  const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['2'] } } });
  t.match(await pageOf(visitor, { claims }), 'Shop &amp; Co asks for a stronger sign-in than your last one.');
});

t.test('an application demands more of every sign-in than the last one had', async (t) => {
  const strict = await makeApplication(container, orgId, { name: 'Vault', acr: '2' });
  const visitor = await signedIn();
  t.match(
    await pageOf(visitor, { client_id: strict.id }),
    'Vault asks for a stronger sign-in than your last one.',
  );
  t.notMatch(await pageOf(browser(), { client_id: strict.id }), reasons, 'nobody has signed in');
});

t.test('an organization no longer accepts a sign-in', async (t) => {
  const visitor = await signedIn();
  await setPolicy({ firstFactors: ['passkey'] });
  t.match(await pageOf(visitor), 'Your organization does not accept your last sign-in.');
  await setPolicy({ demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }] });
  t.match(await pageOf(visitor), 'Your organization does not accept your last sign-in.');
});

t.test('a first sign-in, and one that another reason explains, say nothing', async (t) => {
  t.notMatch(await pageOf(browser(), { prompt: 'login' }), reasons);
  await setPolicy({ identifierFirst: true });
  t.notMatch(await pageOf(browser()), reasons);
  const visitor = await signedIn();
  t.notMatch(await pageOf(visitor, { login_hint: 'somebody-else' }), reasons, 'another person is meant');
});
