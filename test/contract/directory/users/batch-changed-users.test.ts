import { MongoServerError } from 'mongodb';
import t from 'tap';
import type { Organization, User } from '#src/directory/index.js';
import { createChangedUserBatcher } from '#src/people/users/batch-changed-users.js';
import { changedUser } from '#src/people/users/changed-user.js';
import type { ChangedUser } from '#src/people/users/write-changed-users.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { until } from '../../../../dev/until.js';
import { makeOrganization, testEditor } from '../../../support/app/make.js';
import { makePerson } from '../../../support/app/people.js';
import { openTestContainer } from '../../../support/app/test-container.js';

/** Simultaneous changes of users of one organization are one transaction, with an outcome for each. */

const { container } = await openTestContainer(t);
const { users, mongo } = container;
const here = await makeOrganization(container);
const there = await makeOrganization(container);

let transactions = 0;
const transactionOf: typeof mongo.transactionOf = (holder, work, options) => {
  transactions++;
  return mongo.transactionOf(holder, work, options);
};
const counted = { ...container, mongo: { ...mongo, transactionOf } };
const batchChangedUser = createChangedUserBatcher(counted);

const makePeople = (organization: Organization, count: number) =>
  Promise.all(Array.from({ length: count }, () => makePerson(container, organization)));

async function read({ orgId, id }: User): Promise<User> {
  const user = await users.find(orgId, id);
  if (user === undefined) throw new Error('The user is gone');
  return user;
}

function change(current: User, profile: Partial<User>): ChangedUser {
  const changes = { credentials: [], now: new Date(), editor: testEditor } as const;
  return { current, ...changedUser(current, { ...current, ...profile }, changes) };
}

/** The types of the events of a user, the first ones first. */
async function eventsOf({ id }: User): Promise<string[]> {
  const events = await container.events.search({ aggregateId: id, limit: 10, ascending: true });
  return events.map(({ type }) => type);
}

async function transactionsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = transactions;
  return [await work(), transactions - before];
}

t.test('changes that are made at once are one transaction for each organization', async (t) => {
  const people = [...(await makePeople(here, 3)), ...(await makePeople(there, 2))];
  const changes = people.map((person, n) => change(person, { title: `T${n}` }));
  const [outcomes, took] = await transactionsOf(() => Promise.all(changes.map(batchChangedUser)));
  t.same(outcomes, [true, true, true, true, true]);
  t.equal(took, 2);
  for (const [n, person] of people.entries()) {
    t.match(await read(person), { title: `T${n}`, version: person.version + 1 });
    t.equal((await eventsOf(person)).length, 2);
  }
});

t.test('a user whom somebody else has changed fails alone, and nothing of it is written', async (t) => {
  const people = await makePeople(here, 4);
  const [first, second] = people as [User, User];
  t.equal(await batchChangedUser(change(second, { title: 'Elsewhere' })), true);
  const outcomes = await Promise.all(
    people.map((person) => batchChangedUser(change(person, { nickName: 'N' }))),
  );
  t.same(outcomes, [true, false, true, true]);
  t.match(await read(second), { title: 'Elsewhere', version: second.version + 1 });
  t.equal((await read(second)).nickName, undefined);
  t.equal((await eventsOf(second)).length, 2, 'the change that failed has no event');
  t.match(await read(first), { nickName: 'N', version: first.version + 1 });
  t.equal((await eventsOf(first)).length, 2, 'the first attempt of the transaction left no event');
});

