import t from 'tap';
import { fromBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import type { Organization } from '#src/directory/organization.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { newAccountOf } from '#src/login/registration/add-newcomer.js';
import { makeNewcomer } from '#src/login/registration/register-user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import type { OrganizationChange } from '#src/organizations/organization-rules.js';
import { newSecret } from '#src/platform/ids.js';
import { removeUser } from '#src/removal/index.js';
import { until } from '../../../../dev/until.js';
import { testEditor, uniqueName } from '../../../support/app/make.js';
import { goodPassword, makeHome } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { startMailServer } from '../../../support/network/mail-server.js';
import { visit } from '../../../support/oidc/visitor.js';
import { optionsIn, SoftAuthenticator } from '../../../support/passkeys/authenticator.js';
import { keysOf } from '../../../support/stores/redis-keys.js';

/** A person who registers and must set up a factor is stored together with it, and not before. */

const mail = await startMailServer(t);
const { container, app, clock } = await buildTestApp(t, {
  ...{ loginFailureMilliseconds: 0, smtpUrl: mail.url },
});
const { origin } = new URL(container.config.baseUrl);
const passkeysOnly: SignInPolicy = { firstFactors: ['passkey'] };
const twoFactors: SignInPolicy = { demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }] };

const makeOpen = (signInPolicy: SignInPolicy, more: OrganizationChange = {}) =>
  makeHome(container, { signInPolicy, login: { selfRegistration: true }, ...more });

let lastAddress = 0;

