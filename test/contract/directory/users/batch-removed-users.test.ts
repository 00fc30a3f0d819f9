import { MongoServerError } from 'mongodb';
import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import type { Organization, User } from '#src/directory/index.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changedUser } from '#src/people/users/changed-user.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { createRemovedUserBatcher } from '#src/removal/batch-removed-users.js';
import { removeUser } from '#src/removal/remove-user.js';
import { makeOrganization, testEditor } from '../../../support/app/make.js';
import { makePerson } from '../../../support/app/people.js';
import { openTestContainer } from '../../../support/app/test-container.js';

/** Simultaneous removals of users of one organization are one transaction, with an outcome for each. */

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
const removals = { ...counted, batchRemovedUser: createRemovedUserBatcher(counted) };

const makePeople = (organization: Organization, count: number) =>
  Promise.all(Array.from({ length: count }, () => makePerson(container, organization, { password: null })));

const remove = ({ id, orgId }: User, more: object = {}, deps = removals) =>
  removeUser(deps, { orgId, id, editor: testEditor, ...more });

async function transactionsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = transactions;
  return [await work(), transactions - before];
}

/** The identifier of the error of each removal, or "removed". */
async function outcomesOf(work: readonly Promise<void>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((one) =>
    one.status === 'fulfilled' ? 'removed' : (one.reason.definition?.id ?? one.reason.message),
  );
}

const isThere = async ({ id, orgId }: User) => (await users.find(orgId, id)) !== undefined;

/** The types and the sequences of the last events of a user. */
async function lastEventsOf({ id }: User, limit: number): Promise<unknown[]> {
  const events = await container.events.search({ aggregateId: id, limit, ascending: false });
  return events.map(({ type, sequence }) => [type, sequence]);
}

t.test('removals that are made at once are one transaction for each organization', async (t) => {
  const people = [...(await makePeople(here, 4)), ...(await makePeople(there, 2))];
  const [member, owner, plain] = people as [User, User, User];
  const group = await addGroup(container, {
    ...{ orgId: here.id, profile: { displayName: 'Removed together' } },
    ...{ members: new Set([member.id, plain.id]), editor: testEditor },
  });
  const role = 'ORG_USER_MANAGER';
  await addMembership(container, { userId: owner.id, role, orgId: here.id, editor: testEditor });
  const totals = await users.count(here.id);
  const [outcomes, took] = await transactionsOf(() => outcomesOf(people.map((one) => remove(one))));
  t.strictSame(outcomes, Array(6).fill('removed'));
  t.equal(took, 2);
  t.strictSame(await Promise.all(people.map(isThere)), Array(6).fill(false));
  t.equal(await users.count(here.id), totals - 4);
  t.strictSame(await container.groupMembers.page(here.id, group.id, { limit: 10 }), []);
  t.strictSame(await container.memberships.ofUser(owner.id), []);
  for (const one of people)
    t.strictSame((await lastEventsOf(one, 1))[0], ['user.removed', one.version + 1], 'one event for each');
  const issuedAt = Date.now() / 1_000 - 60;
  for (const { id: sub } of people)
    t.equal(await container.revocations.isRevoked({ jti: 'a token', sub, issuedAt }), true);
  const ids = people.map(({ id }) => `user:${id}`);
  const recorded = mongo.db.collection<{ _id: string }>('revocations');
  t.equal(await recorded.countDocuments({ _id: { $in: ids } }), 6, 'the revocations outlive Redis');
});

t.test('a user whom another caller changes meanwhile is read again', async (t) => {
  const people = await makePeople(here, 3);
  const [, second] = people as [User, User, User];
  let isChanged = false;
  const beforeChange = async () => {
    if (isChanged) return;
    isChanged = true;
    const elsewhere = { credentials: [], now: new Date(), editor: testEditor } as const;
    const changed = changedUser(second, { ...second, title: 'Elsewhere' }, elsewhere);
    await container.batchChangedUser({ current: second, ...changed });
  };
  const outcomes = await outcomesOf(people.map((one) => remove(one, one === second ? { beforeChange } : {})));
  t.strictSame(outcomes, ['removed', 'removed', 'removed']);
  t.strictSame(await lastEventsOf(second, 2), [
    ['user.removed', 3],
    ['user.human.changed', 2],
  ]);
});

t.test('a refusal, and a user who is gone, are outcomes of one caller', async (t) => {
  const people = await makePeople(here, 4);
  const [refused, gone, ...others] = people as [User, User, User, User];
  await remove(gone);
  const beforeChange = async () => {
    throw new Error('refused');
  };
  const outcomes = await outcomesOf([
    remove(refused, { beforeChange }),
    ...[gone, ...others].map((one) => remove(one)),
  ]);
  t.strictSame(outcomes, ['refused', 'directory.userNotFound', 'removed', 'removed']);
  t.equal(await isThere(refused), true);
});

