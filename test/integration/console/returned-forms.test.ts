import t from 'tap';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/display-name.js';
import { type ConsoleUser, openConsole } from '../../support/app/console.js';
import { testEditor } from '../../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { formsOf, type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';
import { keysOf } from '../../support/stores/redis-keys.js';

/**
 * A form that arrives when nobody is signed in any more. The person who typed it finds the values again, in the same browser. Nobody else
 * does, and nobody is asked to send what another person typed.
 */

const opened = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { app, container, clock } = opened;
const { baseUrl, redisPrefix } = container.config;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
const attacker = await openConsole(opened, await makeHome(container, { name: 'Foe' }), {
  roles: ['ORG_OWNER'],
});
const users = `/console/orgs/${home.id}/users`;
const groups = `/console/orgs/${home.id}/groups`;
const roles = '/console/service/roles';

const waiting = () => keysOf(container.redis, `${redisPrefix}:console-draft:*`);
const forget = async () => {
  for (const key of await waiting()) await container.redis.unlink(key);
};
const ownersOfInstance = async () =>
  (await container.memberships.page(undefined, { limit: 100 })).map(({ userId }) => userId);
/** The session ends elsewhere, and the browser does not know. */
const endSession = (user: ConsoleUser) => container.sessions.endAllOf(user.person.id);
/** Signs in again, at whatever page a form led to. */
const signInAs = async (visitor: Visitor, userName: string, seen: Seen): Promise<Seen> => {
  const page = await visitor.follow(seen);
  return visitor.follow(await visitor.fill(page, { loginName: userName, password: goodPassword }));
};
const fieldValue = (page: Seen, name: string) =>
  new RegExp(` value="([^"]*)" id="f-${name}"`).exec(page.text)?.[1];

t.afterEach(forget);

t.test('a form without a session is kept nowhere, and no link offers it to somebody else', async (t) => {
  const before = await ownersOfInstance();
  // The curl of the attack: no cookie at all.
  const browser = visit(app, container);
  const sent = await browser.post(roles, { userId: attacker.person.id });
  t.match(sent, { status: 303, location: /^\/oauth\/v2\/authorize\?/ });
  t.strictSame(await waiting(), [], 'nothing is kept');
  const after = await signInAs(browser, attacker.person.userName, sent);
  t.equal(after.url, '/console/service', 'the sign-in leads to the page of the form');
  t.notMatch(JSON.stringify(after.headers), 'resume');

  // Whatever link the attacker saw, the owner opens it.
  for (const link of [after.url, '/console/resume?draft=x', '/console/service']) {
    const seen = await owner.get(link);
    t.notMatch(seen.text, attacker.person.id, link);
    t.notMatch(seen.text, 'You had to sign in again', link);
  }
  t.strictSame(await ownersOfInstance(), before, 'nobody became an owner');
});

t.test('no button of another organization is offered by a link', async (t) => {
  const anna = await makePerson(container, home, { name: { givenName: 'Anna', familyName: 'Berg' } });
  const browser = visit(app, container);
  const sent = await browser.post(`${users}/${anna.id}/deactivate`, {});
  t.equal(sent.status, 303);
  t.strictSame(await waiting(), []);
  const after = await signInAs(browser, attacker.person.userName, sent);
  t.equal(after.url, `${users}/${anna.id}`);
  t.ok([403, 404].includes(after.status));
  const seen = await owner.get(after.url);
  t.match(seen.text, 'Anna Berg', 'the owner sees the user');
  t.notMatch(seen.text, 'You had to sign in again');
  t.equal((await container.users.find(home.id, anna.id))?.active, true);
});

