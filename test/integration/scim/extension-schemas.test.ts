import t from 'tap';
import type { ExtensionSchemaSettings } from '#src/directory/extension-schema.js';
import { putExtensionSchema } from '#src/people/extension-schemas/change-extension-schemas.js';
import { testEditor as editor } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { badgeSchema, badgeUrn, extensionAttribute } from '../../support/scim/extension-schema.js';
import { type Json, newUser, patchOp, type ScimClient, urn } from '../../support/scim/scim-client.js';

/** Attributes that an organization has registered: they are treated like those of any other extension. */

const { tenant, container } = await openScim(t, { workers: true, scimScanLimit: 1_000 });

async function withSchema(schema: ExtensionSchemaSettings = badgeSchema): Promise<ScimClient> {
  const scim = await tenant();
  await putExtensionSchema(container, { orgId: scim.orgId, schema, editor });
  return scim;
}

const badge = {
  number: 'A-1',
  areas: ['North', 'South'],
  level: 3,
  weight: 1.5,
  escort: false,
  expires: '2027-01-31T11:00:00+01:00',
  picture: 'https://pictures.example/1.png',
  color: 'violet',
};
const shown = { ...badge, expires: '2027-01-31T10:00:00.000Z' };

const stored = (id: string) =>
  container.mongo.db.collection<Json>('users').findOne({ _id: id }) as Promise<Json>;

t.test('create, read, replace, and what others have', async (t) => {
  const scim = await withSchema();
  const created = await scim.post('/Users', {
    ...newUser({ [badgeUrn]: badge }),
    schemas: [urn.user, badgeUrn],
  });
  t.equal(created.status, 201, created.text);
  t.strictSame(created.body.schemas, [urn.user, badgeUrn]);
  t.strictSame(created.body[badgeUrn], shown);
  const { id, userName } = created.body;
  t.strictSame((await scim.get(`/Users/${id}`)).body, created.body);
  const [listed] = (await scim.get(`/Users?attributes=${badgeUrn}:Level`)).body.Resources;
  t.strictSame(listed, { schemas: [urn.user, badgeUrn], id, [badgeUrn]: { level: 3 } });
  t.notOk(badgeUrn in (await scim.get(`/Users/${id}?excludedAttributes=${badgeUrn}`)).body);
  t.strictSame(
    (await scim.get(`/Users/${id}?excludedAttributes=${badgeUrn}:areas,${badgeUrn}:picture`)).body[badgeUrn],
    Object.fromEntries(Object.entries(shown).filter(([name]) => name !== 'areas' && name !== 'picture')),
  );

  const replaced = await scim.put(`/Users/${id}`, {
    ...newUser({
      userName,
      [badgeUrn.toUpperCase()]: { NUMBER: 'a-1', level: '4', escort: 'True', areas: 'North' },
    }),
  });
  t.strictSame(replaced.body[badgeUrn], { number: 'a-1', areas: ['North'], level: 4, escort: true });
  const cleared = await scim.put(`/Users/${id}`, newUser({ userName }));
  t.strictSame(cleared.body.schemas, [urn.user]);
  const document = await stored(id);
  t.notOk('extensions' in document);
  t.notMatch(JSON.stringify(document.search.attributes), /[asu]\d+\\u001f/, 'nor any key');
  t.notOk('unique' in document.search);

  const stranger = await tenant();
  const ignored = await stranger.create({ [badgeUrn]: badge });
  t.notOk(badgeUrn in ignored, 'another organization has not registered it');
});

