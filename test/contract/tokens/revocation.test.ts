import t from 'tap';
import { newId } from '#src/platform/ids.js';
import { createRevocationList } from '#src/tokens/revocation.js';
import {
  createRevocationsStore,
  type Revocation,
  type RevocationKind,
} from '#src/tokens/revocations.store.js';
import { until } from '../../../dev/until.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { keysOf, removeKeys } from '../../support/stores/redis-keys.js';

const { container, clock, openAnother } = await openTestContainer(t);
const { revocations, redis, config, mongo } = container;
const issuedAt = 1_700_000_000;

const claimsOf = (more: object = {}) => ({ jti: newId(), sub: newId(), issuedAt, ...more });

const revocationOf = (kind: RevocationKind, id: string, sub: string): Revocation => ({
  kind,
  id,
  sub,
  issuedUntil: issuedAt,
  expires: new Date(clock.now().getTime() + 3600_000),
});

async function revoke(revocation: Revocation): Promise<void> {
  await revocations.record(revocation);
  await revocations.publish(revocation);
}

/** The keys of this test's revocations in Redis. */
function keys(name = '*'): Promise<string[]> {
  return keysOf(redis, `${config.redisPrefix}:rev:*${name}`);
}

/** Leaves Redis in the state after a restart without its data. */
async function loseRedisKeys(): Promise<void> {
  // A refill in progress may write more keys, so this repeats until no key is left.
  for (let lost = await keys(); lost.length > 0; lost = await keys()) await removeKeys(redis, lost);
}

t.test('a token is revoked by itself, its family, its session or its user', async (t) => {
  const claims = claimsOf({ family: newId(), session: newId() });
  const { jti, sub, family = '', session = '' } = claims as typeof claims & Record<string, string>;
  for (const [kind, id] of [
    ['token', jti],
    ['family', family],
    ['session', session],
    ['user', sub],
  ] as const) {
    const own = { ...claims, sub: newId(), jti: newId(), family: newId(), session: newId() };
    const named = { token: { jti: id }, family: { family: id }, session: { session: id }, user: { sub: id } }[
      kind
    ];
    const concerned = { ...own, ...named };
    t.equal(await revocations.isRevoked(concerned), false, `${kind} before`);
    await revoke(revocationOf(kind, id, concerned.sub));
    t.equal(await revocations.isRevoked(concerned), true, `${kind} after`);
    t.equal(await revocations.isRevoked(own), false, `${kind}: others are not concerned`);
  }
});

t.test('of a user only tokens issued until then are revoked', async (t) => {
  const claims = claimsOf();
  await revoke(revocationOf('user', claims.sub, claims.sub));
  t.equal(await revocations.isRevoked({ ...claims, issuedAt: issuedAt - 1 }), true);
  t.equal(await revocations.isRevoked({ ...claims, issuedAt: issuedAt + 1 }), false);
});

t.test('another process sees it at once', async (t) => {
  const another = await openAnother();
  const claims = claimsOf();
  t.equal(await another.revocations.isRevoked(claims), false);
  await revoke(revocationOf('token', claims.jti, claims.sub));
  t.equal(await another.revocations.isRevoked(claims), true);
});

t.test('a Redis that lost its keys is not believed, and is filled again', async (t) => {
  const revoked = claimsOf();
  const since = claimsOf();
  const good = { ...revoked, jti: newId() };
  await revoke(revocationOf('token', revoked.jti, revoked.sub));
  await revoke(revocationOf('user', since.sub, since.sub));
  await until(async () => (await revocations.isRevoked(good)) === false && (await keys('epoch')).length > 0);

  await loseRedisKeys();
  t.equal(await revocations.isRevoked(revoked), true);
  t.equal(await revocations.isRevoked(since), true);
  t.equal(await revocations.isRevoked({ ...since, issuedAt: issuedAt + 1 }), false);
  t.equal(await revocations.isRevoked(good), false);

  await until(async () => (await keys(`token:${revoked.jti}`)).length === 1);
  await until(async () => (await keys(`user:${since.sub}`)).length === 1);
  await until(async () => (await keys('epoch')).length > 0);
  // Only Redis has the revocations after this deletion.
  await mongo.collection('revocations').deleteMany({});
  t.equal(await revocations.isRevoked(revoked), true);
  t.equal(await revocations.isRevoked(since), true);
});

t.test('a process whose clock is a day ahead fills Redis with all that is revoked', async (t) => {
  await loseRedisKeys();
  const claims = claimsOf();
  await revocations.record(revocationOf('token', claims.jti, claims.sub));
  clock.advance(24 * 3600);
  t.equal(await revocations.isRevoked({ ...claims, jti: newId() }), false);
  await until(async () => (await keys('epoch')).length > 0);
  clock.advance(-24 * 3600);
  await mongo.collection('revocations').deleteMany({});
  t.equal(await revocations.isRevoked(claims), true, 'Redis alone knows it');
});

t.test('a Redis of another run is not believed', async (t) => {
  await loseRedisKeys();
  const claims = claimsOf();
  await revocations.record(revocationOf('token', claims.jti, claims.sub));
  t.equal(await revocations.isRevoked({ ...claims, jti: newId() }), false);
  const epochs = await until(async () => (await keys('epoch')).length > 0).then(() => keys('epoch'));
  for (const epoch of epochs) await redis.set(epoch, 'another-run');
  for (const key of await keys(claims.jti)) await redis.unlink(key);
  t.equal(await revocations.isRevoked(claims), true);
});

