import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import type { Role } from '#src/directory/roles.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/display-name.js';
import { openConsole } from '../../support/app/console.js';
import { testEditor } from '../../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

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

t.test('an invited administrator lands in the console, also beside the console of another', async (t) => {
  const inviter = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  const invite = async (role?: Role) => {
    const { id, userName } = await makePerson(container, home, { password: null });
    if (role !== undefined)
      await addMembership(container, { userId: id, role, orgId: home.id, editor: testEditor });
    const editor = testEditor;
    const { secret } = await makeOneTimeLink(container, { orgId: home.id, userId: id, editor });
    return { userName, link: `/login/password?token=${secret}` };
  };
  const set = { password: 'Correct-Horse-8', repeated: 'Correct-Horse-8' };
  for (const browser of [visit(app, container), inviter]) {
    const { userName, link } = await invite('ORG_USER_MANAGER');
    const seen = await browser.follow(await browser.fill(await browser.get(link), set));
    t.match(seen, { status: 200, url: '/console' });
    t.match(seen.text, userName, 'and it is that person');
  }
  for (const role of [undefined, 'IMPERSONATOR'] as const) {
    const { link } = await invite(role);
    const member = visit(app, container);
    const seen = await member.follow(await member.fill(await member.get(link), set));
    t.match(seen.url, /^\/account/, 'who administers nothing lands at the account');
    t.notMatch(seen.text, '>Administer</a>');
  }
});

t.test(
  'a sign-in without an application leads administrators to the console, unless they asked for the account',
  async (t) => {
    const person = await makePerson(container, home);
    const secret = await giveTotp(container, person);
    await addMembership(container, {
      userId: person.id,
      role: 'ORG_OWNER',
      orgId: home.id,
      editor: testEditor,
    });
    const fields = { loginName: person.userName, password: goodPassword };
    const signIn = async (browser: Visitor, page: Seen) => {
      const wrong = await browser.fill(await browser.follow(page), { ...fields, password: 'wrong' });
      const code = await browser.follow(await browser.fill(wrong, fields));
      clock.advance(30);
      return browser.follow(await browser.fill(code, { code: totpCode(secret, totpStep(clock.now())) }));
    };
    const direct = visit(app, container);
    t.match(await signIn(direct, await direct.get('/login')), { status: 200, url: '/console' });
    const asked = visit(app, container);
    const account = await signIn(asked, await asked.get('/account'));
    t.match(account.url, /^\/account/);
    const [, administer = ''] = /href="([^"]+)">Administer<\/a>/.exec(account.text) ?? [];
    t.match(await asked.follow(await asked.get(administer)), { status: 200, url: '/console' });
    t.match(await asked.get(administer), { status: 303, location: '/console' }, 'it is open already');
    for (const name of ['', 'x'.repeat(300), 'a&user=b', '"}}'])
      t.match(await asked.get(`/console/enter?user=${encodeURIComponent(name)}`), { status: 303 });
  },
);

t.test('another person than the one who is waited for reads so in the language of the browser', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'], language: 'de' });
  const other = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  clock.advance(20 * 60);
  const asked = await user.follow(await user.get(`/console/orgs/${home.id}/users/new`));
  t.match(asked.text, 'Benutzer anlegen', 'the sign-in says for what');
  await container.sessions.endAllOf(user.person.id);
  const fields = { loginName: other.person.userName, password: goodPassword };
  const seen = await user.follow(await user.fill(asked, fields));
  t.match(seen, { status: 403, text: 'Es wurde jemand anderes erwartet' });
  t.match(seen.text, '/console/switch-account');
  t.notMatch(seen.text, /claims parameter|The sign-in to the console/);
  t.notMatch(seen.text, user.person.userName);
  const chosen = await user.follow(await user.get('/console/switch-account'));
  t.match(chosen.text, other.person.userName, 'the person goes on with the own account');
});
