import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import type { Role } from '#src/directory/roles.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { newId, newSecret } from '#src/platform/ids.js';
import { until } from '../../../dev/until.js';
import { makeOrganization, makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, postForm, redirectUri } from '../../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { formsOf, type Seen, type Visitor, visit } from '../../support/oidc/visitor.js';

const { url: smtpUrl, mails } = await startMailServer(t);

const { container, app, call, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl,
});
const { orgId, owner, manager, viewer } = await makeTenant(container);
const stranger = await makeTenant(container);
const cookieName = '__Host-muster-agent';
const flowCookie = '__Host-muster-flow';
const newPassword = 'Another-Horse-8';

let lastAddress = 0;
const newVisitor = (language = 'en') =>
  visit(app, container, { language, address: `198.51.100.${++lastAddress}` });
const home = async () =>
  (await container.organizations.find(orgId)) as Awaited<ReturnType<typeof makeOrganization>>;
const usersUrl = `/admin/v1/orgs/${orgId}/users`;

async function signedIn(
  loginName: string,
  password = goodPassword,
): Promise<{ visitor: Visitor; account: Seen }> {
  const visitor = newVisitor();
  const answer = await visitor.fill(await visitor.get('/login'), { loginName, password });
  return { visitor, account: await visitor.follow(answer) };
}

/** A request of an application of the organization that waits for this visitor. */
async function waitingRequest(visitor: Visitor, organizationId = orgId, given: Record<string, unknown> = {}) {
  if (!visitor.cookies.has(cookieName)) await visitor.get('/login');
  const agentHash = hashSecret(visitor.cookies.get(cookieName) ?? '');
  const flow = container.authorizationRequests.seal({
    id: newSecret(),
    clientId: 'some-client',
    redirectUri: 'https://client.example/callback',
    responseType: 'code',
    responseMode: 'query',
    scope: `openid urn:service:iam:org:id:${organizationId}`,
    prompts: [],
    uiLocales: [],
    created: clock.now(),
    agentHash,
    ...given,
  });
  visitor.cookies.set(flowCookie, flow);
  return flow;
}

async function linkFor(userId: string): Promise<string> {
  const { status, body, headers } = await call(`POST ${usersUrl}/${userId}/one-time-links`, { as: owner });
  t.match({ status, headers }, { status: 201, headers: { 'cache-control': 'no-store' } });
  return body.url;
}

t.test('first login by a one-time link, back to the waiting request', async (t) => {
  const user = await makePerson(container, await home(), { password: null });
  const visitor = newVisitor();
  const flow = await waitingRequest(visitor);
  await visitor.get(`/login?request=${flow}`);
  const url = await linkFor(user.id);
  t.notMatch(
    JSON.stringify(await container.mongo.collection('one_time_links').find().toArray()),
    url.split('=')[1],
  );
  const page = await visitor.get(url);
  t.match(page, { status: 200, text: new RegExp(`for ${user.userName}`) });
  t.notMatch(page.headers['content-security-policy'], /form-action/);
  const weak = await visitor.fill(page, { password: 'short', repeated: 'short' });
  t.match(weak, { status: 400, text: /The password needs at least 8 characters/ });
  t.match(await visitor.fill(page, { password: newPassword, repeated: 'x' }), {
    status: 400,
    text: /The passwords don&#39;t match\./,
  });
  const done = await visitor.fill(page, { password: newPassword, repeated: newPassword });
  t.equal(done.location, `/oauth/v2/authorize/callback?request=${flow}`);
  t.type((await container.authorizationRequests.find(flow))?.sessionId, 'string');
  const again = newVisitor();
  t.match(await again.get(url), { status: 400, text: /does not work any more/ }, 'a link works once');
  t.match((await signedIn(user.userName, newPassword)).account.text, /Your account/);
});

