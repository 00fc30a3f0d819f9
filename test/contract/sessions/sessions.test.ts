import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import type { SignIn } from '#src/sessions/sessions.js';
import { mostOfUser } from '#src/sessions/sessions.store.js';
import { bucketKeysOf, revocationBucket } from '#src/tokens/revocation-buckets.js';
import { makeOrganization } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { watchRedisCommands } from '../../support/stores/redis-commands.js';
import { keysOf } from '../../support/stores/redis-keys.js';

const { container, clock, openAnother } = await openTestContainer(t, {
  sessionIdleSeconds: 1_000,
  sessionAbsoluteSeconds: 5_000,
});
const { sessions, redis, revocations, config } = container;
// A session lasts only while its organization exists.
const { id: orgId } = await makeOrganization(container);

let counter = 0;
const newAgent = () => `agent-${++counter}`;
const person = (name = `person-${++counter}`): SignIn => ({
  userId: `user {${name}}`,
  orgId,
  userName: name,
  displayName: name,
  proofs: [{ kind: 'password' }, { kind: 'code' }],
});
const idsOf = async (agent: string) => (await sessions.ofAgent(agent)).map(({ id }) => id);

t.test('an agent holds one session of each person', async (t) => {
  const agent = newAgent();
  const ada = person();
  const first = await sessions.signIn(agent, ada);
  t.same(await sessions.find(ada.userId, first.id), first);
  t.same(await sessions.ofAgent(agent), [first]);

  clock.advance(1);
  const second = await sessions.signIn(agent, person());
  clock.advance(1);
  const again = await sessions.signIn(agent, { ...ada, proofs: [{ kind: 'password' }] });
  t.equal(again.id, first.id, 'the session goes on');
  t.same(again.created, first.created);
  t.ok(again.authTime > first.authTime);
  t.same(again.proofs, [{ kind: 'password', time: again.authTime.getTime() }]);
  t.same(await idsOf(agent), [again.id, second.id], 'the latest authentication first');

  const elsewhere = await sessions.signIn(newAgent(), ada);
  t.not(elsewhere.id, first.id, 'another agent, another session');
  t.same((await sessions.ofUser(ada.userId)).map(({ id }) => id).sort(), [first.id, elsewhere.id].sort());
  t.same(await sessions.ofAgent('unknown'), []);
  t.equal(await sessions.find('somebody else', first.id), undefined);
});

t.test('idle and absolute life', async (t) => {
  const agent = newAgent();
  const session = await sessions.signIn(agent, person());
  clock.advance(900);
  const touched = await sessions.touch(session);
  t.ok(touched.expires > session.expires);
  t.equal((await sessions.touch(touched)).expires, touched.expires, 'not written again at once');
  clock.advance(900);
  t.same(await idsOf(agent), [session.id], 'use kept it');
  clock.advance(200);
  t.same(await idsOf(agent), [], 'idle for too long');
  t.equal(await sessions.find(session.userId, session.id), undefined);

  let used = await sessions.signIn(agent, person());
  for (let elapsed = 0; elapsed < 4_900; elapsed += 700) {
    clock.advance(700);
    used = await sessions.touch(used);
  }
  t.equal(used.expires.getTime() - used.authTime.getTime(), 5_000_000, 'use does not keep it for ever');
});

t.test('a use never brings back an earlier authentication', async (t) => {
  const agent = newAgent();
  const ada = person();
  const before = await sessions.signIn(agent, ada);
  clock.advance(100);
  const renewed = await sessions.signIn(agent, { ...ada, proofs: [{ kind: 'password' }] });
  clock.advance(100);
  t.same(await sessions.touch(before), before, 'it was read before the person signed in anew');
  t.same(await sessions.find(ada.userId, before.id), renewed);
  t.ok((await sessions.touch(renewed)).expires > renewed.expires);

  await sessions.end(ada.userId, renewed.id);
  clock.advance(100);
  await sessions.touch(renewed);
  const key = `${config.redisPrefix}:sessions:{${encodeURIComponent(ada.userId)}}:${renewed.id}`;
  t.equal(await redis.exists(key), 0, 'nor one that has ended');
});

