import t from 'tap';
import type { UserProfileInput } from '#src/directory/index.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { makeOrganization, uniqueName } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';

/** What people have to sign in with, as the rules for the last owner and the trials of policies read it. */

const { container } = await openTestContainer(t);
const { accounts, users, mongo } = container;
const at = new Date('2026-01-01T00:00:00Z');
const [home, other] = [await makeOrganization(container), await makeOrganization(container)];
const password = { hash: 'first', changed: at };
const totp = { sealed: 'sealed', lastStep: 5, enrolled: at };
const passkeys = { count: 1, changed: at };
const mail = (verified?: boolean) => [
  { value: 'ada@people.example', primary: true, ...(verified !== undefined && { verified }) },
];
type Credentials = Omit<Parameters<typeof users.insert>[1][number], 'user'>;

async function add(credentials: Credentials = {}, profile: Partial<UserProfileInput> = {}, orgId = home.id) {
  const id = uniqueName('account');
  const given = normalizeProfile({ userName: id, active: true, ...profile });
  const user = { ...given, id, orgId, version: 1, created: at, lastModified: at };
  await mongo.transaction((transaction) => users.insert(orgId, [{ user, ...credentials }], transaction));
  return { id, userName: id };
}

const nothing = { active: true, password: false, totp: false, passkey: false, mail: false };
const rows = [
  { of: await add(), has: nothing },
  { of: await add({ password }), has: { ...nothing, password: true } },
  { of: await add({ totp }), has: { ...nothing, totp: true } },
  { of: await add({}, { emails: mail() }), has: { ...nothing, mail: true } },
  { of: await add({}, { emails: mail(true) }), has: { ...nothing, mail: true } },
  { of: await add({}, { emails: mail(false) }), has: nothing },
  { of: await add({ password }, { active: false }), has: { ...nothing, active: false, password: true } },
];
const withKey = await add();
await mongo.transaction((transaction) =>
  accounts.markPasskeys(home.id, [{ id: withKey.id, passkeys }], transaction),
);
rows.push({ of: withKey, has: { ...nothing, passkey: true } });
const stranger = await add({ password, totp }, { emails: mail() }, other.id);
const ids = [...rows.map(({ of: { id } }) => id), stranger.id, 'nobody'];
const inOrder = <T extends { readonly id: string }>(found: readonly T[]) =>
  [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
const expected = inOrder(rows.map(({ of, has }) => ({ ...of, ...has })));

t.test('named people of the organization', async (t) => {
  t.same(inOrder(await accounts.factorsOf(home.id, ids)), expected);
  const [one, two] = expected;
  t.same(await accounts.factorsOf(home.id, [one?.id ?? '']), [one]);
  t.same(await accounts.factorsOf(other.id, [one?.id ?? '', two?.id ?? '']), []);
  t.same(await accounts.factorsOf(home.id, []), []);
});

t.test('all people of the organization, page by page', async (t) => {
  const first = await accounts.factorsPage(home.id, { limit: 3 });
  const rest = await accounts.factorsPage(home.id, { after: first.at(-1)?.id, limit: 100 });
  t.equal(first.length, 3);
  t.same([...first, ...rest], expected, 'in order, each once');
  t.same(await accounts.factorsPage(other.id, { limit: 100 }), [
    { ...nothing, ...stranger, password: true, totp: true, mail: true },
  ]);
});

t.test('all people of the organization, counted', async (t) => {
  t.same(
    await accounts.countFactors(home.id),
    new Map([
      ['none', 2],
      ['p', 1],
      ['t', 1],
      ['m', 2],
      ['k', 1],
      ['off', 1],
    ]),
  );
  t.same(await accounts.countFactors(other.id), new Map([['ptm', 1]]));
});

t.test('the active ones of any organization', async (t) => {
  const found = await accounts.activeAmong(ids);
  const active = expected
    .filter((one) => one.active)
    .map(({ active: _active, passkey: _passkey, userName: _name, ...one }) => ({ ...one, orgId: home.id }));
  const foreign = { id: stranger.id, orgId: other.id, password: true, totp: true, mail: true };
  t.same(inOrder(found), inOrder([...active, foreign]));
  t.same(await accounts.activeAmong([]), []);
  await mongo.transaction(async (transaction) => {
    const [only] = rows;
    const target = { id: only?.of.id ?? '', expectedVersion: 1, now: at };
    await accounts.setTotp(home.id, { ...target, totp }, transaction);
    t.match(await accounts.activeAmong([target.id], transaction), [{ totp: true }]);
    t.match(await accounts.activeAmong([target.id]), [{ totp: false }], 'the committed state');
  });
});
