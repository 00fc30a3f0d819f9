import t from 'tap';
import { timeText } from '#src/http/base/local-time.js';
import { localTimesPath } from '#src/http/pages/moment.js';
import { makeTenant } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { visit } from '../../support/oidc/visitor.js';

const { container, app, call, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { orgId, viewer } = await makeTenant(container);
const home = await container.organizations.find(orgId);
if (home === undefined) throw new Error('The organization is gone');

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1';

async function signIn(loginName: string, userAgent: string, address: string) {
  const visitor = visit(app, container, { userAgent, address });
  await visitor.fill(await visitor.get('/login'), { loginName, password: goodPassword });
  return visitor;
}

t.test('each session has its device and its last use', async (t) => {
  const user = await makePerson(container, home);
  const here = await signIn(user.userName, firefox, '198.51.100.1');
  const phone = await signIn(user.userName, iphone, '198.51.100.2');
  await signIn(user.userName, '<script>alert(1)</script>/1', '198.51.100.3');

  clock.advance(3 * 3600);
  const client = await makeApplication(container, orgId);
  const query = { client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  const used = await phone.get(`/oauth/v2/authorize?${new URLSearchParams(query)}`);
  t.match(used.location, /^https:\/\/client\.example\/callback\?code=/);
  clock.advance(5 * 60);

  const { text } = await here.get('/account');
  const rows = [...text.matchAll(/<li class="row"><p>(.*?)<\/p>/gs)].map(([, row = '']) => row);
  t.equal(rows.length, 3);
  const row = (name: string) => rows.find((one) => one.includes(name)) ?? '';
  t.match(row('Firefox on Linux'), /This browser.*Last used: now/s);
  t.match(row('Safari on iOS'), /Last used: 5 minutes ago/);
  t.match(row('Unknown browser'), /Last used: 3 hours ago/);
  t.notMatch(text, '<script>alert');

  const { body } = await call(`GET /admin/v1/orgs/${orgId}/users/${user.id}/sessions`, { as: viewer });
  const found = body.items.find((one: { device: { browser: string } }) => one.device.browser === 'Safari');
  t.match(found, { device: { browser: 'Safari', system: 'iOS', address: '198.51.100.2' } });
  const since = clock.now().getTime() - new Date(found.lastUsed).getTime();
  t.ok(since >= 5 * 60_000 && since < 6 * 60_000, `${since} ms`);
});

t.test('the account page has the times of the profile, or of the browser', async (t) => {
  const user = await makePerson(container, home, { timezone: 'America/St_Johns' });
  const language = 'en';
  const signedIn = clock.now();
  const { text, headers } = await (await signIn(user.userName, firefox, '198.51.100.4')).get('/account');
  t.match(text, timeText(signedIn, { language, timeZone: 'America/St_Johns' }));
  t.notMatch(text, localTimesPath);
  t.match(headers['content-security-policy'], /script-src 'sha256-[^' ]+';/, 'no file is needed');
  const nowhere = await makePerson(container, home);
  const seen = await (await signIn(nowhere.userName, firefox, '198.51.100.5')).get('/account');
  t.match(seen.text, `>${timeText(signedIn, { language, timeZone: 'UTC' })}</time>`, 'UTC is named');
  t.match(seen.text, localTimesPath);
  t.match(seen.headers['content-security-policy'], /script-src 'self' 'sha256-/);
  const script = await visit(app, container).get(localTimesPath);
  t.match(script.headers, {
    'content-type': /^text\/javascript/,
    'cache-control': /immutable/,
    'x-content-type-options': 'nosniff',
  });
});

t.test('a session of an earlier version was last used when it began', async (t) => {
  const user = await makePerson(container, home);
  const { redis, config, sessions } = container;
  const agent = 'an agent of an earlier version';
  const session = await sessions.signIn(agent, { ...user, userId: user.id, proofs: [{ kind: 'password' }] });
  const key = `${config.redisPrefix}:sessions:{${encodeURIComponent(user.id)}}:${session.id}`;
  const { lastUsed: _used, ...earlier } = JSON.parse((await redis.get(key)) ?? '');
  await redis.set(key, JSON.stringify(earlier), 'KEEPTTL');
  const [found] = await sessions.ofAgent(agent);
  t.same(found?.lastUsed, found?.authTime);
  t.equal(found?.device, undefined);
});
