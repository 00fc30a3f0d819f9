import t from 'tap';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization, makeTenant, uniqueName } from '../../support/app/make.js';
import { buildAnotherApp, buildTestApp, type Call } from '../../support/app/test-app.js';

const testApp = await buildTestApp(t);
const { container, call } = testApp;
const callElsewhere = await buildAnotherApp(t, testApp);
const home = await makeOrganization(container, { id: 'home', name: 'Home' });
const owner = await makeCaller(container, home.id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);

t.test('an organization is made, read, changed and listed', async (t) => {
  const added = await call('POST /admin/v1/orgs', {
    as: owner,
    body: { id: 'org_Abc.1~x', name: ' Initech ', domains: ['Initech.example', 'initech.example'] },
  });
  t.equal(added.status, 201);
  t.equal(added.headers['location'], 'https://muster.example/admin/v1/orgs/org_Abc.1~x');
  t.match(added.body, {
    id: 'org_Abc.1~x',
    name: 'Initech',
    domains: ['initech.example'],
    passwordPolicy: { minLength: 8, upper: true, lower: true, digit: true, symbol: true },
    plainScimErrors: false,
  });
  t.equal(added.body.created, added.body.lastModified);
  const url = `/admin/v1/orgs/${added.body.id}`;
  t.same((await call(`GET ${url}`, { as: owner })).body, added.body);

  const changed = await call(`PATCH ${url}`, {
    as: owner,
    body: { name: 'Initrode', password_policy: { min_length: 12, symbol: false }, plain_scim_errors: true },
  });
  t.equal(changed.status, 200);
  t.match(changed.body, { name: 'Initrode', plainScimErrors: true, domains: ['initech.example'] });
  t.same(changed.body.passwordPolicy, {
    minLength: 12,
    upper: true,
    lower: true,
    digit: true,
    symbol: false,
  });
  t.same((await call(`GET ${url}`, { as: owner })).body, changed.body);

  const { body } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { aggregateId: added.body.id, asc: true },
  });
  t.match(body.events, [
    { type: 'org.added', sequence: 1, aggregate: { type: 'org', resourceOwner: added.body.id } },
    {
      type: 'org.changed',
      sequence: 2,
      payload: { attributes: ['name', 'passwordPolicy', 'plainScimErrors'] },
    },
  ]);
  t.same(body.events[1].editor, { userId: owner.id, service: 'admin' });
});

t.test('a change that changes nothing is no event and no new time', async (t) => {
  const url = `/admin/v1/orgs/${acme.orgId}`;
  const before = await call(`GET ${url}`, { as: acme.owner });
  const after = await call(`PATCH ${url}`, { as: acme.owner, body: { name: before.body.name } });
  t.equal(after.status, 200);
  t.same(after.body, before.body);
  const search = { aggregateId: acme.orgId, aggregateTypes: ['org'] };
  const { body } = await call('POST /admin/v1/events/_search', { as: acme.owner, body: search });
  t.equal(body.events.length, 1);
});

t.test('the list is paged, in order and without gaps', async (t) => {
  const seen: string[] = [];
  let after = '';
  let pages = 0;
  do {
    const { status, body } = await call(`GET /admin/v1/orgs?limit=2${after}`, { as: owner });
    t.equal(status, 200);
    t.ok(body.items.length <= 2);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    after = body.next === undefined ? '' : `&after=${encodeURIComponent(body.next)}`;
    pages++;
  } while (after !== '');
  t.ok(pages > 1);
  t.same(seen, [...new Set(seen)].sort());
  for (const id of [home.id, acme.orgId, other.orgId]) t.ok(seen.includes(id));
});

t.test('an organization owner sees and changes only that organization', async (t) => {
  const list = await call('GET /admin/v1/orgs', { as: acme.owner });
  t.same(
    list.body.items.map(({ id }: { id: string }) => id),
    [acme.orgId],
  );
  t.notOk('next' in list.body);
  t.equal((await call(`PATCH /admin/v1/orgs/${acme.orgId}`, { as: acme.owner, body: {} })).status, 200);
  for (const orgId of [other.orgId, 'nowhere']) {
    for (const request of [`GET /admin/v1/orgs/${orgId}`, `PATCH /admin/v1/orgs/${orgId}`]) {
      const { status, body } = await call(request, { as: acme.owner, body: { name: 'Mine' } });
      t.match({ status, id: body.id }, { status: 404, id: 'directory.organizationNotFound' }, request);
    }
  }
  t.equal((await call('GET /admin/v1/orgs/nowhere', { as: owner })).status, 404);
});

