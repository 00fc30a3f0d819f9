import { MongoServerError } from 'mongodb';
import t from 'tap';
import type { Organization, Role } from '#src/directory/index.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroupRoles } from '#src/people/groups/change-group-roles.js';
import type { MemberWrite } from '#src/people/groups/member-steps.js';
import { createWriteMembers } from '#src/people/groups/write-members.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { until } from '../../../../dev/until.js';
import { makeOrganization, testEditor } from '../../../support/app/make.js';
import { makePerson } from '../../../support/app/people.js';
import { openTestContainer } from '../../../support/app/test-container.js';

/** Simultaneous changes of the members of several groups are one transaction, with an outcome for each. */

const { container } = await openTestContainer(t);
const { mongo, groupMembers } = container;
const here = await makeOrganization(container);
const there = await makeOrganization(container);

let transactions = 0;
const transactionOf: typeof mongo.transactionOf = (holder, work, options) => {
  transactions++;
  return mongo.transactionOf(holder, work, options);
};
const writeMembers = createWriteMembers({ ...container, mongo: { ...mongo, transactionOf } });

let named = 0;

const makeGroups = (organization: Organization, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const profile = { displayName: `Group ${named++}` };
      const members = new Set<string>();
      return (await addGroup(container, { orgId: organization.id, profile, members, editor: testEditor })).id;
    }),
  );

const makePeople = (organization: Organization, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await makePerson(container, organization)).id));

const add = (groupId: string, added: string[], more: Partial<MemberWrite> = {}): MemberWrite => ({
  ...{ orgId: here.id, groupId, added, removed: [], editor: testEditor },
  ...more,
});

const remove = (groupId: string, removed: string[], more: Partial<MemberWrite> = {}): MemberWrite =>
  add(groupId, [], { removed, ...more });

const membersOf = (groupId: string) => groupMembers.page(here.id, groupId, { limit: 1_000 });

/** The sequences and the users of the events of a group after the first one, which must agree with its version. */
async function eventsOf(groupId: string, orgId = here.id) {
  const events = await container.events.search({ aggregateId: groupId, limit: 1_000, ascending: true });
  const group = await container.groups.find(orgId, groupId);
  if (group?.version !== events.length)
    throw new Error(`${events.length} events of version ${group?.version}`);
  return events
    .slice(1)
    .map(({ type, sequence, payload }) => [sequence, type.split('.').at(-1), payload['userIds']]);
}

async function transactionsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = transactions;
  return [await work(), transactions - before];
}

/** The identifier of the error of each write, or "written". */
async function outcomesOf(writes: readonly MemberWrite[], write = writeMembers): Promise<string[]> {
  const outcomes = await Promise.allSettled(writes.map(write));
  return outcomes.map((one) =>
    one.status === 'fulfilled' ? 'written' : (one.reason.definition?.id ?? one.reason.message),
  );
}

t.test('steps of several groups are one transaction for each organization', async (t) => {
  const groups = await makeGroups(here, 3);
  const [foreign = ''] = await makeGroups(there, 1);
  const [a = '', b = ''] = await makePeople(here, 2);
  const [c = ''] = await makePeople(there, 1);
  const [one = '', two = '', three = ''] = groups;
  const writes = [
    add(one, [a]),
    add(one, [a, b]),
    add(two, [a]),
    remove(two, [a]),
    remove(three, [a]),
    add(foreign, [c], { orgId: there.id }),
  ];
  const [outcomes, took] = await transactionsOf(() => outcomesOf(writes));
  t.strictSame(outcomes, Array(6).fill('written'));
  t.equal(took, 2);
  t.strictSame(await Promise.all(groups.map(membersOf)), [[a, b].sort(), [], []]);
  t.strictSame(await eventsOf(one), [
    [2, 'added', [a]],
    [3, 'added', [b]],
  ]);
  t.strictSame(await eventsOf(two), [
    [2, 'added', [a]],
    [3, 'removed', [a]],
  ]);
  t.strictSame(await eventsOf(three), [], 'a step that changes nothing leaves the group as it is');
  t.strictSame(await eventsOf(foreign, there.id), [[2, 'added', [c]]]);
});

t.test('a step that is refused, and one of an unknown group, fail alone', async (t) => {
  const [one = '', two = '', three = ''] = await makeGroups(here, 3);
  const [a = '', b = ''] = await makePeople(here, 2);
  const refused = async () => {
    throw new Error('refused');
  };
  const writes = [
    add(one, [a]),
    add(two, [a], { beforeChange: refused }),
    add(two, [b]),
    add('unknown', [a]),
    add(three, [b], { orgId: here.id, beforeChange: async () => {} }),
  ];
  const [outcomes, took] = await transactionsOf(() => outcomesOf(writes));
  t.strictSame(outcomes, ['written', 'refused', 'written', 'directory.groupNotFound', 'written']);
  t.equal(took, 1);
  t.strictSame(await Promise.all([one, two, three].map(membersOf)), [[a], [b], [b]]);
  t.strictSame(await eventsOf(two), [[2, 'added', [b]]]);
  const nothing = [remove(one, [b], { beforeChange: refused }), add(two, [b], { beforeChange: refused })];
  t.strictSame(await outcomesOf(nothing), ['refused', 'refused'], 'also if it would change nothing');
  for (const write of nothing) t.strictSame(await outcomesOf([write]), ['refused']);
});

