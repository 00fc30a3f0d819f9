import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import {
  listBrowsers,
  recallBrowser,
  rememberBrowser,
} from '#src/authentication/remembered-browsers/index.js';
import { changeTotp } from '#src/authentication/second-factor/change-totp.js';
import { setPassword } from '#src/authentication/set-password.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/index.js';
import { removeUser } from '#src/removal/index.js';
import { endSessions } from '#src/sessions/end-sessions.js';
import { makeTenant, testEditor } from '../../../support/app/make.js';
import { makeApplication, postForm, redirectUri } from '../../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { type Seen, type Visitor, visit } from '../../../support/oidc/visitor.js';

/** Browsers at which a sign-in needs no second factor. */

const { app, call, container, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const remembering: SignInPolicy = { rememberedBrowserDays: 30 };
const demands: SignInPolicy['demands'] = [{ of: 'everybody', acr: '2', from: '2020-01-01' }];
const cookieName = '__Host-muster-browser';
const day = 24 * 3600;

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress % 250}` });

async function setting(policy: SignInPolicy = remembering) {
  const home = await makeHome(container, { signInPolicy: policy });
  const person = await makePerson(container, home);
  const secret = await giveTotp(container, person);
  const change = (signInPolicy: SignInPolicy) =>
    changeOrganization(container, { orgId: home.id, change: () => ({ signInPolicy }), editor: testEditor });
  return { home, person, secret, change };
}
type Setting = Awaited<ReturnType<typeof setting>>;

function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

async function withPassword(visitor: Visitor, { userName }: User, start = '/login?to=account') {
  const page = await visitor.follow(await visitor.get(start));
  const answer = await visitor.fill(page, { loginName: userName, password: goodPassword }, '/login');
  return visitor.follow(answer);
}

/** Enters the code, with the box ticked. */
const remember = (visitor: Visitor, page: Seen, { secret }: Pick<Setting, 'secret'>) =>
  visitor.fill(page, { code: nextCode(secret), remember: '1' }, '/login/code').then(visitor.follow);

/** A browser that is remembered for the person, and signed out. */
async function remembered(made: Setting, visitor = newVisitor()): Promise<Visitor> {
  const page = await withPassword(visitor, made.person);
  t.match(page.url, /^\/login\/code/);
  t.match((await remember(visitor, page, made)).url, /^\/account\?/);
  await signOut(made.person);
  return visitor;
}

async function signOut({ id }: User) {
  for (const session of await container.sessions.ofUser(id)) await container.sessions.end(id, session.id);
}

const browsersOf = ({ id, orgId }: User) => container.rememberedBrowsers.ofUser(orgId, id);
const isAsked = async (visitor: Visitor, person: User) =>
  /^\/login\/code/.test((await withPassword(visitor, person)).url);

t.test('a browser is remembered for as long as the policy says', async (t) => {
  const made = await setting();
  const visitor = newVisitor();
  const page = await withPassword(visitor, made.person);
  t.match(page.text, /<input type="checkbox" id="remember" name="remember" value="1"/);
  t.match(page.text, /Do not ask in this browser for 30 days/);
  t.match((await remember(visitor, page, made)).url, /^\/account\?/);
  const [stored] = await browsersOf(made.person);
  const secret = visitor.cookies.get(cookieName) ?? '';
  t.match(secret, /^[\w-]{43}$/);
  t.notMatch(JSON.stringify(stored), secret, 'the store has a hash alone');
  await signOut(made.person);
  t.notOk(await isAsked(visitor, made.person));
  const [session] = await container.sessions.ofUser(made.person.id);
  t.same(
    session?.proofs.map(({ kind }) => kind),
    ['password', 'rememberedBrowser'],
  );
  await signOut(made.person);
  t.ok(await isAsked(newVisitor(), made.person), 'another browser');
  clock.advance(29 * day);
  t.notOk(await isAsked(visitor, made.person));
  await signOut(made.person);
  clock.advance(day);
  t.ok(await isAsked(visitor, made.person), 'the time is over, whether it was used or not');
  const events = await container.events.search({ aggregateId: made.person.id, limit: 99, ascending: true });
  const found = events.filter(({ type }) => type === 'user.browser.remembered');
  t.equal(found.length, 1);
  t.notMatch(JSON.stringify(events), secret);
});

t.test('nothing is remembered without the box, the policy, or a factor that lasts', async (t) => {
  const unticked = await setting();
  const first = newVisitor();
  const page = await withPassword(first, unticked.person);
  await first.fill(page, { code: nextCode(unticked.secret) }, '/login/code');
  t.equal(first.cookies.get(cookieName), undefined);

  const off = await setting({});
  const second = newVisitor();
  const plain = await withPassword(second, off.person);
  t.notMatch(plain.text, 'name="remember"');
  await remember(second, plain, off);
  t.equal(second.cookies.get(cookieName), undefined, 'a forged field changes nothing');
  t.same([await browsersOf(unticked.person), await browsersOf(off.person)], [[], []]);

  const recovery = newVisitor();
  await withPassword(recovery, unticked.person);
  const form = await recovery.get('/login/code?recovery=1');
  t.notMatch(form.text, 'name="remember"');
});

t.test('a cookie is of one person, and one that was planted becomes no key', async (t) => {
  const [one, two, elsewhere] = [await setting(), await setting(), await setting()];
  const colleague = await makePerson(container, one.home);
  const colleagueSecret = await giveTotp(container, colleague);
  const visitor = newVisitor();
  const planted = 'p'.repeat(43);
  visitor.cookies.set(cookieName, planted);
  await remembered(one, visitor);
  t.ok(await isAsked(visitor, colleague), 'a colleague');
  t.ok(await isAsked(visitor, elsewhere.person), 'a person of another organization');
  const thief = newVisitor();
  thief.cookies.set(cookieName, planted);
  t.ok(await isAsked(thief, one.person));
  await remembered({ ...one, person: colleague, secret: colleagueSecret }, visitor);
  await remembered(two, visitor);
  for (const person of [one.person, colleague, two.person]) {
    t.notOk(await isAsked(visitor, person), 'several people share the browser');
    await signOut(person);
  }
  for (const damaged of ['', 'x', `${planted}.`, `${Array(40).fill(planted).join('.')}`, '"; x']) {
    thief.cookies.set(cookieName, damaged);
    t.ok(await isAsked(thief, one.person));
  }
});

t.test('it ends with everything that ends the trust in the person or the browser', async (t) => {
  const target = ({ person, home }: Setting) => ({ organization: home, id: person.id, editor: testEditor });
  const setActive = (made: Setting, active: boolean) =>
    changeUser(container, {
      ...target(made),
      change: (current) => ({ profile: { ...asInput(current), active } }),
    });
  const rows: [string, (made: Setting) => Promise<unknown>][] = [
    ['a new password', (made) => setPassword(container, { ...target(made), password: goodPassword })],
    [
      'another second factor',
      async ({ home, person }) => {
        const of = { orgId: home.id, id: person.id, editor: testEditor };
        await changeTotp(container, { ...of, totp: undefined });
        t.same(await browsersOf(person), []);
        await giveTotp(container, person);
      },
    ],
    ['sign out everywhere', ({ person }) => endSessions(container, { user: person, editor: testEditor })],
    [
      'deactivation',
      async (made) => {
        await setActive(made, false);
        t.same(await browsersOf(made.person), []);
        await setActive(made, true);
      },
    ],
    ['the policy remembers none', ({ change }) => change({})],
    [
      'the factor that was proved counts no more',
      ({ change }) => change({ ...remembering, secondFactors: ['passkey'], demands: [] }),
    ],
  ];
  for (const [what, happens] of rows) {
    const made = await setting();
    const visitor = await remembered(made);
    await happens(made);
    const page = await withPassword(visitor, made.person);
    const kinds = (await container.sessions.ofUser(made.person.id)).flatMap(({ proofs }) => proofs);
    t.notOk(
      kinds.some(({ kind }) => kind === 'rememberedBrowser'),
      what,
    );
    if (what.startsWith('the factor')) t.match(page.url, /^\/account\?/, 'nothing else is demanded');
    else t.match(page.url, /^\/login\/code/, what);
  }
  const made = await setting();
  await remembered(made);
  await removeUser(container, { orgId: made.home.id, id: made.person.id, editor: testEditor });
  t.same(await browsersOf(made.person), []);
});

t.test(
  'a browser where a mailed code was proved ends with the address, and another one does not',
  async (t) => {
    const { home, person } = await setting({ ...remembering, secondFactors: ['totp', 'mailCode'] });
    const policy = home.signInPolicy;
    const account = async () => {
      const found = await container.accounts.find(home.id, person.id);
      if (found === undefined) throw new Error('no account');
      return found;
    };
    const secrets = { code: 'c'.repeat(43), mailCode: 'm'.repeat(43) };
    for (const by of ['code', 'mailCode'] as const)
      await rememberBrowser(container, {
        ...{ account: await account(), by, policy, secret: secrets[by], former: [] },
      });
    const recalled = async (by: 'code' | 'mailCode') =>
      (await recallBrowser(container, await account(), { secrets: [secrets[by]], since: undefined }))?.by;
    const shown = async () => (await listBrowsers(container, await account())).map(({ by }) => by).sort();
    t.same([await recalled('code'), await recalled('mailCode')], ['code', 'mailCode']);
    const change = (value: string) =>
      changeUser(container, {
        ...{ organization: home, id: person.id, editor: testEditor },
        change: (current) => ({ profile: { ...asInput(current), emails: [{ value, primary: true }] } }),
      });
    const [{ value } = { value: '' }] = person.emails;
    await change(value.toUpperCase());
    t.same(await shown(), ['code', 'mailCode'], 'letter case is no other mailbox');
    await change('another@people.example');
    t.same([await recalled('code'), await recalled('mailCode')], ['code', undefined]);
    t.same(await shown(), ['code']);
  },
);

t.test('a policy with fewer days, or none, holds at once, for sessions too', async (t) => {
  const made = await setting();
  const client = await makeApplication(container, made.home.id);
  const query = { client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  const authorize = `/oauth/v2/authorize?${new URLSearchParams(query)}`;
  const visitor = await remembered(made);
  clock.advance(8 * day);
  await made.change({ rememberedBrowserDays: 7 });
  t.ok(await isAsked(visitor, made.person));
  await made.change({ ...remembering, demands });
  t.notOk(await isAsked(visitor, made.person));
  t.match((await visitor.get(authorize)).location, /[?&]code=/);
  await made.change({ demands });
  t.match((await visitor.get(authorize)).location, /^\/login\/code/, 'the session lacks the factor');
});

t.test('it proves nothing to applications, and nothing fresh', async (t) => {
  const made = await setting({ ...remembering, demands });
  const client = await makeApplication(container, made.home.id);
  const base = { client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  const authorize = (more = {}) => `/oauth/v2/authorize?${new URLSearchParams({ ...base, ...more })}`;
  const visitor = await remembered(made);
  const provedAt = (await browsersOf(made.person))[0]?.proved.getTime() ?? 0;
  clock.advance(3 * day);
  const plain = await withPassword(visitor, made.person, authorize());
  t.match(plain.location, /[?&]code=/, 'the demand of the organization is met');
  const form = {
    grant_type: 'authorization_code',
    code: new URL(plain.location ?? '').searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
  };
  const { body } = await postForm(call, '/oauth/v2/token', { form, as: client.credentials });
  const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString());
  t.same([claims.amr, claims.acr], [['pwd'], '1']);
  t.equal(claims.auth_time, Math.floor(provedAt / 1000), 'a fresh sign-in of administrators is not there');

  const essential = JSON.stringify({ id_token: { acr: { essential: true, value: '2' } } });
  for (const more of [{ claims: essential }, { max_age: '600' }, { acr_values: '2' }])
    t.match((await visitor.get(authorize(more))).location, /^\/login\/code/, JSON.stringify(more));
  const again = await withPassword(visitor, made.person, authorize({ prompt: 'login' }));
  t.match(again.url, /^\/login\/code/);
  t.match((await visitor.get('/account/passkeys/new')).location, /^\/account\/confirm/);
  const page = await visitor.follow(await visitor.get(authorize({ max_age: '600' })));
  t.match((await visitor.fill(page, { code: nextCode(made.secret) }, '/login/code')).status, 303);
  const [session] = await container.sessions.ofUser(made.person.id);
  t.notOk(
    session?.proofs.some(({ kind }) => kind === 'rememberedBrowser'),
    'the code replaces it',
  );
  await made.change({ ...remembering, demands: [{ of: 'everybody', acr: 'phr', from: '2020-01-01' }] });
  await signOut(made.person);
  await withPassword(visitor, made.person);
  t.same(await container.sessions.ofUser(made.person.id), [], 'nor does it resist phishing');
});

t.test('the person and administrators see the browsers, and have them forgotten', async (t) => {
  const made = await setting();
  const [mine, other] = [await remembered(made), await remembered(made)];
  await withPassword(mine, made.person);
  const account = await mine.get('/account');
  t.equal(account.text.match(/name="browser"/g)?.length, 2);
  const foreign = await setting();
  await remembered(foreign);
  const [theirs] = await browsersOf(foreign.person);
  await mine.fill(account, { browser: theirs?.id ?? '' }, '/account/browsers/forget');
  t.equal((await browsersOf(foreign.person)).length, 1, 'nobody forgets a browser of somebody else');
  const done = await mine.follow(await mine.fill(account, {}, '/account/browsers/forget'));
  t.match(done.text, /The browser is forgotten/);
  t.equal((await browsersOf(made.person)).length, 1);
  const events = await container.events.search({ aggregateId: made.person.id, limit: 1, ascending: false });
  t.match(events, [{ type: 'user.browser.forgotten', editor: { userId: made.person.id } }]);
  t.ok(await isAsked(other, made.person), 'the latest one is first in the list');
});

t.test('administrators list and forget by the API', async (t) => {
  const [tenant, foe] = [await makeTenant(container), await makeTenant(container)];
  const home = await changeOrganization(container, {
    ...{ orgId: tenant.orgId, editor: testEditor },
    change: { signInPolicy: remembering },
  });
  const person = await makePerson(container, home);
  const made = { home, person, secret: await giveTotp(container, person) };
  const visitor = await remembered(made as Setting);
  const path = `/admin/v1/orgs/${home.id}/users/${person.id}/remembered-browsers`;
  const { body } = await call(`GET ${path}`, { as: tenant.viewer });
  t.match(body.items, [{ provedBy: 'code', remembered: /^20/, expires: /^20/, lastUsed: /^20/ }]);
  t.same(Object.keys(body.items[0]).includes('hash'), false);
  const one = `${path}/${body.items[0].id}`;
  t.equal((await call(`DELETE ${one}`, { as: tenant.viewer })).status, 403);
  t.equal((await call(`GET ${path}`, { as: foe.owner })).status, 404);
  t.equal((await call(`DELETE ${one}`, { as: foe.owner })).status, 404);
  t.equal((await call(`GET ${path}x/`, { as: tenant.owner })).status, 404);
  t.equal((await call(`DELETE ${one}`, { as: tenant.manager })).status, 204);
  t.equal((await call(`DELETE ${one}`, { as: tenant.manager })).status, 204, 'it is harmless');
  t.same((await call(`GET ${path}`, { as: tenant.viewer })).body.items, []);
  t.ok(await isAsked(visitor, person));
  await addMembership(container, {
    userId: person.id,
    role: 'ORG_OWNER',
    orgId: home.id,
    editor: testEditor,
  });
  t.equal(
    (await call(`DELETE ${one}`, { as: tenant.manager })).status,
    403,
    'nobody acts on more powerful people',
  );
});

t.test('a person has at most 20 browsers, and the same one once', async (t) => {
  const made = await setting();
  const visitor = newVisitor();
  for (let i = 0; i < 2; i++) {
    visitor.cookies.delete('__Host-muster-agent');
    await made.change({});
    await signOut(made.person);
    await made.change(remembering);
    const page = await withPassword(visitor, made.person);
    if (page.url.startsWith('/login/code')) await remember(visitor, page, made);
    clock.advance(31 * day);
  }
  t.equal((await browsersOf(made.person)).length, 1, 'it replaces its former entry');
  await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      container.rememberedBrowsers.insert(
        {
          ...{ id: `b${index}-${made.person.id}`, orgId: made.home.id, userId: made.person.id, by: 'code' },
          ...{ hash: `h${index}`, proved: clock.now(), used: clock.now(), credentialsStamp: '' },
          expires: new Date(clock.now().getTime() + day * 1000),
        },
        [],
      ),
    ),
  );
  t.ok((await browsersOf(made.person)).length <= 20);
  const count = await container.mongo
    .collection('rememberedBrowsers')
    .countDocuments({ userId: made.person.id });
  t.ok(count <= 21, String(count));
});

t.test('a remembered browser is no second factor of an owner who breaks the glass', async (t) => {
  const made = await setting();
  const visitor = await remembered(made);
  await addMembership(container, {
    userId: made.person.id,
    role: 'ORG_OWNER',
    orgId: made.home.id,
    editor: testEditor,
  });
  await made.change({ ...remembering, breakGlassOwners: [made.person.id] });
  const page = await withPassword(visitor, made.person);
  t.match(page.url, /^\/login\/code/);
  t.notMatch(page.text, 'name="remember"');
  const before = (await browsersOf(made.person)).length;
  await remember(visitor, page, made);
  t.equal((await browsersOf(made.person)).length, before, 'and none is remembered');
});
