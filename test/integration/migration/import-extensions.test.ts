import t from 'tap';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { putExtensionSchema } from '#src/people/extension-schemas/change-extension-schemas.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';
import { badgeSchema, badgeUrn, extensionAttribute } from '../../support/scim/extension-schema.js';

/** Values of registered attributes, and unique values, in an import. */

const { container, call } = await buildTestApp(t, { workers: true });
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);

async function organizationWith(attributes = badgeSchema.attributes) {
  const { id: orgId } = await makeOrganization(container);
  await putExtensionSchema(container, { orgId, schema: { ...badgeSchema, attributes }, editor });
  return orgId;
}

const person = (name: string, values: Record<string, unknown>, more: object = {}) =>
  humanUser(name, {
    scim: {
      ...more,
      extensions: Object.entries(values).map(([key, value]) => ({ schema: badgeUrn, name: key, value })),
    },
  });

async function importInto(orgId: string, users: readonly object[], more: object = {}) {
  const body = { timeout: '2m', dataOrgs: { orgs: [{ orgId, humanUsers: users }] }, ...more };
  const { errors = [], summary } = (await call('POST /admin/v1/import', { as, body })).body;
  return {
    created: summary.created,
    skipped: summary.skipped,
    updated: summary.updated,
    errors: errors.map(({ id, message }: Record<string, string>) => `${id} ${message}`).sort(),
  };
}

t.test('values are kept, and a value without an attribute is an error', async (t) => {
  const orgId = await organizationWith();
  const users = [
    person('ext-a', { Number: 'A', areas: ['x', 'y'], level: 2, escort: true }),
    person('ext-b', { unknown: 'x' }),
    person('ext-c', { level: 'two' }),
    person('ext-d', { areas: 'one' }),
    person('ext-e', { expires: 'tomorrow' }),
    humanUser('ext-f', { scim: { extensions: [{ schema: 'urn:other', name: 'a', value: 1 }] } }),
    humanUser('ext-g', { scim: { extensions: [{ schema: badgeUrn, name: 'number', value: { a: 1 } }] } }),
  ];
  const first = await importInto(orgId, users);
  t.equal(first.created, 1);
  t.match(first.errors, [
    /^id-ext-b VALUE-INVALID: .*badge:2.0:User:unknown. Register its schema first/,
    /^id-ext-c VALUE-INVALID: .*:level has a value that is no integer/,
    /^id-ext-d VALUE-INVALID: .*:areas is a list/,
    /^id-ext-e VALUE-INVALID: .*:expires/,
    /^id-ext-f VALUE-INVALID: .*urn:other:a/,
    /^id-ext-g RECORD-INVALID/,
  ]);
  t.strictSame((await container.users.find(orgId, 'id-ext-a'))?.extensions, {
    u1: 'A',
    s2: ['x', 'y'],
    s3: 2,
    a5: true,
  });
  t.match(await importInto(orgId, users.slice(0, 1)), { created: 0, skipped: 1, errors: [] });
  const differs = await importInto(orgId, [person('ext-a', { number: 'A', level: 3 })]);
  t.match(differs.errors, [
    /OTHER-CONTENT: .* differs in (urn:\S+:badge:2.0:User:)areas, \1level, \1escort$/,
  ]);
});

t.test('an update takes the values that the file has, one by one', async (t) => {
  const orgId = await organizationWith([
    extensionAttribute('number', { required: true, unique: true }),
    extensionAttribute('floor'),
  ]);
  await importInto(orgId, [person('up-a', { number: '1', floor: 'x' }), person('up-b', { number: '2' })]);
  const update = (users: readonly object[]) => importInto(orgId, users, { update: true });
  const valuesOf = async (id: string) =>
    Object.values((await container.users.find(orgId, id))?.extensions ?? {});
  t.match(await update([person('up-a', { floor: 'y' })]), { updated: 1, errors: [] });
  t.same(await valuesOf('id-up-a'), ['1', 'y'], 'a required value need not be sent again');
  t.match(await update([person('up-a', { number: '3' }), humanUser('up-b')]), { updated: 1, skipped: 1 });
  t.same(await valuesOf('id-up-a'), ['3', 'y']);
  t.match((await update([person('up-b', { number: '3' })])).errors, [/^id-up-b VALUE-TAKEN: .*:number/]);
  t.match((await update([humanUser('up-new')])).errors, [/^id-up-new VALUE-MISSING: .*:number is required/]);
});

t.test('a required value', async (t) => {
  const orgId = await organizationWith([extensionAttribute('number', { required: true })]);
  const users = [humanUser('req-a'), person('req-b', { number: '1' })];
  const { created, errors } = await importInto(orgId, users);
  t.equal(created, 1);
  t.match(errors, [/^id-req-a VALUE-MISSING: .*:number is required/]);
});

for (const dryRun of [true, false]) {
  t.test(`unique values, ${dryRun ? 'in a dry run' : 'written'}`, async (t) => {
    const orgId = await organizationWith();
    await changeOrganization(container, { orgId, change: { uniqueExternalId: true }, editor });
    const word = dryRun ? 'dry' : 'wet';
    await importInto(orgId, [person(`${word}-0`, { number: 'Zero' }, { externalId: 'e-0' })]);
    const crowd = Array.from({ length: 600 }, (_, n) => person(`${word}-many-${n}`, { number: `N${n}` }));
    const users = [
      person(`${word}-1`, { number: 'zero' }),
      person(`${word}-2`, { number: 'Two' }),
      person(`${word}-3`, { number: 'TWO' }),
      person(`${word}-4`, {}, { externalId: 'e-0' }),
      person(`${word}-5`, {}, { externalId: 'e-5' }),
      ...crowd,
      person(`${word}-6`, { number: 'two' }),
      person(`${word}-7`, {}, { externalId: 'e-5' }),
    ];
    const { created, errors } = await importInto(orgId, users, { dryRun });
    t.equal(created, 602);
    t.equal(errors.length, 5);
    for (const error of errors) {
      t.match(error, new RegExp(`^id-${word}-[1-7] VALUE-TAKEN: .*(:number|externalId)`));
    }
    const isTaken = (number: number) =>
      errors.some((error: string) => error.startsWith(`id-${word}-${number} `));
    t.ok(isTaken(1) && isTaken(4), 'what a stored user has');
    // Parts that are written run at the same time, so that any one of these users may come first.
    t.equal([2, 3, 6].filter(isTaken).length, 2);
    t.equal([5, 7].filter(isTaken).length, 1);
    if (dryRun) t.notOk(isTaken(2) || isTaken(5), 'a dry run goes in the order of the file');
  });
}
