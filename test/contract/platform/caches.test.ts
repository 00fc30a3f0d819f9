import t from 'tap';
import { type Cache, createCaches } from '#src/platform/redis/cache.js';
import { connectRedis, connectSubscriber, type RedisConnection } from '#src/platform/redis/redis.js';
import { until } from '../../../dev/until.js';
import { openTestContainer } from '../../support/app/test-container.js';

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
type Load = () => Promise<string | undefined>;
type Things = Cache<string | undefined>;

/** The source that a cache reads when it does not hold the value. */
let load: Load;

function read(things: Things, key: string, found: Load): Promise<string | undefined> {
  load = found;
  return things.get(key);
}

/** The long life makes sure that no cache forgets a value for its age. */
const options = { load: () => load(), max: 10, ttlMs: 24 * 3600 * 1000 };
const inOne = one.caches.create({ name: 'things', ...options });
const inTwo = two.caches.create({ name: 'things', ...options });
const others = two.caches.create({ name: 'others', ...options });

/** Waits until the process of a cache hears of invalidations: it keeps no value before. */
async function untilKept(cache: Things): Promise<void> {
  let attempt = 0;
  await until(async () => {
    const key = `probe ${++attempt}`;
    await read(cache, key, async () => 'first');
    return (await read(cache, key, async () => 'second')) === 'first';
  });
}

await Promise.all([inOne, inTwo].map(untilKept));

t.test('a value is loaded once; an absent one each time', async (t) => {
  let loads = 0;
  const load = async () => `value ${++loads}`;
  t.equal(await read(inOne, 'a', load), 'value 1');
  t.equal(await read(inOne, 'a', load), 'value 1');
  t.equal(await read(inOne, 'none', async () => undefined), undefined);
  t.equal(await read(inOne, 'none', async () => 'there now'), 'there now');
});

t.test('an invalidation reaches this process at once and the others soon', async (t) => {
  for (const cache of [inOne, inTwo]) await read(cache, 'b', async () => 'old');
  await read(inTwo, 'kept', async () => 'old');
  await read(others, 'b', async () => 'old');
  await inOne.invalidate('b');
  t.equal(await read(inOne, 'b', async () => 'new'), 'new');
  await until(async () => (await read(inTwo, 'b', async () => 'new')) === 'new');
  t.equal(await read(inTwo, 'kept', async () => 'new'), 'old', 'other keys stay');
  t.equal(await read(others, 'b', async () => 'new'), 'old', 'other caches stay');
});

t.test('keys may have spaces', async (t) => {
  await read(inTwo, 'x y  z', async () => 'old');
  await inOne.invalidate('x y  z');
  await t.resolves(until(async () => (await read(inTwo, 'x y  z', async () => 'new')) === 'new'));
});

t.test('a value that was read before an invalidation is not kept after it', async (t) => {
  let release: (value: string) => void = () => undefined;
  const slow = read(inOne, 'c', () => new Promise<string>((resolve) => (release = resolve)));
  await inOne.invalidate('c');
  release('old');
  t.equal(await slow, 'old');
  t.equal(await read(inOne, 'c', async () => 'new'), 'new');
});

t.test('a process whose subscription was lost forgets everything, and hears again later', async (t) => {
  await read(inTwo, 'd', async () => 'old');
  two.subscriber.disconnect(true);
  await t.resolves(until(async () => (await read(inTwo, 'd', async () => 'new')) === 'new'));
  await untilKept(inTwo);
  await read(inTwo, 'e', async () => 'old');
  await inOne.invalidate('e');
  await t.resolves(until(async () => (await read(inTwo, 'e', async () => 'new')) === 'new'));
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
  const things = createCaches(publisher, two.subscriber, `${config.redisPrefix}-held`).create({
    name: 'things',
    ...options,
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

t.test('callers of one key share a load, but never one that began before an invalidation', async (t) => {
  const releases: ((value: string) => void)[] = [];
  const slow = () => new Promise<string>((resolve) => releases.push(resolve));
  const early = [read(inOne, 'shared', slow), read(inOne, 'shared', slow)];
  t.equal(releases.length, 1);
  await inOne.invalidate('shared');
  const late = read(inOne, 'shared', slow);
  t.equal(releases.length, 2);
  const later = read(inOne, 'shared', slow);
  t.equal(releases.length, 2);
  releases[0]?.('old');
  t.same(await Promise.all(early), ['old', 'old']);
  const last = read(inOne, 'shared', slow);
  t.equal(releases.length, 2, 'the end of an earlier load does not end the sharing of the later one');
  releases[1]?.('new');
  t.same(await Promise.all([late, later, last]), ['new', 'new', 'new']);
  await t.rejects(read(inOne, 'failing', () => Promise.reject(new Error('away'))));
  t.equal(await read(inOne, 'failing', async () => 'there again'), 'there again');
});

t.test('absences push out no other value', async (t) => {
  let loads = 0;
  const known = one.caches.create<boolean>({
    name: 'known',
    max: 10,
    isAbsence: (isThere) => !isThere,
    load: async (key) => {
      loads++;
      return key === 'there';
    },
  });
  await known.get('there');
  for (let number = 0; number < 50; number++) await known.get(`made up ${number}`);
  loads = 0;
  t.equal(await known.get('there'), true);
  t.equal(await known.get('made up 49'), false);
  t.equal(loads, 0, 'both are kept');
  await known.invalidate('made up 49');
  await known.get('made up 49');
  t.equal(loads, 1, 'an absence is invalidated too');
  await known.get('made up 0');
  t.equal(loads, 2, 'absences are bounded');
});