t.test('lesser roles are refused', async (t) => {
  const url = `/admin/v1/orgs/${acme.orgId}`;
  const refused = [
    [`GET ${url}`, acme.viewer],
    [`PATCH ${url}`, acme.manager],
    ['GET /admin/v1/orgs', acme.manager],
    ['POST /admin/v1/orgs', acme.owner],
  ] as const;
  for (const [request, as] of refused) {
    const sent = request.startsWith('GET') ? {} : { body: { name: 'X' } };
    const { status, body } = await call(request, { as, ...sent });
    t.match({ status, id: body.id }, { status: 403, id: 'tokens.permissionMissing' }, request);
  }
});

t.test('no or a bad token is 401 and asks for a bearer token, whatever else is wrong', async (t) => {
  const headers = [
    {},
    { authorization: 'Bearer nonsense' },
    { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
    { authorization: `Bearer ${owner.token}x` },
    { authorization: `Bearer mpat_${owner.id}.` },
  ];
  for (const header of headers) {
    for (const request of ['GET /admin/v1/orgs', 'POST /admin/v1/orgs', 'GET /admin/v1/orgs/nowhere']) {
      const answer = await call(request, { headers: header, body: '{' });
      t.equal(answer.status, 401, request);
      t.equal(answer.headers['www-authenticate'], 'Bearer');
      t.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    }
  }
});

t.test('bad values are named', async (t) => {
  const cases: [unknown, RegExp][] = [
    [{}, /name/],
    [{ name: '' }, /name is required/],
    [{ name: ' \t ' }, /name is required/],
    [{ name: 5 }, /body\/name must be string/],
    [{ name: null }, /body\/name must be string/],
    [{ name: 'x'.repeat(201) }, /more than 200/],
    [{ name: 'a\u0000b' }, /control/],
    [{ name: 'X', color: 'red' }, /no property "color"/],
    [{ name: 'X', passwordPolicy: { minLength: 7 } }, /minLength must be >= 8/],
    [{ name: 'X', passwordPolicy: { minLength: 8.5 } }, /minLength/],
    [{ name: 'X', passwordPolicy: { upper: 'true' } }, /upper must be boolean/],
    [{ name: 'X', passwordPolicy: { length: 9 } }, /no property "length"/],
    [{ name: 'X', domains: ['a b'] }, /domains\[0\]/],
    [{ name: 'X', domains: ['ok.example', 'localhost'] }, /domains\[1\]/],
    [{ name: 'X', domains: 'a.example' }, /domains must be array/],
    [{ name: 'X', id: '' }, /id must be/],
    [{ name: 'X', id: '..' }, /id must be/],
    [{ name: 'X', id: 'a/b' }, /id must be/],
    [{ name: 'X', id: '*' }, /id must be/],
    [{ name: 'X', id: 'x'.repeat(101) }, /id must be/],
    [{ name: 'X', passwordPolicy: {}, password_policy: {} }, /two spellings/],
    ['[]', /must be object/],
    ['null', /must be object/],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested too deeply/],
    [`{"name":${'{"a":'.repeat(30)}1${'}'.repeat(30)}}`, /nested too deeply/],
    ['{', /JSON/],
    ['{"name":"X","__proto__":{}}', /JSON/],
  ];
  for (const [body, detail] of cases) {
    const answer = await call('POST /admin/v1/orgs', { as: owner, body });
    t.equal(answer.status, 400, JSON.stringify(body));
    t.match(answer.body.detail, detail);
    t.match(answer.body, { type: /^urn:muster:error:/, status: 400 });
  }
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=a&after=b']) {
    t.equal((await call(`GET /admin/v1/orgs?${query}`, { as: owner })).status, 400, query);
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  t.equal((await call('POST /admin/v1/orgs', { as: owner, body: 'name=X', headers: form })).status, 415);
});

