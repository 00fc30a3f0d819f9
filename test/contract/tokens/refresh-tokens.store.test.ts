import t from 'tap';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';

import { createRefreshTokensStore, type RefreshFamily } from '#src/tokens/refresh-tokens.store.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const store = createRefreshTokensStore(container.mongo);
const day = 24 * 3600 * 1000;

function family(id: string, differences: Partial<RefreshFamily> = {}): RefreshFamily {
  const rotated = new Date();
  return {
    id,
    clientId: 'client',
    userId: 'user',
    orgId: 'org',
    scope: 'openid offline_access',
    audience: ['client'],
    amr: ['pwd'],
    actors: [],
    currentHash: 'first',
    rotated,
    idleEnd: new Date(rotated.getTime() + day),
    absoluteEnd: new Date(rotated.getTime() + 2 * day),
    ...differences,
  };
}

function rotation(from: string, to: string) {
  const rotated = new Date();
  const idleEnd = new Date(rotated.getTime() + day);
  return { previousHash: from, currentHash: to, successor: Buffer.from(to), rotated, idleEnd };
}

t.test('a family is kept as it is', async (t) => {
  const act = { iss: 'i', sub: 'actor' };
  const kept = family('whole', { sessionId: 's', authTime: new Date(1000), act, actors: ['actor'] });
  await store.insert(kept);
  t.same(await store.find('whole'), kept);
  t.equal(await store.find('other'), undefined);
});

t.test('of many rotations of one token exactly one is made', async (t) => {
  await store.insert(family('raced'));
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) => store.rotate('raced', rotation('first', `next-${index}`))),
  );
  t.equal(made.filter(Boolean).length, 1);
  const winner = `next-${made.indexOf(true)}`;
  const found = await store.find('raced');
  t.match(found, { currentHash: winner, previousHash: 'first' });
  t.equal(found?.successor?.toString(), winner);
  t.equal(await store.rotate('raced', rotation('first', 'late')), false);
});

t.test('families that begin at once begin each for itself', async (t) => {
  await store.insert(family('taken', { currentHash: 'of the first' }));
  const begun = await Promise.allSettled(
    ['one', 'taken', 'two', 'two'].map((id) => store.insert(family(id))),
  );
  t.same(
    begun.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  const failed = begun.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  t.ok(failed.every(isDuplicateKey));
  for (const id of ['one', 'two']) t.equal((await store.find(id))?.currentHash, 'first');
  t.equal((await store.find('taken'))?.currentHash, 'of the first');
});

t.test('rotations of many families at once have an outcome each', async (t) => {
  const names = Array.from({ length: 8 }, (_, n) => `many-${n}`);
  await Promise.all(names.map((id) => store.insert(family(id))));
  t.same(
    await Promise.all(names.map((id) => store.rotate(id, rotation('first', `second of ${id}`)))),
    names.map(() => true),
  );
  await store.remove('many-7');
  // Two rotations of the first family compete, and one loses. The rotation of the third family uses an old token. The
  // last family has ended.
  const made = await Promise.all([
    store.rotate('many-0', rotation('second of many-0', 'third')),
    store.rotate('many-0', rotation('second of many-0', 'another third')),
    store.rotate('many-1', rotation('second of many-1', 'third')),
    store.rotate('many-2', rotation('first', 'third')),
    store.rotate('many-7', rotation('second of many-7', 'third')),
  ]);
  t.equal(made.slice(0, 2).filter(Boolean).length, 1);
  t.same(made.slice(2), [true, false, false]);
  t.equal((await store.find('many-0'))?.currentHash, made[0] ? 'third' : 'another third');
  t.equal((await store.find('many-1'))?.currentHash, 'third');
  t.equal((await store.find('many-2'))?.currentHash, 'second of many-2');
  t.equal(await store.find('many-7'), undefined);
  t.equal((await store.find('many-3'))?.currentHash, 'second of many-3');
});

t.test('a rotation whose token was used again at once took place nevertheless', async (t) => {
  const { mongo } = container;
  // The next rotation happens after the writes of a batch and before the check of their results.
  const between = createRefreshTokensStore({
    ...mongo,
    collection: (name) =>
      new Proxy(mongo.collection(name), {
        get(families, key) {
          if (key !== 'bulkWrite') return Reflect.get(families, key).bind(families);
          return async (...given: Parameters<typeof families.bulkWrite>) => {
            const result = await families.bulkWrite(...given);
            t.ok(await store.rotate('quick', rotation('second', 'third')));
            return result;
          };
        },
      }),
  } as typeof mongo);
  await Promise.all([store.insert(family('quick')), store.insert(family('slow'))]);
  t.same(
    await Promise.all([
      between.rotate('quick', rotation('first', 'second')),
      between.rotate('slow', rotation('never', 'second')),
    ]),
    [true, false],
  );
});

t.test('a removed family is not brought back by a rotation', async (t) => {
  await store.insert(family('gone'));
  await store.remove('gone');
  t.equal(await store.rotate('gone', rotation('first', 'second')), false);
  t.equal(await store.find('gone'), undefined);
});

t.test('families that a user has or acts in are removed in the same transaction', async (t) => {
  await store.insert(family('own', { userId: 'leaver' }));
  await store.insert(family('acting', { userId: 'target', actors: ['leaver', 'other'] }));
  await store.insert(family('else', { userId: 'somebody' }));
  const abort = container.mongo.transaction(async (transaction) => {
    await store.removeAllOf(['leaver'], transaction);
    throw new Error('aborted');
  });
  await t.rejects(abort, { message: 'aborted' });
  t.ok(await store.find('own'));
  await container.mongo.transaction((transaction) => store.removeAllOf(['leaver'], transaction));
  t.equal(await store.find('own'), undefined);
  t.equal(await store.find('acting'), undefined);
  t.ok(await store.find('else'));
});
