import t from 'tap';
import { credentialsStamp } from '#src/accounts/credentials-stamp.js';
import { createRelyingPartyStore } from '#src/authentication/passkeys/index.js';
import { createSealedTotpsStore } from '#src/authentication/second-factor/sealed-totps.store.js';
import { directoryErrors, type User, type UserProfileInput } from '#src/directory/index.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { makeOrganization, uniqueName } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';

/** Each condition of the writes of credentials refuses alone: of another organization, of another version, and after another use. */

const { container } = await openTestContainer(t);
const { accounts, users, oneTimeLinks, mongo } = container;
const at = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');
const [home, other] = [await makeOrganization(container), await makeOrganization(container)];

const password = { hash: 'first', changed: at };
const totp = { sealed: 'sealed', lastStep: 5, enrolled: at, recovery: ['one', 'two'] };
type Credentials = Omit<Parameters<typeof users.insert>[1][number], 'user'>;

async function add(credentials: Credentials = {}, profile: Partial<UserProfileInput> = {}): Promise<User> {
  const id = uniqueName('account');
  const given = normalizeProfile({ userName: id, active: true, ...profile });
  const user = { ...given, id, orgId: home.id, version: 1, created: at, lastModified: at };
  await mongo.transaction((transaction) => users.insert(home.id, [{ user, ...credentials }], transaction));
  return user;
}

const accountOf = async ({ id }: User) => {
  const account = await accounts.find(home.id, id);
  if (account === undefined) throw new Error('There is no account');
  return account;
};

type Target = { readonly id: string; readonly expectedVersion: number; readonly now: Date };
type Write = (orgId: string, target: Target, transaction: Transaction) => Promise<boolean>;

const versioned: Readonly<Record<string, Write>> = {
  requirePasswordChange: accounts.requirePasswordChange,
  advance: accounts.advance,
  'setTotp, to none': (orgId, target, transaction) =>
    accounts.setTotp(orgId, { ...target, totp: undefined }, transaction),
  setPasskeys: (orgId, target, transaction) =>
    accounts.setPasskeys(orgId, { ...target, passkeys: { count: 1, changed: at } }, transaction),
  setRecoveryCodes: (orgId, target, transaction) =>
    accounts.setRecoveryCodes(orgId, { ...target, recovery: ['three'] }, transaction),
};
const within = (write: Write, orgId: string, target: Target) =>
  mongo.transaction((transaction) => write(orgId, target, transaction));

for (const [name, write] of Object.entries(versioned)) {
  t.test(`${name}: of the organization, at the version, once`, async (t) => {
    const user = await add({ password, totp });
    const target = { id: user.id, expectedVersion: 1, now: later };
    const before = await accountOf(user);
    t.equal(await within(write, other.id, target), false, 'another organization');
    t.equal(await within(write, home.id, { ...target, expectedVersion: 2 }), false, 'a later version');
    t.equal(await within(write, home.id, { ...target, id: 'nobody' }), false, 'nobody');
    t.same(await accountOf(user), before);
    t.equal(await within(write, home.id, target), true);
    t.match((await accountOf(user)).user, { version: 2, lastModified: later });
    t.equal(await within(write, home.id, target), false, 'a version that is gone');
  });
}

t.test('a password or a second factor that is not there has no part that changes', async (t) => {
  const user = await add();
  const target = { id: user.id, expectedVersion: 1, now: later };
  for (const name of ['requirePasswordChange', 'setRecoveryCodes'] as const)
    t.equal(await within(versioned[name] as Write, home.id, target), false, name);
  const { password: none, totp: nothing, user: same } = await accountOf(user);
  t.same([none, nothing, same.version], [undefined, undefined, 1]);
});

t.test('a hash is replaced by a better one of the same password alone', async (t) => {
  const user = await add({ password });
  const hashOf = async () => (await accountOf(user)).password?.hash;
  await accounts.replaceHash(home.id, { id: user.id, from: 'another', to: 'wrong' });
  await accounts.replaceHash(other.id, { id: user.id, from: 'first', to: 'wrong' });
  t.equal(await hashOf(), 'first');
  await accounts.replaceHash(home.id, { id: user.id, from: 'first', to: 'better' });
  t.equal(await hashOf(), 'better');
});

