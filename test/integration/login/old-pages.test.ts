import { randomBytes } from 'node:crypto';
import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { formsOf, type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

/** Pages of a sign-in that people left open, reload, or come back to. */

const { url: smtpUrl } = await startMailServer(t);
const { app, container, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0, smtpUrl });
const home = await makeHome(container);
const { id: client_id } = await makeApplication(container, home.id);
const halfAnHour = 30 * 60;

/** Begins a sign-in at a new tab of the browser, and shows its first page. */
async function begin(visitor: Visitor, state: string, more: Record<string, string> = {}): Promise<Seen> {
  const query = {
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state,
    ...more,
  };
  return visitor.follow(await visitor.get(`/oauth/v2/authorize?${new URLSearchParams(query)}`));
}

const parametersOf = ({ location }: Seen) =>
  Object.fromEntries(new URL(location ?? 'about:blank', 'https://none.example').searchParams);
const right = (loginName: string) => ({ loginName, password: goodPassword });
const arrival = (state: string) => ({ code: /./, state });

t.test('a login page that is too old: the right password leads to the application', async (t) => {
  const { userName } = await makePerson(container, home);
  for (const seconds of [halfAnHour, 3 * 24 * 3_600]) {
    const visitor = visit(app, container);
    const page = await begin(visitor, 'kept');
    clock.advance(seconds);
    const done = await visitor.follow(await visitor.fill(page, right(userName)));
    t.match(parametersOf(done), arrival('kept'), `after ${seconds} s`);
  }
  const visitor = visit(app, container);
  const page = await begin(visitor, 'kept');
  clock.advance(halfAnHour);
  const wrong = await visitor.fill(page, { loginName: userName, password: 'Wrong-Horse-1' });
  t.match(wrong, { status: 400, text: /Wrong login name or password/ });
  clock.advance(halfAnHour);
  const done = await visitor.follow(await visitor.fill(wrong, right(userName)));
  t.match(parametersOf(done), arrival('kept'), 'after a wrong one too');
});

t.test('a page that is too old is shown anew, whichever it is', async (t) => {
  await changeOrganization(container, {
    orgId: home.id,
    change: { login: { selfRegistration: true } },
    editor: testEditor,
  });
  const visitor = visit(app, container);
  const { url } = await begin(visitor, 'kept');
  const query = url.slice(url.indexOf('?'));
  clock.advance(halfAnHour);
  for (const path of ['/login', '/login/forgot', '/login/register']) {
    const page = await visitor.get(`${path}${query}`);
    t.match(page, { status: 200, text: /<form/ }, path);
    t.notMatch(page.text, query.slice('?request='.length), 'for a request that begins anew');
  }
  const forgot = await visitor.get(`/login/forgot${query}`);
  clock.advance(halfAnHour);
  const sent = await visitor.follow(await visitor.fill(forgot, { loginName: 'nobody' }));
  t.match(sent, { status: 200, text: /the mail is on its way/ });
  const choice = await visitor.follow(await visitor.get(`/login/select${query}`));
  t.match(choice, { status: 200, text: /name="password"/ }, 'nobody is there to choose');
  const login = await visitor.get(/href="([^"]*)"[^>]*>Back/.exec(sent.text)?.[1] ?? '');
  const { userName } = await makePerson(container, home);
  const done = await visitor.follow(await visitor.fill(login, right(userName)));
  t.match(parametersOf(done), arrival('kept'), 'the way back from "forgot" leads to the application');
});

t.test('a chooser and a consent that are too old', async (t) => {
  const [anna, bert] = [await makePerson(container, home), await makePerson(container, home)];
  const visitor = visit(app, container);
  for (const { userName } of [anna, bert]) await visitor.fill(await visitor.get('/login'), right(userName));
  const chooser = await begin(visitor, 'chosen');
  t.match(chooser.url, /^\/login\/select/);
  clock.advance(halfAnHour);
  t.match(parametersOf(await visitor.follow(await visitor.fill(chooser, {}))), arrival('chosen'));

  const asks = { prompt: 'consent', login_hint: anna.userName };
  const [allowed, refused, reloaded] = [
    await begin(visitor, 'allowed', asks),
    await begin(visitor, 'refused', asks),
    await begin(visitor, 'reloaded', asks),
  ];
  t.match(allowed.url, /^\/login\/consent/);
  clock.advance(halfAnHour);
  const allow = await visitor.follow(await visitor.fill(allowed, { decision: 'allow' }));
  t.match(parametersOf(allow), arrival('allowed'));
  const refuse = await visitor.follow(await visitor.fill(refused, { decision: 'deny' }));
  t.match(parametersOf(refuse), { error: 'access_denied', state: 'refused' });
  const again = await visitor.follow(await visitor.get(reloaded.url));
  t.match(again, { status: 200, url: /^\/login\/consent/ }, 'a reload asks again');
  const stranger = visit(app, container);
  const foreign = await stranger.follow(await stranger.fill(allowed, { decision: 'allow' }));
  t.match(parametersOf(foreign), { error: 'login_required', state: 'allowed' }, 'at another browser never');
  const fresh = await begin(visitor, 'fresh', asks);
  t.equal((await stranger.fill(fresh, { decision: 'allow' })).status, 403);
});

