import { randomInt } from 'node:crypto';
import t from 'tap';
import { foldCase, looseKey } from '#src/directory/index.js';
import type { UserProfileInput } from '#src/directory/user.js';
import { addGroup } from '#src/people/groups/add-group.js';
import type { UserDocument } from '#src/people/users/user-document.js';
import { removeUser } from '#src/removal/remove-user.js';
import { makeCaller, makeTenant, testEditor } from '../../../support/app/make.js';
import { makeHome, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';

/** The lists in which people search users: beginnings, pages, and what they leave out. */

const { container, call } = await buildTestApp(t);
const home = await makeHome(container, { name: 'Acme' });
const viewer = await makeCaller(container, home.id, ['ORG_USER_VIEWER']);
const other = await makeTenant(container);

const add = (userName: string, given: Partial<UserProfileInput> = {}) =>
  makePerson(container, home, { userName, password: null, ...given });

const anna = await add('anna.lind', { name: { givenName: 'Anna', familyName: 'Lind' } });
const bo = await add('bo', { name: { givenName: 'Bo', familyName: 'Annason' }, emails: [] });
const cleo = await add('cleo', { name: { givenName: 'Anna-Cleo', familyName: 'Duß' }, active: false });
const dora = await add('dora', { name: { givenName: 'Dora' }, emails: [{ value: 'ANNA@mail.example' }] });
await makePerson(container, await makeHome(container), { userName: 'anna.elsewhere' });

async function page(query: Record<string, string>, as = viewer) {
  return call(`GET /admin/v1/orgs/${home.id}/users?${new URLSearchParams(query)}`, { as });
}

/** The userNames of all pages. */
async function namesOf(query: Record<string, string>): Promise<string[]> {
  const names: string[] = [];
  let after: string | undefined;
  do {
    const { status, body } = await page({ ...query, ...(after !== undefined && { after }) });
    t.equal(status, 200);
    t.ok(body.items.length <= Number(query['limit'] ?? 50));
    names.push(...body.items.map(({ userName }: { userName: string }) => userName));
    after = body.next;
  } while (after !== undefined);
  return names;
}

t.test('without a search, users come in the order of their userNames', async (t) => {
  t.same(await namesOf({}), ['anna.lind', 'bo', 'cleo', 'dora']);
  t.same(await namesOf({ limit: '1' }), ['anna.lind', 'bo', 'cleo', 'dora']);
  t.same(await namesOf({ search: '  ', limit: '3' }), ['anna.lind', 'bo', 'cleo', 'dora']);
});

t.test('a user is shown as a list needs it', async (t) => {
  const { items } = (await page({ search: 'anna.l' })).body;
  t.same(items, [
    {
      id: anna.id,
      userName: 'anna.lind',
      displayName: 'Anna Lind',
      active: true,
      email: 'anna.lind@people.example',
      created: anna.created.toISOString(),
      lastModified: anna.lastModified.toISOString(),
    },
  ]);
});

t.test(
  'beginnings are found: of the userName, the family name, the given name and the address, each user once',
  async (t) => {
    const closest = ['anna.lind', 'bo', 'cleo', 'dora'];
    for (const limit of ['50', '3', '2', '1'])
      t.same(await namesOf({ search: 'anna', limit }), closest, limit);
    t.same(await namesOf({ search: 'ANNA' }), closest, 'in any letter case');
    t.same(await namesOf({ search: 'nna' }), []);
    t.same(await namesOf({ search: 'duß' }), ['cleo']);
    t.same(await namesOf({ search: 'anna@mail.ex' }), ['dora']);
  },
);

t.test('names are found however they are written', async (t) => {
  const there = await makeHome(container, { name: 'Umlaut' });
  const see = await makeCaller(container, there.id, ['ORG_USER_VIEWER']);
  const known = {
    umlaut: { givenName: 'Jörg', familyName: 'Müller' },
    two: { givenName: 'Joerg', familyName: 'Mueller' },
    bare: { givenName: 'Jorg', familyName: 'Muller' },
    capital: { givenName: 'JO\u0308RG', familyName: 'MU\u0308LLER' },
    sharp: { givenName: 'Ida', familyName: 'Groß-Weiß' },
    danish: { givenName: 'Åse', familyName: 'Ørsted' },
    danish2: { givenName: 'Aase', familyName: 'Oersted' },
    irish: { givenName: 'Se\u0301an', familyName: "O'Brien" },
    irish2: { givenName: 'Anne-Marie', familyName: 'O’Brien' },
    'hans-peter': { givenName: 'Æthel', familyName: 'Łuk' },
    korean: { givenName: '민', familyName: '한' },
    'emp-0042': { givenName: 'Zoë', familyName: 'Weiß-2' },
  };
  for (const [userName, name] of Object.entries(known))
    await makePerson(container, there, { userName, password: null, name });
  const find = async (search: string) => {
    const names: string[] = [];
    let after: string | undefined;
    do {
      const query = new URLSearchParams({ search, limit: '2', ...(after !== undefined && { after }) });
      const { body, status } = await call(`GET /admin/v1/orgs/${there.id}/users?${query}`, { as: see });
      t.equal(status, 200, search);
      names.push(...body.items.map(({ userName }: { userName: string }) => userName));
      after = body.next;
    } while (after !== undefined);
    t.equal(new Set(names).size, names.length, `${search} finds nobody twice`);
    return names.sort();
  };
  const all = ['bare', 'capital', 'two', 'umlaut'];
  for (const search of [
    'Müller',
    'mueller',
    'MULLER',
    'Mü',
    'Muell',
    'Jörg Mueller',
    'muller, jorg',
    'Joerg Mül',
  ])
    t.same(await find(search), all, search);
  for (const search of ['gross weiss', 'Groß', 'grossweiss', 'GROSS-W'])
    t.same(await find(search), search.includes(' ') ? [] : ['sharp'], search);
  for (const search of ['Ørsted', 'oersted', 'orsted', 'Aase', 'Åse', 'ase oersted'])
    t.same(await find(search), ['danish', 'danish2'], search);
  for (const search of ["O'Brien", 'O’Brien', 'obrien', 'OBR'])
    t.same(await find(search), ['irish', 'irish2'], search);
  t.same(await find('Annemarie'), ['irish2']);
  t.same(await find('sean obrien'), ['irish']);
  t.same(await find('HansPeter'), ['hans-peter'], 'the userName too');
  t.same(await find('luk'), ['hans-peter']);
  t.same(await find('한'), ['korean']);
  t.same(await find('emp-00'), ['emp-0042']);
  t.same(await find('emp0042'), [], 'the hyphens of numbers stay');
  t.same(await find('weiss2'), ['emp-0042'], 'unless something else can be written in another way');
  t.same(await find("'"), [], 'nothing is left of it');
  const scim = async (filter: string) =>
    (await call(`GET /scim/v2/${there.id}/Users?${new URLSearchParams({ filter })}`, { as: see })).body
      .totalResults;
  t.equal(await scim('name.familyName eq "mueller"'), 1, 'SCIM compares exactly');
  t.equal(await scim('name.familyName sw "Mull"'), 1);
});

t.test('every beginning of a name has the beginning of its key, and keys are their own', (t) => {
  const letters = [...'aeous', 'ä', 'ö', 'ü', 'ß', 'å', 'ø', 'æ', '-', "'", ' ', 'é', 'o\u0308', '한'];
  for (let round = 0; round < 2_000; round++) {
    const name = Array.from({ length: randomInt(1, 9) }, () => letters[randomInt(letters.length)]);
    const key = looseKey(foldCase(name.join('')));
    t.equal(looseKey(key).length <= key.length, true);
    for (let length = 1; length < name.length; length++) {
      const beginning = looseKey(foldCase(name.slice(0, length).join('')));
      if (!key.startsWith(beginning)) t.fail(`${name.join('')}: ${beginning} begins ${key}`);
    }
  }
  const started = process.cpuUsage().user;
  looseKey(foldCase('ü\u0308'.repeat(50_000)));
  t.ok(process.cpuUsage(undefined).user - started < 1_000_000, 'a hostile text ends quickly');
  t.end();
});

t.test('a list has every order that an index has, on pages of any length', async (t) => {
  const orders = {
    'userName desc': ['dora', 'cleo', 'bo', 'anna.lind'],
    // Dora has no family name and Bo no address: what is absent comes first, and last the other way round.
    'familyName asc': ['dora', 'bo', 'cleo', 'anna.lind'],
    'familyName desc': ['anna.lind', 'cleo', 'bo', 'dora'],
    'email asc': ['bo', 'anna.lind', 'dora', 'cleo'],
    'created asc': ['anna.lind', 'bo', 'cleo', 'dora'],
    'created desc': ['dora', 'cleo', 'bo', 'anna.lind'],
    'lastModified desc': ['dora', 'cleo', 'bo', 'anna.lind'],
  };
  for (const [name, expected] of Object.entries(orders)) {
    const [sort = '', order = ''] = name.split(' ');
    for (const limit of ['50', '2', '1']) t.same(await namesOf({ sort, order, limit }), expected, name);
    const active = expected.filter((userName) => userName !== 'cleo');
    t.same(await namesOf({ sort, order, active: 'true', limit: '2' }), active, `${name}: who is active`);
  }
  t.same(await namesOf({ sort: 'created', order: 'desc', active: 'false' }), ['cleo']);
  t.equal((await page({ sort: 'created', search: 'a' })).status, 400, 'a search has its own order');
  t.equal((await page({ sort: 'title' })).status, 400);
  const { next } = (await page({ sort: 'familyName', limit: '2' })).body;
  t.equal((await page({ sort: 'created', after: next })).status, 400, 'the next page of another order');
});

t.test('a list counts on demand, exactly and for its own organization', async (t) => {
  const totalOf = async (query: Record<string, string>) =>
    (await page({ ...query, includeTotal: 'true', limit: '2' })).body.total;
  t.equal(await totalOf({}), 4);
  t.equal(await totalOf({ active: 'false' }), 1);
  t.equal(await totalOf({ active: 'true', sort: 'created' }), 3);
  t.equal(await totalOf({ search: 'cleo' }), 1);
  t.equal(await totalOf({ search: 'anna' }), undefined, 'more than one page');
  t.notOk('total' in (await page({})).body, 'nobody waits for a count who does not ask for it');
  const { body } = await call(`GET /admin/v1/orgs/${other.orgId}/users?includeTotal=true`, {
    as: other.viewer,
  });
  t.equal(body.total, body.items.length, 'of this organization alone');
});

t.test('every list with a count agrees with its items', async (t) => {
  const owner = await makeCaller(container, home.id, ['ORG_OWNER']);
  const group = await addGroup(container, {
    orgId: home.id,
    profile: { displayName: 'Counted' },
    members: new Set([anna.id, bo.id, cleo.id]),
    editor: testEditor,
  });
  const own = `/admin/v1/orgs/${home.id}`;
  const lists = ['service-users', 'applications', 'projects', 'memberships', `groups/${group.id}/members`];
  for (const path of [...lists.map((list) => `${own}/${list}`), '/admin/v1/orgs']) {
    const { status, body } = await call(`GET ${path}?includeTotal=true`, { as: owner });
    t.equal(status, 200, path);
    t.equal(body.total, body.items.length, path);
    t.ok(path.endsWith('s') && !/applications|projects/.test(path) ? body.total > 0 : true, path);
  }
  const named = await call('GET /admin/v1/orgs?name=ac&includeTotal=true', { as: owner });
  t.match(named.body, { items: [{ name: 'Acme' }], total: 1 }, 'no organization of others is counted');
  const first = await call(`GET ${own}/groups/${group.id}/members?includeTotal=true&limit=1`, { as: owner });
  t.equal(first.body.total, 3, 'all pages');
});

t.test('a whole name is found in either order, and an identifier', async (t) => {
  t.same(await namesOf({ search: 'Anna Lin' }), ['anna.lind']);
  t.same(await namesOf({ search: 'lind, anna' }), ['anna.lind']);
  t.same(await namesOf({ search: 'anna  annason' }), []);
  t.same(await namesOf({ search: bo.id }), ['bo']);
});

t.test('the filter tells active users from the others', async (t) => {
  t.same(await namesOf({ active: 'false' }), ['cleo']);
  t.same(await namesOf({ active: 'true', limit: '2' }), ['anna.lind', 'bo', 'dora']);
  t.same(await namesOf({ active: 'false', search: 'anna' }), ['cleo']);
  t.same(await namesOf({ active: 'false', search: 'bo' }), []);
});

t.test(
  'a search reads a bounded number of users for a page, and the next one goes on behind them',
  async (t) => {
    const there = await makeHome(container);
    const first = await makePerson(container, there, { userName: 'many-0000', password: null });
    const users = container.mongo.collection<UserDocument>('users');
    const document = await users.findOne({ _id: first.id });
    if (document === null) throw new Error('The user is gone');
    const copies = Array.from({ length: 700 }, (_, n): UserDocument => {
      const userName = `many-${String(n + 1).padStart(4, '0')}`;
      const search = { ...document.search, userName, loginNames: [userName] };
      return { ...document, _id: userName, userName, active: n === 699, search };
    });
    await users.insertMany(copies);
    const as = await makeCaller(container, there.id, ['ORG_USER_VIEWER']);
    const found = async (after: object) => {
      const query = new URLSearchParams({ search: 'many-', active: 'true', ...after });
      const { body } = await call(`GET /admin/v1/orgs/${there.id}/users?${query}`, { as });
      return { names: body.items.map(({ userName }: { userName: string }) => userName), next: body.next };
    };
    const { names, next } = await found({});
    t.same(names, ['many-0000'], 'the page is short');
    t.same((await found({ after: next })).names, ['many-0700']);
  },
);

t.test('text of a caller is no pattern and no operator', async (t) => {
  for (const search of ['.*', '^anna', '$ne', 'a'.repeat(200), '\u{10ffff}', "' OR 1=1"]) {
    t.same(await namesOf({ search }), [], search);
  }
});

t.test('what is no query is refused', async (t) => {
  const bad = [
    { active: 'maybe' },
    { limit: '0' },
    { limit: '101' },
    { search: 'a'.repeat(201) },
    ...['x', 'e30', 'WzIxXQ', Buffer.from('[0,{"$gt":""},"x"]').toString('base64url')].map((after) => ({
      after,
    })),
  ];
  for (const query of bad) t.equal((await page(query)).status, 400, JSON.stringify(query));
  const beyond = Buffer.from('[20]').toString('base64url');
  t.same((await page({ after: beyond })).body, { items: [] }, 'nothing is behind the last step');
});

t.test('nobody reads the users of another organization', async (t) => {
  t.equal((await page({}, other.owner)).status, 404);
  const after = Buffer.from(JSON.stringify([0, 'a', anna.id])).toString('base64url');
  const { body } = await call(`GET /admin/v1/orgs/${other.orgId}/users?after=${after}`, { as: other.viewer });
  t.same(body, { items: [] });
});

t.test('the members of a group come in pages', async (t) => {
  const members = [anna, bo, cleo, dora].sort((a, b) => (a.id < b.id ? -1 : 1));
  const gone = await add('gone');
  const { id } = await addGroup(container, {
    orgId: home.id,
    profile: { displayName: 'All' },
    members: new Set([...members, gone].map((user) => user.id)),
    editor: testEditor,
  });
  await removeUser(container, { orgId: home.id, id: gone.id, editor: testEditor });
  const path = `/admin/v1/orgs/${home.id}/groups/${id}/members`;
  const first = (await call(`GET ${path}?limit=3`, { as: viewer })).body;
  const second = (await call(`GET ${path}?limit=3&after=${first.next}`, { as: viewer })).body;
  const seen = [...first.items, ...second.items].map((user: { id: string }) => user.id);
  t.same(
    seen,
    members.map((user) => user.id),
  );
  t.notOk(second.next);
  t.equal((await call(`GET /admin/v1/orgs/${home.id}/groups/nope/members`, { as: viewer })).status, 404);
  t.equal(
    (await call(`GET /admin/v1/orgs/${other.orgId}/groups/${id}/members`, { as: other.owner })).status,
    404,
  );
});

t.test('a caller learns the names of the organizations of its roles', async (t) => {
  const { body } = await call('GET /admin/v1/me', { as: viewer });
  t.same(body.organizations, [{ id: home.id, name: 'Acme' }]);
});

t.test('the roles of one user are found without reading those of all', async (t) => {
  const owner = await makeCaller(container, home.id, ['ORG_OWNER', 'IAM_OWNER', 'ORG_USER_VIEWER']);
  const inOrganization = await call(`GET /admin/v1/orgs/${home.id}/memberships?userId=${owner.id}`, {
    as: owner,
  });
  const rolesOf = ({ body }: typeof inOrganization) =>
    body.items.map(({ role }: { role: string }) => role).sort();
  t.same(rolesOf(inOrganization), ['ORG_OWNER', 'ORG_USER_VIEWER']);
  const inInstance = await call(`GET /admin/v1/memberships?userId=${owner.id}`, { as: owner });
  t.same(rolesOf(inInstance), ['IAM_OWNER']);
  const nobody = await call(`GET /admin/v1/memberships?userId=${anna.id}`, { as: owner });
  t.same(nobody.body, { items: [] });
});