t.test('a one-time link continues a request that is too old, and none that was answered', async (t) => {
  const set = async (end: (visitor: Visitor, flow: string) => unknown) => {
    const user = await makePerson(container, await home(), { password: null });
    const visitor = newVisitor();
    const flow = await waitingRequest(visitor);
    await visitor.get(`/login?request=${flow}`);
    await end(visitor, flow);
    const page = await visitor.get(await linkFor(user.id));
    t.notMatch(page.headers['content-security-policy'], /form-action/, 'another tab may begin a sign-in');
    return {
      flow,
      done: await visitor.fill(page, { password: newPassword, repeated: newPassword }),
    };
  };
  const old = await set(() => clock.advance(31 * 60));
  t.match(old.done.location, '/oauth/v2/authorize/callback?request=');
  t.notMatch(old.done.location, old.flow, 'it begins anew');
  const answered = await set((_, flow) => container.authorizationRequests.end(flow));
  t.match(answered.done.location, /^\/account/);
  const foreign = await set(async (visitor) => {
    visitor.cookies.set(flowCookie, await waitingRequest(newVisitor()));
    clock.advance(31 * 60);
  });
  t.match(foreign.done.location, /^\/account/, 'nor one of another browser');
});

t.test('a waiting request that another host of the domain planted is not continued', async (t) => {
  for (const planted of ['muster-flow', '__Secure-muster-flow', '\u00a0__Host-muster-flow']) {
    const user = await makePerson(container, await home(), { password: null });
    const visitor = newVisitor();
    const flow = await waitingRequest(visitor);
    visitor.cookies.delete(flowCookie);
    visitor.cookies.set(planted, flow);
    const page = await visitor.get(await linkFor(user.id));
    const done = await visitor.fill(page, { password: newPassword, repeated: newPassword });
    t.notMatch(done.location, flow, planted);
  }
});

t.test('a link: the latest alone, for a day, once of many at once', async (t) => {
  const user = await makePerson(container, await home(), { password: null });
  const first = await linkFor(user.id);
  const second = await linkFor(user.id);
  t.equal((await newVisitor().get(first)).status, 400);
  const visitors = [newVisitor(), newVisitor(), newVisitor()];
  const pages = await Promise.all(visitors.map((visitor) => visitor.get(second)));
  const answers = await Promise.all(
    visitors.map((visitor, i) =>
      visitor.fill(pages[i] as Seen, { password: newPassword, repeated: newPassword }),
    ),
  );
  const invalid = answers.filter(({ location }) => location?.startsWith('/login/password?token='));
  t.equal(invalid.length, 2, 'one of them gets in');
  t.match(await newVisitor().get(invalid[0]?.location ?? ''), {
    status: 400,
    text: /does not work any more/,
  });
  const third = await linkFor(user.id);
  clock.advance(24 * 3600 + 1);
  t.equal((await newVisitor().get(third)).status, 400);
  t.equal((await newVisitor().get('/login/password?token=')).status, 400);
});

t.test('links, locks and sessions are for those who manage the users of the organization', async (t) => {
  const user = await makePerson(container, await home());
  const requests = [
    `POST ${usersUrl}/${user.id}/one-time-links`,
    `POST ${usersUrl}/${user.id}/unlock`,
    `POST ${usersUrl}/${user.id}/require-password-change`,
    `DELETE ${usersUrl}/${user.id}/totp`,
    `DELETE ${usersUrl}/${user.id}/sessions`,
  ];
  for (const request of requests) {
    t.equal((await call(request, { as: viewer })).status, 403, request);
    t.equal((await call(request, { as: stranger.owner })).status, 404, request);
    t.equal((await call(request.replace(user.id, 'nobody'), { as: owner })).status, 404, request);
  }
  t.equal((await call(`GET ${usersUrl}/${user.id}/sessions`, { as: viewer })).status, 200);
});

t.test(
  "credentials of a person are changed by those alone whose permissions cover the person's",
  async (t) => {
    const changes = (id: string) => [
      `POST ${usersUrl}/${id}/one-time-links`,
      `POST ${usersUrl}/${id}/unlock`,
      `POST ${usersUrl}/${id}/require-password-change`,
      `DELETE ${usersUrl}/${id}/totp`,
    ];
    const memberOf = async (role: Role, place: { orgId?: string }) => {
      const { id } = await makePerson(container, await home());
      await addMembership(container, { userId: id, role, ...place, editor: testEditor });
      return id;
    };
    const refused = [
      [manager, await memberOf('ORG_OWNER', { orgId })],
      [manager, await memberOf('IMPERSONATOR', { orgId })],
      [manager, await memberOf('ORG_USER_MANAGER', { orgId: stranger.orgId })],
      [owner, await memberOf('IAM_OWNER', {})],
    ] as const;
    for (const [as, id] of refused) {
      for (const request of changes(id)) {
        t.match(
          await call(request, { as }),
          { status: 403, body: { id: 'directory.userOutranksCaller' } },
          request,
        );
      }
      t.equal(await container.mongo.collection('one_time_links').countDocuments({ userId: id }), 0);
    }
    const viewing = await memberOf('ORG_USER_VIEWER', { orgId });
    const owning = await memberOf('ORG_OWNER', { orgId });
    for (const request of changes(viewing))
      t.ok((await call(request, { as: manager })).status < 300, request);
    for (const request of changes(owning)) t.ok((await call(request, { as: owner })).status < 300, request);
  },
);

