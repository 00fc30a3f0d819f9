import t from 'tap';
import { makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

/** An error names every value that is refused, with an identifier and parameters for texts in other languages. */

const { container, call } = await buildTestApp(t);
const { orgId, owner: as } = await makeTenant(container);
const instanceOwner = await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);
const org = `/admin/v1/orgs/${orgId}`;
const scim = `/scim/v2/${orgId}/Users`;
const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const detail = 'urn:ietf:params:scim:api:service:messages:2.0:ErrorDetail';

interface Refused {
  readonly pointer?: string;
  readonly path?: string;
  readonly id: string;
  readonly params?: object;
}
/** The place, the rule and its parameters of each error. */
const shortOf = (errors: readonly Refused[]) =>
  errors.map(({ pointer, path, id, params }) => [pointer ?? path, id, ...(params ? [params] : [])]);

t.test('a schema names all values that it refuses', async (t) => {
  const body = {
    login: { brandColor: 7, selfRegistration: 'yes' },
    passwordPolicy: { minLength: 3 },
    quotas: { users: -1, groups: 'many' },
    'a/b~c': 1,
  };
  const answer = await call(`PATCH ${org}`, { as, body });
  t.match(answer, { status: 400, body: { id: 'http.bodyMalformed' } });
  t.same(
    shortOf(answer.body.errors).sort(),
    [
      ['#/login/brandColor', 'value.type', { expected: 'string' }],
      ['#/login/selfRegistration', 'value.type', { expected: 'boolean' }],
      ['#/passwordPolicy/minLength', 'value.tooSmall', { least: 8 }],
      ['#/quotas/groups', 'value.type', { expected: 'integer' }],
      ['#/quotas/users', 'value.tooSmall', { least: 0 }],
      ['#/a~1b~0c', 'value.unknown'],
    ].sort(),
  );
});

t.test('a missing value is named at its own place', async (t) => {
  const answer = await call(`POST ${org}/applications`, { as, body: { redirectUris: 'https://a.example' } });
  const errors = shortOf(answer.body.errors);
  t.same(errors, [
    ['#/name', 'value.required'],
    ['#/type', 'value.required'],
    ['#/redirectUris', 'value.type', { expected: 'array' }],
  ]);
});

t.test('the rules behind the schema are collected, and the first error is what it was', async (t) => {
  const body = {
    name: ' ',
    type: 'web',
    groupsClaimSelection: 'assigned',
    redirectUris: ['https://a.example/', 'http://b.example/', 'https://c.example/#x', 'https://ü.example/'],
  };
  const answer = await call(`POST ${org}/applications`, { as, body });
  t.match(answer, { status: 400, body: { id: 'directory.valueMissing' } });
  t.match(answer.body.detail, /^groupsClaimSelection assigned needs projectId/);
  t.same(shortOf(answer.body.errors), [
    ['#/groupsClaimSelection', 'value.projectForGroups'],
    ['#/name', 'value.required'],
    ['#/redirectUris/1', 'value.uriHttps'],
    ['#/redirectUris/2', 'value.uriFragment'],
    ['#/redirectUris/3', 'value.uriAscii', { ascii: 'https://xn--tda.example/' }],
  ]);
});

t.test('an error of one attribute names it', async (t) => {
  const body = { userName: 'robot', name: 'Robot' };
  await call(`POST ${org}/service-users`, { as, body });
  const answer = await call(`POST ${org}/service-users`, { as, body });
  t.match(answer, { status: 409, body: { id: 'directory.clientIdTaken' } });
  t.same(shortOf(answer.body.errors), [['#/userName', 'directory.clientIdTaken']]);
  const gone = await call(`GET ${org}/groups-of-nobody`, { as });
  t.notOk('errors' in gone.body, 'an error about no value has none');
});

