import fc from 'fast-check';
import t from 'tap';
import type { User } from '#src/directory/user.js';
import type { SortPosition } from '#src/platform/mongo/read-sorted.js';
import { compileFilter } from '#src/scim/filter/compile-filter.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { fuzzing } from '../../support/hostile/fuzz.js';
import { meantFilters, wordyUsers } from '../../support/scim/filter-arbitrary.js';

/**
 * Random filters against the engine. The store must find exactly the users that the filter describes, and count them.
 */

const settings = fuzzing(120);
const { container } = await openTestContainer(t);
const { users, mongo } = container;
const orgId = 'wordy';
const at = new Date('2026-01-02T03:04:05.678Z');

const size = 40;
const [given = []] = fc.sample(
  fc.uniqueArray(wordyUsers, {
    minLength: size,
    maxLength: size,
    selector: ({ userName }) => userName.toLowerCase(),
  }),
  { seed: settings.seed, numRuns: 1 },
);
const all = given.map(
  (values, index): User => ({
    ...values,
    displayName: 'A B',
    preferredLanguage: 'en',
    id: `id-${String(index).padStart(2, '0')}`,
    orgId,
    version: 1,
    created: at,
    lastModified: at,
  }),
);
await mongo.transaction(async (transaction) => {
  const added = all.map((user) => ({ user }));
  await users.insert(orgId, added, transaction);
  // The same people elsewhere, whom no filter may find.
  const others = all.map((user) => ({ user: { ...user, id: `other-${user.id}`, orgId: 'other' } }));
  await users.insert('other', others, transaction);
});

t.test('an equality does not hide another condition on the same attribute', async (t) => {
  const [user] = all.filter(({ userName }) => !userName.includes('#'));
  const is = `userName eq ${JSON.stringify(user?.userName)}`;
  for (const other of ['userName co "#"', 'userName ew "#"', '(userName co "#" and userName pr)']) {
    for (const text of [
      `${is} and ${other}`,
      `${other} and ${is}`,
      `${is} and (${other} or userName co "##")`,
    ]) {
      t.equal(await users.count(orgId, compileFilter(text, userSchema)), 0, text);
    }
    t.equal(await users.count(orgId, compileFilter(`${is} and not (${other})`, userSchema)), 1);
  }
});

t.test('the engine answers what a filter means, on one page and on many', async () => {
  const orders = fc.constantFrom('_id', 'search.userName', 'search.familyName', 'created');
  const directions = fc.constantFrom(1 as const, -1 as const);
  const property = fc.asyncProperty(
    meantFilters,
    fc.record({ field: orders, direction: directions }),
    fc.constantFrom(100, 7),
    async ({ text, holds }, sort, limit) => {
      fc.pre(Array.from(text).length <= 1000);
      const filter = compileFilter(text, userSchema);
      const meant = all.filter(holds).map(({ id }) => id);
      const found: string[] = [];
      for (let after: SortPosition | undefined; ; ) {
        const page = await users.page(orgId, { filter, sort, skip: 0, limit, ...(after && { after }) });
        found.push(...page.users.map(({ id }) => id));
        if (page.total !== undefined && page.total !== meant.length)
          throw new Error(`${text} has ${page.total} in all, means ${meant.length}`);
        after = page.last;
        if (!page.more) break;
      }
      if (found.sort().join() !== meant.join()) throw new Error(`${text} finds [${found}], means [${meant}]`);
      const second = await users.page(orgId, { filter, sort, skip: limit, limit });
      if (second.users.length !== Math.min(limit, Math.max(0, meant.length - limit)))
        throw new Error(`${text} has ${second.users.length} on the second page`);
      const count = await users.count(orgId, filter);
      if (count !== meant.length) throw new Error(`${text} counts ${count}, means ${meant.length}`);
    },
  );
  await fc.assert(property, settings);
});