for (const [how, end] of [
  ['was ended elsewhere', endSession],
  [
    'is over',
    async () => {
      clock.advance(container.config.accessTokenSeconds + 60);
    },
  ],
] as const) {
  t.test(`the session ${how}: the same person in the same browser finds the values again`, async (t) => {
    const user = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
    const anna = await makePerson(container, home);
    const page = await user.get(`${users}/${anna.id}/edit`);
    await end(user);
    const typed = {
      userName: anna.userName,
      displayName: 'Typed <b> "name"',
      emails: 'a@acme.example\r\nb@acme.example',
      title: 'Chief',
    };
    const sent = await user.fill(page, typed, `${users}/${anna.id}/edit`);
    t.match(sent, { status: 303, location: /^\/oauth\/v2\/authorize\?/ });
    t.equal((await waiting()).length, 1);
    let seen = await user.follow(sent);
    if (seen.url.startsWith('/login')) seen = await user.signIn(seen);
    t.equal(seen.url, `${users}/${anna.id}/edit`, 'the form itself');
    t.match(seen.text, 'role="status"');
    t.match(
      seen.text,
      `You had to sign in again, so this was not done: <strong>Save</strong> (${anna.displayName} · Acme). The form has again what you typed`,
    );
    t.equal(fieldValue(seen, 'displayName'), 'Typed &lt;b&gt; &quot;name&quot;');
    t.equal(fieldValue(seen, 'title'), 'Chief');
    t.match(seen.text, /<textarea[^>]*name="emails"[^>]*>a@acme\.example\r\nb@acme\.example<\/textarea>/);
    t.match(seen.text, 'href="#returned"');
    t.match(seen.text, 'id="returned"');
    t.strictSame(await waiting(), [], 'it is found once');
    const again = await user.get(seen.url);
    t.notMatch(again.text, 'Typed');
    t.notMatch(again.text, 'You had to sign in again');

    let saved = await user.fill(seen, typed, `${users}/${anna.id}/edit`);
    if (/prompt=login/.test(saved.location ?? '')) {
      // The token was renewed without a question, and other addresses need a person who signed in lately.
      const asked = await user.signIn(saved);
      t.equal(fieldValue(asked, 'title'), 'Chief', 'the values come back once more');
      saved = await user.fill(asked, typed, `${users}/${anna.id}/edit`);
    }
    t.match(saved, { status: 303, location: /done=saved/ });
    t.equal((await container.users.find(home.id, anna.id))?.displayName, 'Typed <b> "name"');
  });
}

t.test('a change by somebody else is noticed although the form waited', async (t) => {
  const user = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
  const anna = await makePerson(container, home);
  const path = `${users}/${anna.id}/edit`;
  const page = await user.get(path);
  await endSession(user);
  const sent = await user.fill(page, { userName: anna.userName, title: 'Mine' }, path);
  await changeUser(container, {
    organization: home,
    id: anna.id,
    editor: testEditor,
    change: (current) => ({ profile: { ...asInput(current), title: 'Of another' } }),
  });
  const seen = await user.signIn(sent);
  const refused = await user.fill(seen, { userName: anna.userName, title: 'Mine' }, path);
  t.match(refused, { status: 409, text: /Of another/ });
});

t.test('nobody else finds them: another person, another browser, or a copied address', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const other = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const send = async () => {
    const page = await user.get(`${groups}/new`);
    await endSession(user);
    return user.fill(page, { name: 'SECRET-PLAN' }, `${groups}/new`);
  };
  const address = `${groups}/new`;

  let sent = await send();
  t.notMatch(sent.location, 'SECRET-PLAN');
  // An attacker cannot give the link of the sign-in to anybody.
  const stranger = visit(app, container);
  const elsewhere = await stranger.follow({ ...sent });
  t.notMatch((await signInAs(stranger, other.person.userName, elsewhere)).text, 'SECRET-PLAN');
  t.notMatch((await other.get(address)).text, 'SECRET-PLAN', 'another person in another browser');

  // The same person in another browser.
  const second = visit(app, container);
  const there = await signInAs(second, user.person.userName, await second.get(address));
  t.equal(there.url, address);
  t.notMatch(there.text, 'SECRET-PLAN');

  // Another person in the same browser.
  const here = await signInAs(user, other.person.userName, sent);
  t.equal(here.url, address);
  t.notMatch(here.text, 'SECRET-PLAN');
  t.notMatch((await user.get(address)).text, 'SECRET-PLAN');
  t.equal((await waiting()).length, 1);

  // Then the person itself.
  await endSession(other);
  const back = await signInAs(user, user.person.userName, await user.get(address));
  t.equal(fieldValue(back, 'name'), 'SECRET-PLAN');

  // With the cookies of the browser, but as another person: the user counts too.
  sent = await send();
  const thief = visit(app, container);
  const theirs = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  await signInAs(thief, theirs.person.userName, await thief.get('/console'));
  for (const [name, value] of user.cookies) if (!thief.cookies.get(name)) thief.cookies.set(name, value);
  t.notMatch((await thief.get(address)).text, 'SECRET-PLAN');
  t.match((await user.signIn(sent)).text, 'SECRET-PLAN');
});

t.test('a form waits a quarter of an hour, once, and for its own page', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const send = async () => {
    const page = await user.get(`${groups}/new`);
    await endSession(user);
    return user.fill(page, { name: 'Late' }, `${groups}/new`);
  };
  let sent = await send();
  const [key = ''] = await waiting();
  const left = await container.redis.pttl(key);
  t.ok(left > 0 && left <= 900_000, `${left} ms`);
  clock.advance(901);
  t.notMatch((await user.signIn(sent)).text, 'Late');

  sent = await send();
  const cookies = new Map(user.cookies);
  const seen = await user.signIn(sent);
  t.match(seen.text, 'Late');
  // Whoever replays the cookies of before finds nothing.
  for (const [name, value] of cookies) if (/draft/.test(name)) user.cookies.set(name, value);
  t.notMatch((await user.get(`${groups}/new`)).text, 'Late', 'used twice');

  await user.signIn(await send());
  sent = await send();
  user.cookies.set('x', 'y');
  await user.signIn(await user.get('/console'));
  t.notMatch((await user.get('/console/orgs/new')).text, 'Late', 'another page');
  t.notMatch((await user.get(`/console/orgs/${attacker.person.orgId}/groups/new`)).text, 'Late');
  t.match((await user.get(`${groups}/new`)).text, 'Late');
});