t.test('PATCH', async (t) => {
  const scim = await withSchema();
  const { id } = await scim.create({ [badgeUrn]: { number: 'P-1', areas: ['North'] } });
  const at = (name: string) => `${badgeUrn}:${name}`;
  const rows: [operation: Json, expected: Json][] = [
    [{ op: 'add', path: at('level'), value: 7 }, { level: 7 }],
    [{ op: 'Replace', path: at('LEVEL'), value: '8' }, { level: 8 }],
    [{ op: 'add', path: at('areas'), value: ['South', 'NORTH'] }, { areas: ['South', 'NORTH'] }],
    [{ op: 'add', path: at('areas'), value: 'West' }, { areas: ['South', 'NORTH', 'West'] }],
    [
      { op: 'add', path: at('areas'), value: [{ value: 'East' }] },
      { areas: ['South', 'NORTH', 'West', 'East'] },
    ],
    [{ op: 'remove', path: at('areas'), value: ['south', 'unknown'] }, { areas: ['NORTH', 'West', 'East'] }],
    [{ op: 'remove', path: at('areas'), value: [] }, { areas: ['NORTH', 'West', 'East'] }],
    [{ op: 'replace', path: at('areas'), value: ['One'] }, { areas: ['One'] }],
    [{ op: 'remove', path: at('areas') }, { areas: undefined }],
    [
      { op: 'replace', path: at('expires'), value: '2026-02-03T04:05:06Z' },
      { expires: '2026-02-03T04:05:06.000Z' },
    ],
    [{ op: 'replace', path: at('expires'), value: '' }, { expires: undefined }],
    [
      { op: 'add', value: { [badgeUrn]: { color: 'red', areas: ['Two'] } } },
      { color: 'red', areas: ['Two'] },
    ],
    [
      { op: 'add', value: { [at('color')]: 'green', [at('areas')]: 'Three' } },
      { color: 'green', areas: ['Two', 'Three'] },
    ],
    [
      { op: 'replace', path: badgeUrn, value: { color: 'blue', unknown: 1 } },
      { color: 'blue', number: 'P-1' },
    ],
    [{ op: 'add', path: at('unknown'), value: 'x' }, { color: 'blue' }],
    [{ op: 'remove', path: at('escort') }, { escort: undefined }],
  ];
  for (const [operation, expected] of rows) {
    const { status, text, body } = await scim.patch(
      `/Users/${id}?attributes=${badgeUrn}`,
      patchOp(operation),
    );
    t.equal(status, 200, `${JSON.stringify(operation)} ${text}`);
    for (const [name, value] of Object.entries(expected as Json)) {
      t.strictSame(body[badgeUrn]?.[name], value, `${JSON.stringify(operation)}: ${name}`);
    }
  }
  const wrong: [operation: Json, scimType: string][] = [
    [{ op: 'add', path: at('level'), value: 'many' }, 'invalidSyntax'],
    [{ op: 'add', path: at('level'), value: 1.5 }, 'invalidSyntax'],
    [{ op: 'add', path: at('escort'), value: 'perhaps' }, 'invalidSyntax'],
    [{ op: 'add', path: at('expires'), value: 'tomorrow' }, 'invalidSyntax'],
    [{ op: 'add', path: at('areas'), value: [{ value: {} }] }, 'invalidSyntax'],
    [{ op: 'add', path: at('areas'), value: Array.from({ length: 101 }, (_, n) => `a${n}`) }, 'invalidValue'],
    [{ op: 'add', path: at('color'), value: 'x'.repeat(501) }, 'invalidValue'],
    [{ op: 'remove', path: `${at('areas')}[value eq "Two"]` }, 'invalidPath'],
  ];
  const before = (await scim.get(`/Users/${id}`)).body;
  for (const [operation, scimType] of wrong) {
    const { status, body } = await scim.patch(`/Users/${id}`, patchOp(operation));
    t.match({ status, scimType: body?.scimType }, { status: 400, scimType }, JSON.stringify(operation));
  }
  t.strictSame((await scim.get(`/Users/${id}`)).body, before);
  await scim.patch(`/Users/${id}`, patchOp({ op: 'remove', path: badgeUrn }));
  t.notOk(badgeUrn in (await scim.get(`/Users/${id}`)).body);
});