t.test(
  'a code and a required new password take up to ten minutes, over the end of the request too',
  async (t) => {
    const person = await makePerson(container, home);
    const secret = await giveTotp(container, person);
    await requirePasswordChange(container, { orgId: home.id, id: person.id, editor: testEditor });
    const visitor = visit(app, container);
    const page = await begin(visitor, 'slow');
    clock.advance(halfAnHour - 5);
    const codePage = await visitor.follow(await visitor.fill(page, right(person.userName)));
    clock.advance(60);
    const reloaded = await visitor.get(codePage.url);
    t.match(reloaded, { status: 200, text: /name="code"/ });
    const code = () => totpCode(secret, totpStep(clock.now()));
    const changing = await visitor.follow(await visitor.fill(reloaded, { code: code() }));
    t.match(changing.url, /^\/login\/new-password/);
    const chosen = { password: 'Another-Horse-8', repeated: 'Another-Horse-8' };
    t.match(parametersOf(await visitor.follow(await visitor.fill(changing, chosen))), arrival('slow'));
  },
);

t.test('a code after its ten minutes leads back to the login page, which says why', async (t) => {
  const person = await makePerson(container, home);
  await giveTotp(container, person);
  const visitor = visit(app, container);
  const codePage = await visitor.follow(
    await visitor.fill(await begin(visitor, 'late'), right(person.userName)),
  );
  const keys = await container.redis.keys(`${container.config.redisPrefix}:login-step:*`);
  for (const key of keys) await container.redis.del(key);
  for (const seen of [await visitor.get(codePage.url), await visitor.fill(codePage, { code: '000000' })]) {
    const login = await visitor.follow(seen);
    t.match(login, { status: 200, url: /^\/login\?/, text: /It took too long/ });
    t.match(login.text, /name="password"/);
  }
});

t.test('what cannot begin anew goes to the application, or to a page', async (t) => {
  const { id } = await makeApplication(container, home.id);
  const visitor = visit(app, container);
  const page = await begin(visitor, 'gone', { client_id: id });
  const other = visit(app, container);
  t.match(
    await other.get(page.url),
    { status: 400, text: /This sign-in has ended/ },
    'begun at another browser',
  );
  clock.advance(halfAnHour);
  const answered = await other.follow(await other.get(page.url));
  t.match(answered.location, new RegExp(`^${redirectUri}`));
  t.match(parametersOf(answered), { error: 'login_required', state: 'gone', iss: /./ });
  const late = await visitor.fill(page, right('nobody'));
  t.equal(late.status, 400, 'its own browser goes on');
  const cookies = [...visitor.cookies];
  visitor.cookies.clear();
  const forgetful = await visitor.follow(await visitor.fill(page, right('nobody')));
  t.match(parametersOf(forgetful), { error: 'login_required', state: 'gone' }, 'unless it lost its cookie');
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  await changeApplication(container, { orgId: home.id, id, editor: testEditor }, { active: false });
  const ended = await other.follow(await other.get(page.url));
  t.match(ended, { status: 400, text: /This sign-in has ended/ });
  t.equal(ended.location, undefined);
});