t.test('a password that must be changed', async (t) => {
  const user = await makePerson(container, await home());
  await requirePasswordChange(container, { orgId, id: user.id, editor: testEditor });
  const visitor = newVisitor();
  const asked = await visitor.fill(await visitor.get('/login'), {
    loginName: user.userName,
    password: goodPassword,
  });
  t.equal(asked.location, '/login/new-password');
  t.equal((await visitor.get('/account')).location, '/login?to=account');
  const page = await visitor.follow(asked);
  const same = await visitor.fill(page, { password: goodPassword, repeated: goodPassword });
  t.match(same, { status: 400, text: /This is the password that you have/ });
  const done = await visitor.fill(same, { password: newPassword, repeated: newPassword });
  t.match(done.location, /^\/account/);
  t.match((await signedIn(user.userName, newPassword)).account.text, /Your account/, 'and not again');
});

t.test('a sign-in with an old password cannot continue after a new one is set', async (t) => {
  const user = await makePerson(container, await home());
  await requirePasswordChange(container, { orgId, id: user.id, editor: testEditor });
  const begin = async () => {
    const visitor = newVisitor();
    const page = await visitor.get('/login');
    const asked = await visitor.fill(page, { loginName: user.userName, password: goodPassword });
    return { visitor, page: await visitor.follow(asked) };
  };
  const [owner, other] = [await begin(), await begin()];
  const chosen = { password: newPassword, repeated: newPassword };
  t.equal((await owner.visitor.fill(owner.page, chosen)).status, 303);
  const late = { password: 'Attacker-Horse-1', repeated: 'Attacker-Horse-1' };
  t.match(await other.visitor.fill(other.page, late), { status: 303, location: '/login?again=1' });
  t.match((await signedIn(user.userName, newPassword)).account.text, /Your account/);
});

t.test('a password that is changed voids the link that was made before', async (t) => {
  const user = await makePerson(container, await home());
  const url = await linkFor(user.id);
  const { visitor, account } = await signedIn(user.userName);
  const changed = await visitor.fill(
    account,
    { current: goodPassword, password: newPassword, repeated: newPassword },
    '/account/password',
  );
  t.equal(changed.status, 303);
  t.match(await newVisitor().get(url), { status: 400, text: /does not work any more/ });
});

t.test('tokens that a client gets right after a password was set are good', async (t) => {
  const user = await makePerson(container, await home(), { password: null });
  const client = await makeApplication(container, orgId);
  const visitor = newVisitor();
  const scope = 'openid offline_access';
  const flow = await waitingRequest(visitor, orgId, { clientId: client.id, redirectUri, scope });
  await visitor.get(`/login?request=${flow}`);
  // At the very beginning of a second everything that follows would happen within it.
  clock.advance((1_000 - (clock.now().getTime() % 1_000)) / 1_000);
  const page = await visitor.get(await linkFor(user.id));
  const done = await visitor.fill(page, { password: newPassword, repeated: newPassword });
  const code =
    new URL((await visitor.get(done.location ?? '')).location ?? '').searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const tokens = await postForm(call, '/oauth/v2/token', { form, as: client.credentials });
  t.equal(tokens.status, 200, JSON.stringify(tokens.body));
  const headers = { authorization: `Bearer ${tokens.body.access_token}` };
  t.equal((await call('GET /oidc/v1/userinfo', { headers })).status, 200);
});

