import t from 'tap';
import type { User } from '#src/directory/user.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { correctUserTotals } from '#src/people/totals/correct-user-totals.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { testEditor, uniqueName } from '../../../support/app/make.js';
import { openTestContainer } from '../../../support/app/test-container.js';
import { watchCommands } from '../../../support/stores/mongo-commands.js';

/** The total of the users of an organization is the number of its users, whatever happens at once and whatever fails. */

const { container, openAnother } = await openTestContainer(t);
const { users, userTotals, userCounter, mongo } = container;
const rows = mongo.db.collection<{ _id: string; orgId: string; by: number }>('userTotals');
const stored = mongo.db.collection<{ _id: string }>('users');

const organization = async () =>
  (await addOrganization(container, { name: uniqueName('Totals'), editor: testEditor })).id;

let made = 0;
function newUser(orgId: string): { user: User } {
  const id = `total-${made++}`;
  const at = new Date();
  const profile = normalizeProfile({ userName: id });
  return { user: { ...profile, id, orgId, version: 1, created: at, lastModified: at } };
}

const insert = async (orgId: string, count = 1) => {
  const added = Array.from({ length: count }, () => newUser(orgId));
  await mongo.transaction((transaction) => users.insert(orgId, added, transaction));
  return added.map(({ user }) => user.id);
};
const remove = (orgId: string, id: string) =>
  mongo.transaction((transaction) => users.remove(orgId, [{ id, expectedVersion: 1 }], transaction));

/** The total that lists tell, which must be the number of documents. */
async function exact(orgId: string): Promise<number> {
  const total = await userTotals.read(orgId);
  const counted = await stored.countDocuments({ orgId });
  if (total !== counted) throw new Error(`The total is ${total}, but there are ${counted} users`);
  return counted;
}

t.test('a new organization has a total, which every change moves', async (t) => {
  const orgId = await organization();
  t.equal(await exact(orgId), 0);
  const [first = ''] = await insert(orgId, 3);
  t.equal(await exact(orgId), 3);
  t.equal(await remove(orgId, first), true);
  t.equal(await remove(orgId, first), false, 'nobody is removed twice');
  t.equal(await exact(orgId), 2);
  t.equal(await users.count(orgId), 2);
  t.equal(await userCounter.count(orgId), 2);
});

t.test('a total is read without counting users', async (t) => {
  const orgId = await organization();
  await insert(orgId, 5);
  const watched = watchCommands();
  t.equal(await userCounter.count(orgId), 5);
  watched.stop();
  t.same(
    watched.commands.map((command) => Object.values(command)[0]),
    ['userTotals'],
  );
});

t.test('50 creations and removals at once, in two processes, while changes are joined', async (t) => {
  const orgId = await organization();
  const other = await openAnother();
  const standing = await insert(orgId, 50);
  let isOver = false;
  const join = (async () => {
    while (!isOver) {
      await userTotals.fold(orgId);
      await other.userTotals.fold(orgId);
      await exact(orgId).catch(() => undefined);
    }
  })();
  await Promise.all([
    ...Array.from({ length: 25 }, () => insert(orgId)),
    ...Array.from({ length: 25 }, () =>
      other.mongo.transaction((transaction) => other.users.insert(orgId, [newUser(orgId)], transaction)),
    ),
    ...standing.slice(0, 50).map((id) => remove(orgId, id)),
  ]);
  isOver = true;
  await join;
  t.equal(await exact(orgId), 50);
});

t.test('a reader never meets half of a join', async (t) => {
  const orgId = await organization();
  let total = 0;
  let isOver = false;
  const write = (async () => {
    for (let n = 0; n < 150; n++) {
      await insert(orgId, 2);
      total += 2;
      if (n % 10 === 0) await userTotals.fold(orgId);
    }
    isOver = true;
  })();
  let last = 0;
  while (!isOver) {
    const atLeast = total;
    const read = (await userTotals.read(orgId)) ?? -1;
    if (read % 2 !== 0 || read < atLeast || read < last) t.fail(`${read} after ${last}, at least ${atLeast}`);
    last = read;
  }
  await write;
  t.equal(await exact(orgId), 300);
});

