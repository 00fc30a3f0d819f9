import t from 'tap';
import { createRefreshTokensStore, type RefreshFamily } from '#src/tokens/refresh-tokens.store.js';
import { openTestContainer } from '../support/test-container.js';

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

t.test('a removed family is not brought back by a rotation', async (t) => {
  await store.insert(family('gone'));
  await store.remove('gone');
  t.equal(await store.rotate('gone', rotation('first', 'second')), false);
  t.equal(await store.find('gone'), undefined);
});

t.test('what a user has or acts in is removed with its transaction', async (t) => {
  await store.insert(family('own', { userId: 'leaver' }));
  await store.insert(family('acting', { userId: 'target', actors: ['leaver', 'other'] }));
  await store.insert(family('else', { userId: 'somebody' }));
  const abort = container.mongo.transaction(async (transaction) => {
    await store.removeAllOf('leaver', transaction);
    throw new Error('aborted');
  });
  await t.rejects(abort, { message: 'aborted' });
  t.ok(await store.find('own'));
  await container.mongo.transaction((transaction) => store.removeAllOf('leaver', transaction));
  t.equal(await store.find('own'), undefined);
  t.equal(await store.find('acting'), undefined);
  t.ok(await store.find('else'));
});
