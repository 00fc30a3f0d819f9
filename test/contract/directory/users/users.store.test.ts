import t from 'tap';
import type { User, UserProfileInput } from '#src/directory/user.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { userNameKey } from '#src/people/users/unique-values.js';
import type { UserPageQuery } from '#src/people/users/user-pages.store.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';

import type { SortPosition } from '#src/platform/mongo/read-sorted.js';
import { openTestContainer } from '../../../support/app/test-container.js';
import { havingValue } from '../../../support/stores/queries.js';

const { container } = await openTestContainer(t);
const { users, mongo } = container;
const at = new Date('2026-01-02T03:04:05.678Z');

function userOf(orgId: string, id: string, given: Partial<UserProfileInput> = {}): User {
  const profile = normalizeProfile({
    userName: id,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: `${id}@example.com` }],
    ...given,
  });
  return { ...profile, id, orgId, version: 1, created: at, lastModified: at };
}

const insert = (orgId: string, ...added: User[]) =>
  mongo.transaction((transaction) =>
    users.insert(
      orgId,
      added.map((user) => ({ user })),
      transaction,
    ),
  );

t.test('a user is found as it was inserted, in its organization alone', async (t) => {
  const user = userOf('crud', 'crud-1', {
    externalId: 'x',
    title: 'Dr',
    phoneNumbers: [{ value: '+41791234567' }],
    addresses: [{ country: 'CH' }],
  });
  await insert('crud', user);
  t.same(await users.find('crud', 'crud-1'), user);
  t.equal(await users.find('other', 'crud-1'), undefined);
  t.same(
    await Promise.all([
      users.find('other', 'crud-1'),
      users.find('crud', 'crud-1'),
      users.find('other', 'nobody'),
      users.find('crud', 'crud-1'),
    ]),
    [undefined, user, undefined, user],
    'of reads that go together each gets its own',
  );
  t.equal(await users.find('crud', 'none'), undefined);
  t.equal(await users.organizationOf('crud-1'), 'crud');
  t.equal(await users.organizationOf('none'), undefined);
});

t.test('a replacement drops what is absent, and needs the version', async (t) => {
  const user = userOf('cas', 'cas-1', { externalId: 'x', nickName: 'N', roles: [{ value: 'r' }] });
  await insert('cas', user);
  const next: User = { ...userOf('cas', 'cas-1', { userName: 'renamed' }), version: 2 };
  const replace = (orgId: string, version: number) => {
    const current = { ...user, version };
    return mongo.transaction((transaction) => users.replace(orgId, [{ user: next, current }], transaction));
  };
  t.equal(await replace('cas', 7), false);
  t.equal(await replace('other', 1), false);
  t.same(await users.find('cas', 'cas-1'), user);
  t.equal(await replace('cas', 1), true);
  t.same(await users.find('cas', 'cas-1'), next);
  t.equal(await replace('cas', 1), false, 'the version has moved');
  t.same(
    await users.takenKeys('cas', ['cas-1', 'renamed'].map(userNameKey)),
    new Set([userNameKey('renamed')]),
  );
});

t.test('a replacement may need the names that clients gave', async (t) => {
  const user = userOf('names', 'names-1');
  await insert('names', user);
  const remembered: User = { ...user, displayNameGiven: true, name: { ...user.name, formatted: 'Ms. X' } };
  const replace = (current: User, next: User) =>
    mongo.transaction((transaction) => users.replace('names', [{ user: next, current }], transaction));
  t.equal(await replace(remembered, user), false);
  t.equal(await replace(user, remembered), true);
  t.equal(await replace(user, remembered), false);
  t.equal(await replace({ ...remembered, name: user.name }, user), false);
  t.equal(await replace(remembered, user), true);
  const chosen: User = { ...user, preferredLanguageGiven: true };
  t.equal(await replace(chosen, user), false);
  t.equal(await replace(user, chosen), true);
  t.equal(await replace(chosen, user), true);
  t.same(await users.find('names', 'names-1'), user);
});

t.test('of two replacements at once one is made', async (t) => {
  const current = userOf('race', 'race-1');
  await insert('race', current);
  const attempt = (title: string) =>
    mongo.transaction((transaction) => {
      const user = { ...userOf('race', 'race-1', { title }), version: 2 };
      return users.replace('race', [{ user, current }], transaction);
    });
  const done = await Promise.all(['A', 'B', 'C'].map(attempt));
  t.equal(done.filter(Boolean).length, 1);
  t.equal((await users.find('race', 'race-1'))?.title, ['A', 'B', 'C'][done.indexOf(true)]);
});

t.test('a removal needs the organization and the version', async (t) => {
  await insert('gone', userOf('gone', 'gone-1'));
  const remove = (orgId: string, expectedVersion: number) =>
    mongo.transaction((transaction) => users.remove(orgId, [{ id: 'gone-1', expectedVersion }], transaction));
  t.equal(await remove('other', 1), false);
  t.equal(await remove('gone', 2), false);
  t.equal(await remove('gone', 1), true);
  t.equal(await users.find('gone', 'gone-1'), undefined);
  t.equal(await remove('gone', 1), false);
});

t.test('a userName is taken once in an organization, whatever its case; an id once', async (t) => {
  await insert('one', userOf('one', 'one-1', { userName: 'Ada' }));
  await insert('two', userOf('two', 'two-1', { userName: 'ADA' }));
  const refused = async (user: User) =>
    isDuplicateKey(await insert(user.orgId, user).catch((error: unknown) => error));
  t.ok(await refused(userOf('one', 'one-2', { userName: 'aDA' })));
  t.ok(await refused(userOf('three', 'one-1')));
  t.same(await users.takenKeys('one', ['Ada', 'Bob'].map(userNameKey)), new Set([userNameKey('ada')]));
  t.same(await users.takenKeys('three', [userNameKey('ada')]), new Set());
});

