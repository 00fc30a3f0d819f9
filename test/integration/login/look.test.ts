import t from 'tap';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/display-name.js';
import { makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

const { container, app, call } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { orgId, owner } = await makeTenant(container);
await changeOrganization(container, {
  orgId,
  change: { name: 'Acme', login: { logoUrl: 'https://logo.example/a.png', brandColor: '#0a6b4f' } },
  editor: testEditor,
});
const organization = await container.organizations.find(orgId);
if (organization === undefined) throw new Error('The organization is gone');
const home = organization;
const client = await makeApplication(container, orgId, { name: 'Timesheets' });

let lastAddress = 0;
const newVisitor = (language = 'en') =>
  visit(app, container, { language, address: `198.51.100.${++lastAddress}` });

const authorize = (more: Record<string, string> = {}) =>
  `/oauth/v2/authorize?${new URLSearchParams({
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    ...more,
  })}`;

async function signIn(visitor: Visitor, { userName: loginName }: User): Promise<Seen> {
  const page = await visitor.get('/login');
  return visitor.follow(await visitor.fill(page, { loginName, password: goodPassword }));
}

const hasBrand = ({ text }: Seen) =>
  text.includes('<img class="logo" src="https://logo.example/a.png" alt="Acme"') &&
  text.includes('<style>:root{--accent:#0a6b4f');

t.test('the brand is on every page that belongs to an organization', async (t) => {
  const visitor = newVisitor();
  const login = await visitor.follow(await visitor.get(authorize()));
  const person = await makePerson(container, home);
  const member = await makePerson(container, home);
  await giveTotp(container, member);
  const coder = newVisitor();
  const pages: Record<string, Seen> = {
    login,
    'a wrong password': await visitor.fill(login, { loginName: 'x', password: 'x' }),
    'a form that expired': await visitor.post('/login', {
      request: new URL(login.url, 'https://x').searchParams.get('request') ?? '',
    }),
    'a wrong redirect URI': await visitor.get(authorize({ redirect_uri: 'https://else.example' })),
    'a wrong scope of the request': await visitor.get(authorize({ redirect_uri: '' })),
    account: await signIn(visitor, person),
    chooser: await visitor.get('/login/select'),
    'an expired form of the account': await visitor.post('/account/profile', {}),
    'the sign-out': await visitor.get('/oidc/v1/end_session'),
    'the code, without an application': await signIn(coder, member),
    'the recovery code': await coder.get('/login/code?recovery=1'),
  };
  for (const [name, page] of Object.entries(pages)) t.ok(hasBrand(page), name);
});

t.test('the colour is changed over the admin API, recorded, and refused with a reason', async (t) => {
  const { orgId: id, owner: as } = await makeTenant(container);
  const url = `PATCH /admin/v1/orgs/${id}`;
  const login = { brandColor: '#FFD400', faviconUrl: 'https://logo.example/a.ico' };
  const changed = await call(url, { as, body: { login } });
  t.match(changed, { status: 200, body: { login: { ...login, brandColor: '#ffd400' } } });
  t.match(await call(`GET /admin/v1/orgs/${id}`, { as }), { body: { login: { brandColor: '#ffd400' } } });
  const events = await container.events.search({ aggregateId: id, limit: 9, ascending: true });
  t.match(events.at(-1), { type: 'org.changed', payload: { attributes: ['login'] } });
  for (const brandColor of ['yellow', '#fff', '#12345g', 'url(x)', '#0a6b4f;}']) {
    const { status, body } = await call(url, { as, body: { login: { brandColor } } });
    t.match({ status, text: JSON.stringify(body) }, { status: 400, text: /brandColor/ }, brandColor);
  }
  const removed = await call(url, { as, body: { login: { brandColor: '', faviconUrl: '' } } });
  t.same(removed.body.login, {
    ...{ selfRegistration: false, verifyEmail: false },
    ...{ notifyNewBrowser: true, notifyChanges: true, notifyAdministration: true },
  });
});

t.test('the language of the person wins over that of the browser', async (t) => {
  const speaks = async (preferredLanguage: string | undefined, browser: string) => {
    const given = preferredLanguage === undefined ? {} : { preferredLanguage };
    const visitor = newVisitor(browser);
    const person = await makePerson(container, home, given);
    const account = await signIn(visitor, person);
    return { visitor, person, account, language: /<html lang="(\w+)">/.exec(account.text)?.[1] };
  };
  t.equal((await speaks('fr-CA', 'de')).language, 'fr');
  const several = await speaks('it-ch, fr;q=0.9', 'de');
  t.equal(several.language, 'it', 'the first of several');
  t.match(several.account.text, /<option value="it" lang="it" selected>/);
  const names = { givenName: 'Ida', familyName: 'Lind', displayName: 'Ida Lind' };
  await several.visitor.fill(several.account, { ...names, preferredLanguage: 'it' }, '/account/profile');
  t.match(
    await container.users.find(home.id, several.person.id),
    { displayName: 'Ida Lind', preferredLanguage: 'it-ch, fr;q=0.9' },
    'who saves the shown language keeps the others',
  );
  t.equal((await speaks('en', 'de')).language, 'en', 'also English');
  t.equal((await speaks(undefined, 'de')).language, 'de', 'nobody chose');
  t.equal((await speaks('sv', 'de')).language, 'de', 'no page is Swedish');

  const { visitor, person, account } = await speaks(undefined, 'de');
  t.match(account.text, /<option value="" selected>Sprache Ihres Browsers/);
  const { givenName = '', familyName = '' } = person.name;
  const fields = { givenName, familyName, displayName: person.displayName };
  await visitor.fill(account, { ...fields, preferredLanguage: '' }, '/account/profile');
  t.match((await visitor.get('/account')).text, /<html lang="de">/, 'saving the profile chooses no language');
  await visitor.fill(account, { ...fields, preferredLanguage: 'en' }, '/account/profile');
  for (const page of ['/account', '/login/select', '/oidc/v1/end_session', '/account/totp'])
    t.match((await visitor.get(page)).text, /<html lang="en">/, page);
  t.match((await visitor.post('/account/profile', {})).text, /<html lang="en">/, 'an error');
  const asked = await visitor.follow(
    await visitor.get(authorize({ prompt: 'select_account', ui_locales: 'es' })),
  );
  t.match(asked.text, /<html lang="es">/, 'an application may ask for another');

  const member = await makePerson(container, home, { preferredLanguage: 'it' });
  await giveTotp(container, member);
  t.match((await signIn(newVisitor('de'), member)).text, /<html lang="it">.*id="code"/s);
  const { body } = await call(`POST /admin/v1/orgs/${orgId}/users/${member.id}/one-time-links`, {
    as: owner,
  });
  t.match((await newVisitor('de').get(body.url)).text, /<html lang="it">/, 'the page of a link');
});

t.test('the chooser and the sign-out page show the names that people have now', async (t) => {
  const person = await makePerson(container, home);
  const visitor = newVisitor();
  await signIn(visitor, person);
  const displayName = uniqueName('Renamed');
  const userName = uniqueName('renamed');
  await changeUser(container, {
    organization: home,
    id: person.id,
    editor: testEditor,
    change: (current) => ({ profile: { ...asInput(current), displayName, userName } }),
  });
  for (const page of ['/login/select', '/oidc/v1/end_session', '/account']) {
    const { text } = await visitor.get(page);
    t.match(text, displayName, page);
    t.match(text, userName, page);
    t.notMatch(text, person.displayName, page);
  }
  const hinted = await visitor.get(`/oidc/v1/end_session?logout_hint=${userName}`);
  t.match(hinted.text, displayName, 'the hint is the present name');
});

t.test('an error page says what was sent, and leads onward', async (t) => {
  const visitor = newVisitor();
  const sent = 'https://else.example/callback?a=<b>&c="d"';
  const wrong = await visitor.get(authorize({ redirect_uri: sent }));
  t.match(wrong, { status: 400, text: /<h1>This sign-in request is invalid\.<\/h1>/ });
  t.match(wrong.text, 'The redirect_uri is not registered for this application');
  t.match(wrong.text, 'https://else.example/callback?a=&lt;b&gt;&amp;c=&quot;d&quot;');
  t.notMatch(wrong.text, /href="https:\/\/else/, 'it is no link');
  t.match(wrong.text, `href="${container.config.baseUrl}/account"`);
  t.match((await visitor.get(authorize({ client_id: 'nobody' }))).text, /client_id.*<code>nobody</s);
  const long = await visitor.get(authorize({ redirect_uri: `https://x.example/${'y'.repeat(1_500)}` }));
  t.match(long.text, /y{200,300}…</);
  const umlaut = await visitor.get(authorize({ redirect_uri: 'https://müller.example/cb' }));
  t.match(umlaut.text, 'Its form in ASCII is https://xn--mller-kva.example/cb');
  const bye = new URLSearchParams({
    client_id: client.id,
    post_logout_redirect_uri: 'https://app.example/ü',
  });
  t.match((await visitor.get(`/oidc/v1/end_session?${bye}`)).text, 'https://app.example/%C3%BC');
  const logout = new URLSearchParams({
    client_id: client.id,
    post_logout_redirect_uri: 'https://bye.example',
  });
  t.match(
    (await visitor.get(`/oidc/v1/end_session?${logout}`)).text,
    /sign-out request.*https:\/\/bye\.example/s,
  );
});

t.test('without an application, people of two organizations see the brand of neither', async (t) => {
  const visitor = newVisitor();
  await signIn(visitor, await makePerson(container, home));
  await signIn(visitor, await makePerson(container, await makeHome(container)));
  const chooser = await visitor.get('/login/select');
  t.notOk(hasBrand(chooser));
  t.match(chooser.text, /class="service"/);
});
