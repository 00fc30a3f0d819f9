import { MongoServerError } from 'mongodb';
import t from 'tap';
import { directoryErrors } from '#src/directory/errors.js';
import type { Organization } from '#src/directory/organization.js';
import { newUser } from '#src/people/users/new-user.js';
import { type Addition, createNewUserBatcher } from '#src/people/users/write-new-users.js';
import { AppError } from '#src/platform/errors.js';
import { isStoreUnavailable, TransactionsInConflict } from '#src/platform/unavailable.js';
import { makeOrganization, testEditor } from '../../../support/app/make.js';
import { openTestContainer } from '../../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const here = await makeOrganization(container);
const there = await makeOrganization(container);

let transactions = 0;
const batchNewUser = createNewUserBatcher({
  ...container,
  mongo: {
    ...container.mongo,
    transaction: (work, options) => {
      transactions++;
      return container.mongo.transaction(work, options);
    },
  },
});

const isTaken = (error: unknown) =>
  error instanceof AppError && error.definition === directoryErrors.userNameTaken;
const reasonsOf = (outcomes: readonly PromiseSettledResult<void>[]) =>
  outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));

async function insertion(organization: Organization, userName: string) {
  const profile = {
    userName,
    name: { givenName: 'Anna', familyName: 'Lind' },
    emails: [{ value: `${userName}@example.com`, primary: true }],
  };
  const added = await newUser(container, organization, { profile });
  return { organization, added, editor: testEditor };
}

/** Adds all users in one call. @returns the result of each user, and the number of transactions */
async function insertAll(asked: readonly (readonly [Organization, string])[]) {
  const insertions = await Promise.all(asked.map(([organization, name]) => insertion(organization, name)));
  const before = transactions;
  const outcomes = await Promise.allSettled(insertions.map(batchNewUser));
  for (const [index, { organization, added }] of insertions.entries()) {
    const { id } = added.user;
    const events = await container.events.search({ aggregateId: id, limit: 10, ascending: true });
    const isAdded = outcomes[index]?.status === 'fulfilled';
    t.equal((await container.users.find(organization.id, id)) !== undefined, isAdded);
    t.same(
      events.map(({ type }) => type),
      isAdded ? ['user.human.added'] : [],
    );
  }
  return { outcomes, took: transactions - before };
}

t.test('users that are added at once are one transaction for each organization', async (t) => {
  const { outcomes, took } = await insertAll([
    [here, 'one'],
    [there, 'one'],
    [here, 'two'],
    [there, 'three'],
  ]);
  t.ok(outcomes.every(({ status }) => status === 'fulfilled'));
  t.equal(took, 2);
});

t.test('of those only the ones that are taken fail, each for itself', async (t) => {
  const { outcomes } = await insertAll([
    [here, 'one'],
    [here, 'four'],
    [there, 'four'],
    [here, 'FOUR'],
    [there, 'two'],
  ]);
  const refused = reasonsOf(outcomes);
  t.equal(refused.length, 2);
  t.ok(refused.every(isTaken));
  t.match(
    [0, 2, 4].map((index) => outcomes[index]?.status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
});

t.test('of 30 equal users one is written, and the store is asked once', async (t) => {
  const { outcomes, took } = await insertAll(
    Array.from({ length: 30 }, (_, n) => [here, n % 2 === 0 ? 'Equal' : 'eQUAL'] as const),
  );
  t.equal(reasonsOf(outcomes).filter(isTaken).length, 29);
  t.equal(took, 1);
  const again = await insertAll(Array.from({ length: 30 }, () => [here, 'equal'] as const));
  t.equal(reasonsOf(again.outcomes).filter(isTaken).length, 30);
  t.equal(again.took, 1);
});

t.test('50 users of which 49 are taken are two transactions', async (t) => {
  const names = Array.from({ length: 49 }, (_, n) => `crowd-${n}`);
  await insertAll(names.map((name) => [here, name] as const));
  const { outcomes, took } = await insertAll([...names, 'newcomer'].map((name) => [here, name] as const));
  t.equal(reasonsOf(outcomes).filter(isTaken).length, 49);
  t.equal(outcomes.at(-1)?.status, 'fulfilled');
  t.equal(took, 2);
});

t.test('an equal user is written after one that failed for itself', async (t) => {
  const [first, second] = await Promise.all(['after', 'after'].map((name) => insertion(here, name)));
  const picky = createNewUserBatcher({
    ...container,
    users: {
      ...container.users,
      async insert(orgId, added, transaction) {
        if (added[0] === first?.added) throw new Error('refused');
        await container.users.insert(orgId, added, transaction);
      },
    },
  });
  const outcomes = await Promise.allSettled([first, second].map((one) => picky(one as Addition)));
  t.same(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
});

t.test('organizations do not wait for each other', async (t) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = createNewUserBatcher({
    ...container,
    users: {
      ...container.users,
      async insert(orgId, added, transaction) {
        if (orgId === here.id) await held;
        await container.users.insert(orgId, added, transaction);
      },
    },
  });
  const stuck = await Promise.all(Array.from({ length: 200 }, (_, n) => insertion(here, `stuck-${n}`)));
  const ours = stuck.map(slow);
  await slow(await insertion(there, 'unconcerned'));
  t.pass('written while the other organization waits');
  release();
  await Promise.all(ours);
});

t.test('attempts end after two seconds with a conflict, which is answered with 503', async (t) => {
  const conflict = new MongoServerError({ code: 112, errorLabels: ['TransientTransactionError'] });
  const attempts: number[] = [];
  const unlucky = createNewUserBatcher({
    ...container,
    users: {
      ...container.users,
      insert: async () => {
        attempts.push(performance.now());
        throw conflict;
      },
    },
  });
  const began = performance.now();
  const equal = await Promise.all(Array.from({ length: 5 }, () => insertion(here, 'unlucky')));
  const outcomes = await Promise.allSettled(equal.map(unlucky));
  t.ok(reasonsOf(outcomes).every((error) => error instanceof TransactionsInConflict));
  t.equal(outcomes.length, 5);
  const [first = 0, last = 0] = [attempts[0], attempts.at(-1)];
  t.ok(attempts.length > 1);
  t.ok(performance.now() - began >= 2_000, 'not before');
  t.ok(last - first <= 2_050, `the last attempt begins ${Math.round(last - first)} ms after the first`);
  t.ok(performance.now() - last < 5_000, 'and is the end');
  t.ok(isStoreUnavailable(reasonsOf(outcomes)[0]));
});

t.test('an error that fails all users is reported to each', async (t) => {
  const broken = createNewUserBatcher({
    ...container,
    users: {
      ...container.users,
      insert: async () => {
        throw new Error('away');
      },
    },
  });
  const insertions = await Promise.all(['five', 'six'].map((name) => insertion(here, name)));
  for (const { status } of await Promise.allSettled(insertions.map(broken))) t.equal(status, 'rejected');
});

t.test('a conflict with a user that another process adds fails only that user', async (t) => {
  const processes = [createNewUserBatcher(container), createNewUserBatcher(container)];
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
    const refused = reasonsOf(outcomes.flat());
    t.equal(refused.length, 1, refused.map(String).join());
    t.ok(refused.every(isTaken));
  }
});