t.test('a link by mail: the same answer for everybody, and mail for those who have an account', async (t) => {
  const user = await makePerson(container, await home(), { password: null });
  const ask = async (loginName: string) => {
    const visitor = newVisitor();
    const page = await visitor.get('/login/forgot');
    return visitor.follow(await visitor.fill(page, { loginName }));
  };
  const [known, unknown] = [await ask(user.userName), await ask('nobody.here')];
  t.match(known, { status: 200, text: /If there is an account/ });
  t.equal(known.text, unknown.text);
  await until(async () => mails.length > 0);
  t.equal(mails.length, 1);
  t.match(mails[0], new RegExp(`To: ${user.emails[0]?.value}`));
  const url = /https:\/\/\S+token=[\w-]{43}/.exec(mails[0] ?? '')?.[0] ?? '';
  const visitor = newVisitor();
  const verified = async () => (await container.users.find(orgId, user.id))?.emails[0]?.verified;
  t.equal(await verified(), undefined, 'asserted by the organization alone');
  const done = await visitor.fill(await visitor.get(url), { password: newPassword, repeated: newPassword });
  t.equal(done.status, 303);
  t.equal(await verified(), true, 'who used the link reads the mail of the address');
});

t.test('a link by mail: nobody without an address, and the answer says so to everybody', async (t) => {
  const user = await makePerson(container, await home(), { emails: [], password: null });
  const ask = async (loginName: string, language: string) => {
    const visitor = newVisitor(language);
    const page = await visitor.get('/login/forgot');
    return visitor.follow(await visitor.fill(page, { loginName }));
  };
  const before = mails.length;
  const said = {
    en: /account without an address gets no mail/,
    de: /Konto ohne Adresse bekommt keine E-Mail/,
    fr: /compte sans adresse ne reçoit pas/,
    es: /cuenta sin dirección no recibe correo/,
    it: /account senza indirizzo non riceve/,
  };
  for (const [language, words] of Object.entries(said)) {
    const [known, unknown] = [await ask(user.userName, language), await ask('nobody.here', language)];
    t.match(known, { status: 200, text: words }, language);
    t.equal(known.text, unknown.text, 'the same for everybody');
  }
  const someone = await makePerson(container, await home(), { password: null });
  await ask(someone.userName, 'en');
  await until(async () => mails.length > before);
  t.equal(mails.length, before + 1, 'the mail to the other person alone');
  t.match(mails.at(-1), new RegExp(`To: ${someone.emails[0]?.value}`));
});

t.test('the account page: a person without names keeps being without them', async (t) => {
  const user = await makePerson(container, await home(), { name: {}, emails: [] });
  const { visitor, account } = await signedIn(user.userName);
  const fields = { displayName: user.userName, givenName: '', familyName: '', preferredLanguage: 'de' };
  t.equal((await visitor.fill(account, fields, '/account/profile')).status, 303);
  t.match(await container.users.find(orgId, user.id), {
    name: {},
    displayName: user.userName,
    preferredLanguage: 'de',
    emails: [],
  });
  t.equal((await container.users.find(orgId, user.id))?.displayNameGiven, undefined);
});

t.test('registering: closed unless the organization opens it', async (t) => {
  const open = await makeOrganization(container);
  const visitor = newVisitor();
  const flow = await waitingRequest(visitor, open.id, { prompts: ['create'] });
  t.match(await visitor.get(`/login/register?request=${flow}`), {
    status: 403,
    text: /cannot create an account here/,
  });
  t.notMatch((await visitor.get(`/login?request=${flow}`)).text, /Create an account/);
  await changeOrganization(container, {
    orgId: open.id,
    change: { login: { selfRegistration: true } },
    editor: testEditor,
  });
  t.match((await visitor.get(`/login?request=${flow}`)).text, /Create an account/);
  const page = await visitor.get(`/login/register?request=${flow}`);
  t.equal(page.status, 200);
  const good = {
    givenName: 'Bo',
    familyName: '<b>Ek</b>',
    email: 'bo@mail.example',
    userName: 'bo.ek',
    password: goodPassword,
  };
  for (const [name, value] of Object.entries({
    givenName: '',
    email: 'bo@',
    userName: 'bo@mail.example',
    password: 'weak',
  })) {
    const refused = await visitor.fill(page, { ...good, [name]: value });
    t.match(refused, { status: 400, text: new RegExp(`id="${name}-error"`) }, name);
    t.notMatch(refused.text, /<b>/);
    t.notMatch(refused.text, goodPassword);
  }
  for (const name of ['givenName', 'familyName', 'userName', 'email'] as const) {
    for (const deceptive of ['\u202e', '\u200b', '\u2028', '\n', '\u00ad']) {
      const value = `${good[name].slice(0, 1)}${deceptive}${good[name].slice(1)}`;
      const refused = await visitor.fill(page, { ...good, [name]: value });
      const what = `${name} ${encodeURIComponent(deceptive)}`;
      t.match(refused, { status: 400, text: new RegExp(`id="${name}-error"`) }, what);
    }
  }
  for (const userName of ['bo\uff20mail.example', 'bo\ufe6bmail.example'])
    t.match(await visitor.fill(page, { ...good, userName }), { status: 400, text: /id="userName-error"/ });
  const done = await visitor.fill(page, good);
  t.equal(done.location, `/oauth/v2/authorize/callback?request=${flow}`);
  const [user] = (
    await container.users.page(open.id, { sort: { field: '_id', direction: 1 }, skip: 0, limit: 9 })
  ).users;
  t.match(user, {
    userName: 'bo.ek',
    emails: [{ value: 'bo@mail.example', primary: true, verified: false }],
  });
  const another = newVisitor();
  const anotherFlow = await waitingRequest(another, open.id);
  const taken = await another.fill(await another.get(`/login/register?request=${anotherFlow}`), {
    ...good,
    userName: 'BO.EK',
  });
  t.match(taken, { status: 409, text: /This login name is taken/ });
  const quotas = { users: 1 };
  await changeOrganization(container, { orgId: open.id, change: { quotas }, editor: testEditor });
  const full = await another.fill(await another.get(`/login/register?request=${anotherFlow}`), {
    ...good,
    userName: 'cy.ek',
  });
  t.match(full, { status: 403, text: /cannot create an account here/ });
  t.notMatch(full.text, /quota/);
});

