import t from 'tap';
import { createPeople } from '#src/people/users/people.js';
import { createSeenUsers } from '#src/people/users/seen-users.js';
import { newId } from '#src/platform/ids.js';
import { removeUser } from '#src/removal/remove-user.js';
import { startTcpProxy } from '../../../dev/stage/tcp-proxy.js';
import { until } from '../../../dev/until.js';
import { makeOrganization, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/oauth-client.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { keysOf, removeKeys } from '../../support/stores/redis-keys.js';

const { container, openAnother } = await openTestContainer(t);
const { revocations, redis, config } = container;

const keys = (name: string) => keysOf(redis, `${config.redisPrefix}:rev:*${name}`);

/** The stamp once Redis is believed. */
async function stampOf(sub: string, list = revocations): Promise<string> {
  let stamp: string | undefined;
  await until(async () => {
    await list.isRevoked({ jti: newId(), sub, issuedAt: 0 });
    stamp = await list.stampOf(sub);
    return stamp !== undefined;
  });
  return stamp ?? '';
}

t.test('a stamp stays until its user is changed, and is the same everywhere', async (t) => {
  const another = await openAnother();
  const [sub, other] = [newId(), newId()];
  const [before, ofOther] = [await stampOf(sub), await stampOf(other)];
  t.equal(await stampOf(sub), before);
  t.equal(await stampOf(sub, another.revocations), before);
  await revocations.restamp(sub);
  const after = await revocations.stampOf(sub);
  t.not(after, before);
  t.equal(await another.revocations.stampOf(sub), after);
  t.equal((await another.revocations.check({ jti: newId(), sub, issuedAt: 0 })).stamp, after);
  t.equal(await revocations.stampOf(other), ofOther);
});

t.test('many users get other stamps at once', async (t) => {
  const subs = Array.from({ length: 200 }, () => newId());
  const other = newId();
  // Redis is believed bucket by bucket.
  const stampsOf = (list: readonly string[]) => Promise.all(list.map((sub) => stampOf(sub)));
  const before = await stampsOf([other, ...subs]);
  await revocations.restamp(...subs);
  const after = await stampsOf([other, ...subs]);
  t.equal(after[0], before[0]);
  t.equal(after.filter((stamp, index) => stamp === before[index]).length, 1);
  await revocations.restamp();
  t.same(await stampsOf([other, ...subs]), after, 'no user is no change');
});

t.test('a Redis that lost its keys has other stamps', async (t) => {
  const sub = newId();
  const before = await stampOf(sub);
  for (let lost = await keys('*'); lost.length > 0; lost = await keys('*')) await removeKeys(redis, lost);
  t.equal(await revocations.stampOf(sub), undefined);
  t.not(await stampOf(sub), before);
});

t.test('asking for stamps alone brings them back', async (t) => {
  const sub = newId();
  for (let lost = await keys('*'); lost.length > 0; lost = await keys('*')) await removeKeys(redis, lost);
  let stamp: string | undefined;
  await until(async () => {
    stamp = await revocations.stampOf(sub);
    return stamp !== undefined;
  });
  t.equal(await revocations.stampOf(sub), stamp);
});

t.test('a change that could not be announced ends the stamps of its bucket', async (t) => {
  const { hostname, port } = new URL(config.redisUrl);
  const proxy = await startTcpProxy(t, { host: hostname, port: Number(port) });
  const cutOff = await openAnother({ redisUrl: `redis://127.0.0.1:${proxy.port}` });
  const subs = Array.from({ length: 20 }, () => newId());
  const before = await Promise.all(subs.map((sub) => stampOf(sub)));
  const [first = ''] = subs;
  t.equal(await stampOf(first, cutOff.revocations), before[0]);
  proxy.cut();
  await cutOff.revocations.restamp(...subs);
  proxy.heal();
  for (const [index, sub] of subs.entries()) {
    await until(async () => (await revocations.stampOf(sub)) !== before[index]);
    const after = await stampOf(sub);
    t.not(after, before[index]);
    t.equal(await stampOf(sub, cutOff.revocations), after);
  }
});

t.test('people are read again once their stamp is another, or unknown', async (t) => {
  const organization = await makeOrganization(container);
  const person = await makePerson(container, organization);
  let reads = 0;
  const people = createPeople({
    stands: async () => true,
    users: {
      find: (orgId, id) => {
        reads++;
        return container.users.find(orgId, id);
      },
    },
  });
  const find = (stamp: string | undefined, orgId = organization.id) => people.find(orgId, person.id, stamp);
  for (const [stamp, expected] of [
    ['one', 1],
    ['one', 1],
    ['two', 2],
    ['two', 2],
    [undefined, 3],
    [undefined, 4],
    ['two', 4],
  ] as const) {
    t.equal((await find(stamp))?.id, person.id);
    t.equal(reads, expected, `${stamp}`);
  }
  t.equal(await find('two', newId()), undefined, 'of another organization there is no such person');
});

t.test('a renewed stamp tells what it was', async (t) => {
  const subs = Array.from({ length: 5 }, () => newId());
  const before = await Promise.all(subs.map((sub) => stampOf(sub)));
  const renewed = await revocations.renewStamps(...subs);
  for (const [index, sub] of subs.entries()) {
    const after = await revocations.stampOf(sub);
    t.strictSame(renewed.get(sub), { before: before[index], after });
    t.not(after, before[index]);
  }
  t.equal((await revocations.renewStamps()).size, 0);
});

t.test('a process that was cut off renews no stamp, and ends those of the bucket', async (t) => {
  const { hostname, port } = new URL(config.redisUrl);
  const proxy = await startTcpProxy(t, { host: hostname, port: Number(port) });
  const cutOff = await openAnother({ redisUrl: `redis://127.0.0.1:${proxy.port}` });
  const sub = newId();
  const before = await stampOf(sub);
  t.equal(await stampOf(sub, cutOff.revocations), before);
  proxy.cut();
  t.strictSame(await cutOff.revocations.renewStamps(sub), new Map());
  proxy.heal();
  await until(async () => (await revocations.stampOf(sub)) !== before);
  t.not(await stampOf(sub), before);
});

t.test('the existence of users is remembered until somebody else changes them', async (t) => {
  const organization = await makeOrganization(container);
  const people = await Promise.all(Array.from({ length: 3 }, () => makePerson(container, organization)));
  const ids = people.map(({ id }) => id);
  const [first = '', second = ''] = ids;
  await Promise.all(ids.map((id) => stampOf(id)));
  let asked: string[] = [];
  const users = {
    existing: async (orgId: string, of: readonly string[]) => {
      asked.push(...of);
      return container.users.existing(orgId, of);
    },
  };
  const known = createSeenUsers({ users, revocations });
  const other = createSeenUsers({ users, revocations });
  const look = async (of: readonly string[], by = known, orgId = organization.id) => {
    asked = [];
    const existing = await by.existing(orgId, of);
    return { existing: [...existing].sort(), asked: [...asked].sort() };
  };
  const all = [...ids].sort();
  const unknown = newId();
  t.strictSame(await look([...ids, unknown]), { existing: all, asked: [...all, unknown].sort() });
  t.strictSame(
    await look([...ids, unknown]),
    { existing: all, asked: [unknown] },
    'absence is not remembered',
  );
  t.strictSame(await look(ids, known, 'another organization'), { existing: [], asked: all });
  await known.restamp(first, unknown);
  t.strictSame(await look(ids), { existing: all, asked: [] }, 'the process knows what it has changed');
  await other.existing(organization.id, ids);
  await other.restamp(first);
  await revocations.restamp(second);
  t.strictSame(await look(ids), { existing: all, asked: [first, second].sort() });
  await removeUser(container, { orgId: organization.id, id: first, editor: testEditor });
  t.strictSame(await look(ids), { existing: all.filter((id) => id !== first), asked: [first] });
  // The process had not read the last change of another one when it changed the user itself.
  await revocations.restamp(second);
  await known.restamp(second);
  t.strictSame(await look([second]), { existing: [second], asked: [second] });
  const blind = createSeenUsers({
    users,
    revocations: { ...revocations, stampOf: () => Promise.reject(new Error('Redis is away')) },
  });
  for (let round = 0; round < 2; round++)
    t.strictSame(await look([second], blind), { existing: [second], asked: [second] });
  const many = Array.from({ length: 21 }, (_, n) => `u${n}`);
  t.strictSame(await look(many), { existing: [], asked: [...many].sort() });
});