t.test('two requests at once: one of them finds the form', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const page = await user.get(`${groups}/new`);
  await endSession(user);
  await user.fill(page, { name: 'Only-one' }, `${groups}/new`);
  await user.signIn(await user.get('/console'));
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const seen = await Promise.all(
    Array.from({ length: 8 }, () =>
      app.inject({ method: 'GET', url: `${groups}/new`, headers: { cookie } }).then(({ payload }) => payload),
    ),
  );
  t.equal(seen.filter((text) => text.includes('Only-one')).length, 1);
});

t.test(
  'a role comes back as it was typed, and a secret, a link and a button are pressed once more',
  async (t) => {
    const anna = await makePerson(container, home, { name: { givenName: 'Anna', familyName: 'Berg' } });
    const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
    const before = await ownersOfInstance();
    const machine = await user.fill(
      await user.get(`/console/orgs/${home.id}/service-users/new`),
      { name: 'Robot', userName: 'robot-of-forms', role: '' },
      `/console/orgs/${home.id}/service-users/new`,
    );
    const one = machine.location ?? '';
    const forms: readonly (readonly [
      page: string,
      action: string,
      fields: Record<string, string>,
      named: string,
      comesBack?: true,
    ])[] = [
      ['/console/service', roles, { userId: anna.id }, 'Make an owner</strong> (Service).', true],
      [
        `/console/orgs/${home.id}/settings/members`,
        `/console/orgs/${home.id}/settings/members`,
        { userName: anna.id },
        'Give a role</strong> (Settings · Acme).',
        true,
      ],
      [one, `${one}/secrets`, { label: anna.id }, 'Add a secret</strong> (Robot · Acme).'],
      [
        `${users}/${anna.id}/reset-password`,
        `${users}/${anna.id}/reset-password`,
        {},
        'Make the link</strong> (Anna Berg · Acme).',
      ],
      [
        `${users}/${anna.id}`,
        `${users}/${anna.id}/deactivate`,
        {},
        'Deactivate</strong> (Anna Berg · Acme).',
      ],
    ];
    for (const [address, action, fields, named, comesBack = false] of forms) {
      const page = await user.get(address);
      await endSession(user);
      const seen = await user.signIn(await user.fill(page, fields, action));
      t.match(seen, { status: 200, url: address }, action);
      t.match(
        seen.text,
        `so this was not done: <strong>${named} ${comesBack ? 'The form has again what you typed' : 'Fill in the form'}`,
        action,
      );
      for (const value of Object.values(fields))
        t.equal(seen.text.includes(`value="${value}"`), comesBack, `${action} has the value`);
      t.ok(
        formsOf(seen.text).some((form) => form.action.endsWith(action)),
        'the form is there',
      );
    }
    t.strictSame(await ownersOfInstance(), before);
    t.equal((await container.users.find(home.id, anna.id))?.active, true, 'nothing is done by itself');
  },
);

t.test('what was typed for a step that needs a fresh sign-in comes back, too', async (t) => {
  const anna = await makePerson(container, home);
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const page = await user.get('/console/service');
  clock.advance(container.config.freshSignInSeconds + 60);
  const asked = await user.fill(page, { userId: anna.id }, roles);
  t.match(asked.location, /oauth\/v2\/authorize.*prompt=login/);
  const seen = await user.signIn(asked);
  t.equal(seen.url, '/console/service');
  t.match(seen.text, `value="${anna.id}"`);
  t.notOk((await ownersOfInstance()).includes(anna.id));
  const given = await user.follow(await user.fill(seen, { userId: anna.id }, roles));
  t.match(given.text, anna.id);
});

t.test('a new user keeps the profile and the way to a password, but no password', async (t) => {
  const user = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
  const page = await user.get(`${users}/new`);
  await endSession(user);
  const typed = { userName: 'new-one', givenName: 'New', credential: 'password', password: 'TOP-secret-8' };
  const seen = await user.signIn(await user.fill(page, typed, `${users}/new`));
  t.equal(seen.url, `${users}/new`);
  t.equal(fieldValue(seen, 'userName'), 'new-one');
  t.equal(fieldValue(seen, 'givenName'), 'New');
  t.notMatch(seen.text, 'TOP-secret-8');
  const radios = [...seen.text.matchAll(/<input type="radio"[^>]*name="credential"[^>]*>/g)].map(
    ([tag]) => tag,
  );
  t.strictSame(
    radios.filter((tag) => tag.includes(' checked')).map((tag) => /value="(\w+)"/.exec(tag)?.[1]),
    ['password'],
  );
});