t.test('identifiers and domains are taken once', async (t) => {
  const domains = ['taken.example'];
  t.equal((await call('POST /admin/v1/orgs', { as: owner, body: { name: 'First', domains } })).status, 201);
  const attempts: [string, unknown][] = [
    ['POST /admin/v1/orgs', { name: 'Second', domains: ['TAKEN.example'] }],
    ['POST /admin/v1/orgs', { name: 'Second', id: home.id }],
    [`PATCH /admin/v1/orgs/${acme.orgId}`, { domains: ['free.example', 'taken.example'] }],
  ];
  for (const [request, body] of attempts) {
    const answer = await call(request, { as: owner, body });
    t.match(
      { status: answer.status, id: answer.body.id },
      { status: 409, id: 'directory.organizationExists' },
      request,
    );
  }
});

t.test('a changed password policy holds at once, in every process', async (t) => {
  const { orgId, owner: tenantOwner } = await makeTenant(container);
  const addUser = async (through: Call) => {
    const userName = uniqueName('ada');
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: `${userName}@example.com` }],
      password: 'Twelve-Chars1',
    };
    return (await through(`POST /scim/v2/${orgId}/Users`, { as: tenantOwner, body })).status;
  };
  t.same([await addUser(call), await addUser(callElsewhere)], [201, 201]);
  const body = { passwordPolicy: { minLength: 20 } };
  t.equal((await call(`PATCH /admin/v1/orgs/${orgId}`, { as: tenantOwner, body })).status, 200);
  t.equal(await addUser(call), 400);
  await until(async () => (await addUser(callElsewhere)) === 400);
});

t.test('many changes at once are all made', async (t) => {
  const url = `/admin/v1/orgs/${other.orgId}`;
  const changes = [{ name: 'Together' }, { domains: ['one.example'] }, { passwordPolicy: { minLength: 20 } }];
  const answers = await Promise.all(changes.map((body) => call(`PATCH ${url}`, { as: owner, body })));
  for (const answer of answers) t.equal(answer.status, 200);
  t.match((await call(`GET ${url}`, { as: other.owner })).body, {
    name: 'Together',
    domains: ['one.example'],
    passwordPolicy: { minLength: 20 },
  });
});

t.test('there is nothing at other addresses', async (t) => {
  for (const request of ['GET /admin/v1', 'GET /admin/v1/nothing', 'GET /admin/v1/orgs/x/y/z']) {
    const answer = await call(request, { as: owner });
    t.equal(answer.status, 404, request);
    t.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    t.match(answer.body, { id: 'http.notFound', status: 404 });
  }
});

t.test('an address that takes other methods names them', async (t) => {
  for (const [request, allow] of [
    ['DELETE /admin/v1/orgs', 'GET, HEAD, POST'],
    ['PUT /admin/v1/orgs/x', 'GET, HEAD, PATCH'],
  ] as const) {
    const answer = await call(request, { as: owner });
    t.match(answer, { status: 405, headers: { allow }, body: { id: 'http.methodNotAllowed' } }, request);
    t.equal((await call(request)).status, 401, 'whoever shows no token is told nothing');
  }
});

t.test('domains are given by the owner of the instance: names under them are resolved first', async (t) => {
  const { orgId, owner: own } = await makeTenant(container);
  const url = `PATCH /admin/v1/orgs/${orgId}`;
  t.equal((await call(url, { as: own, body: { domains: ['mail.example'] } })).status, 403);
  t.equal((await call(url, { as: own, body: { name: 'Renamed' } })).status, 200);
  t.equal((await call(url, { as: owner, body: { domains: ['mail.example'] } })).status, 200);
});

t.test('a body that is not JSON is told apart from a wrong one', async (t) => {
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
    const request = { as: owner, body: 'name=X', headers: { 'content-type': type } };
    t.match(await call('POST /admin/v1/orgs', request), { status: 415, body: { id: 'http.notJson' } }, type);
  }
  const json = { as: owner, body: { name: uniqueName('Json') } };
  t.equal((await call('POST /admin/v1/orgs', json)).status, 201);
});
