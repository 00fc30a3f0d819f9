import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import { changeGroupRoles } from '#src/people/groups/change-group-roles.js';
import type { Json } from '../../../dev/stage/http-client.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { conversion, folderOf } from '../../support/migration/convert-file.js';
import { humanUser } from '../../support/migration/imports.js';

/** Two customers bring the same files, and one customer brings its file under other identifiers. People are invented. */

const { container, call } = await buildTestApp(t, { workers: true });
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);

async function send(body: Json, more: object = {}): Promise<Json> {
  return (await call('POST /admin/v1/import', { as, body: { ...body, ...more } })).body;
}

const verify = async (body: Json): Promise<Json> => (await call('POST /admin/v1/verify', { as, body })).body;
const codesOf = ({ errors = [] }: Json) => errors.map(({ message }: Json) => message.split(':')[0]);

const map = JSON.stringify({
  attributes: [
    ...['userName', 'email', 'title'].map((name) => ({ from: name, to: name })),
    { from: 'team', to: 'group' },
    { from: 'badge', to: 'metadata:badge' },
  ],
  rules: { unverifiedEmail: 'trust' },
});
const table = [
  'userName,email,title,team,badge',
  'ada,ada@csv.example,Chief,Admins,1',
  'bea,bea@csv.example,,Admins,2',
  'cid,cid@csv.example,,Staff,3',
  '',
].join('\n');

async function tableBody(t: Test, orgId: string, text = table): Promise<Json> {
  const { body } = await conversion(t, text, { map, orgId });
  return body;
}

const hex = (text: string) => createHash('sha256').update(text).digest('hex');

/** The body with the identifiers of earlier conversions, which left out the organization. */
function earlier(body: Json): Json {
  const copy = structuredClone(body);
  const [org] = copy.dataOrgsv1.orgs;
  const own = new Map<string, string>();
  for (const one of org.humanUsers) own.set(one.userId, hex(`person ${one.user.userName}`).slice(0, 32));
  for (const one of org.groups)
    own.set(one.groupId, hex(`group ${one.group.displayName.toLowerCase()}`).slice(0, 32));
  return JSON.parse(JSON.stringify(copy).replaceAll(/[0-9a-f]{32}/g, (id) => own.get(id) ?? id));
}

const countsOf = async (orgId: string) => ({
  people: await container.users.count(orgId),
  groups: (await container.groups.findNamed(orgId, ['Admins', 'Staff'])).length,
});

t.test('two organizations bring the same table', async (t) => {
  for (const name of ['first', 'second']) {
    const { id: orgId } = await makeOrganization(container);
    const body = await tableBody(t, orgId);
    const { errors, summary } = await send(body);
    t.same([errors, summary.created], [undefined, 3 + 2 + 3 + 3], name);
    t.match(await verify(body), { isSame: true }, name);
  }
});

t.test('two organizations bring the same realm without identifiers, and the same directory', async (t) => {
  const folder = folderOf(t);
  const realm = join(folder, 'realm.json');
  // The form that docs.keycloak.org describes for a realm that a person writes.
  const user = (username: string) => ({
    username,
    email: `${username}@kc.example`,
    emailVerified: true,
    enabled: true,
    groups: ['/Admins', '/Admins/Night'],
  });
  const groups = [{ name: 'Admins', path: '/Admins', subGroups: [{ name: 'Night', path: '/Admins/Night' }] }];
  writeFileSync(realm, JSON.stringify({ realm: 'r', groups, users: [user('kai'), user('kim')] }));
  const ldif = 'version: 1\n\ndn: uid=lea,dc=x\nobjectClass: inetOrgPerson\nuid: lea\nmail: lea@x.example\n';
  for (const name of ['first', 'second']) {
    const { id: orgId } = await makeOrganization(container);
    const path = join(folder, `${name}.json`);
    const input = { realm: [realm], emailVerified: false, skipInvalid: false };
    await convertKeycloak(input, { path, orgId, timeout: '1m', multiline: false });
    const body = JSON.parse(readFileSync(path, 'utf8'));
    t.match(await send(body), { errors: undefined, summary: { created: 2 + 2 + 4 } }, name);
    const { body: people } = await conversion(t, ldif, { system: 'ldif', orgId, emailVerified: true });
    t.match(await send(people), { errors: undefined, summary: { created: 1 } }, name);
  }
});