t.test('the end of a session is lasting, and that of its tokens', async (t) => {
  const agent = newAgent();
  const ada = person();
  const session = await sessions.signIn(agent, ada);
  const other = await sessions.signIn(agent, person());
  const key = `${config.redisPrefix}:sessions:{${encodeURIComponent(ada.userId)}}:${session.id}`;
  const copy = await redis.get(key);
  t.ok(copy);

  await sessions.end(ada.userId, session.id);
  t.same(await idsOf(agent), [other.id]);
  t.same(await sessions.ofUser(ada.userId), []);
  const token = { jti: 'j', sub: ada.userId, session: session.id, issuedAt: 4_000_000_000 };
  t.ok(await revocations.isRevoked(token));
  t.notOk(await revocations.isRevoked({ ...token, session: other.id }));

  await redis.set(key, String(copy));
  t.equal(await sessions.find(ada.userId, session.id), undefined, 'an old copy of Redis brings nothing back');
  t.same(await idsOf(agent), [other.id]);
  const next = await sessions.signIn(agent, ada);
  t.not(next.id, session.id, 'signing in again begins a new one');
  await sessions.end(ada.userId, session.id);
  t.same(await sessions.find(ada.userId, next.id), next, 'ending twice is harmless');
});

t.test('all sessions of a person end at once', async (t) => {
  const ada = person();
  const agents = [newAgent(), newAgent(), newAgent()];
  const grace = person();
  for (const agent of agents) await sessions.signIn(agent, ada);
  const shared = newAgent();
  await sessions.signIn(shared, grace);
  const ended = await sessions.signIn(shared, ada);
  await sessions.end(ada.userId, ended.id);
  const knownUsers = async () => [...(await sessions.pastSignIns(shared)).keys()].sort();
  t.same(await knownUsers(), [ada.userId, grace.userId].sort(), 'the end of one leaves the browser known');
  const another = await openAnother();
  await another.sessions.endAllOf(ada.userId);
  for (const agent of agents) t.same(await idsOf(agent), []);
  t.same(await sessions.ofUser(ada.userId), []);
  t.same(await knownUsers(), [grace.userId], 'and no browser of the person is known');
  clock.advance(1);
  await sessions.signIn(shared, ada);
  t.same(await knownUsers(), [ada.userId, grace.userId].sort(), 'until the next sign-in there');
});

t.test('a revocation of all that a person had ends the sessions too', async (t) => {
  const agent = newAgent();
  const ada = person();
  await sessions.signIn(agent, ada);
  clock.advance(2);
  const now = clock.now().getTime();
  const revocation = {
    kind: 'user',
    id: ada.userId,
    sub: ada.userId,
    issuedUntil: now / 1000,
    expires: new Date(now + 60_000),
  } as const;
  await revocations.record(revocation);
  await revocations.publish(revocation);
  t.same(await idsOf(agent), []);
  clock.advance(1);
  const next = await sessions.signIn(agent, ada);
  t.same(await idsOf(agent), [next.id]);
});

t.test('an agent that gets a new secret', async (t) => {
  const [planted, own] = [newAgent(), newAgent()];
  const ada = await sessions.signIn(planted, person());
  await sessions.moveAgent(planted, own);
  const grace = await sessions.signIn(own, person());
  t.same(new Set(await idsOf(own)), new Set([ada.id, grace.id]));
  t.notOk((await idsOf(planted)).includes(grace.id), 'who knows the old secret does not get in');
  t.ok(await sessions.isSameAgent(own, planted));
  t.ok(await sessions.isSameAgent(own, own));
  t.notOk(await sessions.isSameAgent(planted, own), 'only backwards');
  t.notOk(await sessions.isSameAgent(newAgent(), planted));

  const third = newAgent();
  await sessions.moveAgent(own, third);
  t.ok(await sessions.isSameAgent(third, planted), 'also over several renewals');
  const life = await redis.pttl(`${config.redisPrefix}:agent:${planted}`);
  t.ok(life > 0 && life <= 60_000, 'the old one is forgotten soon');
});

t.test('an agent forgets old sign-ins, however often its secret is renewed', async (t) => {
  let agent = newAgent();
  const signIn = async (one: SignIn) => {
    const before = agent;
    agent = newAgent();
    await sessions.signIn(agent, one, { before });
  };
  const knownUsers = async () => [...(await sessions.pastSignIns(agent)).keys()];
  const [victim, thief] = [person(), person()];
  await signIn(victim);
  clock.advance(4_000);
  await signIn(thief);
  t.same(new Set(await knownUsers()), new Set([victim.userId, thief.userId]));
  clock.advance(999);
  t.equal((await knownUsers()).length, 2);
  clock.advance(1);
  t.same(await knownUsers(), [thief.userId], 'after the absolute life of a session');
  const moved = newAgent();
  await sessions.moveAgent(agent, moved);
  const kept = () => redis.hkeys(`${config.redisPrefix}:agent:${moved}`);
  t.notOk((await kept()).join().includes(victim.userId), 'it is not copied');

  for (let i = 0; i < 25; i++) {
    clock.advance(1);
    await signIn(person());
  }
  t.equal((await knownUsers()).length, 20, 'and the earliest of many');
  t.notOk((await knownUsers()).includes(thief.userId));
});

