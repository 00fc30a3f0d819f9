import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  type Connected,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
  refusedPage,
  signInBy,
} from '../../support/oidc/connected.js';
import type { Seen, Visitor } from '../../support/oidc/visitor.js';
import { optionsIn } from '../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
  loginFailureMilliseconds: 0,
  loginMaxFailures: 50,
});
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
const { origin } = new URL(container.config.baseUrl);

const asks = { creation: 'refuse', linking: { byPerson: true } };

async function personOf({ orgId }: Pick<Connected, 'orgId'>, given: Parameters<typeof makePerson>[2] = {}) {
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  return makePerson(container, organization, given);
}

/** The subjects of a person, as the API shows them. */
async function subjectsOf({ orgId, owner }: Connected, userId: string): Promise<string[]> {
  const { body } = await call(`GET /admin/v1/orgs/${orgId}/users/${userId}/identities`, { as: owner });
  return body.items.map(({ subject }: { subject: string }) => subject);
}

/** Signs in at the provider with an identity that nobody has. Returns the page that asks for the account. */
async function arrive(
  visitor: Visitor,
  connected: Connected,
  claims: Record<string, unknown>,
): Promise<Seen> {
  const seen = await signInBy(visitor, connected, provider, claims);
  if (!/^\/login\/link\?/.test(seen.location ?? ''))
    throw new Error(`Not asked: ${seen.status} ${seen.location}`);
  return visitor.get(seen.location ?? '');
}

const prove = (visitor: Visitor, page: Seen, loginName: string, password = goodPassword) =>
  visitor.fill(page, { loginName, password }, '/login/link');

t.test('a person who proves the account links the identity, and signs in with it from then on', async (t) => {
  const acme = await makeConnected(service, provider, asks);
  const anna = await personOf(acme);
  const visitor = newVisitor(service);
  const page = await arrive(visitor, acme, { sub: 'anna', email: 'a.lind@elsewhere.example' });
  t.match(page.text, /You signed in with Acme as a\.lind@elsewhere\.example/);
  t.notMatch(page.text, 'I have no account here yet');
  const wrong = await prove(visitor, page, anna.userName, 'Wrong-Horse-7');
  t.match(wrong, { status: 400, text: /Wrong login name or password/ });
  t.strictSame(await subjectsOf(acme, anna.id), []);
  const proved = await prove(visitor, wrong, anna.userName);
  t.equal(proved.location, '/login/link/confirm');
  t.strictSame(await subjectsOf(acme, anna.id), [], 'not before the last look');
  t.equal((await container.sessions.ofUser(anna.id)).length, 0);
  const confirm = await visitor.get(proved.location ?? '');
  t.match(confirm.text, /a\.lind@elsewhere\.example[\s\S]*Anna Lind/);
  t.ok(isSignedIn(await visitor.fill(confirm, {}, '/login/link/confirm')));
  t.strictSame(await subjectsOf(acme, anna.id), ['anna']);
  t.ok(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'anna' })));
  const [event] = await container.events.search({
    ...{ resourceOwner: acme.orgId, eventTypes: ['user.identity.linked'], limit: 5, ascending: false },
  });
  t.match(event, { editor: { userId: anna.id }, payload: { userId: anna.id, rule: 'person' } });
  t.notMatch(JSON.stringify(event), 'elsewhere', 'the event has nothing of the provider');
});