t.test('what came in under identifiers of an earlier conversion is found again', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const body = await tableBody(t, orgId);
  t.match(await send(earlier(body)), { errors: undefined, summary: { created: 11 } });
  const before = await countsOf(orgId);
  t.match(await verify(body), { isSame: true }, 'a verification agrees before');
  t.match(
    await send(body, { dryRun: true }),
    { errors: undefined, summary: { skipped: 12 } },
    'a dry run too',
  );
  t.match(await send(body), { errors: undefined, summary: { created: 0, skipped: 12, failed: 0 } });
  t.same(await countsOf(orgId), before, 'nothing is there twice');

  const changed = await tableBody(
    t,
    orgId,
    table.replace('Chief', 'Boss').replace('cid@csv.example,,Staff', 'cid@csv.example,,Admins'),
  );
  t.match(codesOf(await send(changed)), ['OTHER-CONTENT'], 'only the title is refused without an update');
  const updated = await send(changed, { update: true });
  t.match(updated, { errors: undefined, summary: { updated: 1, failed: 0 } });
  const ada = hex('person ada').slice(0, 32);
  t.match(await container.users.find(orgId, ada), { title: 'Boss' }, 'under the identifier that ada had');
  t.match(
    await verify(changed),
    { lists: [{ list: 'groupMembers', extra: 1 }] },
    'cid is still in Staff too',
  );
});

t.test('a file of an earlier conversion comes into a second organization', async (t) => {
  const [first, second] = [await makeOrganization(container), await makeOrganization(container)];
  const theirs = earlier(await tableBody(t, first.id));
  await send(theirs);
  const body = earlier(await tableBody(t, second.id));
  t.match(await send(body, { dryRun: true }), { errors: undefined, summary: { created: 11 } });
  t.match(await send(body), { errors: undefined, summary: { created: 11 } });
  t.match(await send(body), { errors: undefined, summary: { skipped: 12 } }, 'sent again');
  t.match(await verify(body), { isSame: true });
  t.match(await send(await tableBody(t, second.id)), { errors: undefined, summary: { skipped: 12 } });
  t.match(await verify(theirs), { isSame: true }, 'the first organization has what it had');
});

t.test('the source numbers its people and groups anew', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const of = (mark: string) => ({
    timeout: '1m',
    dataOrgsv1: {
      orgs: [
        {
          orgId,
          humanUsers: [humanUser('nia', { userId: `nia-${mark}`, otpCode: 'JBSWY3DPEHPK3PXPJBSWY3DP' })],
          groups: [{ groupId: `crew-${mark}`, group: { displayName: 'Crew' } }],
          groupMembers: [{ groupId: `crew-${mark}`, userId: `nia-${mark}` }],
          userMetadata: [{ userId: `nia-${mark}`, key: 'k', value: 'dg==' }],
          orgMembers: [{ userId: `nia-${mark}`, roles: ['ORG_USER_VIEWER'] }],
          projects: [{ projectId: `${orgId}-p`, project: { name: 'Shop' } }],
          projectMembers: [{ userId: `nia-${mark}`, projectId: `${orgId}-p`, roles: ['PROJECT_OWNER'] }],
        },
      ],
    },
  });
  t.match(await send(of(`${orgId}-1`)), { errors: undefined, summary: { created: 7 } });
  t.match(await send(of(`${orgId}-2`)), { errors: undefined, summary: { skipped: 8 } });
  t.match(await verify(of(`${orgId}-2`)), { isSame: true });
});

t.test('names alone reach nothing that is not of an import of this organization', async (t) => {
  const home = await makeOrganization(container);
  const { id: orgId } = home;
  const { id: theirOrg } = await makeOrganization(container);
  const theirs = await tableBody(t, theirOrg);
  await send(theirs);
  // Somebody registers here as ada, and an owner makes a group with roles.
  const ada = await makePerson(container, home, { userName: 'ada' });
  const made = await call(`POST /scim/v2/${orgId}/Groups`, {
    as,
    body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Admins' },
  });
  await changeGroupRoles(container, { orgId, id: made.body.id, roles: ['ORG_OWNER'], editor });
  const body = await tableBody(t, orgId);
  for (const update of [false, true]) {
    const { errors } = await send(body, { update });
    const refused = errors.filter(({ message }: Json) => message.startsWith('NAME-TAKEN'));
    t.same(refused.map(({ type }: Json) => type).sort(), ['group', 'human_user'], `update: ${update}`);
  }
  t.match(await container.users.find(orgId, ada.id), { version: 1 }, 'ada is who she was');
  t.equal(await container.groupMembers.count(orgId, made.body.id), 0);
  // Identifiers of the other organization, with names of this one and of that.
  const [{ userId }] = theirs.dataOrgsv1.orgs[0].humanUsers;
  const [{ groupId }] = theirs.dataOrgsv1.orgs[0].groups;
  const hostile = {
    timeout: '1m',
    dataOrgsv1: {
      orgs: [
        {
          orgId,
          humanUsers: [humanUser('ada', { userId }), humanUser('bea', { userId })],
          groups: [{ groupId, group: { displayName: 'Admins' } }],
          groupMembers: [{ groupId, userId }],
          userMetadata: [{ userId, key: 'k', value: 'dg==' }],
        },
      ],
    },
  };
  for (const update of [false, true]) {
    t.same(
      codesOf(await send(hostile, { update })),
      ['ID-TAKEN', 'ID-TAKEN', 'ID-TAKEN', 'REFERENCE-UNKNOWN', 'REFERENCE-UNKNOWN'].sort(),
      `update: ${update}`,
    );
  }
  t.match(await verify(theirs), { isSame: true }, 'the other organization has what it had');
});