t.test(
  'registrations of an address: invalid and refused forms do not use up the limit, taken names do',
  async (t) => {
    const { loginMaxFailuresPerAddress: limit } = container.config;
    const open = await makeHome(container, { login: { selfRegistration: true } });
    const full = await makeHome(container, { login: { selfRegistration: true }, quotas: { users: 1 } });
    await makePerson(container, full);
    const visitor = newVisitor();
    const pageOf = async (id: string) =>
      visitor.get(`/login/register?request=${await waitingRequest(visitor, id)}`);
    const good = {
      givenName: 'Cy',
      familyName: 'Ek',
      email: 'cy@mail.example',
      userName: 'cy',
      password: goodPassword,
    };
    const refused = await pageOf(full.id);
    const page = await pageOf(open.id);
    const send = async (to: Seen, given: object = {}) =>
      (await visitor.fill(to, { ...good, ...given })).status;
    for (let i = 0; i <= limit; i++) {
      if ((await send(page, { givenName: '' })) !== 400) t.fail('an invalid form is answered 400');
      if ((await send(refused)) !== 403) t.fail('a full organization is answered 403');
    }
    t.equal(await send(page), 303, 'a right form is taken');
    const other = await pageOf(open.id);
    const statuses = [];
    for (let i = 0; i <= limit; i++) statuses.push(await send(other));
    t.same(new Set(statuses.slice(0, limit - 1)), new Set([409]));
    t.same(statuses.slice(limit - 1), [429, 429], 'names that are taken can be tried so often');
    t.equal(await send(other, { givenName: '' }), 400, 'and an invalid form still says what is wrong');
  },
);

t.test('mails that an address asks for: what can be no login name does not use up the limit', async (t) => {
  const { loginMaxFailuresPerAddress: limit } = container.config;
  const visitor = newVisitor();
  const page = await visitor.get('/login/forgot');
  const ask = async (loginName: string) => (await visitor.fill(page, { loginName })).status;
  for (let i = 0; i <= limit; i++)
    for (const nothing of ['', ' ', 'a'.repeat(401)]) if ((await ask(nothing)) !== 303) t.fail(nothing);
  const statuses = [];
  for (let i = 0; i <= limit; i++) statuses.push(await ask(`nobody.${i}`));
  t.same(new Set(statuses.slice(0, limit)), new Set([303]));
  t.equal(statuses.at(-1), 429);
  t.equal(await ask(' '), 303);
});

