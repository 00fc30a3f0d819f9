import t from 'tap';
import type { Organization } from '#src/directory/organizations/organization.js';
import { newUser } from '#src/directory/users/new-user.js';
import { createWriteNewUser } from '#src/directory/users/write-new-users.js';
import { isDuplicateKey } from '#src/platform/mongo/mongo.js';
import { makeOrganization, testEditor } from '../support/app/make.js';
import { openTestContainer } from '../support/app/test-container.js';

const { container } = await openTestContainer(t);
const here = await makeOrganization(container);
const there = await makeOrganization(container);

let transactions = 0;
const writeNewUser = createWriteNewUser({
  ...container,
  mongo: {
    ...container.mongo,
    transaction: (work) => {
      transactions++;
      return container.mongo.transaction(work);
    },
  },
});

async function insertion(organization: Organization, userName: string) {
  const profile = {
    userName,
    name: { givenName: 'Anna', familyName: 'Lind' },
    emails: [{ value: `${userName}@example.com`, primary: true }],
  };
  const added = await newUser(container, organization, { profile });
  return { orgId: organization.id, added, editor: testEditor };
}

/** Adds all users in one call. @returns the result of each user, and the number of transactions */
async function insertAll(asked: readonly (readonly [Organization, string])[]) {
  const insertions = await Promise.all(asked.map(([organization, name]) => insertion(organization, name)));
  const before = transactions;
  const outcomes = await Promise.allSettled(insertions.map(writeNewUser));
  for (const [index, { orgId, added }] of insertions.entries()) {
    const { id } = added.user;
    const events = await container.events.search({ aggregateId: id, limit: 10, ascending: true });
    const isAdded = outcomes[index]?.status === 'fulfilled';
    t.equal((await container.users.find(orgId, id)) !== undefined, isAdded);
    t.same(
      events.map(({ type }) => type),
      isAdded ? ['user.human.added'] : [],
    );
  }
  return { outcomes, took: transactions - before };
}

t.test('users that are added at once, of several organizations, are one transaction', async (t) => {
  const { outcomes, took } = await insertAll([
    [here, 'one'],
    [there, 'one'],
    [here, 'two'],
    [there, 'three'],
  ]);
  t.ok(outcomes.every(({ status }) => status === 'fulfilled'));
  t.equal(took, 1);
});

t.test('of those only the ones that are taken fail, each for itself', async (t) => {
  const { outcomes } = await insertAll([
    [here, 'one'],
    [here, 'four'],
    [there, 'four'],
    [here, 'FOUR'],
    [there, 'two'],
  ]);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  t.equal(refused.length, 2);
  t.ok(refused.every(isDuplicateKey));
  t.match(
    [0, 2, 4].map((index) => outcomes[index]?.status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
});

t.test('an error that fails all users is reported to each', async (t) => {
  const broken = createWriteNewUser({
    ...container,
    users: {
      insert: async () => {
        throw new Error('away');
      },
    },
  });
  const insertions = await Promise.all(['five', 'six'].map((name) => insertion(here, name)));
  for (const { status } of await Promise.allSettled(insertions.map(broken))) t.equal(status, 'rejected');
});

t.test('a conflict with a user that another process adds fails only that user', async (t) => {
  const processes = [createWriteNewUser(container), createWriteNewUser(container)];
  for (let round = 0; round < 5; round++) {
    const groups = await Promise.all(
      processes.map((_process, n) => {
        const names = Array.from({ length: 10 }, (_, i) => `own-${round}-${n}-${i}`);
        names.splice(n * 5, 0, `both-${round}`);
        return Promise.all(names.map((name) => insertion(here, name)));
      }),
    );
    const outcomes = await Promise.all(
      processes.map((process, n) => Promise.allSettled((groups[n] ?? []).map(process))),
    );
    const refused = outcomes.flat().flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    t.equal(refused.length, 1, refused.map(String).join());
    t.ok(refused.every(isDuplicateKey));
  }
});