t.test('the last owner who can sign in stays, and the others go', async (t) => {
  const home = await makeOrganization(container);
  const owner = await makePerson(container, home);
  const place = { role: 'ORG_OWNER', orgId: home.id } as const;
  await addMembership(container, { userId: owner.id, ...place, editor: testEditor });
  const people = await makePeople(home, 2);
  const outcomes = await outcomesOf([owner, ...people].map((one) => remove(one)));
  t.strictSame(outcomes, ['directory.lastAbleOwner', 'removed', 'removed']);
  t.equal(await isThere(owner), true);
  t.strictSame(
    await lastEventsOf(owner, 1),
    [['user.human.added', 1]],
    'the shared transaction left no event',
  );
  const second = await makePerson(container, home);
  await addMembership(container, { userId: second.id, ...place, editor: testEditor });
  const both = await outcomesOf([owner, second].map((one) => remove(one)));
  t.strictSame(both.sort(), ['directory.lastAbleOwner', 'removed'], 'one of two owners who go at once stays');
});

t.test('a removal with other writes has a transaction of its own', async (t) => {
  const people = await makePeople(here, 3);
  const [one] = people as [User];
  const alongside = async () => {};
  const [outcomes, took] = await transactionsOf(() =>
    outcomesOf(people.map((person) => remove(person, person === one ? { alongside } : {}))),
  );
  t.strictSame(outcomes, ['removed', 'removed', 'removed']);
  t.equal(took, 2);
});

t.test('without Redis nobody is removed, and processes are told of the users', async (t) => {
  const people = await makePeople(here, 2);
  const told: string[] = [];
  const revocations = {
    ...container.revocations,
    publish: async () => {
      throw new Error('away');
    },
    restamp: async (...ids: string[]) => void told.push(...ids),
  };
  const broken = { ...container, revocations };
  const deps = { ...broken, batchRemovedUser: createRemovedUserBatcher(broken) };
  t.strictSame(await outcomesOf(people.map((one) => remove(one, {}, deps))), ['away', 'away']);
  t.strictSame(await Promise.all(people.map(isThere)), [true, true]);
  for (const { id } of people) t.ok(told.includes(id));
});

t.test('users in very many groups are removed alone', async (t) => {
  const people = await makePeople(here, 2);
  const memberships = people.flatMap(({ id: userId }, index) =>
    Array.from({ length: 1_000 + index }, (_, n) => ({ groupId: `many-${n}`, userId })),
  );
  await mongo.transaction((transaction) => container.groupMembers.insert(here.id, memberships, transaction));
  const [outcomes, took] = await transactionsOf(() => outcomesOf(people.map((one) => remove(one))));
  t.strictSame(outcomes, ['removed', 'removed']);
  t.equal(took, 3, 'the shared transaction, and one for each');
  for (const { id } of people) t.strictSame(await container.groupMembers.groupsOf(here.id, id, 1), []);
});

t.test('a shared transaction that takes too long is tried alone', async (t) => {
  for (const code of [50, 262, 290]) {
    const people = await makePeople(here, 2);
    let isFirst = true;
    const batchRemovedUser = createRemovedUserBatcher({
      ...container,
      mongo: {
        ...mongo,
        transactionOf: async (holder, work, options) => {
          if (!isFirst) return mongo.transactionOf(holder, work, options);
          isFirst = false;
          throw new MongoServerError({ code, message: 'too long' });
        },
      },
    });
    const deps = { ...container, batchRemovedUser };
    const outcomes = await outcomesOf(people.map((one) => remove(one, {}, deps)));
    t.strictSame(outcomes, ['removed', 'removed']);
  }
});

t.test('an outage fails all, and is tried once', async (t) => {
  const people = await makePeople(here, 3);
  let attempts = 0;
  const batchRemovedUser = createRemovedUserBatcher({
    ...container,
    mongo: {
      ...mongo,
      transactionOf: async () => {
        attempts++;
        throw new MongoServerError({ code: 189, message: 'stepped down' });
      },
    },
  });
  const deps = { ...container, batchRemovedUser };
  const outcomes = await Promise.allSettled(people.map((one) => remove(one, {}, deps)));
  for (const one of outcomes) t.ok(one.status === 'rejected' && isStoreUnavailable(one.reason));
  t.equal(attempts, 1);
});