t.test('choosing an account of several', async (t) => {
  const [anna, bert] = [await makePerson(container, await home()), await makePerson(container, await home())];
  const foreign = await makePerson(container, await makeOrganization(container));
  const { visitor } = await signedIn(anna.userName);
  for (const { userName } of [bert, foreign]) {
    await visitor.fill(await visitor.get('/login'), { loginName: userName, password: goodPassword });
  }
  const flow = await waitingRequest(visitor);
  const page = await visitor.get(`/login/select?request=${flow}`);
  t.match(page.text, anna.userName);
  t.match(page.text, bert.userName);
  t.notMatch(page.text, foreign.userName, 'people of other organizations cannot be meant');
  const [session] = await container.sessions.ofUser(anna.id);
  const [foreignSession] = await container.sessions.ofUser(foreign.id);
  const refused = await visitor.fill(page, { session: foreignSession?.id ?? '' });
  t.equal(refused.location, `/login/select?request=${flow}`);
  const chosen = await visitor.fill(page, { session: session?.id ?? '' });
  t.equal(chosen.location, `/oauth/v2/authorize/callback?request=${flow}`);
  t.equal((await container.authorizationRequests.find(flow))?.sessionId, session?.id);
});

t.test('the account page: profile', async (t) => {
  const user = await makePerson(container, await home(), { nickName: 'An' });
  const { visitor, account } = await signedIn(user.userName);
  const fields = {
    givenName: '<i>Anna</i>',
    familyName: 'Berg',
    displayName: 'Anna B',
    preferredLanguage: 'sv',
  };
  const saved = await visitor.follow(await visitor.fill(account, fields, '/account/profile'));
  t.match(saved.text, /Your profile is saved/);
  t.match(saved.text, /&lt;i&gt;Anna/);
  t.match(await container.users.find(orgId, user.id), {
    name: { givenName: '<i>Anna</i>', familyName: 'Berg' },
    displayName: 'Anna B',
    nickName: 'An',
    preferredLanguage: 'en',
    emails: user.emails,
  });
  const other = { ...fields, givenName: '', displayName: 'Typed "Anna"', preferredLanguage: 'fr' };
  const refusedAll = await visitor.fill(account, other, '/account/profile');
  t.match(refusedAll, { status: 400, text: 'value="Typed &quot;Anna&quot;"' }, 'what was typed stays');
  t.match(refusedAll.text, 'value="fr" lang="fr" selected');
  for (const name of ['givenName', 'familyName', 'displayName']) {
    for (const deceptive of ['A\u202eb', 'A\u200bb', 'A\u2028b', 'A\nb', 'A\u00adb']) {
      const refused = await visitor.fill(account, { ...fields, [name]: deceptive }, '/account/profile');
      t.match(
        refused,
        { status: 400, text: new RegExp(`id="${name}-error"`) },
        encodeURIComponent(deceptive),
      );
    }
  }
});

t.test('the account page: a new password signs out everywhere else', async (t) => {
  const user = await makePerson(container, await home());
  const { visitor, account } = await signedIn(user.userName);
  const { visitor: elsewhere } = await signedIn(user.userName);
  const change = { current: goodPassword, password: newPassword, repeated: newPassword };
  const wrong = await visitor.fill(account, { ...change, current: 'Wrong-Horse-1' }, '/account/password');
  t.match(wrong, { status: 400, text: /id="current-error"/ });
  t.match(wrong.text, /id="password-hint"/);
  const weak = await visitor.fill(account, { ...change, password: 'x' }, '/account/password');
  t.match(weak, { status: 400, text: /aria-describedby="password-error"/ });
  t.notMatch(weak.text, /id="password-hint"/, 'the error says it already');
  const done = await visitor.follow(await visitor.fill(account, change, '/account/password'));
  t.match(done, { status: 200, text: /Your password is changed/ });
  t.equal((await elsewhere.get('/account')).location, '/login?to=account');
});