t.test('a session in which an identity was linked knows the sign-in at the provider', async (t) => {
  const acme = await makeConnected(service, provider, {
    ...{ ...asks, strength: 'claimed' },
    provider: { endsSession: true },
  });
  const anna = await personOf(acme);
  const enter = async (sub: string, decision: Record<string, string>) => {
    const visitor = newVisitor(service);
    const page = await arrive(visitor, acme, { sub, sid: `sid of ${sub}`, amr: ['pwd', 'mfa'] });
    const proved = await prove(visitor, page, anna.userName);
    const confirm = await visitor.get(proved.location ?? '');
    t.ok(isSignedIn(await visitor.fill(confirm, decision, '/login/link/confirm')));
    return visitor;
  };
  const proofsNow = async () =>
    (await container.sessions.ofUser(anna.id)).map(({ proofs }) =>
      proofs.map((proof) => (proof.kind === 'connection' ? { ...proof, time: 0, begun: 0 } : proof.kind)),
    );
  await enter('anna', { later: '1' });
  t.strictSame(await proofsNow(), [['password']], 'who links nothing proved the account alone');
  await container.sessions.endAllOf(anna.id);
  const visitor = await enter('anna', {});
  const [[kind, proof] = []] = await proofsNow();
  t.equal(kind, 'password');
  t.match(proof, {
    connectionId: acme.connectionId,
    strength: '2',
    sid: 'sid of anna',
    logoutRef: /^\S{16}$/,
  });
  const token = await provider.own.sign({
    ...{ aud: 'muster', jti: 'linked', sid: 'sid of anna' },
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  const path = `/login/connections/${acme.orgId}/${acme.connectionId}/logout`;
  t.equal((await visitor.post(path, { logout_token: token })).status, 200);
  t.strictSame(await proofsNow(), [], 'the provider ended it');
});

t.test('the page and its answers are the same for everybody, whoever exists', async (t) => {
  const acme = await makeConnected(service, provider, asks);
  const email = `${uniqueName('anna')}@acme.example`;
  await personOf(acme, { userName: email, emails: [{ value: email, primary: true, verified: true }] });
  const texts = [];
  for (const address of [email, `nobody-${email}`]) {
    const visitor = newVisitor(service);
    const page = await arrive(visitor, acme, { sub: address, email: address, email_verified: true });
    const failed = await prove(visitor, page, address, 'Wrong-Horse-7');
    const plain = ({ text }: Seen) =>
      text
        .replaceAll(address, 'ADDRESS')
        .replace(/value="[\w.~-]{20,}"|(link|refused|request)=[\w.~-]+/g, '')
        .replace(/challenge[^,]*/g, '');
    texts.push([page.status, plain(page), failed.status, plain(failed)]);
  }
  t.strictSame(texts[0], texts[1]);
});

t.test(
  'a second factor, or a passkey that verified the person, is asked for as at any sign-in',
  async (t) => {
    const acme = await makeConnected(service, provider, asks);
    const anna = await personOf(acme);
    const secret = await giveTotp(container, anna);
    const visitor = newVisitor(service);
    const code = await prove(visitor, await arrive(visitor, acme, { sub: 'anna' }), anna.userName);
    t.match(code.location, /^\/login\/code/);
    t.match((await visitor.get('/login/link/confirm')).location, /^\/login\/code/, 'no page is skipped');
    t.equal((await visitor.post('/login/link/confirm', {})).status, 303, 'nor by its form');
    t.strictSame(await subjectsOf(acme, anna.id), []);
    const codePage = await visitor.get(code.location ?? '');
    const given = await visitor.fill(
      codePage,
      { code: totpCode(secret, totpStep(clock.now())) },
      '/login/code',
    );
    t.match(given.location, /^\/login\/link\/confirm/);
    t.ok(isSignedIn(await visitor.fill(await visitor.get(given.location ?? ''), {}, '/login/link/confirm')));
    t.strictSame(await subjectsOf(acme, anna.id), ['anna']);

    const bob = await personOf(acme);
    const key = await enrolPasskey(container, bob);
    for (const [flags, isRight] of [
      [0x01, false],
      [undefined, true],
    ] as const) {
      const browser = newVisitor(service);
      const page = await arrive(browser, acme, { sub: 'bob' });
      const other = flags === undefined ? {} : { flags };
      const response = key.get(optionsIn(page.text, 'get'), origin, other);
      const seen = await browser.fill(page, { response }, '/login/link/passkey');
      t.equal(/^\/login\/link\/confirm/.test(seen.location ?? ''), isRight, `flags ${flags}`);
      if (isRight)
        t.ok(
          isSignedIn(await browser.fill(await browser.get(seen.location ?? ''), {}, '/login/link/confirm')),
        );
    }
    t.strictSame(await subjectsOf(acme, bob.id), ['bob']);
  },
);

t.test('an open session proves nothing, and who will not link signs in without', async (t) => {
  const acme = await makeConnected(service, provider, asks);
  const anna = await personOf(acme);
  const visitor = newVisitor(service);
  const login = await visitor.get('/login?to=account');
  t.ok(isSignedIn(await visitor.fill(login, { loginName: anna.userName, password: goodPassword }, '/login')));
  const page = await arrive(visitor, acme, { sub: 'anna' });
  t.match((await visitor.get('/login/link/confirm')).location, /^\/login\?/);
  const proved = await prove(visitor, page, anna.userName);
  const confirm = await visitor.get(proved.location ?? '');
  t.ok(isSignedIn(await visitor.fill(confirm, { later: '1' }, '/login/link/confirm')));
  t.strictSame(await subjectsOf(acme, anna.id), []);
  t.match(
    (await visitor.fill(confirm, {}, '/login/link/confirm')).status,
    /303|403/,
    'the answer counts once',
  );
  t.strictSame(await subjectsOf(acme, anna.id), []);
});

t.test('the identity waits at one browser, for one request and a bounded number of tries', async (t) => {
  const acme = await makeConnected(service, provider, asks);
  const anna = await personOf(acme);
  const visitor = newVisitor(service);
  const page = await arrive(visitor, acme, { sub: 'anna' });
  const thief = newVisitor(service);
  await thief.get('/login');
  t.match((await thief.get(page.url)).location, /^\/login\?/, 'another browser');
  const { id: clientId } = await makeApplication(container, acme.orgId, {});
  const request = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid', state: 's' },
  });
  const login = await visitor.get(`/oauth/v2/authorize?${request}`);
  const flow = new URL(login.location ?? '', origin).searchParams.get('request') ?? '';
  const link = new URL(page.url, origin).searchParams.get('link') ?? '';
  const elsewhere = await visitor.get(`/login/link?${new URLSearchParams({ request: flow, link })}`);
  t.match(elsewhere.location, /^\/login\?/, 'another request');
  t.equal(
    (await visitor.post('/login/link', { link, loginName: anna.userName, password: goodPassword })).status,
    403,
  );
  let last = page;
  for (let i = 0; i < 10; i++) last = await prove(visitor, last, 'nobody', 'Wrong-Horse-7');
  const locked = await prove(visitor, last, anna.userName);
  t.match(locked, { status: 429, text: /Too many attempts/ });
  t.strictSame(await subjectsOf(acme, anna.id), []);
});

