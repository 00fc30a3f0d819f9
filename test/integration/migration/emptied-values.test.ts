import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import { convertZitadel } from '#src/migration/convert/zitadel/convert-zitadel.js';
import type { Json } from '../../../dev/stage/http-client.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { conversion, folderOf } from '../../support/migration/convert-file.js';
import { humanUser, importOf } from '../../support/migration/imports.js';

/** A delta before the cut-over empties what the source no longer has, and leaves what it never had. People are invented. */

const { container, call } = await buildTestApp(t, { workers: true });
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);

const send = async (body: Json, more: object = {}): Promise<Json> =>
  (await call('POST /admin/v1/import', { as, body: { ...body, ...more } })).body;
const verify = async (body: Json): Promise<Json> => (await call('POST /admin/v1/verify', { as, body })).body;

/** Sets values here, as a client of SCIM does. */
async function change(orgId: string, id: string, values: object) {
  const Operations = [{ op: 'replace', value: values }];
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
  const { status } = await call(`PATCH /scim/v2/${orgId}/Users/${id}`, { as, body: { schemas, Operations } });
  return status;
}

/** A person of each system, with a value that goes. Each has an address that stays. */
const systems: Record<string, { before: unknown; after: unknown; gone: string; map?: string }> = {
  okta: {
    before: [
      { id: 'o1', profile: { login: 'ada', email: 'ada@o.example', title: 'Chief', lastName: 'Lind' } },
    ],
    after: [{ id: 'o1', profile: { login: 'ada', email: 'ada@o.example', lastName: 'Lind' } }],
    gone: 'title',
  },
  kratos: {
    before: [{ id: 'k1', traits: { username: 'ada', email: 'ada@k.example', phone: '+4930123456' } }],
    after: [{ id: 'k1', traits: { username: 'ada', email: 'ada@k.example' } }],
    gone: 'phoneNumbers',
  },
  firebase: {
    before: { users: [{ localId: 'f1', email: 'ada@f.example', photoUrl: 'https://f.example/ada.jpg' }] },
    after: { users: [{ localId: 'f1', email: 'ada@f.example' }] },
    gone: 'photos',
  },
  fusionauth: {
    before: { users: [{ id: 'u1', username: 'ada', email: 'ada@u.example', birthDate: '1990-01-02' }] },
    after: { users: [{ id: 'u1', username: 'ada', email: 'ada@u.example' }] },
    gone: 'birthdate',
  },
  cognito: {
    before: {
      Users: [
        {
          Username: 'ada',
          Attributes: [
            { Name: 'email', Value: 'ada@c.example' },
            { Name: 'sub', Value: 'c1' },
            { Name: 'zoneinfo', Value: 'Europe/Berlin' },
          ],
        },
      ],
    },
    after: {
      Users: [
        {
          Username: 'ada',
          Attributes: [
            { Name: 'email', Value: 'ada@c.example' },
            { Name: 'sub', Value: 'c1' },
          ],
        },
      ],
    },
    gone: 'timezone',
  },
  entra: {
    before: { value: [{ id: 'e1', userPrincipalName: 'ada', mail: 'ada@e.example', department: 'Sales' }] },
    after: { value: [{ id: 'e1', userPrincipalName: 'ada', mail: 'ada@e.example', department: null }] },
    gone: 'department',
  },
  ldif: {
    before: 'dn: uid=ada,dc=x\nobjectClass: inetOrgPerson\nuid: ada\nmail: ada@l.example\ntitle: Chief\n',
    after: 'dn: uid=ada,dc=x\nobjectClass: inetOrgPerson\nuid: ada\nmail: ada@l.example\n',
    gone: 'title',
  },
  csv: {
    before: 'userName,email,title\nada,ada@t.example,Chief\n',
    after: 'userName,email,title\nada,ada@t.example,\n',
    gone: 'title',
  },
};

for (const [system, { before, after, gone }] of Object.entries(systems)) {
  t.test(`${system}: a value that the source no longer has`, async (t) => {
    const { id: orgId } = await makeOrganization(container);
    const bodyOf = async (given: unknown): Promise<Json> => {
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      return (await conversion(t, text, { system, orgId, emailVerified: true })).body;
    };
    const first = await bodyOf(before);
    t.match(await send(first), { errors: undefined, summary: { created: 1 } });
    const [{ id }] = await peopleOf(orgId);
    t.ok((await userOf(orgId, id))[gone] !== undefined, 'it came');
    // What the source never had.
    t.equal(await change(orgId, id, { nickName: 'Addy', userType: 'guest' }), 204);
    const second = await bodyOf(after);
    t.match(await send(second, { update: true, dryRun: true }), {
      errors: undefined,
      summary: { updated: 1 },
    });
    t.match(await send(second, { update: true }), { errors: undefined, summary: { updated: 1 } });
    const user = await userOf(orgId, id);
    t.notOk(gone in user, 'it is gone');
    t.match(user, { nickName: 'Addy', userType: 'guest' }, 'what the source never had stays');
    t.match(await send(second, { update: true }), { summary: { updated: 0, skipped: 1 } }, 'once');
    await change(orgId, id, { nickName: null, userType: null });
    t.match(await verify(second), { isSame: true });
  });
}