t.test('filters', async (t) => {
  const scim = await withSchema();
  const other = await withSchema();
  await other.create({ userName: 'foreign', [badgeUrn]: badge });
  await scim.create({ userName: 'ann', [badgeUrn]: badge });
  await scim.create({
    userName: 'bob',
    [badgeUrn]: { number: 'B-2', level: -1, escort: true, areas: ['south'] },
  });
  await scim.create({
    userName: 'cy',
    [badgeUrn]: { expires: '2028-01-01T00:00:00Z', weight: 20, level: 30 },
  });
  await scim.create({ userName: 'dan' });
  const rows: Record<string, string> = {
    'number eq "a-1"': 'ann',
    'number ne "A-1"': 'bob cy dan',
    'number pr': 'ann bob',
    'number sw "b"': 'bob',
    'number co "-"': 'ann bob',
    'areas eq "SOUTH"': 'ann bob',
    'areas ne "north"': 'bob cy dan',
    'areas pr': 'ann bob',
    'areas ew "th"': 'ann bob',
    'level eq 3': 'ann',
    'level eq "3"': 'ann',
    'level ne 3': 'bob cy dan',
    'level gt 3': 'cy',
    'level le 3': 'ann bob',
    'weight ge 1.5': 'ann cy',
    'weight lt 2': 'ann',
    'escort eq true': 'bob',
    'escort pr': 'ann bob',
    'expires gt "2027-06-01T00:00:00Z"': 'cy',
    'expires eq "2027-01-31T10:00:00Z"': 'ann',
    'expires le "2027-01-31T12:00:00+02:00"': 'ann',
    'color eq "VIOLET"': 'ann',
    'picture co "pictures"': 'ann',
    'level eq "x"': '400 invalidFilter',
    'escort gt true': '400 invalidFilter',
    'color gt "VIOLET"': '',
    'color ge "VIOLET"': 'ann',
    'areas lt "o"': 'ann',
    'number le "a-1"': 'ann',
    'unknown eq "a"': '400 invalidFilter',
  };
  t.equal(await scim.found(`${badgeUrn} pr`), 'ann bob cy');
  for (const [filter, expected] of Object.entries(rows)) {
    t.equal(await scim.found(`${badgeUrn}:${filter}`), expected, filter);
  }
  t.equal(await scim.found(`${badgeUrn}:areas eq "south" and ${badgeUrn}:areas eq "north"`), 'ann');
  t.equal(await scim.found(`not (${badgeUrn}:number eq "a-1") and userName co "b"`), 'bob');
  const unknown = await (await tenant()).found(`${badgeUrn}:number eq "a-1"`);
  t.equal(unknown, '400 invalidFilter', 'in another organization');
});

t.test('a unique value is taken once in an organization, in whatever way it comes', async (t) => {
  const scim = await withSchema();
  await scim.create({ [badgeUrn]: { number: 'One' } });
  const second = await scim.create({ [badgeUrn]: { number: 'Two' } });
  const refused = [
    await scim.post('/Users', newUser({ [badgeUrn]: { number: 'ONE' } })),
    await scim.put(
      `/Users/${second.id}`,
      newUser({ userName: second.userName, [badgeUrn]: { number: 'one' } }),
    ),
    await scim.patch(`/Users/${second.id}`, patchOp({ op: 'add', path: `${badgeUrn}:number`, value: 'one' })),
  ];
  for (const { status, body } of refused) {
    t.match({ status, ...body }, { status: 409, scimType: 'uniqueness', detail: /badge:2\.0:User:number/ });
  }
  const bulk = await scim.bulk(
    ['one', 'Three', 'THREE', 'Four'].map((number, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: String(index),
      data: newUser({ [badgeUrn]: { number } }),
    })),
  );
  t.strictSame(
    bulk.body.Operations.map(({ status }: Json) => status),
    ['409', '201', '409', '201'],
  );
  t.match(bulk.body.Operations[0].response, { scimType: 'uniqueness', detail: /:number/ });
  const races = await Promise.all(
    Array.from({ length: 8 }, () => scim.post('/Users', newUser({ [badgeUrn]: { number: 'Race' } }))),
  );
  t.strictSame(races.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
  await scim.patch(`/Users/${second.id}`, patchOp({ op: 'remove', path: `${badgeUrn}:number` }));
  t.equal((await scim.post('/Users', newUser({ [badgeUrn]: { number: 'two' } }))).status, 201, 'free again');
  await (await withSchema()).create({ [badgeUrn]: { number: 'One' } });
});