t.test('nobody of another organization, and nobody with a role outside, is linked', async (t) => {
  const [acme, other] = [
    await makeConnected(service, provider, asks),
    await makeConnected(service, provider, asks),
  ];
  const stranger = await personOf(other);
  const visitor = newVisitor(service);
  const refused = await prove(visitor, await arrive(visitor, acme, { sub: 'x' }), stranger.userName);
  t.match(refused, { status: 400, text: /Wrong login name or password/ });
  const key = await enrolPasskey(container, stranger);
  const response = key.get(optionsIn(refused.text, 'get'), origin);
  t.equal((await visitor.fill(refused, { response }, '/login/link/passkey')).status, 400, 'nor by a passkey');
  const anna = await personOf(acme);
  const role = { userId: anna.id, role: 'ORG_USER_VIEWER', orgId: other.orgId, editor: testEditor } as const;
  await addMembership(container, role);
  const browser = newVisitor(service);
  const proved = await prove(browser, await arrive(browser, acme, { sub: 'y' }), anna.userName);
  const seen = await browser.fill(await browser.get(proved.location ?? ''), {}, '/login/link/confirm');
  t.match(seen, { status: 400, text: /you cannot sign in here with it/ });
  t.strictSame(await subjectsOf(acme, anna.id), []);
  t.equal((await container.sessions.ofUser(anna.id)).length, 0);
  const taken = newVisitor(service);
  const [first, second] = [await personOf(other), await personOf(other)];
  const start = await arrive(taken, other, { sub: 'twice' });
  const late = newVisitor(service);
  const lateProved = await prove(late, await arrive(late, other, { sub: 'twice' }), second.userName);
  const own = await prove(taken, start, first.userName);
  t.ok(isSignedIn(await taken.fill(await taken.get(own.location ?? ''), {}, '/login/link/confirm')));
  const lost = await late.fill(await late.get(lateProved.location ?? ''), {}, '/login/link/confirm');
  t.match(lost.text, /you cannot sign in here with it/, 'an identity has one person');
  t.strictSame(await subjectsOf(other, second.id), []);
});

t.test('who has no account is added, if the connection adds people', async (t) => {
  const acme = await makeConnected(service, provider, { ...asks, creation: 'create' });
  const visitor = newVisitor(service);
  const page = await arrive(visitor, acme, { sub: 'new', name: 'New Person', given_name: 'New' });
  t.equal(await container.users.count(acme.orgId), 0, 'nobody before the person says so');
  const seen = await visitor.fill(page, {}, '/login/link/none');
  t.ok(isSignedIn(seen), `${seen.status} ${seen.text}`);
  t.match((await visitor.follow(seen)).text, 'New Person');
  t.equal(await container.users.count(acme.orgId), 1);
  t.ok(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'new' })));
  t.equal(await container.users.count(acme.orgId), 1);
});

