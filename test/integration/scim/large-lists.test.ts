import t, { type Test } from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import { allowedHoldMs, longestHold } from '../../support/hostile/longest-hold.js';
import { addLargeUsers } from '../../support/scim/large-users.js';
import { type Json, type ScimClient, urn } from '../../support/scim/scim-client.js';

/** Lists whose resources are as large as an organization can make them. */

const { tenant, container, app } = await openScim(t);
const mebibyte = 1_048_576;

/** Sends a request, and reads the response as a client elsewhere would: its JSON is not parsed here. */
async function drain(
  scim: ScimClient,
  path: string,
  body?: object,
): Promise<{ status: number; bytes: number }> {
  const { stream, statusCode: status } = await app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `${scim.base}${path}`,
    payloadAsStream: true,
    headers: {
      authorization: `Bearer ${scim.token}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  let bytes = 0;
  for await (const part of stream()) bytes += (part as Buffer).length;
  return { status, bytes };
}

/** The request must hold the event loop for no longer than allowed. */
async function holdsBriefly(
  t: Test,
  { scim, path, body, least = 0 }: { scim: ScimClient; path: string; body?: object; least?: number },
): Promise<void> {
  let answer = { status: 0, bytes: 0 };
  const ms = await longestHold(async () => {
    answer = await drain(scim, path, body);
  }, 3);
  const what = `${body === undefined ? 'GET' : 'POST'} ${decodeURIComponent(path)}`;
  t.equal(answer.status, 200, what);
  t.ok(answer.bytes >= least, `${what}: ${answer.bytes} bytes`);
  t.ok(ms < allowedHoldMs, `${what} held the event loop for ${ms.toFixed(1)} ms`);
}

const filtered = (filter: string, more = '') => `/Users?filter=${encodeURIComponent(filter)}${more}`;

t.test('a list of large users holds the event loop for a few milliseconds at a time', async (t) => {
  const scim = await tenant();
  const ids = await addLargeUsers(container, scim, {
    count: 100,
    profile: (n) => ({ name: { familyName: n < 50 ? 'A' : 'B' } }),
  });
  const least = 6_000_000;
  await holdsBriefly(t, { scim, path: '/Users?count=100', least });
  await holdsBriefly(t, { scim, path: '/Users?count=100&attributes=userName' });
  await holdsBriefly(t, { scim, path: '/Users?sortBy=name.familyName', least });
  await holdsBriefly(t, { scim, path: '/Users?cursor=' });
  for (const filter of [
    'name.familyName eq "A" or name.familyName eq "B"',
    'name.familyName eq "A" or userName pr',
    'name.familyName sw "A" or name.familyName sw "B"',
  ])
    await holdsBriefly(t, { scim, path: filtered(filter) });
  const search = { schemas: [urn.searchRequest] };
  await holdsBriefly(t, { scim, path: '/Users/.search', body: search, least });
  await holdsBriefly(t, { scim, path: '/.search', body: search, least });
  const ms = await longestHold(() => Promise.all(ids.map((id) => drain(scim, `/Users/${id}`))), 3);
  t.ok(ms < allowedHoldMs, `100 users who are read at once held the event loop for ${ms.toFixed(1)} ms`);
});

t.test('a union of many matches is sorted in slices', async (t) => {
  const scim = await tenant();
  const families = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
  await addLargeUsers(container, scim, {
    count: 8_000,
    text: 480,
    profile: (n) => ({
      name: { familyName: families[n % 10], givenName: `${n % 97}` },
      employeeNumber: `${n % 10}`,
      userName: `${n % 2 === 0 ? 'a' : 'b'}${n}`,
    }),
  });
  const number = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber';
  const filter = [
    ...families.slice(0, 5).map((family) => `name.familyName eq "${family}"`),
    ...[5, 6, 7].map((n) => `${number} eq "${n}"`),
  ].join(' or ');
  await holdsBriefly(t, { scim, path: filtered(filter, '&sortBy=userName&startIndex=2&attributes=id') });
  const { body } = await scim.get(filtered(filter, '&sortBy=userName&startIndex=2&attributes=userName'));
  const expected = Array.from({ length: 8_000 }, (_, n) => n)
    .filter((n) => n % 10 < 8)
    .map((n) => `${n % 2 === 0 ? 'a' : 'b'}${n}`);
  t.equal(body.totalResults, 6_400);
  t.strictSame(
    body.Resources.map(({ userName }: Json) => userName),
    expected.sort().slice(1, 101),
  );
});

/** Adds a group whose members are there already. */
async function addGroup(scim: ScimClient, displayName: string, userIds: readonly string[]): Promise<string> {
  const { id } = (await scim.post('/Groups', { schemas: [urn.group], displayName })).body;
  const memberships = container.mongo.db.collection<{ _id: string }>('groupMembers');
  for (let from = 0; from < userIds.length; from += 5_000)
    await memberships.insertMany(
      userIds.slice(from, from + 5_000).map((userId) => ({
        ...{ _id: `${id} ${userId}`, orgId: scim.orgId, groupId: id, userId },
      })),
    );
  return id;
}

t.test('groups with many members', async (t) => {
  const scim = await tenant();
  const users = await addLargeUsers(container, scim, {
    ...{ count: 12_000, text: 0 },
    profile: (n) => ({ displayName: `Member ${String(n).padStart(6, '0')}` }),
  });
  const groups = await Promise.all(
    ['First', 'Second'].map((name, n) => addGroup(scim, name, users.slice(6_000 * n, 6_000 * (n + 1)))),
  );
  const least = 2_000_000;
  await holdsBriefly(t, { scim, path: '/Groups?count=100', least });
  await holdsBriefly(t, { scim, path: '/Groups?count=100&cursor=', least: 1_000_000 });
  await holdsBriefly(t, {
    scim,
    path: '/.search',
    least,
    body: { schemas: [urn.searchRequest], filter: 'meta.resourceType eq "Group"' },
  });
  await holdsBriefly(t, { scim, path: `/Groups/${groups[0]}`, least: 1_000_000 });

  const whole = await scim.get('/Groups?sortBy=displayName');
  t.match(whole.body, { totalResults: 2, itemsPerPage: 2, Resources: [{ displayName: 'First' }, {}] });
  t.strictSame(
    whole.body.Resources.map(({ members }: Json) => members.length),
    [6_000, 6_000],
    'a page by index is whole',
  );
  const first = await scim.get('/Groups?sortBy=displayName&cursor=');
  t.match(first.body, { totalResults: 2, itemsPerPage: 1, Resources: [{ displayName: 'First' }] });
  const second = await scim.get(`/Groups?sortBy=displayName&cursor=${first.body.nextCursor}`);
  t.match(second.body, { totalResults: 2, itemsPerPage: 1, Resources: [{ displayName: 'Second' }] });
  t.notOk('nextCursor' in second.body);
  t.strictSame(
    [first, second].map(({ body }) => body.Resources[0].members),
    whole.body.Resources.map(({ members }: Json) => members),
    'a page by cursor has at least one group, with all members',
  );
  await addGroup(scim, 'Third', users.slice(0, 2_000));
  await addGroup(scim, 'Fourth', users.slice(0, 3_000));
  const last = await scim.get(`/Groups?sortBy=displayName&sortOrder=descending&cursor=`);
  t.match(last.body, { itemsPerPage: 1, Resources: [{ displayName: 'Third' }] }, 'about a megabyte');
  const small = await scim.get('/Groups?sortBy=displayName&cursor=&attributes=members.value');
  t.equal(small.body.itemsPerPage, 4, 'what the client does not want does not count');
});

t.test('a user in many groups', async (t) => {
  const scim = await tenant();
  const [user = '', other = ''] = await addLargeUsers(container, scim, { count: 2, text: 0 });
  const one = await addGroup(scim, 'group', [user]);
  const { db } = container.mongo;
  const sample = await db.collection('groups').findOne({ _id: one as never });
  const ids = Array.from(
    { length: 12_000 },
    (_, n) => `group-${String(n).padStart(6, '0')}-${'a'.repeat(24)}`,
  );
  for (let from = 0; from < ids.length; from += 4_000) {
    const some = ids.slice(from, from + 4_000);
    await db
      .collection<{ _id: string }>('groups')
      .insertMany(some.map((id) => ({ ...sample, _id: id, displayName: id, search: { displayName: id } })));
    await db
      .collection<{ _id: string }>('groupMembers')
      .insertMany(
        some.map((groupId) => ({ _id: `${groupId} ${user}`, orgId: scim.orgId, groupId, userId: user })),
      );
  }
  const least = 2_000_000;
  await holdsBriefly(t, { scim, path: `/Users/${user}`, least });
  await holdsBriefly(t, { scim, path: '/Users?attributes=groups', least });
  const expected = [one, ...ids].sort();
  const valuesOf = ({ groups }: Json) => groups.map(({ value }: Json) => value);
  t.strictSame(valuesOf((await scim.get(`/Users/${user}`)).body), expected);
  const patched = await scim.patch(`/Users/${user}?attributes=groups.value`, {
    schemas: [urn.patchOp],
    Operations: [{ op: 'replace', path: 'title', value: 'x' }],
  });
  t.strictSame(valuesOf(patched.body), expected, 'the response to a change has them too');
  const listed = await scim.get('/Users?attributes=groups&cursor=');
  const rest = await scim.get(`/Users?attributes=groups&cursor=${listed.body.nextCursor}`);
  const resources = [...listed.body.Resources, ...rest.body.Resources];
  t.strictSame(resources.map(({ id }: Json) => id).sort(), [user, other].sort());
  t.strictSame(valuesOf(resources.find(({ id }: Json) => id === user)), expected);
});

/** All pages by cursor. */
async function walk(scim: ScimClient, parameters: Record<string, string>): Promise<Json[]> {
  const pages: Json[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { status, body } = await scim.get(`/Users?${new URLSearchParams({ ...parameters, cursor })}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    pages.push(body);
    cursor = body.nextCursor;
  }
  return pages;
}

