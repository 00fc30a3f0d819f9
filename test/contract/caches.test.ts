import t from 'tap';
import { type Cache, createCaches } from '#src/platform/redis/cache.js';
import { connectRedis, connectSubscriber, type RedisConnection } from '#src/platform/redis/redis.js';
import { openTestContainer } from '../support/app/test-container.js';
import { until } from '../support/until.js';

const { container } = await openTestContainer(t);
const { config } = container;

/** The caches of a process, over connections of their own. */
async function openProcess(): Promise<{
  caches: ReturnType<typeof createCaches>;
  subscriber: RedisConnection;
}> {
  const publisher = connectRedis(config.redisUrl, 'failFast');
  const subscriber = connectSubscriber(config.redisUrl);
  t.teardown(() => {
    publisher.disconnect();
    subscriber.disconnect();
  });
  const caches = createCaches(publisher, subscriber, config.redisPrefix);
  await until(async () => publisher.status === 'ready');
  return { caches, subscriber };
}

const one = await openProcess();
const two = await openProcess();
/** So that nothing is forgotten for its age. */
const size = { max: 10, ttlMs: 24 * 3600 * 1000 };
const inOne = one.caches.create<string>({ name: 'things', ...size });
const inTwo = two.caches.create<string>({ name: 'things', ...size });
const others = two.caches.create<string>({ name: 'others', ...size });

/** Waits until the process of a cache hears of invalidations: it keeps no value before. */
async function untilKept(cache: Cache<string>): Promise<void> {
  let attempt = 0;
  await until(async () => {
    const key = `probe ${++attempt}`;
    await cache.get(key, async () => 'first');
    return (await cache.get(key, async () => 'second')) === 'first';
  });
}

await Promise.all([inOne, inTwo].map(untilKept));

t.test('a value is loaded once; an absent one each time', async (t) => {
  let loads = 0;
  const load = async () => `value ${++loads}`;
  t.equal(await inOne.get('a', load), 'value 1');
  t.equal(await inOne.get('a', load), 'value 1');
  t.equal(await inOne.get('none', async () => undefined), undefined);
  t.equal(await inOne.get('none', async () => 'there now'), 'there now');
});

t.test('an invalidation reaches this process at once and the others soon', async (t) => {
  for (const cache of [inOne, inTwo]) await cache.get('b', async () => 'old');
  await inTwo.get('kept', async () => 'old');
  await others.get('b', async () => 'old');
  await inOne.invalidate('b');
  t.equal(await inOne.get('b', async () => 'new'), 'new');
  await until(async () => (await inTwo.get('b', async () => 'new')) === 'new');
  t.equal(await inTwo.get('kept', async () => 'new'), 'old', 'other keys stay');
  t.equal(await others.get('b', async () => 'new'), 'old', 'other caches stay');
});

t.test('keys may have spaces', async (t) => {
  await inTwo.get('x y  z', async () => 'old');
  await inOne.invalidate('x y  z');
  await t.resolves(until(async () => (await inTwo.get('x y  z', async () => 'new')) === 'new'));
});

t.test('a value that was read before an invalidation is not kept after it', async (t) => {
  let release: (value: string) => void = () => undefined;
  const slow = inOne.get('c', () => new Promise<string>((resolve) => (release = resolve)));
  await inOne.invalidate('c');
  release('old');
  t.equal(await slow, 'old');
  t.equal(await inOne.get('c', async () => 'new'), 'new');
});

t.test('a process whose subscription was lost forgets everything, and hears again later', async (t) => {
  await inTwo.get('d', async () => 'old');
  two.subscriber.disconnect(true);
  await t.resolves(until(async () => (await inTwo.get('d', async () => 'new')) === 'new'));
  await untilKept(inTwo);
  await inTwo.get('e', async () => 'old');
  await inOne.invalidate('e');
  await t.resolves(until(async () => (await inTwo.get('e', async () => 'new')) === 'new'));
});

t.test('a change is announced once Redis has told everybody, not when it says that it will', async (t) => {
  const publisher = connectRedis(config.redisUrl, 'failFast');
  t.teardown(() => publisher.disconnect());
  await until(async () => publisher.status === 'ready');
  let goOn = () => {};
  const held = new Promise<'PONG'>((done) => {
    goOn = () => done('PONG');
  });
  let asked = false;
  publisher.ping = (() => {
    asked = true;
    return held;
  }) as typeof publisher.ping;
  const things = createCaches(publisher, two.subscriber, `${config.redisPrefix}-held`).create<string>({
    name: 'things',
    max: 10,
  });
  let isDone = false;
  const done = things.invalidate('key').then(() => {
    isDone = true;
  });
  await until(async () => asked);
  t.notOk(isDone);
  goOn();
  await done;
  t.ok(isDone);
});
