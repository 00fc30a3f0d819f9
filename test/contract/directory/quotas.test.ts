import { MongoServerError } from 'mongodb';
import t from 'tap';
import { directoryErrors } from '#src/directory/errors.js';
import type { Organization } from '#src/directory/organization.js';
import { createQuotaReservations } from '#src/organizations/quotas/quota-reservations.store.js';
import { createQuotas } from '#src/organizations/quotas/quotas.js';
import { AppError } from '#src/platform/errors.js';
import { until } from '../../../dev/until.js';
import { uniqueName } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { errorIdOf } from '../../support/thrown.js';

const { container, clock } = await openTestContainer(t);
const { redis, config } = container;

const full = 'directory.quotaExceeded';
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An organization with a quota of users, and two processes that add users to it. */
function opened(limit: number) {
  const orgId = uniqueName('org');
  const state = { stored: 0, most: 0, counts: 0, takes: 0, limit };
  const open = () => {
    const reservations = createQuotaReservations({ redis, prefix: config.redisPrefix, clock });
    return createQuotas({
      config,
      caches: {
        organizations: {
          get: async () => ({ quotas: { users: state.limit } }) as unknown as Organization,
          invalidate: async () => undefined,
        },
      },
      reservations: {
        ...reservations,
        take: (...given) => {
          state.takes++;
          return reservations.take(...given);
        },
      },
      counts: {
        ...({} as Parameters<typeof createQuotas>[0]['counts']),
        users: async () => {
          state.counts++;
          const { stored } = state;
          await turn();
          return stored;
        },
      },
    });
  };
  const [one, two] = [open(), open()];
  /** Adds a user. The store takes a few turns of the event loop. */
  const add = (quotas = one) =>
    quotas.within(orgId, { users: 1 }, async () => {
      for (let i = 0; i < Math.random() * 5; i++) await turn();
      state.stored++;
      state.most = Math.max(state.most, state.stored);
    });
  return { orgId, state, one, two, add };
}

t.test(
  'parallel creations of two processes never pass the quota, while objects are removed and counted again',
  async (t) => {
    const { state, one, two, add } = opened(40);
    let refused = 0;
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          if (index % 10 === 0 && state.stored > 0) state.stored--;
          const id = await errorIdOf(() => add(index % 2 === 0 ? one : two));
          if (id === undefined) return;
          t.equal(id, full);
          refused++;
        }),
      );
    }
    t.ok(refused > 0);
    t.ok(state.most <= 40, `at most ${state.most} were stored`);
    await until(async () => (await errorIdOf(() => add())) === full && state.stored === 40);
    state.stored -= 5;
    await until(async () => (await errorIdOf(() => add())) === undefined);
    t.equal(state.most, 40, 'every place is used in the end');
  },
);

t.test('without a quota nothing is read', async (t) => {
  const { state, add } = opened(0);
  for (let i = 0; i < 5; i++) await add();
  t.same([state.takes, state.counts, state.stored], [0, 0, 5]);
});

t.test('a creation below the quota counts nothing', async (t) => {
  const { state, add } = opened(1000);
  for (let i = 0; i < 20; i++) await add();
  t.same([state.counts, state.takes], [1, 21]);
});

t.test('refusals of a full quota do not count again and again', async (t) => {
  const { state, add } = opened(1);
  await add();
  const { counts } = state;
  await Promise.all(Array.from({ length: 100 }, () => t.rejects(add())));
  t.ok(state.counts - counts < 20, `${state.counts - counts} counts for 100 refusals`);
});

t.test('a creation that failed gives its place back, and one whose end is unknown does not', async (t) => {
  const { orgId, one } = opened(1);
  const failing = (error: Error) => one.within(orgId, { users: 1 }, () => Promise.reject(error));
  for (let i = 0; i < 5; i++) {
    const taken = new AppError(directoryErrors.userNameTaken);
    t.equal(await errorIdOf(() => failing(taken)), 'directory.userNameTaken');
  }
  await t.rejects(failing(new Error('The connection was lost')), { message: 'The connection was lost' });
  t.equal(await one.within(orgId, { users: 0 }, async () => 'free'), 'free');
});

t.test('the reservations of a process that died are free after ten minutes', async (t) => {
  const { orgId, state, one, two, add } = opened(2);
  void one.within(orgId, { users: 2 }, () => new Promise(() => undefined));
  await until(() => state.takes === 2);
  await until(async () => (await errorIdOf(() => add(two))) === full);
  clock.advance(601);
  await until(async () => (await errorIdOf(() => add(two))) === undefined);
  t.equal(state.stored, 1);
});

t.test('a part reserves as much as is free', async (t) => {
  const { orgId, state, one, add } = opened(5);
  for (let i = 0; i < 3; i++) await add();
  await one.upTo(orgId, { kind: 'users', count: 10 }, async (allowed) => {
    t.equal(allowed, 2);
    state.stored += 1;
    return 1;
  });
  await add();
  t.equal(await errorIdOf(() => add()), full);
  await one.upTo(orgId, { kind: 'users', count: 10 }, async (allowed) => {
    t.equal(allowed, 0);
    return 0;
  });
});

t.test('a part gets the room of removed objects too, even if some is free', async (t) => {
  const { orgId, state, one, add } = opened(10);
  for (let i = 0; i < 9; i++) await add();
  state.stored -= 5;
  await until(async () => {
    let most = 0;
    await one.upTo(orgId, { kind: 'users', count: 6 }, async (allowed) => {
      most = allowed;
      return 0;
    });
    return most === 6;
  });
  await one.upTo(orgId, { kind: 'users', count: 20 }, async (allowed) => {
    t.equal(allowed, 6);
    state.stored += 6;
    return 6;
  });
  t.equal(await errorIdOf(() => add()), full);
});

t.test('a part that other writers overtook gives its reservations back', async (t) => {
  const { orgId, one } = opened(4);
  const overtaken = new MongoServerError({ message: 'duplicate key', code: 11000 });
  for (let i = 0; i < 5; i++) {
    let allowed = 0;
    const work = async (count: number) => {
      allowed = count;
      throw overtaken;
    };
    await t.rejects(one.upTo(orgId, { kind: 'users', count: 4 }, work));
    t.equal(allowed, 4);
  }
});

t.test('a changed quota applies at once', async (t) => {
  const { orgId, state, one, add } = opened(0);
  for (let i = 0; i < 5; i++) await add();
  state.limit = 5;
  await one.changed(orgId);
  t.equal(await errorIdOf(() => add()), full);
  state.limit = 6;
  await one.changed(orgId);
  await add();
  t.equal(await errorIdOf(() => add()), full);
});
