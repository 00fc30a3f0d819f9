import t from 'tap';
import { until } from '../../../dev/until.js';
import { openScim } from '../../support/app/scim-app.js';
import { type Json, newUser, patchOp, type ScimClient, urn } from '../../support/scim/scim-client.js';

/** Lists of users as clients page through them. */

const { tenant } = await openScim(t);

/** Users whose order differs for each attribute that can be sorted by, with ties in each. */
const scim = await tenant();
const people = [
  { userName: 'Delta', given: 'Anna', family: 'zeller', email: 'b@x.example' },
  { userName: 'alpha', given: 'anna', family: 'Abel', email: 'C@x.example' },
  { userName: 'Échelon', given: 'Bea', family: 'Abel', email: 'a@x.example' },
  { userName: 'bravo', given: 'Cleo', family: 'ABEL', email: 'c@x.example' },
  { userName: 'Charlie', given: 'bea', family: 'Ökonom', email: 'B@x.example' },
  { userName: '😀', given: 'Anna', family: 'Ω', email: 'd@x.example' },
];
const users: Json[] = [];
for (const { userName, given, family, email } of people) {
  users.push(
    await scim.create({
      userName,
      name: { givenName: given, familyName: family },
      emails: [
        { value: 'zz@other.example', type: 'home' },
        { value: email, type: 'work', primary: true },
      ],
    }),
  );
}
// The order of the last changes is another than that of the creations.
for (const index of [3, 0]) {
  const { id } = users[index];
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'title', value: 'changed' }));
  users[index] = (await scim.get(`/Users/${id}`)).body;
}

type Parameters = Record<string, string | number>;

/** Asks for a list by GET and by `.search`, which must answer the same. */
async function list(client: ScimClient, parameters: Parameters = {}): Promise<Json> {
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
  );
  const listed = await client.get(`/Users?${query}`);
  const searched = await client.post('/Users/.search', { schemas: [urn.searchRequest], ...parameters });
  if (searched.status !== listed.status || searched.text !== listed.text) {
    throw new Error(`GET and .search differ: ${listed.text} ${searched.text}`);
  }
  return listed.body;
}

function names(body: Json): string[] {
  return body.Resources.map((user: Json) => user.userName);
}

/** Order of folded texts by code points, then by id. */
function ordered(key: (user: Json) => string, direction: 1 | -1): string[] {
  return [...users]
    .sort(
      (a, b) =>
        direction * (Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))) || (a.id < b.id ? -1 : 1)),
    )
    .map((user) => user.userName);
}

t.test('a list has the shape of a ListResponse', async (t) => {
  const answer = await scim.get('/Users');
  t.equal(answer.status, 200);
  t.match(answer.headers['content-type'], /^application\/scim\+json/);
  t.same(Object.keys(answer.body).sort(), [
    'Resources',
    'itemsPerPage',
    'schemas',
    'startIndex',
    'totalResults',
  ]);
  t.same(answer.body.schemas, [urn.listResponse]);
  t.equal(answer.body.totalResults, 6);
  t.equal(answer.body.itemsPerPage, 6);
  t.equal(answer.body.startIndex, 1);
  t.same(answer.body.Resources, users, 'whole users in the order of their identifiers');
});

const sortKeys: Record<string, (user: Json) => string> = {
  id: (user) => user.id,
  userName: (user) => user.userName.toLowerCase(),
  username: (user) => user.userName.toLowerCase(),
  'name.familyName': (user) => user.name.familyName.toLowerCase(),
  'name.givenName': (user) => user.name.givenName.toLowerCase(),
  emails: (user) => user.emails[1].value.toLowerCase(),
  'emails.value': (user) => user.emails[1].value.toLowerCase(),
  'meta.created': (user) => user.meta.created,
  'meta.lastModified': (user) => user.meta.lastModified,
  [`${urn.user}:name.familyName`]: (user) => user.name.familyName.toLowerCase(),
};

for (const [sortBy, key] of Object.entries(sortKeys)) {
  t.test(`sorted by ${sortBy}`, async (t) => {
    t.same(names(await list(scim, { sortBy })), ordered(key, 1), 'ascending without sortOrder');
    t.same(names(await list(scim, { sortBy, sortOrder: 'ascending' })), ordered(key, 1));
    t.same(names(await list(scim, { sortBy, sortOrder: 'Descending' })), ordered(key, -1));
    for (const sortOrder of ['ascending', 'descending'] as const) {
      const expected = ordered(key, sortOrder === 'ascending' ? 1 : -1);
      const byIndex: string[] = [];
      for (let startIndex = 1; startIndex <= 6; startIndex += 2) {
        byIndex.push(...names(await list(scim, { sortBy, sortOrder, startIndex, count: 2 })));
      }
      t.same(byIndex, expected, 'pages by index join to the whole');
      t.same((await pages(scim, { sortBy, sortOrder, count: 2 })).flat(), expected, 'pages by cursor too');
    }
  });
}