t.test('Back to a page of a sign-in that succeeded leads to the application again', async (t) => {
  const person = await makePerson(container, home);
  const secret = await giveTotp(container, person);
  const visitor = visit(app, container);
  const page = await begin(visitor, 'first');
  const codePage = await visitor.follow(await visitor.fill(page, right(person.userName)));
  const code = totpCode(secret, totpStep(clock.now()));
  t.match(parametersOf(await visitor.follow(await visitor.fill(codePage, { code }))), arrival('first'));
  for (const { url } of [page, codePage]) {
    for (const path of [
      url,
      url.replace(/^[^?]*/, '/login/forgot'),
      url.replace(/^[^?]*/, '/login/new-password'),
    ])
      t.match(
        parametersOf(await visitor.follow(await visitor.get(path))),
        arrival('first'),
        path.slice(0, 20),
      );
  }
  for (const [form, fields] of [
    [page, right(person.userName)],
    [page, { loginName: 'somebody', password: 'Wrong-Horse-1' }],
    [codePage, { code: '000000' }],
  ] as const) {
    const answer = await visitor.fill(form, fields);
    t.match(
      parametersOf(await visitor.follow(answer)),
      arrival('first'),
      'the old form too, whatever it says',
    );
  }
  const thief = visit(app, container);
  t.equal((await thief.get(page.url)).status, 400, 'at this browser alone');
  await container.sessions.endAllOf(person.id);
  const login = await visitor.follow(await visitor.get(page.url));
  t.match(
    login,
    { status: 200, text: /name="password"/ },
    'signed out: the login page, of a request that begins anew',
  );
});

t.test('Back goes on with the session that answered, whatever the request asked for', async (t) => {
  const person = await makePerson(container, home);
  const visitor = visit(app, container);
  const hinted = await begin(visitor, 'hinted', { login_hint: person.emails[0]?.value ?? '' });
  await visitor.follow(await visitor.fill(hinted, right(person.userName)));
  await visitor.fill(await visitor.get('/login'), right((await makePerson(container, home)).userName));
  t.match(
    parametersOf(await visitor.follow(await visitor.get(hinted.url))),
    arrival('hinted'),
    'of two people',
  );

  await changeOrganization(container, {
    orgId: home.id,
    change: { login: { selfRegistration: true } },
    editor: testEditor,
  });
  const newcomer = visit(app, container);
  const register = await begin(newcomer, 'created', { prompt: 'create' });
  const names = { givenName: 'Bo', familyName: 'Ek', email: 'bo@mail.example', userName: 'bo.ek' };
  await newcomer.follow(await newcomer.fill(register, { ...names, password: goodPassword }));
  t.match(
    parametersOf(await newcomer.follow(await newcomer.get(register.url))),
    arrival('created'),
    'registered once',
  );

  const chooser = await begin(visitor, 'chosen', { prompt: 'select_account' });
  await visitor.follow(await visitor.fill(chooser, {}));
  const again = await visitor.get(chooser.url);
  t.match(again, { status: 200, url: /^\/login\/select/ }, 'a page with a choice is shown again');
  t.match(parametersOf(await visitor.follow(await visitor.fill(again, {}))), arrival('chosen'));
});

t.test('a second tab, reloaded after the sign-in at the first, goes on', async (t) => {
  const [anna, bert] = [await makePerson(container, home), await makePerson(container, home)];
  const visitor = visit(app, container);
  const first = await begin(visitor, 'first');
  const second = await begin(visitor, 'second');
  const demanding = await begin(visitor, 'demanding', { prompt: 'login' });
  const aged = await begin(visitor, 'aged', { max_age: '0' });
  clock.advance(5);
  await visitor.follow(await visitor.fill(first, right(anna.userName)));
  clock.advance(5);
  t.match(parametersOf(await visitor.follow(await visitor.get(second.url))), arrival('second'));
  for (const { url } of [demanding, aged]) {
    const shown = await visitor.follow(await visitor.get(url));
    t.match(
      shown,
      { status: 200, text: /name="password"/ },
      'a request that demands a sign-in still shows the page',
    );
    t.match(
      await visitor.follow(await visitor.get(shown.url)),
      { status: 200, text: /name="password"/ },
      'again',
    );
  }
  const chooser = await begin(visitor, 'third', { prompt: 'select_account' });
  const another = await visitor.get(
    /href="([^"]*\/login\?[^"]*)"/.exec(chooser.text)?.[1]?.replaceAll('&amp;', '&') ?? '',
  );
  t.match(another, { status: 200, text: /name="password"/ }, 'another account can be used');
  const wrong = await visitor.fill(another, { loginName: bert.userName, password: 'Wrong-Horse-1' });
  t.match(wrong, { status: 400, text: /name="password"/ }, 'a wrong password too');
  t.match(
    parametersOf(await visitor.follow(await visitor.fill(wrong, right(bert.userName)))),
    arrival('third'),
  );
});

