import t from 'tap';
import { putSignInPolicy } from '#src/authentication/sign-in-policy/put-sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { formsOf, type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

/** Organizations whose login page asks for the login name alone at first. */

const { app, container, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container);
await putSignInPolicy(container, { orgId: home.id, policy: { identifierFirst: true }, editor: testEditor });
const client = await makeApplication(container, home.id);
const anna = await makePerson(container, home);

async function begin(visitor: Visitor, more: Record<string, string> = {}): Promise<Seen> {
  const query = { client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  return visitor.follow(
    await visitor.get(`/oauth/v2/authorize?${new URLSearchParams({ ...query, ...more })}`),
  );
}

const right = ({ userName }: User) => ({ loginName: userName, password: goodPassword });
const newVisitor = () => visit(app, container);
const typeName = async (visitor: Visitor, page: Seen, loginName: string) =>
  visitor.follow(await visitor.fill(page, { loginName }, '/login/name'));
const arrived = ({ location }: Seen) =>
  new URL(location ?? 'about:blank', 'https://none.example').searchParams.has('code');

t.test('the name comes first, and the password follows', async (t) => {
  const visitor = newVisitor();
  const first = await begin(visitor);
  t.match(first.text, /name="loginName"[^>]*autocomplete="username webauthn"/);
  t.notMatch(first.text, /type="password"/);
  const second = await typeName(visitor, first, anna.userName);
  t.equal(second.status, 200);
  t.match(second.text, new RegExp(`name="loginName"[^>]*value="${anna.userName}"[^>]*readonly`));
  t.match(
    second.text,
    /autocomplete="username webauthn"/,
    'programs that fill in passwords find the account',
  );
  t.match(second.text, /name="password"[^>]*autocomplete="current-password"/);
  t.notMatch(second.url, anna.userName, 'no address has the name in clear');
  const wrong = await visitor.fill(second, { loginName: anna.userName, password: 'Wrong-Horse-1' });
  t.match(wrong, { status: 400, text: /Wrong login name or password/ });
  t.match(wrong.text, /readonly/, 'the name is still there');
  t.ok(arrived(await visitor.follow(await visitor.fill(wrong, right(anna)))));
});

t.test('unknown and known names get the same page', async (t) => {
  const locked = await makePerson(container, home);
  const inactive = await makePerson(container, home, { password: null });
  const totp = await makePerson(container, home);
  await giveTotp(container, totp);
  const shapes = new Map<string, string>();
  for (const name of [
    anna.userName,
    locked.userName,
    inactive.userName,
    totp.userName,
    'nobody',
    'x@y.example',
  ]) {
    const visitor = newVisitor();
    const page = await typeName(visitor, await begin(visitor), name);
    const fields = formsOf(page.text).map(({ action, hidden }) => [action, Object.keys(hidden)]);
    const text = page.text.replace(/value="[^"]*"|request=[\w-]+/g, '');
    shapes.set(name, JSON.stringify({ status: page.status, fields, text }));
  }
  t.equal(new Set(shapes.values()).size, 1);
});

t.test('a name that is empty, too long or hostile', async (t) => {
  for (const name of ['', '   ']) {
    const visitor = newVisitor();
    const page = await typeName(visitor, await begin(visitor), name);
    t.match(page, { status: 200, text: /action="[^"]*\/login\/name"/ }, 'the page asks again');
  }
  const visitor = newVisitor();
  const page = await typeName(
    visitor,
    await begin(visitor),
    `"><script>alert(1)</script>${'x'.repeat(20_000)}`,
  );
  t.equal(page.status, 200);
  t.notMatch(page.text, /<script>alert/);
  t.ok(page.text.length < 20_000);
  const failed = await visitor.fill(page, { loginName: 'x', password: goodPassword });
  t.equal(failed.status, 400);
});

t.test('the form belongs to its browser, and the address of the name too', async (t) => {
  const [mine, other] = [newVisitor(), newVisitor()];
  const first = await begin(mine);
  const { request = '', csrf = '' } =
    formsOf(first.text).find(({ action }) => action.endsWith('/login/name'))?.hidden ?? {};
  await begin(other);
  t.match(await other.post('/login/name', { request, csrf, loginName: anna.userName }), { status: 403 });
  t.match(await mine.post('/login/name', { request, csrf: 'x', loginName: anna.userName }), { status: 403 });
  const page = await typeName(mine, first, anna.userName);
  const own = await begin(other);
  const refused = new URL(page.url, 'https://none.example').searchParams.get('refused') ?? '';
  t.notMatch(
    (await other.get(`${own.url}&refused=${refused}`)).text,
    anna.userName,
    'no link names an account',
  );
});

t.test('a name of the application is not asked for again, and another may be typed', async (t) => {
  const visitor = newVisitor();
  const hinted = await begin(visitor, { login_hint: anna.userName });
  t.match(hinted.text, /name="password"/);
  const another = /href="([^"]*other=1[^"]*)"/.exec(hinted.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const blank = await visitor.get(another);
  t.match(blank.text, /action="[^"]*\/login\/name"/);
  t.notMatch(blank.text, anna.userName);
  const bert = await makePerson(container, home);
  const page = await typeName(visitor, blank, bert.userName);
  t.ok(arrived(await visitor.follow(await visitor.fill(page, right(bert)))));
});

t.test('a page of the password that is too old begins anew with the name', async (t) => {
  const visitor = newVisitor();
  const page = await typeName(visitor, await begin(visitor), anna.userName);
  clock.advance(30 * 60);
  t.ok(arrived(await visitor.follow(await visitor.fill(page, right(anna)))));
});

t.test('other organizations ask for both at once', async (t) => {
  const elsewhere = await makeHome(container);
  const { id } = await makeApplication(container, elsewhere.id);
  const visitor = newVisitor();
  const page = await begin(visitor, { client_id: id });
  t.match(page.text, /name="password"/);
  t.notMatch(page.text, /readonly/);
  t.match((await newVisitor().get('/login')).text, /name="password"/, 'without an application too');
});
