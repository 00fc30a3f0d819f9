import t from 'tap';
import type { User } from '#src/directory/index.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { testEditor, uniqueName } from '../../../support/app/make.js';
import { openTestContainer } from '../../../support/app/test-container.js';
import { watchCommands } from '../../../support/stores/mongo-commands.js';

/** The kept numbers of users by their factors are those of the documents, whatever happens to the users. */

const { container } = await openTestContainer(t);
const { users, accounts, userTotals, mongo } = container;
const rows = mongo.db.collection<{ _id: string; orgId: string; by: number; factors?: object }>('userTotals');
const at = new Date('2026-01-01T00:00:00Z');

const organization = async () =>
  (await addOrganization(container, { name: uniqueName('Factors'), editor: testEditor })).id;

let made = 0;
function newUser(orgId: string, { active = true, mail = false } = {}): User {
  const id = `factors-${made++}`;
  const emails = mail ? [{ value: `${id}@people.example`, primary: true }] : [];
  const profile = normalizeProfile({ userName: id, active, emails });
  return { ...profile, id, orgId, version: 1, created: at, lastModified: at };
}

const password = { hash: 'x', changed: at };
const totp = { sealed: 'x', lastStep: 0, enrolled: at };
type Added = Parameters<typeof users.insert>[1];
const insert = (orgId: string, added: Added) =>
  mongo.transaction((transaction) => users.insert(orgId, added, transaction));

/** What is kept, which must be what is counted. */
async function exact(orgId: string): Promise<Record<string, number>> {
  const [kept, counted] = [await userTotals.readFactors(orgId), await accounts.countFactors(orgId)];
  if (kept === undefined) throw new Error('nothing is kept');
  const [are, should] = [kept, counted].map((one) =>
    Object.fromEntries([...one].sort(([a], [b]) => a.localeCompare(b))),
  );
  t.same(are, should);
  return should ?? {};
}

t.test('users come and go with their factors', async (t) => {
  const orgId = await organization();
  t.same(await exact(orgId), {});
  const several = [newUser(orgId), newUser(orgId, { mail: true }), newUser(orgId, { active: false })];
  await insert(orgId, [
    { user: several[0] as User, password },
    { user: several[1] as User, password, totp },
    { user: several[2] as User, password },
  ]);
  await insert(orgId, [{ user: newUser(orgId) }]);
  t.same(await exact(orgId), { none: 1, off: 1, p: 1, ptm: 1 });
  const remove = (user: User | undefined, expectedVersion = 1) =>
    mongo.transaction((transaction) =>
      users.remove(orgId, [{ id: user?.id ?? '', expectedVersion }], transaction),
    );
  t.equal(await remove(several[1], 2), false);
  t.equal(await remove(several[1]), true);
  t.equal(await remove(several[2]), true);
  t.same(await exact(orgId), { none: 1, p: 1 });
});

t.test('a change of a factor is told, and no other change is', async (t) => {
  const orgId = await organization();
  const user = newUser(orgId);
  await insert(orgId, [{ user }]);
  let current = user;
  const replace = async (
    change: Partial<User>,
    more: Omit<Parameters<typeof users.replace>[1][number], 'user' | 'current'> = {},
  ) => {
    const next = { ...current, ...change, version: current.version + 1 };
    const isDone = await mongo.transaction((transaction) =>
      users.replace(orgId, [{ current, user: next, ...more }], transaction),
    );
    t.equal(isDone, true);
    current = next;
    return exact(orgId);
  };
  const written = () => rows.countDocuments({ orgId });
  const address = { value: 'a@people.example', primary: true };
  t.same(await replace({ emails: [address] }), { m: 1 });
  t.same(await replace({ emails: [{ ...address, verified: false }] }), { none: 1 });
  t.same(await replace({}, { password }), { p: 1 });
  t.same(await replace({}, { totp }), { pt: 1 });
  t.same(await replace({ active: false }), { off: 1 });
  t.same(await replace({ active: true, emails: [address] }), { ptm: 1 });
  const before = await written();
  t.same(await replace({}, { password: { ...password, hash: 'y' } }), { ptm: 1 });
  const watched = watchCommands();
  await replace({ title: 'Boss' });
  watched.stop();
  t.equal(await written(), before, 'another title or hash is no change of a factor');
  const ofChange = watched.commands.map((command) => Object.entries(command)[0]?.join(' '));
  t.same(ofChange.slice(0, 1), ['update users'], 'a change of a title reads nothing first');
  t.notOk(ofChange.includes('insert userTotals'));
  t.same(await replace({}, { password: null }), { tm: 1 });
});