t.test('another account at a tab that another overtook', async (t) => {
  const [anna, bert, cleo] = [
    await makePerson(container, home),
    await makePerson(container, home),
    await makePerson(container, home),
  ];
  const visitor = visit(app, container);
  const [first, second] = [await begin(visitor, 'first'), await begin(visitor, 'second')];
  clock.advance(1);
  await visitor.fill(first, right(anna.userName));
  await visitor.fill(await visitor.get('/login'), right(bert.userName));
  const chooser = await visitor.follow(await visitor.get(second.url));
  t.match(chooser.url, /^\/login\/select/);
  const link = /href="([^"]*\/login\?[^"]*)"/.exec(chooser.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const page = await visitor.get(link);
  t.match(page, { status: 200, text: /name="password"/ });
  t.match(
    parametersOf(await visitor.follow(await visitor.fill(page, right(cleo.userName)))),
    arrival('second'),
  );
});

t.test('a form that is refused: its page is a GET, and nothing is posted again', async (t) => {
  const { userName } = await makePerson(container, home);
  const visitor = visit(app, container);
  const page = await begin(visitor, 'kept');
  const [form] = formsOf(page.text);
  const typed = { loginName: `${userName}<b>`, password: 'Wrong-Horse-1' };
  const sent = await app.inject({
    method: 'POST',
    url: '/login',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    payload: new URLSearchParams({ ...form?.hidden, ...typed }).toString(),
  });
  const address = String(sent.headers.location).slice(container.config.baseUrl.length);
  t.equal(sent.statusCode, 303);
  t.match(address, /^\/login\?request=.*&refused=/);
  t.notMatch(address, userName, 'the address shows nothing that was typed');
  const before = await container.events.search({ limit: 1_000, ascending: true });
  for (const time of ['first', 'reloaded']) {
    const seen = await visitor.get(address);
    t.match(seen, { status: 400, text: /Wrong login name or password/ }, time);
    t.match(seen.text, `value="${userName}&lt;b&gt;"`);
    t.notMatch(seen.text, 'Wrong-Horse');
  }
  t.equal((await container.events.search({ limit: 1_000, ascending: true })).length, before.length);
  const refused = new URLSearchParams(address.slice('/login?'.length)).get('refused') ?? '';
  const victim = visit(app, container);
  for (const [by, link] of [
    [victim, `/login?refused=${refused}`],
    [visitor, `/login/code?refused=${refused}`],
    [visitor, `/login?refused=${refused.slice(0, -4)}AAAA`],
    [visitor, `/login?refused=${'A'.repeat(20_000)}`],
    [visitor, '/login?refused=x&refused=y'],
  ] as const) {
    const shown = await by.follow(await by.get(link));
    t.equal(shown.status, 200, link.slice(0, 30));
    t.notMatch(shown.text, userName, 'no link puts words into a page of another browser');
    t.notMatch(shown.text, /Wrong login name/);
  }
});

t.test('a lock: the page says how long, and is over by a reload', async (t) => {
  const person = await makePerson(container, home);
  const visitor = visit(app, container);
  let seen = await begin(visitor, 'locked');
  for (let i = 0; i <= container.config.loginMaxFailures; i++)
    seen = await visitor.fill(seen, { loginName: person.userName, password: 'Wrong-Horse-1' });
  t.match(seen, { status: 429, headers: { 'retry-after': /^\d+$/ }, text: /Too many attempts/ });
  const seconds = Number(seen.headers['retry-after']);
  clock.advance(seconds - 60);
  const later = await visitor.get(seen.url);
  t.match(later, { status: 429, text: /Try again in 1 minute\./ });
  t.ok(Number(later.headers['retry-after']) <= 60);
  clock.advance(61);
  const over = await visitor.get(seen.url);
  t.match(over, { status: 200, text: new RegExp(`value="${person.userName}"`) });
  t.notMatch(over.text, /Too many attempts/);
});

t.test('the way back from an error keeps a long request whole', async (t) => {
  const visitor = visit(app, container);
  const state = randomBytes(4_500).toString('base64url');
  const page = await begin(visitor, state);
  t.ok(page.url.length > 4_100, `${page.url.length} characters`);
  const refused = await visitor.fill(page, { csrf: 'x' });
  t.equal(refused.status, 403);
  const back = /href="([^"]*)"/.exec(refused.text.slice(refused.text.indexOf('<main')))?.[1] ?? '';
  t.match(await visitor.get(back), { status: 200, text: /name="password"/ });
});