t.test('the account page: second factor set up, its first code used up, and removed', async (t) => {
  const user = await makePerson(container, await home());
  const { visitor, account } = await signedIn(user.userName);
  const setUp = /href="([^"]*\/account\/totp[^"]*)"/.exec(account.text)?.[1] ?? '';
  const page = await visitor.get(setUp);
  t.match(page.text, /<svg class="qr" [^>]*role="img" aria-label/);
  const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '';
  const code = totpCode(fromBase32(key), totpStep(clock.now()));
  const wrongCode = await visitor.fill(page, { code: '000000', password: goodPassword });
  t.match(wrongCode, { status: 400, text: /id="code-error"/ });
  for (const shown of [wrongCode, await visitor.get(wrongCode.url)])
    t.match(shown.text, key, 'the secret that the person has scanned stays');
  t.notMatch(wrongCode.url, key.replaceAll(' ', ''));
  t.match(await visitor.fill(page, { code, password: 'Wrong-Horse-1' }), {
    status: 400,
    text: /id="password-error"/,
  });
  const added = await visitor.follow(await visitor.fill(page, { code, password: goodPassword }));
  t.match(added, { status: 200, text: /One-time codes are set up/ });
  t.notMatch(JSON.stringify(await container.accounts.find(orgId, user.id)), key.replaceAll(' ', ''));

  const later = newVisitor();
  await later.fill(await later.get('/login'), { loginName: user.userName, password: goodPassword });
  t.equal((await later.fill(await later.get('/login/code'), { code })).status, 400);
  clock.advance(60);
  const next = totpCode(fromBase32(key), totpStep(clock.now()));
  t.equal((await later.fill(await later.get('/login/code'), { code: next })).status, 303);

  const removal = await visitor.get('/account/totp/remove');
  t.equal((await visitor.fill(removal, { password: 'Wrong-Horse-1' })).status, 400);
  clock.advance(30);
  const last = totpCode(fromBase32(key), totpStep(clock.now()));
  const removed = await visitor.fill(removal, { password: goodPassword, code: last });
  t.match((await visitor.follow(removed)).text, /is removed/);
  const events = await container.events.search({ aggregateId: user.id, limit: 100, ascending: true });
  const types = events.map(({ type }) => type);
  t.ok(types.includes('user.human.mfa.otp.added') && types.includes('user.human.mfa.otp.removed'));
});

t.test('sessions: listed and ended by the person and by an administrator', async (t) => {
  const user = await makePerson(container, await home());
  const { visitor, account } = await signedIn(user.userName);
  const { visitor: elsewhere } = await signedIn(user.userName);
  const url = `${usersUrl}/${user.id}/sessions`;
  const { body } = await call(`GET ${url}`, { as: owner });
  t.equal(body.items.length, 2);
  t.match(body.items[0], { id: String, authTime: String, amr: ['pwd'] });
  const [other] = body.items;
  t.match(
    (await visitor.follow(await visitor.fill(account, { ended: other.id }, '/account/sessions/end'))).text,
    /is ended/,
  );
  t.equal((await elsewhere.get('/account')).location, '/login?to=account');
  const stranger = await makePerson(container, await home());
  const theirs = await signedIn(stranger.userName);
  const [target] = await container.sessions.ofUser(user.id);
  await theirs.visitor.fill(theirs.account, { ended: target?.id ?? '' }, '/account/sessions/end');
  t.equal((await container.sessions.ofUser(user.id)).length, 1, "nobody ends another's session");
  t.equal((await call(`DELETE ${url}/${target?.id}`, { as: owner })).status, 204);
  t.equal((await visitor.get('/account')).location, '/login?to=account');
  const eventTypes = ['user.session.ended' as const];
  t.match(await container.events.search({ eventTypes, aggregateId: user.id, limit: 10, ascending: true }), [
    { editor: { userId: owner.id, service: 'admin' }, payload: { sessionId: target?.id } },
  ]);
});

t.test('a session that is taken away ends the refresh families that began in it', async (t) => {
  const user = await makePerson(container, await home());
  const begin = (sessionId: string | undefined) =>
    container.refreshTokens.begin({
      id: newId(),
      clientId: 'client',
      userId: user.id,
      orgId,
      scope: 'openid offline_access',
      audience: ['client'],
      ...(sessionId !== undefined && { sessionId }),
      amr: ['pwd'],
    });
  const isLive = async (token: string) => (await container.refreshTokens.find(token)) !== undefined;
  const { visitor, account } = await signedIn(user.userName);
  await signedIn(user.userName);
  await signedIn(user.userName);
  const own = new URL(account.url, container.config.baseUrl).searchParams.get('session') as string;
  const others = (await container.sessions.ofUser(user.id)).filter(({ id }) => id !== own);
  const [byPerson, byAdministrator] = others.map(({ id }) => id) as [string, string];
  const tokens = await Promise.all([own, byPerson, byAdministrator, undefined].map(begin));
  const live = () => Promise.all(tokens.map(isLive));
  const stranger = await signedIn((await makePerson(container, await home())).userName);
  await stranger.visitor.fill(stranger.account, { ended: byPerson }, '/account/sessions/end');
  t.same(await live(), [true, true, true, true], 'nobody ends those of another');
  await visitor.fill(account, { ended: byPerson }, '/account/sessions/end');
  t.same(await live(), [true, false, true, true]);
  const url = `${usersUrl}/${user.id}/sessions`;
  t.equal((await call(`DELETE ${url}/${byAdministrator}`, { as: owner })).status, 204);
  t.same(await live(), [true, false, false, true]);
  t.equal((await call(`DELETE ${url}`, { as: owner })).status, 204);
  t.same(await live(), [false, false, false, false], 'everywhere is everywhere');
});