t.test('a required attribute', async (t) => {
  const scim = await tenant();
  const early = await scim.create();
  const schema = { ...badgeSchema, attributes: [extensionAttribute('number', { required: true })] };
  await putExtensionSchema(container, { orgId: scim.orgId, schema, editor });
  const missing = {
    status: 400,
    body: { scimType: 'invalidValue', detail: new RegExp(`${badgeUrn}:number`) },
  };
  t.match(await scim.post('/Users', newUser()), missing);
  t.match(await scim.put(`/Users/${early.id}`, newUser({ userName: early.userName })), missing);
  const patched = await scim.patch(
    `/Users/${early.id}`,
    patchOp({ op: 'replace', path: 'active', value: false }),
  );
  t.equal(patched.status, 204, 'a user who lacked it before can be deprovisioned');
  const { id } = await scim.create({ [badgeUrn]: { number: '1' } });
  const removed = await scim.patch(`/Users/${id}`, patchOp({ op: 'remove', path: `${badgeUrn}:number` }));
  t.match(removed, { status: 400, body: { detail: new RegExp(`${badgeUrn}:number`) } });
  const { body } = await scim.get('/ResourceTypes/User');
  t.ok(body.schemaExtensions.some((one: Json) => one.schema === badgeUrn && one.required));
});

t.test('discovery shows the schema to callers of the organization alone', async (t) => {
  const scim = await withSchema();
  const { body } = await scim.get(`/Schemas/${badgeUrn}`);
  t.match(body, { id: badgeUrn, name: 'Badge', description: 'What the gate knows' });
  const number = body.attributes.find(({ name }: Json) => name === 'number');
  t.match(number, { type: 'string', multiValued: false, uniqueness: 'server', required: false });
  t.notOk('key' in number || 'search' in number);
  const color = body.attributes.find(({ name }: Json) => name === 'color');
  t.match(color, { canonicalValues: ['red', 'green'], description: 'Of the badge' });
  const listed = await scim.get('/Schemas');
  t.ok(listed.body.Resources.some(({ id }: Json) => id === badgeUrn));
  t.equal(listed.body.totalResults, listed.body.Resources.length);
  for (const authorization of ['', 'Bearer wrong', `Bearer ${(await tenant()).token}`]) {
    t.equal((await scim.get(`/Schemas/${badgeUrn}`, { authorization })).status, 404);
    const all = (await scim.get('/Schemas', { authorization })).body.Resources;
    t.notOk(all.some(({ id }: Json) => id === badgeUrn));
    const type = (await scim.get('/ResourceTypes/User', { authorization })).body;
    t.notOk(type.schemaExtensions.some((one: Json) => one.schema === badgeUrn));
  }
});

t.test('a removed attribute is gone, and does not come back with its name', async (t) => {
  const scim = await withSchema();
  const { id } = await scim.create({ [badgeUrn]: { number: 'Old', level: 1 } });
  const without = badgeSchema.attributes.filter(({ name }) => name !== 'number');
  const change = (attributes: typeof without) =>
    putExtensionSchema(container, { orgId: scim.orgId, schema: { ...badgeSchema, attributes }, editor });
  await change(without);
  t.strictSame((await scim.get(`/Users/${id}`)).body[badgeUrn], { level: 1 });
  t.equal(await scim.found(`${badgeUrn}:number pr`), '400 invalidFilter');
  await change([...without, extensionAttribute('number', { type: 'integer' })]);
  t.strictSame((await scim.get(`/Users/${id}`)).body[badgeUrn], { level: 1 });
  t.equal(await scim.found(`${badgeUrn}:number pr`), '');
  await scim.patch(`/Users/${id}`, patchOp({ op: 'add', path: `${badgeUrn}:number`, value: 5 }));
  t.strictSame((await scim.get(`/Users/${id}`)).body[badgeUrn], { level: 1, number: 5 });
  t.strictSame(Object.values((await stored(id)).extensions), [1, 5], 'and erased with the next change');
});

t.test('the values of a user are bounded together', async (t) => {
  const attributes = ['a', 'b', 'c'].map((name) => extensionAttribute(name, { multiValued: true }));
  const scim = await withSchema({ ...badgeSchema, attributes });
  const list = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(500, 'x'));
  const { status, body } = await scim.post('/Users', newUser({ [badgeUrn]: { a: list, b: list } }));
  t.match({ status, body }, { status: 400, body: { detail: /65536 characters/ } });
  t.equal((await scim.post('/Users', newUser({ [badgeUrn]: { a: list } }))).status, 201);
});
