import t from 'tap';
import type { User } from '#src/directory/user.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { compileListQuery, type ListParameters } from '#src/scim/list/list-query.js';
import { groupSchema } from '#src/scim/schema/group-attributes.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { openTestContainer } from '../../../support/app/test-container.js';
import { type MongoCommand, watchCommands } from '../../../support/stores/mongo-commands.js';

/** How the engine reads pages: with one index, in its order, and nothing but the page. */

const { container } = await openTestContainer(t);
const { users, groups, mongo } = container;
const orgId = 'plans';
const size = 60;

await mongo.transaction((transaction) =>
  users.insert(
    orgId,
    Array.from({ length: size }, (_, n) => {
      const number = String(n).padStart(3, '0');
      const profile = normalizeProfile({
        userName: `u${number}`,
        externalId: `e${number}`,
        title: n % 2 === 0 ? 'Even' : 'Odd',
        ...(n % 3 !== 0 && { name: { givenName: `G${n % 4}`, familyName: `F${n % 5}` } }),
        ...(n % 3 !== 1 && { emails: [{ value: `m${n % 5}@example.com` }] }),
      });
      const at = new Date(Date.UTC(2026, 0, 1 + (n % 7)));
      const user: User = { ...profile, id: `id-${number}`, orgId, version: 1, created: at, lastModified: at };
      return { user };
    }),
    transaction,
  ),
);

/** The finds that some work sends. */
async function findsOf(work: () => Promise<unknown>): Promise<MongoCommand[]> {
  const watched = watchCommands();
  try {
    await work();
  } finally {
    watched.stop();
  }
  return watched.commands.filter((command) => 'find' in command);
}

/** The plan of a find, as the engine prints it. */
async function planOf(command: MongoCommand): Promise<string> {
  const { find, filter, sort, limit, hint } = command;
  const read = { find, filter, sort, limit, ...(hint !== undefined && { hint }) };
  const { queryPlanner } = await mongo.db.command({ explain: read });
  return JSON.stringify(queryPlanner.winningPlan ?? queryPlanner.plan);
}

const fullSort = /"SORT"|Sort Key|BitmapAnd|COLLSCAN|Seq Scan/;
const sorts = [
  'id',
  'userName',
  'name.familyName',
  'name.givenName',
  'emails',
  'meta.created',
  'meta.lastModified',
];

for (const sortBy of sorts) {
  for (const sortOrder of ['ascending', 'descending']) {
    t.test(`pages by ${sortBy} ${sortOrder}`, async (t) => {
      const { sort } = compileListQuery({ sortBy, sortOrder }, userSchema);
      const seen: string[] = [];
      let most = 0;
      let after: Awaited<ReturnType<typeof users.page>>['last'];
      for (let more: true | undefined = true; more; ) {
        let page: Awaited<ReturnType<typeof users.page>> | undefined;
        const finds = await findsOf(async () => {
          page = await users.page(orgId, { sort, skip: 0, limit: 9, ...(after && { after }) });
        });
        most = Math.max(most, finds.length);
        for (const find of finds) {
          const plan = await planOf(find);
          if (fullSort.test(plan)) t.fail(plan);
          // Each condition beside the organization is a bound of the index. DocumentDB tests the identifier once more.
          if (/Filter: (?!.*object_id)/.test(plan)) t.fail(plan);
        }
        seen.push(...(page?.users ?? []).map(({ id }) => id));
        after = page?.last;
        more = page?.more;
      }
      t.equal(new Set(seen).size, size);
      t.equal(seen.length, size);
      t.ok(most <= 3, `${most} queries`);
    });
  }
}

t.test('groups are read by an index too', async (t) => {
  for (const sortBy of ['id', 'displayName', 'meta.created', 'meta.lastModified']) {
    const { sort } = compileListQuery({ sortBy }, groupSchema);
    const value = sortBy.startsWith('meta') ? new Date(0) : 'a';
    const after = { value, id: 'a' };
    for (const find of await findsOf(() => groups.page(orgId, { sort, skip: 0, limit: 4, after }))) {
      t.notMatch(await planOf(find), fullSort, sortBy);
    }
  }
});

const page = (parameters: ListParameters) => {
  const { filter, sort } = compileListQuery(parameters, userSchema);
  return users.page(orgId, { ...(filter && { filter }), sort, skip: 0, limit: 10 });
};

t.test('a union reads one index for each attribute, and tells the total', async (t) => {
  const filter = [
    'userName eq "u001"',
    'userName eq "u002"',
    'externalId eq "e002"',
    'emails.value eq "m4@example.com" and active eq true',
    'name.familyName sw "f1"',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber eq "none"',
  ].join(' or ');
  let found: Awaited<ReturnType<typeof page>> | undefined;
  const finds = await findsOf(async () => {
    found = await page({ filter, sortBy: 'userName' });
  });
  t.same([...new Set(finds.map(({ hint }) => hint).filter(Boolean))].sort(), [
    'orgId_1_externalId_1',
    'orgId_1_search.attributes_1',
    'orgId_1_search.emails_1',
    'orgId_1_search.familyName_1__id_1',
    'userName',
  ]);
  const wanted = Array.from({ length: size }, (_, n) => n).filter(
    (n) => n === 1 || n === 2 || (n % 3 !== 1 && n % 5 === 4) || (n % 3 !== 0 && n % 5 === 1),
  );
  t.equal(found?.total, wanted.length);
  t.same(
    found?.users.map(({ userName }) => userName),
    wanted.slice(0, 10).map((n) => `u${String(n).padStart(3, '0')}`),
  );
  t.equal(found?.more, true);
});

t.test('a union within a conjunction is one too', async (t) => {
  const found = await page({
    filter:
      '(userName eq "u001" or externalId eq "e002" or emails eq "x") and active eq true and title eq "odd"',
  });
  t.same(
    found.users.map(({ userName }) => userName),
    ['u001'],
  );
  t.equal(found.total, 1);
});
