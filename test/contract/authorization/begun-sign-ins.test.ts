import t from 'tap';
import {
  type CeremonyBinding,
  createPasskeyChallenges,
} from '#src/authentication/passkeys/passkey-challenges.js';
import { createSignInLinksStore } from '#src/authentication/sign-in-links/index.js';
import { createSealer } from '#src/keys/sealer.js';
import { createLoginStepsStore } from '#src/login/stores/login-steps.store.js';
import { uniqueName } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { keysOf } from '../../support/stores/redis-keys.js';

/** What a sign-in that has begun leaves in Redis, and in pages: what each is bound to, how long it counts, and how often. */

const { container, clock } = await openTestContainer(t);
const { redis, config } = container;
const storeDeps = { redis, prefix: config.redisPrefix };
const sealer = createSealer([{ id: 'one', key: Buffer.alloc(32, 1) }], 'test');

t.test('a challenge is for its purpose, browser, organization, person and ten minutes', async (t) => {
  const challenges = createPasskeyChallenges({ ...storeDeps, sealer, clock });
  const binding = { purpose: 'enrol', agent: 'browser', orgId: 'org', userId: 'user' } as const;
  const challenge = challenges.make(binding, 'the note');
  t.equal(challenges.open(challenge, binding), 'the note');
  const others: CeremonyBinding[] = [
    { ...binding, purpose: 'signInEnrol' },
    { ...binding, agent: 'another' },
    { ...binding, orgId: 'another' },
    { ...binding, userId: 'another' },
    { ...binding, orgId: undefined },
    { ...binding, userId: undefined },
    { purpose: 'enrol', agent: 'browser' },
    // The parts must not run into each other.
    { purpose: 'enrol', agent: 'browser","org', orgId: 'user', userId: '' },
  ];
  for (const other of others) t.equal(challenges.open(challenge, other), undefined, JSON.stringify(other));
  const open = challenges.make({ purpose: 'signIn', agent: 'browser' });
  t.equal(challenges.open(open, { purpose: 'signIn', agent: 'browser' }), '');
  t.equal(challenges.open(open, { purpose: 'signIn', agent: 'browser', orgId: 'org' }), undefined);
  t.not(challenges.make(binding), challenges.make(binding), 'no two are alike');
  clock.advance(599);
  t.equal(challenges.open(challenge, binding), 'the note');
  clock.advance(1);
  t.equal(challenges.open(challenge, binding), undefined);
});

t.test('a challenge that nobody here made', async (t) => {
  const challenges = createPasskeyChallenges({ ...storeDeps, sealer, clock });
  const binding = { purpose: 'signIn', agent: 'browser' } as const;
  const challenge = challenges.make(binding);
  const foreign = createPasskeyChallenges({
    ...{ ...storeDeps, clock },
    sealer: createSealer([{ id: 'one', key: Buffer.alloc(32, 1) }], 'another purpose'),
  }).make(binding);
  const damaged = Buffer.from(challenge, 'base64url');
  damaged.writeUInt8(damaged.readUInt8(40) ^ 1, 40);
  const long = challenges.make(binding, 'n'.repeat(1_000));
  for (const text of ['', 'x', '*', foreign, damaged.toString('base64url'), challenge.slice(4), long])
    t.equal(challenges.open(text, binding), undefined);
});

t.test('a challenge counts once, however it is written', async (t) => {
  const challenges = createPasskeyChallenges({ ...storeDeps, sealer, clock });
  const [one, other] = [1, 2].map(() => challenges.make({ purpose: 'signIn', agent: 'browser' }));
  const written = (text = '') => [
    text,
    `${text}=`,
    Buffer.from(text, 'base64url').toString('base64'),
    `${text}\n`,
  ];
  const taken = await Promise.all([...written(one), ...written(one)].map((text) => challenges.take(text)));
  t.equal(taken.filter(Boolean).length, 1);
  t.equal(await challenges.take(other ?? ''), true, 'another one');
  const keys = await keysOf(redis, `${config.redisPrefix}:passkey-challenge:*`);
  t.equal(keys.length, 2);
  for (const key of keys) {
    const life = await redis.pttl(key);
    t.ok(life > 590_000 && life <= 600_000, 'as long as it could be opened');
  }
});