t.test(
  'every form is refused without its token, with that of another agent, and with that of another form',
  async (t) => {
    const user = await makePerson(container, await home());
    const { visitor, account } = await signedIn(user.userName);
    const other = await signedIn(user.userName);
    const link = await linkFor(user.id);
    const flow = await waitingRequest(visitor);
    const pages: [string, Seen, Seen][] = [];
    const urls = [
      '/login',
      '/login/forgot',
      '/login/select',
      `/login/select?request=${flow}`,
      link,
      '/account/totp',
      '/account/email',
    ];
    for (const url of urls) {
      pages.push([url, await visitor.get(url), await other.visitor.get(url).catch(() => account)]);
    }
    pages.push(['/account', account, other.account]);
    for (const [url, page, foreign] of pages) {
      for (const { action, hidden } of formsOf(page.text)) {
        const { csrf, ...rest } = hidden;
        t.match(csrf, /^[\w-]{43}$/, `${url} ${action}`);
        const theirs = formsOf(foreign.text).find((form) => form.action === action)?.hidden['csrf'] ?? 'x';
        for (const [why, token] of [
          ['none', ''],
          ['foreign', theirs],
          ['another form', 'A'.repeat(43)],
        ]) {
          const answer = await visitor.post(action, {
            ...rest,
            csrf: token ?? '',
            password: newPassword,
            repeated: newPassword,
          });
          t.match(answer, { status: 403, text: /out of date/ }, `${action}: ${why}`);
        }
      }
    }
    const posts = [
      '/login',
      '/login/code',
      '/login/select',
      '/login/register',
      '/login/verify-email',
      '/login/verify-email/code',
      '/login/password',
      '/login/new-password',
    ];
    posts.push('/login/forgot', '/account/profile', '/account/password', '/account/sessions/end');
    posts.push('/account/email', '/account/email/confirm', '/account/recovery-codes/new');
    for (const path of [...posts, '/account/totp', '/account/totp/remove']) {
      t.equal((await visitor.post(path, { request: '', session: '' })).status, 403, path);
    }
    const [login] = formsOf((await visitor.get('/login')).text);
    const select = pages.find(([url]) => url === '/login/select')?.[1];
    const answer = await visitor.fill(select as Seen, { csrf: login?.hidden['csrf'] ?? '' });
    t.equal(answer.status, 403, 'a token serves one form');
    t.equal((await newVisitor().post('/login', login?.hidden ?? {})).status, 403, 'and one agent');
  },
);

t.test('names and logo of the organization, whatever they are', async (t) => {
  const hostile = await makeOrganization(container, { name: uniqueName('<script>alert(1)</script>"') });
  const logoUrl = 'https://logo.example/x.png?\'"><script>';
  const faviconUrl = 'https://icon.example/"><script>';
  const change = { login: { logoUrl, faviconUrl } };
  await changeOrganization(container, { orgId: hostile.id, change, editor: testEditor });
  const visitor = newVisitor();
  const flow = await waitingRequest(visitor, hostile.id);
  const page = await visitor.get(`/login?request=${flow}`);
  t.equal(page.text.split('<script').length, 3, 'only our scripts');
  t.match(page.text, /&lt;script&gt;/);
  t.match(
    page.headers['content-security-policy'],
    /img-src 'self' https:\/\/logo\.example https:\/\/icon\.example;/,
  );
  for (const wrong of ['http://logo.example/x', 'javascript:alert(1)', 'https://a;b/x', 'https://x y/']) {
    const { status } = await call(`PATCH /admin/v1/orgs/${orgId}`, {
      as: owner,
      body: { login: { logoUrl: wrong } },
    });
    t.equal(status, 400, wrong);
  }
});

function fromBase32(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text.replaceAll(' ', '')]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
