import t from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import { type Json, newUser, patchOp, urn } from '../../support/scim/scim-client.js';

/** The Enterprise User extension (RFC 7643 section 4.3): life, managers, filters and events. */

const { tenant, container } = await openScim(t, { scimScanLimit: 1 });

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const employment = {
  employeeNumber: 'E-1',
  costCenter: '4130',
  organization: 'Museums',
  division: 'Art',
  department: 'Tours',
};

const eventsOf = async (id: string) => {
  const found = await container.mongo.db
    .collection('events')
    .find({ 'aggregate.id': id })
    .sort({ sequence: 1 })
    .toArray();
  return found.map(({ payload }) => payload?.['attributes']);
};

t.test('create, read, replace, change, clear', async (t) => {
  const scim = await tenant();
  const boss = await scim.create({ displayName: 'Bo Boss' });
  const created = await scim.post('/Users', {
    ...newUser({ [enterprise]: { ...employment, manager: boss.id } }),
    schemas: [urn.user, enterprise],
  });
  t.equal(created.status, 201);
  const { id } = created.body;
  const manager = {
    value: boss.id,
    $ref: `${scim.absoluteBase}/Users/${boss.id}`,
    displayName: 'Bo Boss',
  };
  t.strictSame(created.body.schemas, [urn.user, enterprise]);
  t.strictSame(created.body[enterprise], { ...employment, manager });
  t.strictSame((await scim.get(`/Users/${id}`)).body, created.body);

  const changed = await scim.patch(
    `/Users/${id}?attributes=${enterprise}`,
    patchOp(
      { op: 'Replace', path: `${enterprise}:department`, value: 'Sales' },
      { op: 'Add', value: { [`${enterprise}:division`]: 'Music' } },
      { op: 'Remove', path: `${enterprise}:costCenter` },
    ),
  );
  const { costCenter: _costCenter, ...others } = employment;
  t.strictSame(changed.body[enterprise], { ...others, division: 'Music', department: 'Sales', manager });

  const replaced = await scim.put(
    `/Users/${id}`,
    newUser({ userName: created.body.userName, [enterprise]: { manager: { value: id } } }),
  );
  const own = { value: id, $ref: replaced.body.meta.location, displayName: 'Barbara Jensen' };
  t.strictSame(replaced.body[enterprise], { manager: own });
  const cleared = await scim.put(`/Users/${id}`, newUser({ userName: created.body.userName }));
  t.strictSame(cleared.body.schemas, [urn.user]);
  t.notOk(enterprise in cleared.body);
  t.strictSame(await eventsOf(id), [
    undefined,
    ['costCenter', 'department', 'division'],
    ['department', 'division', 'employeeNumber', 'manager', 'organization'],
    ['manager'],
  ]);
  const stored = await container.mongo.db.collection<Json>('users').findOne({ _id: id });
  for (const name of [...Object.keys(employment), 'manager']) t.notOk(name in (stored ?? {}), name);
  t.notMatch(JSON.stringify(stored?.search.attributes), /employeeNumber|manager/, 'nor any key');
});

t.test('a manager need not exist, and is named when it does', async (t) => {
  const scim = await tenant();
  const stranger = await (await tenant()).create();
  const { id } = await scim.create({ [enterprise]: { manager: { value: 'later', displayName: 'Me' } } });
  const shown = async () => (await scim.get(`/Users/${id}`)).body[enterprise].manager;
  t.strictSame(await shown(), { value: 'later', $ref: `${scim.absoluteBase}/Users/later` });
  await scim.patch(`/Users/${id}`, patchOp({ op: 'add', path: `${enterprise}:manager`, value: stranger.id }));
  t.notOk('displayName' in (await shown()), 'nobody of another organization');
  const boss = await scim.create({ displayName: 'First' });
  await scim.patch(`/Users/${id}`, patchOp({ op: 'add', path: `${enterprise}:manager`, value: boss.id }));
  t.equal((await shown()).displayName, 'First');
  await scim.patch(`/Users/${boss.id}`, patchOp({ op: 'replace', path: 'displayName', value: 'Second' }));
  t.equal((await shown()).displayName, 'Second');
  await scim.delete(`/Users/${boss.id}`);
  t.strictSame(await shown(), { value: boss.id, $ref: `${scim.absoluteBase}/Users/${boss.id}` });
});