t.test('a revocation that is recorded and not published is found once Redis is filled again', async (t) => {
  const claims = claimsOf();
  await revocations.record(revocationOf('token', claims.jti, claims.sub));
  await loseRedisKeys();
  t.equal(await revocations.isRevoked(claims), true);
});

t.test('revocations recorded during a lost connection are found after the reconnect', async (t) => {
  const claims = claimsOf();
  t.equal(await revocations.isRevoked(claims), false);
  await until(async () => (await keys('epoch')).length > 0);
  const back = new Promise((ready) => redis.once('ready', ready));
  redis.disconnect(true);
  const revocation = revocationOf('token', claims.jti, claims.sub);
  await revocations.record(revocation);
  await t.rejects(revocations.publish(revocation), 'Redis could not be told');
  await back;
  await until(() => revocations.isRevoked(claims));
});

/** Asks until Redis is filled and believed. */
async function untilBelieved(claims: ReturnType<typeof claimsOf>): Promise<void> {
  await until(async () => {
    await revocations.isRevoked(claims);
    return (await keys('epoch')).length > 0;
  });
}

/** Has commands of this process fail like those that time out, with the connection left open, until it is undone. */
function failCommands(...names: ('eval' | 'unlink')[]): () => void {
  const timeOut = () => Promise.reject(new Error('Command timed out'));
  for (const name of names) Object.assign(redis, { [name]: timeOut });
  return () => {
    for (const name of names) Reflect.deleteProperty(redis, name);
  };
}

t.test('an unpublished revocation is found here at once and elsewhere soon', async (t) => {
  const another = await openAnother();
  const claims = claimsOf();
  const revocation = revocationOf('token', claims.jti, claims.sub);
  await loseRedisKeys();
  await untilBelieved(claims);
  t.equal(await another.revocations.isRevoked(claims), false);

  await revocations.record(revocation);
  const undo = failCommands('eval', 'unlink');
  await t.rejects(revocations.publish(revocation), { message: 'Command timed out' });
  t.equal(await revocations.isRevoked(claims), true, 'Redis is not believed although it has its epoch');
  t.equal((await keys('epoch')).length, 1);
  undo();
  await until(() => another.revocations.isRevoked(claims));
});

t.test('the epoch is dropped before a call fails that could not publish', async (t) => {
  const another = await openAnother();
  const claims = claimsOf();
  const revocation = revocationOf('token', claims.jti, claims.sub);
  await loseRedisKeys();
  await untilBelieved(claims);
  await revocations.record(revocation);
  const undo = failCommands('eval');
  await t.rejects(revocations.publish(revocation), { message: 'Command timed out' });
  undo();
  t.equal(await another.revocations.isRevoked(claims), true);
});

t.test('a refill does not bring back an epoch that was dropped since it began', async (t) => {
  const store = createRevocationsStore(mongo);
  let goOn = () => {};
  const allowed = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let reading = false;
  const slow = createRevocationList({
    redis,
    logger: container.logger,
    prefix: config.redisPrefix,
    store: {
      ...store,
      async *ofBucket(bucket) {
        const all: Revocation[] = [];
        for await (const one of store.ofBucket(bucket)) all.push(one);
        reading = true;
        await allowed;
        yield* all;
      },
    },
  });
  const claims = claimsOf();
  const revocation = revocationOf('token', claims.jti, claims.sub);
  await loseRedisKeys();
  await until(async () => {
    await slow.isRevoked(claims);
    return reading;
  });
  await revocations.record(revocation);
  const undo = failCommands('eval');
  await t.rejects(revocations.publish(revocation), { message: 'Command timed out' });
  undo();
  goOn();
  const answers = new Set<boolean>();
  await until(async () => {
    answers.add(await slow.isRevoked(claims));
    return (await keys('epoch')).length > 0;
  });
  answers.add(await slow.isRevoked(claims));
  t.same([...answers], [true]);
});

t.test('a time for all of a user counts to the millisecond and never goes back', async (t) => {
  const claims = claimsOf();
  const revocation = revocationOf('user', claims.sub, claims.sub);
  const later = { ...revocation, issuedUntil: issuedAt + 0.25 };
  await revoke(later);
  t.equal(await revocations.isRevoked({ ...claims, issuedAt: issuedAt + 0.25 }), true);
  t.equal(await revocations.isRevoked({ ...claims, issuedAt: issuedAt + 0.251 }), false);
  await revocations.publish(revocation);
  t.equal(
    await revocations.isRevoked({ ...claims, issuedAt: issuedAt + 0.2 }),
    true,
    'as a late refill would',
  );
  await revocations.record(revocation);
  await loseRedisKeys();
  t.equal(await revocations.isRevoked({ ...claims, issuedAt: issuedAt + 0.2 }), true, 'nor in MongoDB');
});

t.test('recording again prolongs, and a record is no sooner than its transaction', async (t) => {
  const claims = claimsOf();
  const revocation = revocationOf('user', claims.sub, claims.sub);
  await revoke(revocation);
  await revoke({ ...revocation, issuedUntil: issuedAt + 100 });
  t.equal(await revocations.isRevoked({ ...claims, issuedAt: issuedAt + 50 }), true);

  const other = claimsOf();
  await t.rejects(
    mongo.transaction(async (transaction) => {
      await revocations.record(revocationOf('token', other.jti, other.sub), transaction);
      throw new Error('changed my mind');
    }),
    { message: 'changed my mind' },
  );
  await loseRedisKeys();
  t.equal(await revocations.isRevoked(other), false);
});