t.test('a sign-in leaves the former secret a minute at most', async (t) => {
  const lifeOf = (agent: string) => redis.pttl(`${config.redisPrefix}:agent:${agent}`);
  const withSession = newAgent();
  await sessions.signIn(withSession, person());
  const moved = newAgent();
  await sessions.moveAgent(newAgent(), moved);
  for (const [name, before] of Object.entries({ withSession, moved })) {
    t.ok((await lifeOf(before)) > 60_000, `${name} is stored`);
    const agent = newAgent();
    await sessions.signIn(agent, person(), { before });
    const life = await lifeOf(before);
    t.ok(life > 0 && life <= 60_000, `${name} ends after ${life} ms`);
    t.ok(await sessions.isSameAgent(agent, before), name);
  }
});

t.test('a person has a most of sessions, and those that end first give way', async (t) => {
  const ada = person();
  const agents = Array.from({ length: 2 * mostOfUser }, newAgent);
  const [kept = ''] = agents;
  let session = await sessions.signIn(kept, ada);
  for (const [index, agent] of agents.entries()) {
    if (index === 0) continue;
    clock.advance(1);
    await sessions.signIn(agent, ada);
    // It is used, so that it ends later than others that began after it.
    if (index % 40 === 0) session = await sessions.touch(session);
  }
  t.equal((await sessions.ofUser(ada.userId)).length, mostOfUser);
  const pattern = `${config.redisPrefix}:sessions:{${encodeURIComponent(ada.userId)}}*`;
  t.equal((await keysOf(redis, pattern)).length, mostOfUser + 1, 'with their index');
  t.same(await idsOf(agents[1] ?? ''), [], 'the one that ended first');
  t.same(await idsOf(kept), [session.id], 'one that was used');
  t.equal((await idsOf(agents.at(-1) ?? '')).length, 1, 'the latest one');
  t.notOk(
    await revocations.isRevoked({ jti: 'j', sub: ada.userId, issuedAt: clock.now().getTime() / 1000 - 500 }),
    'no token of the person ends',
  );
});

t.test('what a process remembers of an agent is read with its state, and never believed', async (t) => {
  const another = await openAnother();
  const [ada, grace] = [person(), person()];
  const agent = newAgent();
  const ofAda = await sessions.signIn(agent, ada);
  // Redis is filled with revocations in the background.
  const { epoch } = bucketKeysOf(config.redisPrefix);
  for (const { userId } of [ada, grace]) {
    await sessions.find(userId, ofAda.id);
    while ((await redis.exists(epoch(revocationBucket(userId)))) === 0) await setTimeout(10);
  }
  const watch = watchRedisCommands(redis);
  t.teardown(watch.stop);
  const reads = async (ids: readonly string[], messages: number, why: string) => {
    watch.messages();
    t.same(await idsOf(agent), ids, why);
    t.equal(watch.messages(), messages, `${why}: messages`);
  };
  await reads([ofAda.id], 1, 'a session that began in this process');
  clock.advance(1);
  const ofGrace = await another.sessions.signIn(agent, grace);
  await reads([ofGrace.id, ofAda.id], 2, 'one of another process');
  await reads([ofGrace.id, ofAda.id], 1, 'and again');
  await another.sessions.end(ada.userId, ofAda.id);
  await reads([ofGrace.id], 1, 'one that has ended');
  const next = newAgent();
  await another.sessions.moveAgent(agent, next);
  await redis.del(`${config.redisPrefix}:agent:${agent}`);
  await reads([], 1, 'no session of an agent that is gone');
  t.same(await idsOf(next), [ofGrace.id]);
});

t.test('every key has an end', async (t) => {
  const agent = newAgent();
  const { userId, id } = await sessions.signIn(agent, person());
  await sessions.moveAgent(agent, newAgent());
  await sessions.endAllOf('somebody');
  const ofUser = `sessions:{${encodeURIComponent(userId)}}`;
  for (const name of [
    `agent:${agent}`,
    `agent:agent-${counter}`,
    ofUser,
    `${ofUser}:${id}`,
    'agents-forgotten:somebody',
  ]) {
    const life = await redis.pttl(`${config.redisPrefix}:${name}`);
    t.ok(life > 0, name);
  }
});