const peopleOf = async (orgId: string): Promise<Json[]> =>
  (await call(`GET /scim/v2/${orgId}/Users`, { as })).body.Resources;
const userOf = async (orgId: string, id: string): Promise<Json> => container.users.find(orgId, id);

/** Converts two documents one after the other, and imports both. Returns the person afterwards. */
async function delta(
  t: Test,
  documents: readonly unknown[],
  convert: (input: string, output: { path: string; orgId: string }) => Promise<unknown>,
) {
  const { id: orgId, name } = await makeOrganization(container);
  const folder = folderOf(t);
  for (const [index, document] of documents.entries()) {
    const [input, path] = [join(folder, `${index}`), join(folder, `${index}.out`)];
    writeFileSync(input, JSON.stringify(document).replaceAll('ORG', orgId).replace('NAME', name));
    await convert(input, { path, orgId });
    const body = JSON.parse(readFileSync(path, 'utf8'));
    t.match(await send(body, index > 0 ? { update: true } : {}), { errors: undefined });
    if (index === 0) continue;
    t.match(await verify(body), { isSame: true });
  }
  return (await peopleOf(orgId))[0];
}

t.test('Keycloak, Auth0 and ZITADEL', async (t) => {
  const flags = { emailVerified: true, skipInvalid: false, strict: false };
  const form = { timeout: '1m', multiline: false };
  const realm = (more: object) => ({
    users: [{ id: 'ORG-k', username: 'kai', email: 'kai@k.example', ...more }],
  });
  const kai = await delta(
    t,
    [realm({ firstName: 'Kai', lastName: 'Lind' }), realm({ firstName: 'Kai' })],
    (input, output) => convertKeycloak({ realm: [input], ...flags }, { ...output, ...form }),
  );
  t.same([kai.name.givenName, kai.name.familyName], ['Kai', undefined]);
  const auth0 = (more: object) => ({ user_id: 'auth0|ORG', email: 'ann@a.example', ...more });
  const ann = await delta(t, [auth0({ nickname: 'Anni' }), auth0({})], (input, output) => {
    writeFileSync(`${input}.hashes`, '');
    return convertAuth0({ users: input, passwords: `${input}.hashes`, ...flags }, { ...output, ...form });
  });
  t.equal(ann.nickName, undefined);
  const zitadel = (profile: object) => ({
    orgs: [
      {
        orgId: 'ORG',
        org: { name: 'NAME' },
        humanUsers: [
          { userId: 'ORG-z', user: { userName: 'zoe', profile, email: { email: 'zoe@z.example' } } },
        ],
      },
    ],
  });
  const zoe = await delta(
    t,
    [zitadel({ firstName: 'Zoe', nickName: 'Zo' }), zitadel({ firstName: 'Zoe' })],
    (input, output) => convertZitadel({ export: input, ...flags }, { ...output, ...form }),
  );
  t.same([zoe.name.givenName, zoe.nickName], ['Zoe', undefined]);
});

t.test('a column or attribute that the file does not have says nothing', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const convert = async (system: string, text: string): Promise<Json> =>
    (await conversion(t, text, { system, orgId, emailVerified: true })).body;
  await send(await convert('csv', 'userName,email,title\nada,ada@t.example,Chief\n'));
  await send(await convert('csv', 'userName,email\nada,ada.lind@t.example\n'), { update: true });
  const [ada] = await peopleOf(orgId);
  t.match(ada, { title: 'Chief', emails: [{ value: 'ada.lind@t.example' }] });
  const graph = (more: object) =>
    JSON.stringify({
      value: [{ id: `${orgId}-e`, userPrincipalName: 'eve', mail: 'eve@e.example', ...more }],
    });
  await send(await convert('entra', graph({ jobTitle: 'Chief' })));
  await send(await convert('entra', graph({ givenName: 'Eve' })), { update: true });
  t.match(await userOf(orgId, `${orgId}-e`), { title: 'Chief', name: { givenName: 'Eve' } });
});

t.test('what was changed here since, and what a file must not say', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const record = humanUser('mia', { userId: `${orgId}-m`, scim: { title: 'Chief', userType: 'staff' } });
  await send(importOf(orgId, [record]));
  await change(orgId, `${orgId}-m`, { title: 'Boss' });
  const stated = { update: true, statedAttributes: ['scim.title', 'scim.userType', 'profile.firstName'] };
  t.match(await send(importOf(orgId, [humanUser('mia', { userId: `${orgId}-m` })], stated)), {
    summary: { updated: 1 },
  });
  t.match(await userOf(orgId, `${orgId}-m`), {
    title: 'Boss',
    userType: undefined,
    name: { givenName: 'First' },
  });
  for (const statedAttributes of [
    ['scim.active'],
    ['user.hashedPassword'],
    'scim.title',
    [7],
    Array(500).fill('email'),
    ['__proto__'],
  ]) {
    const { status, body } = await call('POST /admin/v1/import', {
      as,
      body: importOf(orgId, [record], { statedAttributes }),
    });
    t.match([status, body.id], [400, 'import.bodyMalformed'], JSON.stringify(statedAttributes).slice(0, 50));
  }
});