t.test('SCIM names every attribute to a client that asks for it, and nothing more to others', async (t) => {
  const schema = 'urn:example:scim:badge:2.0:User';
  const attributes = [
    { name: 'level', type: 'integer', required: true },
    { name: 'since', type: 'dateTime' },
    { name: 'desk', type: 'string', required: true },
  ];
  await call(`PUT ${org}/extension-schemas/${schema}`, { as, body: { name: 'Badge', attributes } });
  const wrong = {
    name: { givenName: 5 },
    emails: [{ value: 'nobody' }, { value: 'a@b.example' }, { value: 'x y@b.example' }],
    profileUrl: 'ftp://x',
    timezone: 'Europe/Nowhere',
    [schema]: { level: 'high', since: 'yesterday' },
  };
  const body = { schemas: [user, schema], ...wrong };
  const usual = await call(`POST ${scim}`, { as, body });
  t.same(Object.keys(usual.body[detail]), ['id', 'message'], 'the usual body stays');
  const answer = await call(`POST ${scim}`, { as, body, headers: { prefer: 'all-errors' } });
  t.equal(answer.body.detail, usual.body.detail);
  const errors = shortOf(answer.body[detail].errors);
  for (const expected of [
    ['emails.value', 'value.emailAddress'],
    ['profileUrl', 'value.webAddress'],
    ['timezone', 'value.timeZone'],
    ['userName', 'value.required'],
    [`${schema}:desk`, 'value.required'],
    [`${schema}:level`, 'value.type', { expected: 'integer' }],
    [`${schema}:since`, 'value.type', { expected: 'dateTime' }],
  ])
    t.ok(
      errors.some((error) => JSON.stringify(error) === JSON.stringify(expected)),
      `${expected}`,
    );
  t.equal(errors.length, 7, 'each is there once');

  const good = { schemas: [user, schema], userName: 'ann', [schema]: { level: 1, desk: 'a' } };
  const { id } = (await call(`POST ${scim}`, { as, body: good })).body;
  const Operations = [
    { op: 'replace', path: 'timezone', value: 'May' },
    { op: 'replace', path: `${schema}:level`, value: 'low' },
    { op: 'replace', path: 'emails', value: [{ value: '@' }] },
    { op: 'remove', path: `${schema}:desk` },
  ];
  const patch = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
  const patched = await call(`PATCH ${scim}/${id}`, { as, body: patch, headers: { prefer: 'all-errors' } });
  t.same(shortOf(patched.body[detail].errors).sort(), [
    ['emails.value', 'value.emailAddress'],
    ['timezone', 'value.timeZone'],
    [`${schema}:desk`, 'value.required'],
    [`${schema}:level`, 'value.type', { expected: 'integer' }],
  ]);
});

t.test(
  'a plain organization names them too when it is asked, and a password is judged beside the rest',
  async (t) => {
    const plain = await makeTenant(container);
    const change = { plainScimErrors: true };
    await call(`PATCH /admin/v1/orgs/${plain.orgId}`, { as: instanceOwner, body: change });
    const body = { schemas: [user], userName: 'bob', password: 'short', profileUrl: 'x' };
    const path = `/scim/v2/${plain.orgId}/Users`;
    t.notOk(detail in (await call(`POST ${path}`, { as: plain.owner, body })).body);
    const answer = await call(`POST ${path}`, { as: plain.owner, body, headers: { prefer: 'all-errors' } });
    t.match(shortOf(answer.body[detail].errors), [
      ['profileUrl', 'value.webAddress'],
      ['password', 'value.tooShort', { least: 8 }],
    ]);
    t.notMatch(JSON.stringify(answer.body), '"short"', 'the password is in no error');
  },
);

t.test('a hostile body gets a bounded error', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`${at}${'x'.repeat(20)}`, at]));
  const answer = await call(`PATCH ${org}`, { as, body: many });
  t.equal(answer.status, 400);
  t.ok(answer.body.errors.length <= 30, `${answer.body.errors.length}`);
  const redirectUris = Array.from({ length: 100 }, (_, at) => `http://${at}.example/${'a'.repeat(1_900)}`);
  const body = { name: 'x', type: 'web', redirectUris };
  t.equal((await call(`POST ${org}/applications`, { as, body })).body.errors.length, 30);
});
