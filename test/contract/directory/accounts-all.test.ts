import t from 'tap';
import { createAccountsStore } from '#src/accounts/accounts.store.js';
import { makeOrganization } from '../../support/app/make.js';
import { giveTotp, makePerson } from '../../support/app/people.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const accounts = createAccountsStore(container.mongo, container.userTotals, {
  batch: 2,
  cursor: 4,
  identifiers: 3,
});
const home = await makeOrganization(container);
const other = await makeOrganization(container);
await makePerson(container, other, { password: null });

async function read(orgId: string, wanted = { withPasswords: false, withTotp: false }) {
  const batches = [];
  for await (const batch of accounts.all(orgId, wanted)) batches.push(batch);
  return { sizes: batches.map((batch) => batch.length), all: batches.flat() };
}

t.test('all of an organization are read once and in order, however many there are', async (t) => {
  t.same((await read(home.id)).all, []);
  const ids: string[] = [];
  for (const count of [1, 3, 4, 5, 8, 9]) {
    while (ids.length < count) ids.push((await makePerson(container, home, { password: null })).id);
    const { all, sizes } = await read(home.id);
    t.same(
      all.map(({ user }) => user.id),
      ids.toSorted(),
      `${count} people`,
    );
    t.ok(sizes.every((size) => size > 0 && size <= 2));
  }
});

t.test('the identifiers alone are read in order too', async (t) => {
  const ids: string[] = [];
  const sizes: number[] = [];
  for await (const batch of accounts.ids(home.id)) {
    ids.push(...batch);
    sizes.push(batch.length);
  }
  t.same(
    ids,
    (await read(home.id)).all.map(({ user }) => user.id),
  );
  t.same(sizes, [3, 3, 3]);
  for await (const batch of accounts.ids('nobody')) t.fail(String(batch));
});

t.test('credentials are read where they are wanted', async (t) => {
  const person = await makePerson(container, await makeOrganization(container));
  await giveTotp(container, person);
  for (const withPasswords of [true, false]) {
    for (const withTotp of [true, false]) {
      const [account] = (await read(person.orgId, { withPasswords, withTotp })).all;
      t.equal(account?.password !== undefined, withPasswords);
      t.equal(account?.totp !== undefined, withTotp);
    }
  }
});

t.test('a reader may stop', async (t) => {
  for await (const [first] of accounts.all(home.id, { withPasswords: false, withTotp: false })) {
    t.equal(first?.user.orgId, home.id);
    break;
  }
});
