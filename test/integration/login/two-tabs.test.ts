import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Visitor, visit } from '../../support/oidc/visitor.js';

/** Two tabs of one browser stand at the login form. The person signs in at one, and goes on at the other. */

const { app, container, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container);
const { id: client_id } = await makeApplication(container, home.id);

async function openTab(visitor: Visitor, state: string, more: Record<string, string> = {}) {
  const query = {
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state,
    ...more,
  };
  const { location = '' } = await visitor.get(`/oauth/v2/authorize?${new URLSearchParams(query)}`);
  return visitor.get(location);
}

const arrived = (location: string | undefined) =>
  Object.fromEntries(new URL(location ?? 'about:blank').searchParams);

t.test('the other tab goes on with the session, whatever it sends', async (t) => {
  const person = await makePerson(container, home);
  const visitor = visit(app, container);
  const [first, second, third] = [
    await openTab(visitor, 'first'),
    await openTab(visitor, 'second'),
    await openTab(visitor, 'third'),
  ];
  const right = { loginName: person.userName, password: goodPassword };
  t.match(arrived((await visitor.follow(await visitor.fill(first, right))).location), {
    code: /./,
    state: 'first',
  });
  for (const [page, sent, state] of [
    [second, right, 'second'],
    [third, { loginName: 'somebody', password: 'Wrong-Horse-1' }, 'third'],
  ] as const) {
    const answer = await visitor.fill(page, sent);
    t.match(answer, { status: 303, location: /^\/oauth\/v2\/authorize\/callback/ });
    t.match(arrived((await visitor.follow(answer)).location), { code: /./, state });
  }
  t.equal((await container.sessions.ofUser(person.id)).length, 1);
  // A sign-in waits for earlier ones, so that any that was begun has ended.
  const other = visit(app, container);
  const { userName: loginName } = await makePerson(container, home);
  await other.fill(await openTab(other, 'other'), { ...right, loginName });
  const events = await container.events.search({ aggregateId: person.id, limit: 100, ascending: true });
  const checks = events.filter(({ type }) => type.startsWith('user.human.password.check'));
  t.equal(checks.length, 1, 'no form but the first one was read');
});

t.test('a tab at the second factor too', async (t) => {
  const person = await makePerson(container, home);
  const secret = await giveTotp(container, person);
  const visitor = visit(app, container);
  const [first, second] = [await openTab(visitor, 'first'), await openTab(visitor, 'second')];
  const right = { loginName: person.userName, password: goodPassword };
  const codePage = await visitor.follow(await visitor.fill(first, right));
  const code = totpCode(secret, totpStep(clock.now()));
  t.match(arrived((await visitor.follow(await visitor.fill(codePage, { code }))).location), {
    state: 'first',
  });
  t.match(arrived((await visitor.follow(await visitor.fill(second, right))).location), { state: 'second' });
});

t.test('a request that demands a sign-in of its own shows the form again', async (t) => {
  const person = await makePerson(container, home);
  const visitor = visit(app, container);
  const first = await openTab(visitor, 'first');
  const second = await openTab(visitor, 'second', { prompt: 'login' });
  const right = { loginName: person.userName, password: goodPassword };
  await visitor.fill(first, right);
  const again = await visitor.follow(await visitor.fill(second, right));
  t.match(again, { status: 200, url: /^\/login\?/ });
  t.match(arrived((await visitor.follow(await visitor.fill(again, right))).location), { state: 'second' });
});

t.test('without a session the form stays out of date', async (t) => {
  const person = await makePerson(container, home);
  const visitor = visit(app, container);
  const [first, second] = [await openTab(visitor, 'first'), await openTab(visitor, 'second')];
  const right = { loginName: person.userName, password: goodPassword };
  await visitor.fill(first, right);
  await container.sessions.endAllOf(person.id);
  t.match(await visitor.fill(second, right), { status: 403, text: /out of date/ });
  const stranger = visit(app, container);
  await stranger.fill(await openTab(stranger, 'own'), right);
  t.match(await stranger.fill(second, right), { status: 403 }, "another browser's request");
});