t.test('a group of another organization is unknown', async (t) => {
  const [foreign = ''] = await makeGroups(there, 1);
  const [own = ''] = await makeGroups(here, 1);
  const [a = ''] = await makePeople(here, 1);
  t.strictSame(await outcomesOf([add(foreign, [a]), add(own, [a])]), ['directory.groupNotFound', 'written']);
  t.strictSame(await eventsOf(foreign, there.id), []);
});

t.test('a group that holds roles has a transaction of its own, with its checks', async (t) => {
  const groups = await makeGroups(here, 3);
  const [mighty = '', plain = '', other = ''] = groups;
  const [a = ''] = await makePeople(here, 1);
  for (const id of groups) await writeMembers(add(id, [a]));
  const roles: Role[] = ['ORG_OWNER'];
  await changeGroupRoles(container, { orgId: here.id, id: mighty, roles, editor: testEditor });
  const asked: unknown[] = [];
  const checks = {
    beforeChange: async (held: readonly Role[]) => void asked.push(['change', ...held]),
    afterLoss: async (held: readonly Role[]) => void asked.push(['loss', ...held]),
  };
  const [outcomes, took] = await transactionsOf(() =>
    outcomesOf([mighty, plain, other].map((id) => remove(id, [a], checks))),
  );
  t.strictSame(outcomes, ['written', 'written', 'written']);
  t.equal(took, 2);
  t.strictSame(asked, [['change'], ['change'], ['change', 'ORG_OWNER'], ['loss', 'ORG_OWNER']]);
  await writeMembers(add(mighty, [a]));
  const keep = async () => {
    throw new Error('the last owner');
  };
  t.strictSame(await outcomesOf([remove(mighty, [a], { afterLoss: keep }), add(plain, [a])]), [
    'the last owner',
    'written',
  ]);
  t.strictSame(await membersOf(mighty), [a]);
});

t.test('a step with many users does not go with others', async (t) => {
  const [one = '', two = '', three = ''] = await makeGroups(here, 3);
  const people = await makePeople(here, 21);
  const [outcomes, took] = await transactionsOf(() =>
    outcomesOf([add(one, people), add(two, people.slice(1)), add(three, people.slice(1))]),
  );
  t.strictSame(outcomes, ['written', 'written', 'written']);
  t.equal(took, 2);
  t.equal((await membersOf(one)).length, 21);
});

t.test('an outage fails all, and is tried once', async (t) => {
  const groups = await makeGroups(here, 3);
  let attempts = 0;
  const outage = createWriteMembers({
    ...container,
    mongo: {
      ...mongo,
      transactionOf: async () => {
        attempts++;
        throw new MongoServerError({ code: 189, message: 'stepped down' });
      },
    },
  });
  const outcomes = await Promise.allSettled(groups.map((id) => outage(add(id, ['a']))));
  for (const one of outcomes) t.ok(one.status === 'rejected' && isStoreUnavailable(one.reason));
  t.equal(attempts, 1);
});

t.test('a group with which another transaction conflicts holds up no other', async (t) => {
  const [busy = '', ...others] = await makeGroups(here, 4);
  const [a = ''] = await makePeople(here, 1);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isLocked = false;
  const locked = mongo.transaction(async (transaction) => {
    await container.groups.lock(here.id, busy, transaction);
    isLocked = true;
    await held;
  });
  await until(() => isLocked);
  const waiting = writeMembers(add(busy, [a]));
  t.strictSame(await outcomesOf(others.map((id) => add(id, [a]))), ['written', 'written', 'written']);
  t.strictSame(await membersOf(busy), []);
  release();
  await locked;
  await waiting;
  t.strictSame(await membersOf(busy), [a]);
});

t.test('processes that change the same groups at once lose nothing', async (t) => {
  const processes = [createWriteMembers(container), createWriteMembers(container)];
  const groups = await makeGroups(here, 8);
  const people = await makePeople(here, 4);
  const outcomes = await Promise.all(
    processes.map((write, n) => {
      const inOrder = n === 0 ? groups : groups.toReversed();
      return outcomesOf(
        inOrder.flatMap((id) => people.map((one) => add(id, [one]))),
        write,
      );
    }),
  );
  t.strictSame([...new Set(outcomes.flat())], ['written']);
  for (const id of groups) {
    t.strictSame(await membersOf(id), [...people].sort());
    const events = await eventsOf(id);
    t.strictSame(
      events.map(([sequence]) => sequence),
      events.map((_, n) => n + 2),
    );
    t.strictSame(events.flatMap(([, , users]) => users).sort(), [...people].sort(), 'each joins once');
  }
});

t.test('so many steps of one organization wait, and no more', async (t) => {
  const [own = ''] = await makeGroups(here, 1);
  const [foreign = ''] = await makeGroups(there, 1);
  const [a = ''] = await makePeople(here, 1);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = createWriteMembers({
    ...container,
    mongo: {
      ...mongo,
      transactionOf: async (holder, work, options) => {
        if (holder === here.id) await held;
        return mongo.transactionOf(holder, work, options);
      },
    },
  });
  const waiting = Array.from({ length: 500 }, () => slow(add(own, [a])));
  await t.rejects(slow(add(own, [a])), { name: 'TooManyTransactions' });
  await slow(add(foreign, [a], { orgId: there.id }));
  release();
  await Promise.all(waiting);
  t.strictSame(await eventsOf(own), [[2, 'added', [a]]]);
});
