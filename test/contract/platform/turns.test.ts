import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { createDistributedLock } from '#src/platform/redis/distributed-lock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { until } from '../../../dev/until.js';
import { uniqueName } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const prefix = container.config.redisPrefix;

/** The turns as one process sees them. */
function open(longestWaitMs = 60_000, redis: RedisConnection = container.redis) {
  return createDistributedLock(
    { redis, prefix },
    { name: 'test', longestWaitMs, refuse: () => new Error('not in time') },
  );
}

t.test('two processes run the work of a holder one after the other', async (t) => {
  const holder = uniqueName('holder');
  const processes = [open(), open()];
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await pause(5);
    running--;
    return 'done';
  };
  const done = await Promise.all([...processes, ...processes].map((turns) => turns.run(holder, work)));
  t.same(done, ['done', 'done', 'done', 'done']);
  t.equal(most, 1);
});

t.test(
  'work does not wait for other holders, and is refused if its turn does not come in time',
  async (t) => {
    const holder = uniqueName('holder');
    const turns = open(50);
    await turns.run(holder, async () => {
      t.equal(await turns.run(uniqueName('holder'), async () => 'other'), 'other');
      await t.rejects(
        turns.run(holder, async () => t.fail('refused work never runs')),
        { message: 'not in time' },
      );
    });
  },
);

t.test('the time that work has waited elsewhere counts', async (t) => {
  const holder = uniqueName('holder');
  // If the time did not count, the work would run when the first turn ends by itself, after a minute.
  const hour = 3_600_000;
  const turns = open(hour);
  await turns.run(holder, async () => {
    await t.rejects(
      turns.run(holder, async () => t.fail('refused work never runs'), { waitedMs: hour - 50 }),
      { message: 'not in time' },
    );
  });
});

t.test('a turn rests after its work, and the result does not wait for that', async (t) => {
  const holder = uniqueName('holder');
  let end = () => {};
  const resting = new Promise<void>((resolve) => {
    end = resolve;
  });
  let tookMs = -1;
  const rest = (took: number) => {
    tookMs = took;
    return resting;
  };
  t.equal(await open().run(holder, async () => 'first', { rest }), 'first');
  t.ok(tookMs >= 0);
  let hasBegun = false;
  const next = open().run(holder, async () => {
    hasBegun = true;
  });
  await pause(120);
  t.equal(hasBegun, false);
  end();
  await next;
  t.equal(hasBegun, true);
});

t.test('work that fails ends its turn', async (t) => {
  const holder = uniqueName('holder');
  const turns = open();
  const failing = turns.run(holder, async () => {
    throw new Error('failed');
  });
  await t.rejects(failing, { message: 'failed' });
  t.equal(await turns.run(holder, async () => 'next'), 'next');
});

t.test('the turn of a process that died ends', async (t) => {
  const holder = uniqueName('holder');
  const key = `${prefix}:turn:test:${holder}`;
  void open().run(holder, () => new Promise(() => undefined));
  await until(async () => (await container.redis.pttl(key)) > 0);
  t.ok((await container.redis.pttl(key)) <= 65_000);
  await container.redis.pexpire(key, 1);
  t.equal(await open().run(holder, async () => 'next'), 'next');
});

t.test('without Redis, work does not wait', async (t) => {
  const away = async () => {
    throw new Error('away');
  };
  const redis = { set: away, eval: away } as unknown as RedisConnection;
  t.equal(await open(60_000, redis).run('holder', async () => 'done'), 'done');
});