t.test('a time step counts once, for the secret that it was checked with', async (t) => {
  const { id } = await add({ totp });
  const take = (step: number, { orgId = home.id, sealed = 'sealed' } = {}) =>
    accounts.takeTotpStep(orgId, { id, sealed, step });
  t.equal(await take(6, { orgId: other.id }), false, 'another organization');
  t.equal(await take(6, { sealed: 'another' }), false, 'a secret that was replaced');
  t.equal(await take(5), false, 'the latest used step');
  t.equal(await take(4), false, 'a step before it');
  const taken = await Promise.all(Array.from({ length: 5 }, () => take(6)));
  t.equal(taken.filter(Boolean).length, 1, 'one of many');
  t.equal(await take(7), true);
});

t.test('a recovery code counts once', async (t) => {
  const user = await add({ totp });
  const take = (hash: string, orgId = home.id) => accounts.takeRecoveryCode(orgId, { id: user.id, hash });
  t.equal(await take('one', other.id), false, 'another organization');
  t.equal(await take('three'), false, 'a code that is none');
  const taken = await Promise.all(Array.from({ length: 5 }, () => take('one')));
  t.equal(taken.filter(Boolean).length, 1, 'one of many');
  t.same((await accountOf(user)).totp?.recovery, ['two']);
});

t.test('a person is asked once for a passkey', async (t) => {
  const { id } = await add();
  t.equal(await accounts.offerPasskey(other.id, { id, now: at }), false, 'another organization');
  const moments = [1, 2, 3, 4, 5].map((ms) => new Date(at.getTime() + ms));
  const asked = await Promise.all(moments.map((now) => accounts.offerPasskey(home.id, { id, now })));
  t.equal(asked.filter(Boolean).length, 1, 'one of many');
});

t.test('an import marks the people of its organization', async (t) => {
  const user = await add({ password });
  const marks = [{ id: user.id, passkeys: { count: 2, changed: at } }];
  const mark = (orgId: string) =>
    mongo.transaction((transaction) => accounts.markPasskeys(orgId, marks, transaction));
  const before = await container.userTotals.readFactors(other.id);
  await mark(other.id);
  t.equal((await accountOf(user)).passkeys, undefined);
  t.same(await container.userTotals.readFactors(other.id), before, 'and counts nobody of another');
  await mark(home.id);
  t.same((await accountOf(user)).passkeys, { count: 2, changed: at });
});

t.test('credentials are those of a stamp while the person is active', async (t) => {
  const user = await add({ password, totp });
  const stamp = credentialsStamp(await accountOf(user));
  t.equal(await accounts.hasCredentials(home.id, { id: user.id, stamp }), true);
  t.equal(await accounts.hasCredentials(other.id, { id: user.id, stamp }), false, 'another organization');
  t.equal(await accounts.hasCredentials(home.id, { id: user.id, stamp: 'other' }), false, 'another stamp');
  const idle = await add({ password, totp }, { active: false });
  const own = credentialsStamp(await accountOf(idle));
  t.equal(await accounts.hasCredentials(home.id, { id: idle.id, stamp: own }), false, 'not active');
});

t.test('an address that nobody proved finds its person where that is enough', async (t) => {
  const value = `${uniqueName('ada')}@people.example`;
  const said = await add({}, { emails: [{ value, primary: true }] });
  const doubted = await add({}, { emails: [{ value, primary: true, verified: false }] });
  const second = await add(
    {},
    { emails: [{ value: `first.${value}`, primary: true, verified: true }, { value }] },
  );
  const proved = await add({}, { emails: [{ value, primary: true, verified: true }] });
  const ids = (found: readonly { user: User }[]) => found.map(({ user }) => user.id).sort();
  t.same(ids(await accounts.findByEmail(home.id, value)), [said.id, proved.id].sort());
  t.same(ids(await accounts.findByEmail(other.id, value)), []);
  t.same(ids(await accounts.findProved(value)), [proved.id]);
  t.same(ids(await accounts.findAnywhere(value)), [said.id, proved.id].sort());
  for (const { id } of [doubted, second]) t.notOk(ids(await accounts.findAnywhere(value)).includes(id));
});