t.test('a transaction that fails leaves nothing', async (t) => {
  await insert('half', userOf('half', 'half-1'));
  const many = [userOf('half', 'half-2'), userOf('half', 'half-3'), userOf('half', 'half-1')];
  await t.rejects(insert('half', ...many));
  await t.rejects(
    mongo.transaction(async (transaction) => {
      await users.insert('half', [{ user: userOf('half', 'half-4') }], transaction);
      throw new Error('changed my mind');
    }),
    { message: 'changed my mind' },
  );
  t.equal(await users.count('half'), 1);
});

t.test('a count may have a condition', async (t) => {
  await insert('count', userOf('count', 'count-1'), userOf('count', 'count-2', { active: false }));
  t.equal(await users.count('count'), 2);
  t.equal(await users.count('count', havingValue('active', false)), 1);
  t.equal(
    await users.count('count', havingValue('orgId', 'one')),
    0,
    'no condition reaches another organization',
  );
});

t.test('no page holds a password or what is only searched', async (t) => {
  const user = userOf('secret', 'secret-1');
  await mongo.transaction((transaction) =>
    users.insert('secret', [{ user, password: { hash: 'a-hash', changed: at } }], transaction),
  );
  for (const field of ['_id', 'search.userName', 'created']) {
    const page = await users.page('secret', { sort: { field, direction: 1 }, skip: 0, limit: 9 });
    t.same(page.users, [user]);
  }
});

/** Users whose sort values repeat, differ in case and are absent. */
const listed = [
  ['p1', 'Beta', 3],
  ['p2', undefined, 1],
  ['p3', 'alpha', 2],
  ['p4', undefined, 3],
  ['p5', 'ALPHA', 1],
  ['p6', 'gamma', 2],
  ['p7', undefined, 2],
] as const;

t.test('every sort pages without gaps or repeats, absent values included', async (t) => {
  await insert(
    'pages',
    ...listed.map(([id, nickName, day]) => ({
      ...userOf('pages', id, nickName === undefined ? {} : { nickName }),
      created: new Date(Date.UTC(2026, 0, day)),
    })),
  );
  await insert('elsewhere', userOf('elsewhere', 'p0', { nickName: 'alpha' }));

  const order: Record<string, string[]> = {
    _id: ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'],
    created: ['p2', 'p5', 'p3', 'p6', 'p7', 'p1', 'p4'],
    'search.nickName': ['p2', 'p4', 'p7', 'p3', 'p5', 'p1', 'p6'],
  };
  for (const [field, ascending] of Object.entries(order)) {
    for (const direction of [1, -1] as const) {
      const expected = direction === 1 ? ascending : [...ascending].reverse();
      for (const limit of [1, 2, 3, 7, 8]) {
        const sort = { field, direction };
        t.same(await byCursor({ sort, limit }), expected, `${field} ${direction} by cursor of ${limit}`);
        t.same(await bySkip({ sort, limit }), expected, `${field} ${direction} by index of ${limit}`);
      }
    }
  }
});

t.test('a condition and a cursor work together', async (t) => {
  const field = 'search.nickName';
  const filter = { kind: 'present', field, written: { name: 'nickName', operator: 'pr' } } as const;
  const sort = { field, direction: 1 } as const;
  t.same(await byCursor({ filter, sort, limit: 1 }), ['p3', 'p5', 'p1', 'p6']);
});

t.test('a page beyond the end is empty and has no place', async (t) => {
  const page = await users.page('pages', { sort: { field: '_id', direction: 1 }, skip: 100, limit: 5 });
  t.same(page, { users: [] });
});

type PartialQuery = Omit<UserPageQuery, 'skip' | 'after'>;

async function byCursor(query: PartialQuery): Promise<string[]> {
  const ids: string[] = [];
  let after: SortPosition | undefined;
  do {
    const page = await users.page('pages', { ...query, skip: 0, ...(after && { after }) });
    ids.push(...page.users.map(({ id }) => id));
    after = page.users.length === query.limit ? page.last : undefined;
  } while (after !== undefined && ids.length < 100);
  return ids;
}

async function bySkip(query: PartialQuery): Promise<string[]> {
  const ids: string[] = [];
  for (let skip = 0; ; skip += query.limit) {
    const page = await users.page('pages', { ...query, skip });
    if (page.users.length === 0) return ids;
    ids.push(...page.users.map(({ id }) => id));
  }
}

t.test('a lock finds the user of the organization, and is no change of it', async (t) => {
  const user = userOf('locks', 'lock-1');
  await insert('locks', user);
  const lock = (orgId: string, id: string) => mongo.transaction((tx) => users.lock(orgId, id, tx));
  t.equal(await lock('locks', 'lock-1'), true);
  t.equal(await lock('other', 'lock-1'), false);
  t.equal(await lock('locks', 'none'), false);
  t.same(await users.find('locks', 'lock-1'), user);
  t.same((await container.accounts.find('locks', 'lock-1'))?.user, user);
  for (const field of ['_id', 'created', 'search.userName']) {
    const found = await users.page('locks', { sort: { field, direction: 1 }, skip: 0, limit: 1 });
    t.same(found.users, [user]);
  }
});