t.test('users without names and addresses are sorted before all others', async (t) => {
  const client = await tenant();
  const made: Json[] = [];
  const sent = [
    { userName: 'a', name: { familyName: 'Zed', givenName: 'Zoe' }, emails: [{ value: 'z@x.example' }] },
    { userName: 'b' },
    { userName: 'c', name: { familyName: 'Abel', givenName: 'Ada' }, emails: [{ value: 'a@x.example' }] },
    { userName: 'd' },
    { userName: 'e' },
  ];
  for (const user of sent) made.push((await client.post('/Users', { schemas: [urn.user], ...user })).body);
  t.same(
    made.map(({ userName }) => userName),
    ['a', 'b', 'c', 'd', 'e'],
  );
  for (const sortBy of ['name.familyName', 'name.givenName', 'emails']) {
    const expected = { ascending: ['b', 'd', 'e', 'c', 'a'], descending: ['a', 'c', 'e', 'd', 'b'] };
    for (const sortOrder of ['ascending', 'descending'] as const) {
      const wanted = expected[sortOrder];
      t.same(names(await list(client, { sortBy, sortOrder })), wanted, `${sortBy} ${sortOrder}`);
      for (const count of [1, 2])
        t.same((await pages(client, { sortBy, sortOrder, count })).flat(), wanted, `pages of ${count}`);
    }
  }
});

/** Names on each page by cursor. */
async function pages(
  client: ScimClient,
  parameters: Parameters,
  between: () => Promise<unknown> = async () => {},
): Promise<string[][]> {
  const found: string[][] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: Json = await list(client, { ...parameters, cursor });
    found.push(names(page));
    cursor = page.nextCursor;
    if (found.length > 1000) throw new Error('endless');
    await between();
  }
  return found;
}

const bounds: Record<string, { parameters: Parameters; startIndex: number; indexes: number[] }> = {
  'the first page': { parameters: { count: 2 }, startIndex: 1, indexes: [0, 1] },
  'a page in between': { parameters: { startIndex: 3, count: 2 }, startIndex: 3, indexes: [2, 3] },
  'the last page': { parameters: { startIndex: 5, count: 4 }, startIndex: 5, indexes: [4, 5] },
  'a page after the last': { parameters: { startIndex: 7, count: 4 }, startIndex: 7, indexes: [] },
  'startIndex 0 is 1': { parameters: { startIndex: 0, count: 1 }, startIndex: 1, indexes: [0] },
  'startIndex below 0 is 1': { parameters: { startIndex: -3, count: 1 }, startIndex: 1, indexes: [0] },
  'count 0 is the total alone': { parameters: { count: 0 }, startIndex: 1, indexes: [] },
  'count below 0 is 0': { parameters: { count: -1 }, startIndex: 1, indexes: [] },
  'count above 100 is 100': { parameters: { count: 5000 }, startIndex: 1, indexes: [0, 1, 2, 3, 4, 5] },
  'startIndex beyond 2^53 is clamped': {
    parameters: { startIndex: 1e20, count: 4 },
    startIndex: Number.MAX_SAFE_INTEGER,
    indexes: [],
  },
  'count 100 is allowed': { parameters: { count: 100 }, startIndex: 1, indexes: [0, 1, 2, 3, 4, 5] },
  'a filter and a page': {
    parameters: { filter: 'name.familyName eq "abel"', startIndex: 2, count: 1 },
    startIndex: 2,
    indexes: [2],
  },
};

for (const [name, { parameters, startIndex, indexes }] of Object.entries(bounds)) {
  t.test(name, async (t) => {
    const body = await list(scim, parameters);
    t.equal(body.totalResults, parameters['filter'] === undefined ? 6 : 3);
    t.equal(body.startIndex, startIndex);
    t.equal(body.itemsPerPage, indexes.length);
    t.same(
      names(body),
      indexes.map((index) => users[index].userName),
    );
    t.notOk('nextCursor' in body, 'no cursor for who asks for none');
  });
}

t.test('a page holds up to 100 users', async (t) => {
  const large = await tenant();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 26; i++) await large.create();
    }),
  );
  const body = await list(large);
  t.equal(body.totalResults, 104);
  t.equal(body.itemsPerPage, 100);
  t.equal(body.Resources.length, 100);
  t.equal(new Set(names(body)).size, 100);
  t.same(
    (await pages(large, {})).map((page) => page.length),
    [100, 4],
  );
});