t.test('a one-time link is the only one of its user, until it ends or is used', async (t) => {
  const [ada, grace] = [await add(), await add()];
  const hash = () => uniqueName('hash');
  const put = async (user: User, expires: Date, more: { byAdministrator?: true } = {}) => {
    const link = { hash: hash(), userId: user.id, orgId: home.id, created: at, expires, ...more };
    await mongo.transaction((transaction) => oneTimeLinks.put(link, transaction));
    return link;
  };
  const [first, ofGrace] = [await put(ada, later), await put(grace, later, { byAdministrator: true })];
  const second = await put(ada, later);
  t.equal(await oneTimeLinks.find(first.hash), undefined, 'the former link');
  t.same(await oneTimeLinks.find(second.hash), second);
  t.same(await oneTimeLinks.find(ofGrace.hash), ofGrace, 'that of another user');
  const ids = [ada.id, grace.id];
  const moment = new Date(later.getTime() - 1);
  t.same(await oneTimeLinks.holders(home.id, [ada.id], moment), new Set([ada.id]));
  t.same(await oneTimeLinks.holders(other.id, ids, moment), new Set());
  t.same(await oneTimeLinks.holders(home.id, ids, later), new Set(), 'at its end');
  t.same(await oneTimeLinks.linksAmong([ada.id], moment), [{ userId: ada.id, expires: later }]);
  t.same(await oneTimeLinks.linksAmong([grace.id], moment), [
    { userId: grace.id, expires: later, byAdministrator: true },
  ]);
  t.same(await oneTimeLinks.linksAmong(ids, later), []);
  t.same(await oneTimeLinks.linksAmong([], moment), []);
  const take = () => mongo.transaction((transaction) => oneTimeLinks.take(second.hash, transaction));
  t.same([await take(), await take()], [true, false]);
  await mongo.transaction((transaction) => oneTimeLinks.removeAllOf(ada.id, transaction));
  t.same(await oneTimeLinks.find(ofGrace.hash), ofGrace, 'only those of the user are removed');
  await mongo.transaction((transaction) => oneTimeLinks.removeAllOf(grace.id, transaction));
  t.equal(await oneTimeLinks.find(ofGrace.hash), undefined);
});

t.test('a secret is sealed anew if it is the one that was read', async (t) => {
  const totps = createSealedTotpsStore(mongo);
  const user = await add({ totp });
  await add();
  const read = [];
  for await (const one of totps.all()) if (one.orgId === home.id) read.push(one);
  t.ok(read.some(({ userId, sealed }) => userId === user.id && sealed === 'sealed'));
  const replace = (orgId: string, from: string) =>
    totps.replace(orgId, { userId: user.id, from, to: 'anew' });
  await replace(other.id, 'sealed');
  await replace(home.id, 'another');
  t.equal((await accountOf(user)).totp?.sealed, 'sealed');
  await replace(home.id, 'sealed');
  t.equal((await accountOf(user)).totp?.sealed, 'anew');
});

t.test('the RP ID is that of the first passkey, until an operator replaces it', async (t) => {
  const store = createRelyingPartyStore(mongo);
  const claim = (rpId: string) => mongo.transaction((transaction) => store.claim(rpId, transaction));
  t.equal(await store.find(), undefined);
  await claim('id.example');
  await claim('id.example');
  await t.rejects(claim('login.example'), {
    definition: directoryErrors.relyingPartyDiffers,
  } as unknown as Error);
  await store.replace({ from: 'login.example', to: 'wrong.example' });
  t.equal(await store.find(), 'id.example');
  await store.replace({ from: 'id.example', to: 'login.example' });
  t.equal(await store.find(), 'login.example');
});