t.test('what is rolled back does not count', async (t) => {
  const orgId = await organization();
  const [one = ''] = await insert(orgId);
  const failure = new Error('changed my mind');
  const fails = (work: Parameters<typeof mongo.transaction>[0]) =>
    t.rejects(
      mongo.transaction(async (transaction) => {
        await work(transaction);
        throw failure;
      }),
      failure,
    );
  await fails((transaction) => users.insert(orgId, [newUser(orgId), newUser(orgId)], transaction));
  await fails((transaction) => users.remove(orgId, [{ id: one, expectedVersion: 1 }], transaction));
  const again = newUser(orgId);
  await t.rejects(
    mongo.transaction((transaction) =>
      users.insert(orgId, [again, { user: { ...again.user, id: 'other' } }], transaction),
    ),
    { code: 11000 },
  );
  t.equal(await exact(orgId), 1);
});

t.test('changes are joined when they are many, and the total stays', async (t) => {
  const orgId = await organization();
  for (let n = 0; n < 31; n++) await insert(orgId);
  await userTotals.fold(orgId);
  t.equal(await rows.countDocuments({ orgId }), 32, 'a few stay');
  await insert(orgId);
  await userTotals.fold(orgId);
  t.equal(await rows.countDocuments({ orgId }), 2, 'the beginning, and all changes');
  t.equal(await exact(orgId), 32);
});

t.test('a long run of changes leaves few to read', async (t) => {
  const orgId = await organization();
  let most = 0;
  for (let n = 0; n < 600; n++) {
    await mongo.transaction((transaction) =>
      userTotals.add(orgId, { by: n % 2 === 0 ? 1 : -1, factors: {} }, transaction),
    );
    await userCounter.changed(orgId);
    most = Math.max(most, await rows.countDocuments({ orgId }));
  }
  t.ok(most < 600, `${most} documents`);
  t.equal(await userTotals.read(orgId), 0);
});

t.test('an organization of an earlier version is counted until its total begins', async (t) => {
  const orgId = await organization();
  await insert(orgId, 3);
  await rows.deleteMany({ orgId });
  await insert(orgId, 2);
  t.equal(await userTotals.read(orgId), undefined);
  t.equal(await users.count(orgId), 5);
  t.same(await userTotals.correct(orgId), { stored: undefined, counted: 5 });
  t.equal(await userTotals.read(orgId), undefined, 'an earlier version may still add users');
  t.same(await userTotals.correct(orgId, { begins: true }), { stored: undefined, counted: 5 });
  t.equal(await exact(orgId), 5);
});

t.test('a total begins exactly while users are added', async (t) => {
  const orgId = await organization();
  await rows.deleteMany({ orgId });
  await Promise.all([
    ...Array.from({ length: 20 }, () => insert(orgId)),
    ...Array.from({ length: 5 }, async () => {
      await userTotals.correct(orgId, { begins: true }).catch(() => undefined);
      await userTotals.fold(orgId).catch(() => undefined);
    }),
  ]);
  await userTotals.correct(orgId, { begins: true });
  t.equal(await exact(orgId), 20);
});

t.test('the job corrects a total that is wrong, and says so', async (t) => {
  const [right, wrong] = [await organization(), await organization()];
  await insert(right, 2);
  await insert(wrong, 2);
  await stored.deleteOne({ _id: (await insert(wrong))[0] ?? '' });
  const logged: unknown[] = [];
  const logger = { error: (fields: unknown) => logged.push(fields) } as never;
  t.equal(await correctUserTotals({ ...container, logger }), 2);
  t.same(logged, [{ orgId: wrong, stored: 3, counted: 2 }, { orgId: wrong }], 'the total, and the factors');
  t.equal(await exact(wrong), 2);
  t.equal(await exact(right), 2);
  t.equal(await correctUserTotals({ ...container, logger }), 0);
});

t.test('users are counted by the entries of an index, and without it too', async (t) => {
  const orgId = await organization();
  await insert(orgId, 3);
  await rows.deleteMany({ orgId });
  const hints = async () => {
    const watched = watchCommands();
    t.equal(await users.count(orgId), 3);
    t.same(await userTotals.correct(orgId), { stored: undefined, counted: 3 });
    watched.stop();
    return watched.commands.filter((command) => command['aggregate'] === 'users').map(({ hint }) => hint);
  };
  t.same(await hints(), ['orgId_1__id_1', 'orgId_1__id_1']);
  await stored.dropIndex('orgId_1__id_1');
  t.same(await hints(), ['orgId_1__id_1', undefined, 'orgId_1__id_1', undefined]);
});