t.test('the total follows every change at once', async (t) => {
  const changing = await tenant();
  const total = async (filter?: string) =>
    (await list(changing, { count: 0, ...(filter !== undefined && { filter }) })).totalResults;
  t.equal(await total(), 0);
  const { id } = await changing.create({ title: 'A' });
  t.equal(await total(), 1);
  t.equal(await total('title eq "A"'), 1);
  await changing.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'title', value: 'B' }));
  t.equal(await total('title eq "A"'), 0);
  await changing.put(`/Users/${id}`, newUser({ title: 'C' }));
  t.equal(await total('title eq "B"'), 0);
  await changing.delete(`/Users/${id}`);
  t.equal(await total(), 0);
});

t.test('unknown parameters are ignored, empty ones are absent', async (t) => {
  const query = 'sortby=x&page=2&filter=&sortBy=&sortOrder=&count=&startIndex=&attributes=';
  const answer = await scim.get(`/Users?${query}`);
  t.equal(answer.status, 200);
  t.same(answer.body.Resources, users);
});

t.test('a search takes names in any letter case, and lists of attributes', async (t) => {
  const answer = await scim.post('/Users/.search', {
    Schemas: [urn.searchRequest],
    FILTER: 'userName eq "delta"',
    Attributes: ['userName', 'name.givenName'],
    startIndex: null,
    unknown: true,
  });
  t.equal(answer.status, 200);
  const [{ id }] = users;
  t.same(answer.body.Resources, [
    { schemas: [urn.user], id, userName: 'Delta', name: { givenName: 'Anna' } },
  ]);
});

t.test(
  'pages by cursor neither repeat nor omit users that stay, whatever is added and removed',
  async (t) => {
    for (const parameters of [
      { count: 3 },
      { count: 3, sortBy: 'userName', sortOrder: 'descending' },
      { count: 3, sortBy: 'name.familyName' },
      { count: 3, sortBy: 'meta.lastModified', sortOrder: 'descending', filter: 'userName sw "stays"' },
    ]) {
      const busy = await tenant();
      const stable: string[] = [];
      const passing: string[] = [];
      for (let i = 0; i < 12; i++) {
        const userName = `stays-${String((i * 7) % 12).padStart(2, '0')}`;
        await busy.create({ userName, name: { givenName: 'A', familyName: `F${i % 2}` } });
        stable.push(userName);
        passing.push(
          (await busy.create({ userName: `goes-${i}`, name: { givenName: 'A', familyName: `F${i % 3}` } }))
            .id,
        );
      }
      let added = 0;
      const found = await pages(busy, parameters, async () => {
        if (added >= 30) return;
        const id = passing.shift();
        if (id !== undefined) await busy.delete(`/Users/${id}`);
        const userName = `comes-${(added++ * 7) % 31}`;
        await busy.create({ userName, name: { givenName: 'A', familyName: `F${added % 3}` } });
      });
      const all = found.flat();
      t.equal(new Set(all).size, all.length, `${JSON.stringify(parameters)}: none twice`);
      t.same(all.filter((name) => name.startsWith('stays')).sort(), stable.sort(), 'none is missing');
      t.ok(found.length > 3);
    }
  },
);

t.test('a cursor serves the query that it was made for, and no other', async (t) => {
  const first = await list(scim, { cursor: '', count: 2, sortBy: 'userName' });
  const cursor: string = first.nextCursor;
  t.type(cursor, 'string');
  const attempt = async (parameters: Parameters) => {
    const body = await list(scim, parameters);
    return body.scimType ?? names(body).join(' ');
  };
  const next = ordered((user) => user.userName.toLowerCase(), 1);
  t.equal(await attempt({ cursor, sortBy: 'userName', count: 2 }), next.slice(2, 4).join(' '));
  t.equal(
    await attempt({ cursor, sortBy: 'username', count: 3 }),
    next.slice(2, 5).join(' '),
    'count may change',
  );
  const others: Record<string, Parameters> = {
    'another order': { cursor, sortBy: 'userName', sortOrder: 'descending' },
    'another attribute': { cursor, sortBy: 'emails' },
    'no sort': { cursor },
    'a filter': { cursor, sortBy: 'userName', filter: 'userName pr' },
    'a made-up cursor': { cursor: 'abcdef', sortBy: 'userName' },
    'a cursor of JSON': { cursor: Buffer.from('[1,2,3,4]').toString('base64url'), sortBy: 'userName' },
    'a cursor of objects': { cursor: Buffer.from('{"$gt":""}').toString('base64url'), sortBy: 'userName' },
    'a very long cursor': { cursor: 'a'.repeat(5000), sortBy: 'userName' },
  };
  for (const [name, parameters] of Object.entries(others))
    t.equal(await attempt(parameters), 'invalidCursor', name);
  for (let i = 0; i < cursor.length; i++) {
    const tampered = `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`;
    const same = Buffer.from(tampered, 'base64url').equals(Buffer.from(cursor, 'base64url'));
    if (!same)
      t.equal(
        await attempt({ cursor: tampered, sortBy: 'userName', count: 2 }),
        'invalidCursor',
        `character ${i}`,
      );
  }
});

