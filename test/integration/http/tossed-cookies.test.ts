import t from 'tap';
import { openConsole } from '../../support/app/console.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Visitor, visit } from '../../support/oidc/visitor.js';

/**
 * Another host of the same domain, such as a tenant's web site beside the identity service, sets cookies for the whole domain. Browsers
 * refuse the prefix `__Host-` from it. Every other name, and every name that only looks like ours, must mean nothing.
 */

const opened = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { app, container } = opened;
const home = await makeHome(container, { name: 'Acme' });
const attacker = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
const victim = await makePerson(container, home);
const ours = [...attacker.cookies].filter(([, value]) => value !== '');

/** Names that another host can give to its cookies, and that a server could mistake for ours. */
const disguises: readonly ((name: string) => string)[] = [
  (name) => name.replace('__Host-', ''),
  (name) => name.replace('__Host-', '__Secure-'),
  (name) => name.toLowerCase(),
  (name) => `\u00a0${name}`,
  (name) => `\u0085${name}`,
  (name) => `\u000b${name}`,
];

const planted = (disguise: (name: string) => string): Visitor => {
  const visitor = visit(app, container);
  for (const [name, value] of attacker.cookies) visitor.cookies.set(disguise(name), value);
  return visitor;
};

t.test('the attacker has cookies that would count', async (t) => {
  t.ok(ours.length >= 2);
  for (const [name] of ours) t.match(name, /^__Host-/);
  t.match((await attacker.get('/console')).text, attacker.person.userName);
  t.match((await attacker.follow(await attacker.get('/account'))).text, attacker.person.userName);
});

for (const disguise of disguises) {
  const name = JSON.stringify(disguise('__Host-muster-console'));
  t.test(`planted as ${name}`, async (t) => {
    const browser = planted(disguise);
    t.match(
      await browser.get('/console'),
      { status: 303, location: /^\/oauth\/v2\/authorize/ },
      'no session',
    );
    const account = await browser.follow(await browser.get('/account'));
    t.notMatch(account.text, attacker.person.userName, 'no session at the login');
    const signIn = await browser.follow(await browser.get('/console'));
    t.match(signIn.url, /^\/login/, 'the person signs in');
    t.notMatch(signIn.text, attacker.person.userName);
    const start = await browser.follow(
      await browser.fill(signIn, { loginName: victim.userName, password: goodPassword }),
    );
    t.match(start.text, victim.userName, 'and is the one who signed in');
    t.notMatch(start.text, attacker.person.userName);
  });

  t.test(`a sign-in that the attacker began, planted as ${name}`, async (t) => {
    const begun = await attacker.get('/console/switch-account');
    const { searchParams } = new URL(begun.location ?? '', container.config.baseUrl);
    const browser = planted(disguise);
    const back = await browser.get(`/console/callback?code=stolen&state=${searchParams.get('state')}`);
    t.match(back, { status: 303, location: '/console' }, 'this browser began none');
  });

  t.test(`a form that waits, planted as ${name}`, async (t) => {
    const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
    const path = `/console/orgs/${home.id}/groups/new`;
    const page = await user.get(path);
    await container.sessions.endAllOf(user.person.id);
    const sent = await user.fill(page, { name: 'Planted' }, path);
    const draft = user.cookies.get('__Host-muster-console-draft') ?? '';
    t.not(draft, '');
    user.cookies.delete('__Host-muster-console-draft');
    user.cookies.set(disguise('__Host-muster-console-draft'), draft);
    t.notMatch((await user.signIn(sent)).text, 'Planted');
  });
}

t.test('a second cookie of our name is no reason to take the first', async (t) => {
  const browser = visit(app, container);
  const cookie = ours.map(([name, value]) => `${name}=${value}; ${name}=${'x'.repeat(43)}`).join('; ');
  const seen = await app.inject({ method: 'GET', url: '/console', headers: { cookie } });
  t.equal(seen.statusCode, 303);
  t.match((await browser.get('/console')).status, 303);
});