t.test('a page needs one query for the names of all managers, or none', async (t) => {
  const scim = await tenant();
  const bosses = await Promise.all(['a', 'b'].map((displayName) => scim.create({ displayName })));
  for (const { id } of [...bosses, ...bosses]) await scim.create({ [enterprise]: { manager: id } });
  const queries = t.capture(container.users, 'displayNamesOf', container.users.displayNamesOf);
  const list = async (query: string) => {
    const { body } = await scim.get(`/Users${query}`);
    const names = body.Resources.flatMap((user: Json) => user[enterprise]?.manager?.displayName ?? []);
    return { names: names.sort().join(' '), queries: queries().length };
  };
  const named = { names: 'a a b b', queries: 1 };
  const unnamed = { names: '', queries: 0 };
  t.strictSame(await list(''), named);
  t.strictSame(await list(`?attributes=${enterprise}`), named);
  t.strictSame(await list(`?attributes=${enterprise}:manager.displayName`), named);
  t.strictSame(await list(`?excludedAttributes=${enterprise}:manager.value`), named);
  t.strictSame(await list('?attributes=userName'), unnamed);
  t.strictSame(await list(`?attributes=${enterprise}:manager.value,${enterprise}:department`), unnamed);
  t.strictSame(await list(`?excludedAttributes=${enterprise}:manager.displayName`), unnamed);
  t.strictSame(await list(`?excludedAttributes=${enterprise}`), unnamed);
  t.strictSame(await list('?filter=userName+eq+%22nobody%22'), unnamed);
  await scim.get(`/Users/${bosses[0].id}`);
  t.equal(queries().length, 0, 'nor for a user without a manager');
});

t.test('filters', async (t) => {
  const scim = await tenant();
  const other = await tenant();
  await other.create({ userName: 'foreign', [enterprise]: { ...employment, manager: 'm-1' } });
  await scim.create({ userName: 'ann', [enterprise]: { ...employment, manager: 'm-1' } });
  await scim.create({ userName: 'bob', [enterprise]: { employeeNumber: 'm-1', manager: 'M-1' } });
  await scim.create({ userName: 'cy', [enterprise]: { department: 'tours (x)', manager: 'm-1' } });
  await scim.create({ userName: 'dan' });
  const rows: Record<string, string> = {
    'employeeNumber eq "e-1"': 'ann',
    'employeeNumber eq "m-1"': 'bob',
    'employeeNumber ne "E-1"': 'bob cy dan',
    'employeeNumber pr': 'ann bob',
    'employeeNumber co "-1"': 'ann bob',
    'employeeNumber sw "e"': 'ann',
    'manager.value eq "m-1"': 'ann cy',
    'manager eq "M-1"': 'bob',
    'manager.value ne "m-1"': 'bob dan',
    'manager.value sw "M"': 'bob',
    'manager.value ew "-1"': 'ann bob cy',
    'manager.value pr': 'ann bob cy',
    'manager pr': 'ann bob cy',
    'manager eq null': 'dan',
    'department eq "TOURS"': 'ann',
    'department sw "tours"': 'ann cy',
    'department ew "(X)"': 'cy',
    'costCenter eq "4130"': 'ann',
    'organization co "use"': 'ann',
    'division ne "art"': 'bob cy dan',
    'manager.displayName pr': '400 invalidFilter',
    'employeeNumber gt "E-1"': 'bob',
    'department le "TOURS"': 'ann',
    'manager.value gt "M"': 'ann bob cy',
    'manager.$ref pr': 'ann bob cy',
  };
  for (const [filter, expected] of Object.entries(rows)) {
    t.equal(await scim.found(`${enterprise}:${filter}`), expected, filter);
    t.equal(await scim.found(`${enterprise.toUpperCase()}:${filter}`), expected, `${filter}, in capitals`);
  }
  t.equal(await scim.found(`${enterprise} pr`), 'ann bob cy', 'a whole extension is one condition');
  const both = `${enterprise}:employeeNumber eq "E-1" and ${enterprise}:manager.value eq "m-1"`;
  t.equal(await scim.found(both), 'ann');
  const swapped = `${enterprise}:employeeNumber eq "m-1" and ${enterprise}:manager.value eq "m-1"`;
  t.equal(await scim.found(swapped), '');
  const two = `${enterprise}:department eq "x" and ${enterprise}:division eq "y"`;
  t.match(
    await scim.found(two),
    /^400/,
    'two scanning conditions are too costly here, and indexed ones are not',
  );
});

t.test('values with odd characters or of odd length', async (t) => {
  const scim = await tenant();
  for (const name of [...Object.keys(employment), 'manager']) {
    const of = (value: string) => scim.post('/Users', newUser({ [enterprise]: { [name]: value } }));
    t.match(await of('x'.repeat(501)), { status: 400, body: { scimType: 'invalidValue' } }, name);
    t.match(await of('\u0000'), { status: 400, body: { scimType: 'invalidValue' } }, name);
    t.equal((await of('😀'.repeat(250))).status, 201, name);
  }
});