t.test('a thousand forms: one of a person is kept, and none without a session', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const page = await user.get(`${groups}/new`);
  const [form] = formsOf(page.text).filter(({ action }) => action.endsWith('/groups/new'));
  await endSession(user);
  const name = 'x'.repeat(10_000);
  const cookie = [...user.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const send = (headers: Record<string, string>, fields: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: `${groups}/new`,
      headers: {
        origin: new URL(baseUrl).origin,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  const statuses = new Set<number>();
  for (let sent = 0; sent < 1_000; sent++) {
    statuses.add((await send({ cookie }, { csrf: form?.hidden['csrf'] ?? '', name })).statusCode);
    statuses.add((await send({}, { csrf: form?.hidden['csrf'] ?? '', name })).statusCode);
  }
  t.equal((await send({ cookie }, { csrf: 'x'.repeat(43), name })).statusCode, 403, 'without its token');
  t.strictSame([...statuses], [303]);
  const keys = await waiting();
  t.equal(keys.length, 1);
  t.ok((await container.redis.strlen(keys[0] ?? '')) < 20_000);
});

t.test(
  'a form of another site, or without its token, is kept neither with nor without a session',
  async (t) => {
    const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
    const page = await user.get(`${groups}/new`);
    const [form] = formsOf(page.text).filter(({ action }) => action.endsWith('/groups/new'));
    const csrf = form?.hidden['csrf'] ?? '';
    const cookieOf = () => [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = (headers: Record<string, string>, fields: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: `${groups}/new`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams({ name: 'FOREIGN', ...fields }).toString(),
      });
    const { origin } = new URL(baseUrl);
    const foreign: readonly Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://attacker.example' },
      { origin: `${origin}.attacker.example` },
      { origin: `${origin}:8443` },
      { origin: origin.replace('https:', 'http:') },
    ];
    const live = cookieOf();
    for (const headers of foreign) {
      for (const cookie of [live, ''])
        t.equal((await send({ ...headers, cookie }, { csrf })).statusCode, 403);
    }
    await endSession(user);
    for (const headers of foreign)
      t.equal((await send({ ...headers, cookie: live }, { csrf })).statusCode, 403);
    t.strictSame(await waiting(), []);

    // From this service, but not made by it for this browser.
    const forged = await send({ origin, cookie: live }, { csrf: 'x'.repeat(43) });
    t.ok([303, 403].includes(forged.statusCode));
    t.strictSame(await waiting(), [], 'a form without its token');
    const [ofAttacker] = formsOf((await attacker.get('/console')).text);
    await send({ origin, cookie: live }, { csrf: ofAttacker?.hidden['csrf'] ?? '' });
    t.strictSame(await waiting(), [], 'a form with the token of somebody else');
  },
);

t.test('a second administrator of the browser replays no form of the first', async (t) => {
  const first = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const second = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const page = await first.get(`${groups}/new`);
  await endSession(first);
  const here = await signInAs(first, second.person.userName, await first.get('/console'));
  t.match(here.text, second.person.userName);
  const replayed = await first.fill(page, { name: 'Replayed' }, `${groups}/new`);
  t.equal(replayed.status, 403, 'the form belongs to the person who opened it');
  t.strictSame(await waiting(), []);
});

t.test('a person who signs in again in another window can still send the form of the first', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const page = await user.get(`${groups}/new`);
  await endSession(user);
  await user.signIn(await user.get('/console'));
  const sent = await user.fill(page, { name: 'Of the first window' }, `${groups}/new`);
  t.match(sent, { status: 303, location: /done=added/ });
});

t.test('after signing out, no form of before is kept or shown', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const page = await user.get(`${groups}/new`);
  await user.follow(await user.fill(page, {}, '/console/sign-out'));
  const sent = await user.fill(page, { name: 'After the end' }, `${groups}/new`);
  t.strictSame(await waiting(), []);
  const seen = await user.signIn(sent);
  t.equal(seen.url, `${groups}/new`);
  t.notMatch(seen.text, 'After the end');
});

t.test('a deactivated person finds nothing', async (t) => {
  const user = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const page = await user.get(`${groups}/new`);
  await changeUser(container, {
    organization: home,
    id: user.person.id,
    editor: testEditor,
    change: (current) => ({ profile: { ...asInput(current), active: false } }),
  });
  const sent = await user.fill(page, { name: 'Of nobody' }, `${groups}/new`);
  const seen = await user.signIn(sent);
  t.notMatch(seen.text, 'Of nobody');
  t.match(seen.url, /^\/login/);
});