t.test('whoever was linked meanwhile is not new, so only claims of every sign-in count', async (t) => {
  const acme = await makeConnected(service, provider, { ...asks, creation: 'create' });
  const claims = { sub: 'twice', name: 'First Name' };
  const mapping = { when: 'first', values: [], groups: [] };
  t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: { mapping } })).status, 200);
  const { id } = await personOf(acme);
  clock.advance(1);
  const late = newVisitor(service);
  const page = await arrive(late, acme, claims);
  const { body: group } = await call(`POST /scim/v2/${acme.orgId}/Groups`, {
    as: acme.owner,
    body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: uniqueName('staff') },
  });
  const groups = [{ claim: 'name', value: 'First Name', groupId: group.id }];
  await call(`PATCH ${acme.path}`, { as: acme.owner, body: { mapping: { ...mapping, groups } } });
  await linkIdentity(container, {
    ...{ orgId: acme.orgId, userId: id, connectionId: acme.connectionId, subject: 'twice' },
    ...{ rule: 'person', editor: testEditor },
  });
  t.ok(isSignedIn(await late.fill(page, {}, '/login/link/none')));
  const members = await call(`GET /scim/v2/${acme.orgId}/Groups/${group.id}`, { as: acme.owner });
  t.notOk(members.body.members, 'the table is for new people alone');
});

t.test('a connection that is switched off, or no longer asks, links nothing that began before', async (t) => {
  for (const change of [{ enabled: false }, { linking: { byPerson: false } }]) {
    const acme = await makeConnected(service, provider, asks);
    const anna = await personOf(acme);
    const visitor = newVisitor(service);
    const proved = await prove(visitor, await arrive(visitor, acme, { sub: 'anna' }), anna.userName);
    const confirm = await visitor.get(proved.location ?? '');
    t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: change })).status, 200);
    t.match((await visitor.fill(confirm, {}, '/login/link/confirm')).location, /^\/login\?/);
    t.strictSame(await subjectsOf(acme, anna.id), []);
  }
});

t.test('what a provider says of somebody is shown bounded and escaped', async (t) => {
  const acme = await makeConnected(service, provider, asks);
  for (const [claims, shown] of [
    [{ email: '<script>alert(1)</script>' }, '&lt;script&gt;'],
    [{ email: 'x'.repeat(400), name: 'Anna' }, 'You signed in with Acme as Anna'],
    [{ name: 'bad\u202Ename' }, 'You signed in with Acme.'],
    [{ email: ['a', 'b'], name: 7 }, 'You signed in with Acme.'],
  ] as const) {
    const page = await arrive(newVisitor(service), acme, { sub: 'evil', ...claims });
    t.match(page.text, shown);
    t.notMatch(page.text, '<script>alert');
  }
});

/** A person of the connection's organization who is signed in with the password. */
async function memberOf(connected: Connected) {
  const person = await personOf(connected);
  const visitor = newVisitor(service);
  const login = await visitor.get('/login?to=account');
  const seen = await visitor.fill(login, { loginName: person.userName, password: goodPassword }, '/login');
  return { person, visitor, account: await visitor.get(seen.location ?? '') };
}

t.test(
  'm. the account page links an identity by a fresh proof and a round trip, and removes it',
  async (t) => {
    const acme = await makeConnected(service, provider, asks);
    const { person, visitor, account } = await memberOf(acme);
    t.match(account.text, 'Accounts of other services');
    clock.advance(container.config.freshSignInSeconds + 1);
    const asked = await visitor.get('/account/identities');
    t.match(asked.location, /^\/account\/confirm\?/);
    const confirm = await visitor.get(asked.location ?? '');
    const page = await visitor.follow(
      await visitor.fill(confirm, { password: goodPassword }, '/account/confirm'),
    );
    t.match(page.text, 'Link an account of Acme');
    const left = await visitor.fill(page, {}, '/account/identities/link');
    const back = provider.authorize(left.location ?? '', { sub: 'anna' });
    const thief = newVisitor(service);
    await thief.get('/login');
    t.equal((await thief.get(back)).status, 400, 'another browser');
    const linked = await visitor.follow(await visitor.get(back));
    t.match(linked.text, 'The account is linked');
    t.strictSame(await subjectsOf(acme, person.id), ['anna']);
    const list = await visitor.get('/account/identities');
    t.notMatch(list.text, 'Link an account of Acme');
    const removed = await visitor.follow(await visitor.fill(list, {}, '/account/identities/unlink'));
    t.match(removed.text, 'The account is removed');
    t.strictSame(await subjectsOf(acme, person.id), []);
    const again = await visitor.fill(list, {}, '/account/identities/unlink');
    t.match(again.location, /^\/account\/identities/, 'once more does no harm');
  },
);