/** A browser at the form of a registration. @param age of the request that waits, in seconds */
async function atForm({ id: orgId }: Pick<Organization, 'id'>, userName = uniqueName('new'), age = 0) {
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress}` });
  await visitor.get('/login');
  const flow = container.authorizationRequests.seal({
    ...{ id: newSecret(), clientId: 'some-client', redirectUri: 'https://client.example/callback' },
    ...{ responseType: 'code', responseMode: 'query', prompts: [], uiLocales: [] },
    created: new Date(clock.now().getTime() - age * 1000),
    scope: `openid urn:service:iam:org:id:${orgId}`,
    agentHash: hashSecret(visitor.cookies.get('__Host-muster-agent') ?? ''),
  });
  visitor.cookies.set('__Host-muster-flow', flow);
  const fields = { givenName: 'Bo', familyName: 'Ek', email: `${userName}@example.org`, userName };
  const page = await visitor.get(`/login/register?request=${flow}`);
  const send = (more: Record<string, string> = {}) => visitor.fill(page, { ...fields, ...more });
  return { visitor, userName, send };
}

type AtForm = Awaited<ReturnType<typeof atForm>>;

/** A browser at the page of the passkey. */
async function atPasskey(home: Organization, userName?: string, age?: number) {
  const form = await atForm(home, userName, age);
  const answer = await form.send();
  t.match(answer.location, /^\/login\/enrol-passkey\?/);
  return { ...form, page: await form.visitor.follow(answer) };
}

const make = (
  { visitor, page }: { visitor: AtForm['visitor']; page: Awaited<ReturnType<AtForm['send']>> },
  key = new SoftAuthenticator(),
) =>
  visitor.fill(
    page,
    { response: key.create(optionsIn(page.text, 'create'), origin) },
    '/login/enrol-passkey',
  );

const accountOf = async (userName: string) => (await container.accounts.findAnywhere(userName))[0];
const usersOf = ({ id }: Organization) => container.users.count(id);

async function begunSignIns(): Promise<string[]> {
  const keys = await keysOf(container.redis, `${container.config.redisPrefix}*login-step:*`);
  return Promise.all(keys.map(async (key) => (await container.redis.get(key)) ?? ''));
}

t.test('nothing is stored of a person who leaves before the passkey', async (t) => {
  const home = await makeOpen(passkeysOnly);
  const { userName } = await atPasskey(home);
  t.equal(await accountOf(userName), undefined);
  t.equal(await usersOf(home), 0);
  t.same(mail.to(`${userName}@example.org`), [], 'nor is anything mailed');
  const kept = (await begunSignIns()).filter((text) => text.includes('newcomer'));
  t.ok(kept.length > 0);
  t.notOk(
    kept.some((text) => text.includes(userName)),
    'what the person typed is sealed',
  );
  const again = await atPasskey(home, userName);
  t.match((await make(again)).location, /^\/oauth\/v2\/authorize\/callback/, 'the name was free');
  await until(async () => mail.to(`${userName}@example.org`).length === 1);
});

t.test('the account, its passkey and both events are one transaction', async (t) => {
  const home = await makeOpen(passkeysOnly);
  const first = await atPasskey(home);
  const key = new SoftAuthenticator();
  t.match((await make(first, key)).location, /^\/oauth\/v2\/authorize\/callback/);
  const account = await accountOf(first.userName);
  const id = account?.user.id ?? '';
  t.match(account, { user: { orgId: home.id, version: 2 }, password: undefined, passkeys: { count: 1 } });
  const events = await container.events.search({ aggregateId: id, limit: 20, ascending: true });
  t.match(
    events.slice(0, 2).map(({ type, sequence }) => [type, sequence]),
    [
      ['user.human.added', 1],
      ['user.human.passkey.added', 2],
    ],
  );
  t.equal(await usersOf(home), 1);
  const classes = [...((await container.userTotals.readFactors(home.id)) ?? [])];
  t.same(
    classes.filter(([, count]) => count !== 0).map(([, count]) => count),
    [1],
    'one person, with the factors that the account has',
  );

  const second = await atPasskey(home);
  t.match(await make(second, key), { status: 400, text: /in use already/ }, 'a passkey of somebody else');
  t.equal(await accountOf(second.userName), undefined, 'the account is not stored without its passkey');
  t.equal(await usersOf(home), 1);
  const page = await second.visitor.get(second.page.url);
  t.match((await make({ ...second, page })).location, /^\/oauth\/v2\/authorize\/callback/);
});

t.test('with a password and a demanded second factor, nothing is stored before its first code', async (t) => {
  const home = await makeOpen(twoFactors);
  const { visitor, userName, send } = await atForm(home);
  const answer = await send({ password: goodPassword });
  t.match(answer.location, /^\/login\/enrol\?/);
  t.equal(await accountOf(userName), undefined);
  const page = await visitor.follow(answer);
  const wrong = await visitor.fill(page, { code: '000000' }, '/login/enrol');
  t.match(wrong.status, 400);
  t.equal(await accountOf(userName), undefined, 'a wrong code stores nothing');
  const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(wrong.text) ?? [];
  const code = totpCode(fromBase32(secret) ?? Buffer.alloc(0), totpStep(clock.now()));
  const done = await visitor.fill(wrong, { code }, '/login/enrol');
  t.match(done.location, /^\/oauth\/v2\/authorize\/callback/);
  const account = await accountOf(userName);
  t.ok(account?.password !== undefined && account.totp !== undefined);
  const isRight = await container.passwords.verify(account?.password?.hash, goodPassword, {
    purpose: 'sign-in',
    orgId: home.id,
  });
  t.ok(isRight, 'the password is the one of the form');
});

t.test('what the person may put off keeps no account waiting', async (t) => {
  const home = await makeOpen({ demands: [{ of: 'everybody', acr: '2', from: '2090-01-01' }] });
  const { visitor, userName, send } = await atForm(home);
  const answer = await send({ password: goodPassword });
  t.match(answer.location, /^\/login\/enrol\?/);
  t.ok(await accountOf(userName));
  const page = await visitor.follow(answer);
  const later = await visitor.fill(page, { later: '1' }, '/login/enrol');
  t.match(later.location, /^\/oauth\/v2\/authorize\/callback/);
});

t.test('a demand that nobody who registers can meet stores nothing', async (t) => {
  const home = await makeOpen({
    // Nobody has proved the address of a person who registers.
    ...{ firstFactors: ['password'], secondFactors: ['mailCode'] },
    demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }],
  });
  const { userName, send } = await atForm(home);
  t.match(await send({ password: goodPassword }), { status: 403 });
  t.equal(await accountOf(userName), undefined);
});

t.test('what changes before the passkey is made', async (t) => {
  await t.test('another person gets the login name', async (t) => {
    const home = await makeOpen(passkeysOnly);
    const slow = await atPasskey(home);
    const quick = await atPasskey(home, slow.userName);
    t.match((await make(quick)).location, /callback/);
    const refused = await make(slow);
    t.match(refused, { status: 409, text: /login name is taken/ });
    t.match(refused.url, /^\/login\/register\?/);
    t.match(refused.text, new RegExp(`value="${slow.userName}"`), 'the form has what the person typed');
    t.equal(await usersOf(home), 1);
  });

  await t.test('the organization is full', async (t) => {
    const home = await makeOpen(passkeysOnly, { quotas: { users: 1 } });
    const slow = await atPasskey(home);
    const quick = await atPasskey(home);
    t.match((await make(quick)).location, /callback/);
    t.match(await make(slow), { status: 403, text: /cannot create an account/i });
    t.equal(await usersOf(home), 1);
    t.match(await (await atForm(home)).send(), { status: 403 }, 'the form says so before the passkey');
  });

  await t.test('nobody may register any more', async (t) => {
    const home = await makeOpen(passkeysOnly);
    const slow = await atPasskey(home);
    const change = { login: { selfRegistration: false } };
    await changeOrganization(container, { orgId: home.id, change, editor: testEditor });
    t.match((await make(slow)).location, /^\/login\?.*again=1/);
    t.equal(await usersOf(home), 0);
  });

  await t.test('the policy demands nothing any more', async (t) => {
    const home = await makeOpen(twoFactors);
    const { visitor, send } = await atForm(home);
    const page = await visitor.follow(await send({ password: goodPassword }));
    await changeOrganization(container, {
      ...{ orgId: home.id, editor: testEditor },
      change: () => ({ signInPolicy: {} }),
    });
    t.match((await visitor.get(page.url)).location, /^\/login\?.*again=1/, 'the person begins again');
    t.equal(await usersOf(home), 0);
  });
});

const beginsAgain = { location: /^\/login\?.*again=1/ };

t.test('the account begins when it is stored', async (t) => {
  const home = await makeOpen(passkeysOnly);
  const slow = await atPasskey(home);
  clock.advance(300);
  const before = clock.now();
  t.match((await make(slow)).location, /callback/);
  const user = (await accountOf(slow.userName))?.user;
  t.ok(user && user.created >= before, 'so earlier accounts keep a login name of both');
  t.ok(user && user.lastModified >= before);
  const [added] = await container.events.search({
    ...{ aggregateId: user?.id ?? '', limit: 1, ascending: true },
  });
  t.equal(added?.type, 'user.human.added');
  t.ok(added && added.creationDate >= before, 'the log has it when it happened');
});

t.test('a registration waits for ten minutes, for the request in which it began', async (t) => {
  const home = await makeOpen(passkeysOnly);
  const slow = await atPasskey(home);
  clock.advance(599);
  t.equal((await slow.visitor.get(slow.page.url)).status, 200);
  clock.advance(1);
  t.match(await slow.visitor.get(slow.page.url), beginsAgain);
  const old = await atPasskey(home, undefined, 1_700);
  const waiting = async () => (await begunSignIns()).filter((text) => text.includes('newcomer')).length;
  const before = await waiting();
  clock.advance(120);
  t.match(await make(old), beginsAgain, 'the request is too old, and begins anew');
  t.equal(await waiting(), before, 'no copy waits for the new request');
  t.equal(await usersOf(home), 0);
});

/** Brings the begun sign-in and the cookies of a browser back, as if the process had ended right after the account was stored. */
async function keepBegun({ visitor }: AtForm) {
  const cookies = [...visitor.cookies];
  const agent = hashSecret(visitor.cookies.get('__Host-muster-agent') ?? '');
  const [key = ''] = await keysOf(container.redis, `${container.config.redisPrefix}*login-step:${agent}:*`);
  const text = (await container.redis.get(key)) ?? '';
  return {
    isWaiting: async () => (await container.redis.get(key)) !== null,
    async restore() {
      await container.redis.set(key, text);
      for (const [name, value] of cookies) visitor.cookies.set(name, value);
    },
  };
}

t.test('an account is stored once', async (t) => {
  for (const isRemoved of [false, true]) {
    const home = await makeOpen(passkeysOnly, { quotas: { users: 1 } });
    const form = await atPasskey(home);
    const begun = await keepBegun(form);
    t.match((await make(form)).location, /callback/);
    const id = (await accountOf(form.userName))?.user.id ?? '';
    if (isRemoved) await removeUser(container, { orgId: home.id, id, editor: testEditor });
    await begun.restore();
    const page = await form.visitor.get(form.page.url);
    t.match(await make({ ...form, page }), beginsAgain, isRemoved ? 'it was removed' : 'it can sign in');
    t.equal(await begun.isWaiting(), false);
    t.equal(await usersOf(home), isRemoved ? 0 : 1);
  }
});

t.test('an account that could never sign in is not stored', async (t) => {
  const login = { selfRegistration: true, verifyEmail: true };
  const organization = await makeOpen(passkeysOnly, { login });
  const userName = uniqueName('new');
  const entered = { givenName: 'Bo', familyName: 'Ek', email: `${userName}@example.org`, userName };
  const newcomer = await makeNewcomer(container, { organization, entered, language: 'en' });
  const noMail = newAccountOf({ ...container, mailer: undefined }, newcomer);
  await t.rejects(noMail?.add(async () => undefined) ?? Promise.resolve(), 'nobody could prove the address');
  t.equal(await usersOf(organization), 0);
  await newAccountOf(container, newcomer)?.add(async () => undefined);
  t.equal(await usersOf(organization), 1);
});

t.test('an account that waits opens no page but that of its factor', async (t) => {
  const home = await makeOpen(passkeysOnly, { login: { selfRegistration: true, verifyEmail: true } });
  const form = await atPasskey(home);
  for (const path of ['/login/verify-email', '/login/code', '/login/new-password', '/login/mail-code'])
    t.match((await form.visitor.get(path)).location, /^\/login/, path);
  t.match((await make(form)).location, /^\/login\/verify-email/, 'the address is proved after the passkey');
});

t.test('two tabs store one account', async (t) => {
  const home = await makeOpen(passkeysOnly);
  const form = await atPasskey(home);
  const other = { ...form, page: await form.visitor.get(form.page.url) };
  await Promise.all([make(form), make(other)]);
  t.equal(await usersOf(home), 1);
  t.match(await accountOf(form.userName), { passkeys: { count: 1 } });
});
