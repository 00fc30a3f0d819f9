import t from 'tap';
import { makeTenant } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { serve } from '../../support/app/test-app.js';
import { badgeSchema, badgeUrn } from '../../support/scim/extension-schema.js';
import { newUser, patchOp } from '../../support/scim/scim-client.js';

/** Registering schemas, and making the externalId unique. */

const { container, call, tenant, client, openAnother } = await openScim(t);
const acme = await makeTenant(container);
const as = acme.owner;
const schemas = `/admin/v1/orgs/${acme.orgId}/extension-schemas`;
const { id: _id, ...badge } = badgeSchema;
const put = (id: string, body: object) => call(`PUT ${schemas}/${encodeURIComponent(id)}`, { as, body });
const attributesOf = (count: number, settings: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `a${index}`, type: 'string', ...settings }));

t.test('schemas are added, read, replaced and removed', async (t) => {
  const added = await put(badgeUrn, badge);
  t.equal(added.status, 200, JSON.stringify(added.body));
  const searchable = badgeSchema.attributes.map((attribute) =>
    attribute.unique ? { ...attribute, searchable: true } : attribute,
  );
  t.strictSame(added.body, { ...badgeSchema, attributes: searchable }, 'what is unique is searchable');
  t.strictSame((await call(`GET ${schemas}`, { as })).body, { items: [added.body] });
  t.strictSame((await call(`GET ${schemas}/${badgeUrn.toUpperCase()}`, { as })).body, added.body);
  const renamed = {
    name: 'Gate',
    attributes: [{ name: 'Number', type: 'string', unique: true, required: true }],
  };
  t.match((await put(badgeUrn, renamed)).body, {
    name: 'Gate',
    description: '',
    attributes: [{ name: 'Number', type: 'string', unique: true, required: true }],
  });
  const events = await call('POST /admin/v1/events/_search', {
    as,
    body: { eventTypes: ['org.changed'], limit: 1 },
  });
  t.match(events.body.events, [{ payload: { attributes: ['extensionSchemas'] } }]);
  t.equal((await call(`DELETE ${schemas}/${badgeUrn}`, { as })).status, 204);
  for (const request of [`GET ${schemas}/${badgeUrn}`, `DELETE ${schemas}/${badgeUrn}`]) {
    t.equal((await call(request, { as })).status, 404);
  }
  t.strictSame((await call(`GET ${schemas}`, { as })).body, { items: [] });
});

t.test('what cannot be registered', async (t) => {
  const one = attributesOf(1);
  const rows: [id: string, body: object, status: number, detail: RegExp][] = [
    ['urn:ietf:params:scim:schemas:core:2.0:User', { name: 'x', attributes: one }, 400, /of SCIM/],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      { name: 'x', attributes: one },
      400,
      /of SCIM/,
    ],
    ['URN:scim:schemas:core:1.0', { name: 'x', attributes: one }, 400, /of SCIM/],
    ['http://example.com', { name: 'x', attributes: one }, 400, /URN/],
    ['urn:x:a b', { name: 'x', attributes: one }, 400, /URN/],
    [`urn:xx:${'a'.repeat(194)}`, { name: 'x', attributes: one }, 400, /schemaId/],
    ['urn:xx:a', { name: ' ', attributes: one }, 400, /name is required/],
    ['urn:xx:a', { name: 'x', attributes: [] }, 400, /attributes/],
    ['urn:xx:a', { name: 'x', attributes: [{ name: '$ref', type: 'string' }] }, 400, /\$ref/],
    ['urn:xx:a', { name: 'x', attributes: [{ name: 'constructor', type: 'string' }] }, 400, /constructor/],
    ['urn:xx:a', { name: 'x', attributes: [{ name: '__proto__', type: 'string' }] }, 400, /__proto__/],
    ['urn:xx:a', { name: 'x', attributes: [{ name: 'a', type: 'complex' }] }, 400, /type/],
    [
      'urn:xx:a',
      { name: 'x', attributes: [{ name: 'a', type: 'boolean', searchable: true }] },
      400,
      /searchable/,
    ],
    [
      'urn:xx:a',
      { name: 'x', attributes: [{ name: 'a', type: 'integer', multiValued: true }] },
      400,
      /multiValued/,
    ],
    [
      'urn:xx:a',
      { name: 'x', attributes: attributesOf(1, { multiValued: true, unique: true }) },
      400,
      /unique/,
    ],
    ['urn:xx:a', { name: 'x', attributes: [...one, { name: 'A0', type: 'string' }] }, 400, /two attributes/],
    ['urn:xx:a', { name: 'x', attributes: attributesOf(1, { canonicalValues: ['\u0000'] }) }, 400, /control/],
    [
      'urn:xx:a',
      { name: 'x', attributes: attributesOf(21, { searchable: true }) },
      409,
      /at most 20 searchable/,
    ],
    ['urn:xx:a', { name: 'x', attributes: attributesOf(6, { unique: true }) }, 409, /at most 5 unique/],
  ];
  for (const [id, body, status, detail] of rows) {
    t.match(await put(id, body), { status, body: { detail } }, `${id} ${JSON.stringify(body).slice(0, 100)}`);
  }
  const long = attributesOf(100, {
    description: 'd'.repeat(500),
    canonicalValues: Array(10).fill('v'.repeat(90)),
  });
  t.match(await put('urn:xx:a', { name: 'x', attributes: long }), {
    status: 409,
    body: { detail: /at most 65536 characters together/ },
  });
  t.equal((await put('urn:xx:a', { name: 'x', attributes: one })).status, 200);
  t.match(await put('urn:xx:a.b', { name: 'x', attributes: one }), {
    status: 400,
    body: { detail: /one begins with the other/ },
  });
  t.match(await put('urn:XX:A:b', { name: 'x', attributes: one }), {
    status: 400,
    body: { detail: /begins with/ },
  });
  const changed = await put('urn:xx:a', {
    name: 'x',
    attributes: [{ name: 'A0', type: 'integer', searchable: true }],
  });
  t.match(changed, { status: 409, body: { detail: /type and searchable cannot change/ } });
  for (let index = 0; index < 9; index++) {
    t.equal((await put(`urn:yy:s${index}`, { name: 'x', attributes: attributesOf(11) })).status, 200);
  }
  t.match(await put('urn:yy:last', { name: 'x', attributes: one }), {
    status: 409,
    body: { detail: /10 schemas/ },
  });
  t.match(await put('urn:yy:s1', { name: 'x', attributes: attributesOf(12) }), {
    status: 409,
    body: { detail: /100 attributes.*101/ },
  });
});