t.test('second factors and passkeys come and go', async (t) => {
  const orgId = await organization();
  const user = newUser(orgId);
  await insert(orgId, [{ user, password }]);
  let version = 1;
  const within = async (
    write: (
      at: { id: string; expectedVersion: number; now: Date },
      transaction: Parameters<Parameters<typeof mongo.transaction>[0]>[0],
    ) => Promise<boolean>,
  ) => {
    t.equal(
      await mongo.transaction((transaction) =>
        write({ id: user.id, expectedVersion: version, now: at }, transaction),
      ),
      true,
    );
    version++;
    return exact(orgId);
  };
  const passkeys = { count: 1, changed: at };
  t.same(await within((to, transaction) => accounts.setTotp(orgId, { ...to, totp }, transaction)), { pt: 1 });
  t.same(await within((to, transaction) => accounts.setPasskeys(orgId, { ...to, passkeys }, transaction)), {
    ptk: 1,
  });
  const before = await rows.countDocuments({ orgId });
  const two = { count: 2, changed: at };
  await within((to, transaction) => accounts.setPasskeys(orgId, { ...to, passkeys: two }, transaction));
  t.equal(await rows.countDocuments({ orgId }), before, 'a second passkey changes nothing');
  t.same(
    await within((to, transaction) => accounts.setTotp(orgId, { ...to, totp: undefined }, transaction)),
    { pk: 1 },
  );
  t.same(
    await within((to, transaction) =>
      accounts.setPasskeys(orgId, { ...to, passkeys: undefined }, transaction),
    ),
    { p: 1 },
  );
  const late = { id: user.id, expectedVersion: 1, now: at, totp };
  t.equal(await mongo.transaction((transaction) => accounts.setTotp(orgId, late, transaction)), false);
  const others = [newUser(orgId), newUser(orgId, { active: false })];
  await insert(
    orgId,
    others.map((one) => ({ user: one })),
  );
  await mongo.transaction((transaction) =>
    accounts.markPasskeys(
      orgId,
      others.map(({ id }) => ({ id, passkeys })),
      transaction,
    ),
  );
  t.same(await exact(orgId), { k: 1, off: 1, p: 1 });
});

t.test('several users change as one command', async (t) => {
  const orgId = await organization();
  const several = Array.from({ length: 3 }, () => newUser(orgId));
  await insert(
    orgId,
    several.map((user) => ({ user, password })),
  );
  const changes = several.map((current, n) => ({
    current,
    user: { ...current, active: n > 0, version: 2 },
    ...(n === 2 && { totp }),
  }));
  await mongo.transaction((transaction) => users.replace(orgId, changes, transaction));
  t.same(await exact(orgId), { off: 1, p: 1, pt: 1 });
});

t.test('changes that are joined stay, and what is rolled back does not count', async (t) => {
  const orgId = await organization();
  for (let n = 0; n < 33; n++) await insert(orgId, [{ user: newUser(orgId), ...(n % 2 && { password }) }]);
  await userTotals.fold(orgId);
  t.equal(await rows.countDocuments({ orgId }), 2);
  t.same(await exact(orgId), { none: 17, p: 16 });
  const failure = new Error('changed my mind');
  await t.rejects(
    mongo.transaction(async (transaction) => {
      await users.insert(orgId, [{ user: newUser(orgId), password }], transaction);
      throw failure;
    }),
    failure,
  );
  t.same(await exact(orgId), { none: 17, p: 16 });
});

t.test('numbers that an earlier version left incomplete are not told, and are corrected', async (t) => {
  const orgId = await organization();
  await insert(orgId, [{ user: newUser(orgId), password }, { user: newUser(orgId) }]);
  const count = accounts.countFactors;
  t.equal(await userTotals.correctFactors(orgId, { count }), false, 'they are right');
  // A process of the earlier version adds a user, and tells the total alone.
  await rows.updateMany({ orgId, by: 2 }, { $unset: { factors: '' } });
  t.equal(await userTotals.readFactors(orgId), undefined);
  t.equal(await userTotals.read(orgId), 2);
  t.equal(await userTotals.correctFactors(orgId, { count }), true);
  t.same(await exact(orgId), { none: 1, p: 1 });

  await rows.deleteMany({ orgId });
  t.equal(await userTotals.correctFactors(orgId, { count, begins: true }), false, 'without a total');
  await userTotals.correct(orgId, { begins: true });
  t.equal(await userTotals.readFactors(orgId), undefined, 'they have not begun');
  t.equal(await userTotals.correctFactors(orgId, { count }), false);
  t.equal(await userTotals.readFactors(orgId), undefined, 'an earlier version may still change users');
  t.equal(await userTotals.correctFactors(orgId, { count, begins: true }), false);
  t.same(await exact(orgId), { none: 1, p: 1 });
});