t.test('an answer links nothing if the session ended, or the identity is of somebody else', async (t) => {
  const acme = await makeConnected(service, provider, asks);
  const { person, visitor } = await memberOf(acme);
  const page = await visitor.get('/account/identities');
  const left = await visitor.fill(page, {}, '/account/identities/link');
  await container.sessions.endAllOf(person.id);
  const seen = await visitor.get(provider.authorize(left.location ?? '', { sub: 'late' }));
  t.match(seen.location, /^\/login\?to=account/);
  t.strictSame(await subjectsOf(acme, person.id), []);
  const [first, second] = [await memberOf(acme), await memberOf(acme)];
  for (const [{ visitor: browser, person: one }, subjects] of [
    [first, ['shared']],
    [second, []],
  ] as const) {
    const own = await browser.get('/account/identities');
    const away = await browser.fill(own, {}, '/account/identities/link');
    const answer = await browser.get(provider.authorize(away.location ?? '', { sub: 'shared' }));
    t.strictSame(await subjectsOf(acme, one.id), subjects);
    if (subjects.length === 0)
      t.match((await browser.get(answer.location ?? '')).text, /cannot sign in here with it/);
  }
  const third = await memberOf(acme);
  const own = await third.visitor.get('/account/identities');
  const away = await third.visitor.fill(own, {}, '/account/identities/link');
  await call(`PATCH ${acme.path}`, { as: acme.owner, body: { linking: { byPerson: false } } });
  const answer = await third.visitor.get(provider.authorize(away.location ?? '', { sub: 'third' }));
  t.match(answer.location, /^\/account\/identities\?/);
  t.strictSame(await subjectsOf(acme, third.person.id), []);
});

t.test('m. the last way in stays, as the policy of the organization counts it', async (t) => {
  const acme = await makeConnected(service, provider, asks);
  const second = await addConnectionTo(service, acme, provider, { ...asks, name: 'Second' });
  const { person, visitor } = await memberOf(acme);
  const link = async (connectionId: string) => {
    const page = await visitor.get('/account/identities');
    const action = page.text.split('<form').findIndex((part) => part.includes(connectionId));
    t.ok(action > 0);
    const form = page.text.split('<form')[action] ?? '';
    const fields = Object.fromEntries(
      [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const left = await visitor.post('/account/identities/link', fields);
    await visitor.get(provider.authorize(left.location ?? '', { sub: `of ${connectionId}` }));
  };
  await link(acme.connectionId);
  await link(second);
  t.equal((await subjectsOf(acme, person.id)).length, 2);
  const policy = { firstFactors: ['connection'] } as const;
  await changeOrganization(container, {
    orgId: acme.orgId,
    change: { signInPolicy: policy },
    editor: testEditor,
  });
  const path = `/admin/v1/orgs/${acme.orgId}/users/${person.id}/identities`;
  t.equal((await call(`DELETE ${path}/${second}`, { as: acme.owner })).status, 204);
  const last = await call(`DELETE ${path}/${acme.connectionId}`, { as: acme.owner });
  t.match(last, { status: 409 }, 'the password does not sign in here');
  await changeOrganization(container, {
    orgId: acme.orgId,
    change: { signInPolicy: {} },
    editor: testEditor,
  });
  t.equal((await call(`DELETE ${path}/${acme.connectionId}`, { as: acme.owner })).status, 204);
});

t.test('a session at the provider is no fresh proof on the account pages', async (t) => {
  const acme = await makeConnected(service, provider, { linking: { byPerson: true }, creation: 'create' });
  const claims = { sub: 'silent', name: 'Silent' };
  const first = newVisitor(service);
  t.ok(isSignedIn(await first.fill(await arrive(first, acme, claims), {}, '/login/link/none')));
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, acme, provider, claims);
  t.ok(isSignedIn(seen));
  for (const path of ['/account/identities', '/account/passkeys/new'])
    t.match((await visitor.get(path)).location, /^\/account\/confirm\?/, path);
  const confirm = await visitor.follow(await visitor.get('/account/identities'));
  const address = await leaveFor(visitor, acme, confirm);
  t.equal(new URL(address).searchParams.get('prompt'), 'login');
  const now = Math.floor(clock.now().getTime() / 1000);
  const old = await visitor.get(provider.authorize(address, { ...claims, auth_time: now - 3_600 }));
  await refusedPage(visitor, old);
  t.match((await visitor.get('/account/identities')).location, /^\/account\/confirm\?/);
  const again = await leaveFor(visitor, acme, confirm);
  t.ok(isSignedIn(await visitor.get(provider.authorize(again, { ...claims, auth_time: now }))));
  t.equal((await visitor.get('/account/identities')).status, 200);
});