t.test('two administrators at once lose nothing', async (t) => {
  const place = `/admin/v1/orgs/${(await makeTenant(container)).orgId}/extension-schemas`;
  const owner = await client({ orgId: place.split('/')[4] ?? '' });
  const answers = await Promise.all(
    ['urn:zz:a', 'urn:zz:b', 'urn:zz:c'].map((id) =>
      call(`PUT ${place}/${id}`, { as: owner, body: { name: 'x', attributes: attributesOf(2) } }),
    ),
  );
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  const { items } = (await call(`GET ${place}`, { as: owner })).body;
  t.equal(items.length, 3);
});

t.test('a unique externalId', async (t) => {
  const scim = await tenant();
  const address = `/admin/v1/orgs/${scim.orgId}`;
  const set = (uniqueExternalId: boolean) =>
    call(`PATCH ${address}`, { as: scim, body: { uniqueExternalId } });
  const first = await scim.create({ externalId: 'same' });
  const second = await scim.create({ externalId: 'same' });
  t.match(await set(true), { status: 409, body: { detail: /"same"/ } });
  await scim.patch(`/Users/${second.id}`, patchOp({ op: 'replace', path: 'externalId', value: 'other' }));
  t.match(await set(true), { status: 200, body: { uniqueExternalId: true } });
  const taken = { status: 409, body: { scimType: 'uniqueness', detail: /externalId/ } };
  t.match(await scim.post('/Users', newUser({ externalId: 'same' })), taken, 'a user who was there before');
  const change = patchOp({ op: 'replace', path: 'externalId', value: 'same' });
  t.match(await scim.patch(`/Users/${second.id}`, change), taken);
  const races = await Promise.all(
    Array.from({ length: 6 }, () => scim.post('/Users', newUser({ externalId: 'race' }))),
  );
  t.strictSame(races.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
  t.equal((await scim.post('/Users', newUser({ externalId: 'SAME' }))).status, 201, 'letter case counts');
  t.equal(
    (await scim.put(`/Users/${first.id}`, newUser({ userName: first.userName, externalId: 'same' }))).status,
    200,
  );
  await scim.delete(`/Users/${first.id}`);
  t.equal((await scim.post('/Users', newUser({ externalId: 'same' }))).status, 201, 'free after a removal');
  await set(false);
  const third = await scim.create({ externalId: 'free' });
  t.equal((await scim.post('/Users', newUser({ externalId: 'free' }))).status, 201);
  t.equal(third.externalId, 'free');
});

t.test('a create that began before the externalId became unique', async (t) => {
  const scim = await tenant();
  const address = `/admin/v1/orgs/${scim.orgId}`;
  const other = await openAnother();
  const { batchNewUser } = other;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  Object.assign(other, {
    async batchNewUser(...given: Parameters<typeof batchNewUser>) {
      begin();
      await held;
      return batchNewUser(...given);
    },
  });
  const { call: callOther } = await serve(t, other);
  const first = await scim.create({ externalId: 'late' });
  const late = callOther(`POST /scim/v2/${scim.orgId}/Users`, {
    as: scim,
    body: newUser({ externalId: 'late' }),
  });
  await begun;
  const turnOn = () => call(`PATCH ${address}`, { as: scim, body: { uniqueExternalId: true } });
  const turnedOn = turnOn();
  const isOn = async () => (await call(`GET ${address}`, { as: scim })).body.uniqueExternalId;
  while (!(await isOn())) await new Promise((resolve) => setTimeout(resolve, 10));
  release();
  t.equal((await late).status, 201);
  t.match(await turnedOn, {
    status: 409,
    headers: { 'x-error-id': 'directory.externalIdsShared' },
    body: { detail: /"late".*off again/ },
  });
  t.equal(await isOn(), false, 'otherwise one of the two users could not be changed any more');
  await scim.delete(`/Users/${first.id}`);
  t.match(await turnOn(), { status: 200, body: { uniqueExternalId: true } });
  const again = { as: scim, body: newUser({ externalId: 'late' }) };
  t.equal((await callOther(`POST /scim/v2/${scim.orgId}/Users`, again)).status, 409);
});
