import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { createSeenUsers } from '#src/people/users/seen-users.js';

/** Stores in which every user exists. They remember for whom they were asked. */
function openStores() {
  const stamps = new Map<string, string>();
  const asked = { mongo: [] as string[], redis: [] as string[] };
  const stampOf = async (id: string) => {
    asked.redis.push(id);
    return stamps.get(id) ?? 'first';
  };
  const renew = (id: string) => {
    const before = stamps.get(id) ?? 'first';
    stamps.set(id, `${before}+`);
    return { before, after: `${before}+` };
  };
  const seen = createSeenUsers({
    users: {
      existing: async (_orgId, ids) => {
        asked.mongo.push(...ids);
        return new Set(ids);
      },
    },
    revocations: {
      stampOf,
      restamp: async (...ids) => void ids.map(renew),
      renewStamps: async (...ids) => new Map(ids.map((id) => [id, renew(id)])),
    },
  });
  return { seen, asked };
}

t.test('no store is asked for an identifier that is longer than any user has', async (t) => {
  const { seen, asked } = openStores();
  const longest = 'u'.repeat(200);
  const longer = Array.from({ length: 21 }, (_, n) => `${n}`.padStart(201, 'u'));
  t.strictSame([...(await seen.existing('org', [longest, ...longer.slice(0, 19)]))], [longest]);
  t.strictSame(
    [...(await seen.existing('org', longer))],
    [],
    'nor for more of them than stamps are read for',
  );
  t.strictSame(asked, { mongo: [longest], redis: [longest] });
});

t.test(
  'MongoDB is asked again a minute after the last look, however often the user has changed',
  async (t) => {
    let passed = 0;
    const now = performance.now.bind(performance);
    t.intercept(performance, 'now', { value: () => now() + passed });
    const { seen, asked } = openStores();
    const looksAfter = async (ms: number) => {
      passed = ms;
      // `lru-cache` reads the time at most once in a millisecond.
      await setTimeout(5);
      await seen.existing('org', ['a user']);
      await seen.restamp('a user');
      return asked.mongo.length;
    };
    t.equal(await looksAfter(0), 1);
    t.equal(await looksAfter(30_000), 1);
    t.equal(await looksAfter(59_000), 1, 'the user is remembered');
    t.equal(await looksAfter(61_000), 2, 'a renewed stamp lets nobody be remembered for longer');
  },
);