t.test('the last page by cursor has no next one, also when it is full', async (t) => {
  const scim = await tenant();
  for (const userName of ['a', 'b', 'c', 'd']) await scim.create({ userName });
  const first = await list(scim, { cursor: '', count: 2 });
  t.equal(typeof first.nextCursor, 'string');
  const last = await list(scim, { cursor: first.nextCursor, count: 2 });
  t.same([...names(first), ...names(last)], ['a', 'b', 'c', 'd']);
  t.notOk('nextCursor' in last);
});

t.test('a filter that reads every user for many conditions is refused, and says for which', async (t) => {
  const { tenant } = await openScim(t, { scimScanLimit: 50 });
  const scim = await tenant();
  for (const name of ['one', 'two', 'three']) await scim.create({ userName: name });
  const clauses = (count: number, operator = 'co', name = 'title') =>
    Array.from({ length: count }, (_, n) => `${name} ${operator} "${n}"`).join(' or ');
  const ask = (filter: string) => scim.get(`/Users?${new URLSearchParams({ filter })}`);
  t.equal((await ask(clauses(16))).status, 200);
  const refused = await ask(clauses(17));
  t.match(refused, {
    status: 400,
    body: { scimType: 'tooMany', detail: /3 users .* 17 conditions, such as title co/ },
  });
  t.match(refused.body[urn.errorDetail], { id: 'scim.filterTooCostly' });
  t.equal((await ask(clauses(45, 'eq', 'emails'))).status, 200, 'an index serves each');
  t.equal((await ask(clauses(4, 'sw', 'userName'))).status, 200, 'an index serves a few ranges');
  t.match(await ask(clauses(17, 'sw', 'userName')), {
    status: 400,
    body: { detail: /17 conditions, such as userName sw/ },
  });
  t.match(await ask(clauses(17, 'eq')), { status: 400, body: { detail: /17 conditions, such as title eq/ } });
  t.equal((await ask(`userName eq "one" and (${clauses(30)})`)).status, 200, 'one user is read');
});

t.test('searches that read every user wait for each other, and too many are refused', async (t) => {
  // With a higher limit, a search in so small an organization would not wait.
  const { tenant, container } = await openScim(t, { scimScanLimit: 1 });
  const { users } = container;
  const [busy, other] = [await tenant(), await tenant()];
  for (const scim of [busy, other]) await scim.create({ userName: 'one' });
  let running = 0;
  let most = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { readPage } = users;
  t.teardown(() => Object.assign(users, { readPage }));
  const waits: typeof readPage = async (orgId, ...asked) => {
    if (orgId !== busy.orgId) return readPage(orgId, ...asked);
    most = Math.max(most, ++running);
    await held;
    running--;
    return readPage(orgId, ...asked);
  };
  Object.assign(users, { readPage: waits });
  const scan = `/Users?${new URLSearchParams({ filter: 'title co "x"' })}`;
  let answered = 0;
  const answers = Array.from({ length: 40 }, async () => {
    const answer = await busy.get(scan);
    answered++;
    return answer;
  });
  const refused = await Promise.race(answers);
  // Each of them has come in now. A late one would get the place of one that is done.
  await until(() => answered === 8);
  t.match(refused, { status: 429, headers: { 'retry-after': '5' } });
  t.equal((await other.get(scan)).status, 200, 'another organization does not wait');
  release();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  t.equal(most, 1);
  t.same(
    [200, 429].map((wanted) => statuses.filter((status) => status === wanted).length),
    [32, 8],
  );
  t.equal((await busy.get(scan)).status, 200, 'a refused search is served when it comes again');
});

t.test('a search that reads few users does not wait', async (t) => {
  const { tenant, container } = await openScim(t, { scimScanLimit: 100 });
  const scim = await tenant();
  await scim.create({ userName: 'one' });
  await container.redis.set(
    `${container.config.redisPrefix}:turn:scan:${scim.orgId}`,
    'somebody',
    'PX',
    60_000,
  );
  const scan = `/Users?${new URLSearchParams({ filter: 'title co "x"' })}`;
  t.equal((await scim.get(scan)).status, 200);
});