t.test('a link by mail is found by its secret, taken once, and ends', async (t) => {
  const links = createSignInLinksStore(storeDeps);
  const link = {
    ...{ orgId: 'org', userId: 'user', email: 'ada@people.example', agentHash: 'browser', flow: '' },
    ...{ toAccount: true, credentialsStamp: '1 2 3' },
  };
  const secret = uniqueName('secret');
  await links.put(secret, link);
  t.same([await links.find(secret), await links.find(secret)], [link, link], 'reading uses up nothing');
  for (const wrong of ['', 'another', `${secret} `, 'x'.repeat(101)])
    t.same([await links.find(wrong), await links.take(wrong)], [undefined, undefined]);
  const keys = await keysOf(redis, `${config.redisPrefix}:sign-in-link:*`);
  t.equal(keys.length, 1);
  t.notMatch(keys[0], secret, 'the store has a hash alone');
  const life = await redis.pttl(keys[0] ?? '');
  t.ok(life > 890_000 && life <= 900_000, '15 minutes');
  const taken = await Promise.all(Array.from({ length: 5 }, () => links.take(secret)));
  t.same(
    taken.filter((one) => one !== undefined),
    [link],
    'one of many',
  );
  t.equal(await links.find(secret), undefined);
});

t.test('proofs wait at one browser, for one request, for ten minutes', async (t) => {
  const steps = createLoginStepsStore({ ...storeDeps, sealer });
  const step = {
    ...{ userId: 'user', orgId: 'org', credentialsStamp: '1 2 3' },
    proofs: [{ kind: 'password' }] as const,
  };
  await steps.put('browser', 'flow', step);
  t.same(await steps.find('browser', 'flow'), step);
  for (const [agent, flow] of [
    ['another', 'flow'],
    ['browser', 'another'],
    ['browser', ''],
    ['', 'flow'],
  ] as const)
    t.equal(await steps.find(agent, flow), undefined, `${agent} ${flow}`);
  await steps.put('browser', '', { ...step, toAccount: true });
  t.same(await steps.find('browser', 'flow'), step, 'that of the account page is another one');
  for (const key of await keysOf(redis, `${config.redisPrefix}:login-step:*`)) {
    const life = await redis.pttl(key);
    t.ok(life > 590_000 && life <= 600_000);
  }
  await steps.remove('another', 'flow');
  await steps.remove('browser', 'another');
  t.same(await steps.find('browser', 'flow'), step);
  await steps.remove('browser', 'flow');
  t.equal(await steps.find('browser', 'flow'), undefined);
  t.ok(await steps.find('browser', ''));
});

t.test('an account that waits is sealed, and opens with the same keys alone', async (t) => {
  const at = new Date('2026-01-01T00:00:00Z');
  const user = {
    ...{ id: 'new', orgId: 'org', userName: 'ada', displayName: 'Ada', name: {}, active: true, version: 1 },
    ...{ emails: [], phoneNumbers: [], created: at, lastModified: at },
  };
  const newcomer = { user, password: { hash: 'a hash', changed: at } } as never;
  const step = { userId: 'new', orgId: 'org', credentialsStamp: '', proofs: [], newcomer };
  const steps = createLoginStepsStore({ ...storeDeps, sealer });
  await steps.put('newcomer', '', step);
  t.same(await steps.find('newcomer', ''), step, 'with its times');
  const [key = ''] = await keysOf(redis, `${config.redisPrefix}:login-step:newcomer:*`);
  t.notMatch(await redis.get(key), /ada|a hash/);
  const others = createSealer([{ id: 'one', key: Buffer.alloc(32, 2) }], 'test');
  t.equal(await createLoginStepsStore({ ...storeDeps, sealer: others }).find('newcomer', ''), undefined);
});
