import t from 'tap';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/display-name.js';
import { openConsole } from '../../support/app/console.js';
import { testEditor } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { visit } from '../../support/oidc/visitor.js';

/** The console signs people in as any client does, and ends with the session. */

const opened = await buildTestApp(t);
const { app, container, clock } = opened;
const home = await makeHome(container, { name: 'Acme' });

t.test('the address of the service leads to the console, and from there to the sign-in', async (t) => {
  const visitor = visit(app, container);
  t.match(await visitor.get('/'), { status: 303, location: '/console' });
  const begun = await visitor.get('/console');
  t.match(begun, { status: 303, location: /^\/oauth\/v2\/authorize\?client_id=muster-console&/ });
  t.match(begun.location, /code_challenge_method=S256/);
});

t.test('a person signs in and out', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const start = await user.get('/console');
  t.equal(start.status, 200);
  t.match(start.text, user.person.userName);
  t.match(start.headers['content-security-policy'], /script-src 'self';/);
  const cookie = user.cookies.get('__Host-muster-console') ?? '';
  t.ok(cookie.length > 100 && cookie.length < 3_000, `${cookie.length} characters`);
  await user.follow(await user.fill(start, {}, '/console/sign-out'));
  t.match((await user.get('/console')).location, /oauth\/v2\/authorize/);
  user.cookies.set('__Host-muster-console', cookie);
  t.match((await user.get('/console')).location, /oauth\/v2\/authorize/, 'the old cookie is worth nothing');
});

t.test('a person without a role sees only the start', async (t) => {
  const user = await openConsole(opened, home);
  const start = await user.get('/console');
  t.equal(start.status, 200);
  t.notMatch(start.text, '/console/orgs"');
});

t.test('a deep link survives the sign-in', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  user.cookies.clear();
  const seen = await user.signIn(await user.get('/console?from=mail'));
  t.equal(seen.url, '/console?from=mail');
});

t.test('a session ends with the person', async (t) => {
  const user = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  await changeUser(container, {
    organization: home,
    id: user.person.id,
    editor: testEditor,
    change: (current) => ({ profile: { ...asInput(current), active: false } }),
  });
  t.match((await user.get('/console')).location, /oauth\/v2\/authorize/);
});

t.test('a form of another site, without a token, or for another address is refused', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  t.equal((await user.post('/console/sign-out', {})).status, 403);
  t.equal((await user.post('/console/sign-out', { csrf: 'x'.repeat(43) })).status, 403);
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const elsewhere = await app.inject({
    method: 'POST',
    url: '/console/sign-out',
    headers: {
      cookie,
      origin: 'https://attacker.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: '',
  });
  t.equal(elsewhere.statusCode, 403);
});

t.test('a sign-in that this browser did not begin gives nothing', async (t) => {
  const visitor = visit(app, container);
  const seen = await visitor.get('/console/callback?code=stolen&state=made-up');
  t.match(seen, { status: 303, location: '/console' });
  t.notOk(visitor.cookies.has('__Host-muster-console'));
});

t.test('an access token that has expired leads to a new one without a question', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  clock.advance(13 * 3_600);
  t.match(await user.follow(await user.get('/console')), { status: 200, url: '/console' });
});