t.test('a page by cursor ends by bytes, and the next one goes on exactly there', async (t) => {
  const scim = await tenant();
  await addLargeUsers(container, scim, {
    count: 70,
    profile: (n) => ({ name: { familyName: n % 3 === 0 ? 'Tie' : `F${n % 7}` }, externalId: `e${n}` }),
  });
  // Users of other sizes, so that pages end at different places.
  await addLargeUsers(container, scim, {
    count: 40,
    text: 5_000,
    profile: (n) => ({ name: { familyName: `F${n % 3}` } }),
  });
  const filters = {
    none: undefined,
    scan: 'title pr or not (title pr)',
    union: 'name.familyName eq "Tie" or name.familyName eq "F1" or externalId eq "e1"',
    conjunction: 'userName pr and name.familyName eq "Tie"',
  };
  for (const [what, filter] of Object.entries(filters)) {
    for (const sort of [{}, { sortBy: 'name.familyName' }, { sortBy: 'userName', sortOrder: 'descending' }]) {
      const parameters = { ...(filter !== undefined && { filter }), ...sort };
      const bare = { ...parameters, attributes: 'id' };
      const expected = (await walk(scim, bare)).flatMap(({ Resources }) => Resources).map(({ id }) => id);
      const pages = await walk(scim, parameters);
      const name = `${what} ${JSON.stringify(sort)}`;
      t.strictSame(
        pages.flatMap(({ Resources }) => Resources).map(({ id }) => id),
        expected,
        name,
      );
      for (const { itemsPerPage, Resources, totalResults } of pages) {
        t.equal(itemsPerPage, Resources.length, name);
        t.equal(totalResults, expected.length, name);
        t.ok(JSON.stringify(Resources).length < mebibyte + 100, name);
      }
      t.ok(pages.length > expected.length / 100 + 1, `${name}: ${pages.length} pages`);
    }
  }
});

t.test('a page by index that is too large is refused', async (t) => {
  const scim = await tenant();
  await addLargeUsers(container, scim, {
    count: 60,
    character: 'あ',
    profile: () => ({ name: { familyName: 'A' } }),
  });
  const search = { schemas: [urn.searchRequest] };
  const refusals = [
    await scim.get('/Users'),
    await scim.get('/Users?sortBy=userName&startIndex=10'),
    await scim.get(filtered('name.familyName eq "A" or name.familyName eq "B"')),
    await scim.post('/Users/.search', search),
    await scim.post('/.search', search),
  ];
  for (const { status, body } of refusals) {
    t.strictSame([status, body.scimType], [400, 'tooMany']);
    t.match(body.detail, /count.*cursor/);
  }
  const page = await scim.get('/Users?count=40');
  t.strictSame([page.status, page.body.itemsPerPage], [200, 40], 'a smaller count helps');
  t.ok(page.text.length > 2_000_000);
  t.match((await scim.get('/Users?attributes=userName')).body, { itemsPerPage: 60 }, 'fewer attributes help');
  const pages = await walk(scim, {});
  t.equal(
    new Set(pages.flatMap(({ Resources }) => Resources).map(({ id }) => id)).size,
    60,
    'a cursor helps',
  );
});