t.test('a user whose value is taken fails alone', async (t) => {
  const people = await makePeople(here, 3);
  const [one, two, three] = people as [User, User, User];
  const outcomes = await Promise.allSettled(
    [change(one, { userName: two.userName }), change(two, { title: 'T' }), change(three, { title: 'T' })].map(
      batchChangedUser,
    ),
  );
  t.same(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
  t.ok(outcomes[0]?.status === 'rejected' && isDuplicateKey(outcomes[0].reason));
  t.equal((await read(one)).version, one.version);
});

t.test('a removed user, and one of another organization, are not written', async (t) => {
  const [gone, foreign, left] = (await makePeople(here, 3)) as [User, User, User];
  const { id, version: expectedVersion } = gone;
  await mongo.transaction((transaction) => users.remove(here.id, [{ id, expectedVersion }], transaction));
  const moved = { ...foreign, orgId: there.id };
  const outcomes = await Promise.all([
    batchChangedUser(change(gone, { title: 'T' })),
    batchChangedUser(change(moved, { title: 'T' })),
    batchChangedUser(change(left, { title: 'T' })),
  ]);
  t.same(outcomes, [false, false, true]);
  t.equal((await read(foreign)).title, undefined);
});

t.test('a change that ends sessions needs Redis, and no other change fails with it', async (t) => {
  const people = await makePeople(here, 2);
  const [one, two] = people as [User, User];
  const away = createChangedUserBatcher({
    ...container,
    revocations: {
      ...container.revocations,
      publish: async () => {
        throw new Error('away');
      },
    },
  });
  const outcomes = await Promise.allSettled([
    away(change(one, { active: false })),
    away(change(two, { title: 'T' })),
  ]);
  t.same(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  t.equal((await read(one)).active, true, 'who was not signed out is not deactivated');
  t.equal(await batchChangedUser(change(await read(one), { active: false })), true);
  t.equal((await read(one)).active, false);
});

t.test(
  'deactivations are one transaction, without other changes, and each ends what the user has',
  async (t) => {
    const people = await makePeople(here, 5);
    const [one, two, three, other, secret] = people as [User, User, User, User, User];
    const credential = { hash: `$argon2id$${'x'.repeat(40)}`, changed: new Date() };
    const changes = [
      ...[one, two, three].map((person) => change(person, { active: false })),
      change(other, { title: 'T' }),
      { ...change(secret, { title: 'T' }), password: credential },
    ];
    const [outcomes, took] = await transactionsOf(() => Promise.all(changes.map(batchChangedUser)));
    t.same(outcomes, [true, true, true, true, true]);
    t.equal(took, 3, 'one of the deactivations, one of the title, and one of the password');
    const issuedAt = Date.now() / 1_000 - 60;
    const areRevoked = await Promise.all(
      people.map(({ id: sub }) => container.revocations.isRevoked({ jti: 'a token', sub, issuedAt })),
    );
    t.same(areRevoked, [true, true, true, false, true]);
    const ids = people.map(({ id }) => `user:${id}`);
    const recorded = await mongo.db
      .collection<{ _id: string }>('revocations')
      .find({ _id: { $in: ids } })
      .toArray();
    t.equal(recorded.length, 4, 'the revocations outlive Redis');
    for (const person of [one, two, three]) t.equal((await read(person)).active, false);
  },
);

t.test('a deactivation of a user whom somebody else has changed fails alone', async (t) => {
  const people = await makePeople(here, 3);
  const [, second] = people as [User, User, User];
  await batchChangedUser(change(second, { title: 'Elsewhere' }));
  const outcomes = await Promise.all(
    people.map((person) => batchChangedUser(change(person, { active: false }))),
  );
  t.same(outcomes, [true, false, true]);
  t.equal((await read(second)).active, true);
});

t.test('processes are told of the users, whatever came of the transaction', async (t) => {
  const people = await makePeople(here, 2);
  const told: string[] = [];
  const broken = createChangedUserBatcher({
    ...container,
    revocations: { ...container.revocations, restamp: async (...ids) => void told.push(...ids) },
    events: {
      append: async () => {
        throw new MongoServerError({ code: 112, errorLabels: ['UnknownTransactionCommitResult'] });
      },
    },
  });
  const outcomes = await Promise.allSettled(people.map((one) => broken(change(one, { title: 'T' }))));
  for (const one of outcomes) t.equal(one.status, 'rejected');
  for (const { id } of people) t.ok(told.includes(id));
});

t.test('an outage fails all, and is tried once', async (t) => {
  const people = await makePeople(here, 3);
  let attempts = 0;
  const outage = createChangedUserBatcher({
    ...container,
    mongo: {
      ...mongo,
      transactionOf: async () => {
        attempts++;
        throw new MongoServerError({ code: 189, message: 'stepped down' });
      },
    },
  });
  const outcomes = await Promise.allSettled(people.map((one) => outage(change(one, { title: 'T' }))));
  for (const one of outcomes) t.ok(one.status === 'rejected' && isStoreUnavailable(one.reason));
  t.equal(attempts, 1);
});

t.test('a user with whom another transaction conflicts holds up nobody else', async (t) => {
  const people = await makePeople(here, 4);
  const [busy, ...others] = people as [User, ...User[]];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isLocked = false;
  const locked = mongo.transaction(async (transaction) => {
    await users.lock(here.id, busy.id, transaction);
    isLocked = true;
    await held;
  });
  await until(() => isLocked);
  const waiting = batchChangedUser(change(busy, { title: 'T' }));
  const outcomes = await Promise.all(others.map((one) => batchChangedUser(change(one, { title: 'T' }))));
  t.same(outcomes, [true, true, true], 'written while the transaction of another caller goes on');
  release();
  await locked;
  t.equal(await waiting, true);
});

t.test('so many changes of one organization wait, and no more', async (t) => {
  const [one] = (await makePeople(here, 1)) as [User];
  const [foreign] = (await makePeople(there, 1)) as [User];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = createChangedUserBatcher({
    ...container,
    mongo: {
      ...mongo,
      transactionOf: async (holder, work, options) => {
        if (holder === here.id) await held;
        return mongo.transactionOf(holder, work, options);
      },
    },
  });
  const waiting = Array.from({ length: 500 }, () => slow(change(one, { title: 'T' })));
  await t.rejects(slow(change(one, { title: 'T' })), { name: 'TooManyTransactions' });
  t.equal(await slow(change(foreign, { title: 'T' })), true, 'others are served');
  release();
  const outcomes = await Promise.all(waiting);
  t.equal(outcomes.filter(Boolean).length, 1, 'one of equal changes is made');
});

t.test('of two processes that change the same people at once, one wins for each', async (t) => {
  const processes = [createChangedUserBatcher(container), createChangedUserBatcher(container)];
  const people = await makePeople(here, 20);
  const outcomes = await Promise.all(
    processes.map((process, n) => {
      const inOrder = n === 0 ? people : people.toReversed();
      return Promise.all(
        inOrder.map(async (person) => [person.id, await process(change(person, { title: `${n}` }))] as const),
      );
    }),
  );
  for (const person of people) {
    const written = outcomes.map((all) => all.find(([id]) => id === person.id)?.[1]);
    t.equal(written.filter(Boolean).length, 1, written.join());
    t.match(await read(person), { title: `${written.indexOf(true)}`, version: person.version + 1 });
    t.equal((await eventsOf(person)).length, 2);
  }
});
