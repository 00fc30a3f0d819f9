import { exportJWK, generateKeyPair } from 'jose';
import t from 'tap';
import { addProject } from '#src/access/projects/add-project.js';
import { findAccount } from '#src/authentication/find-account.js';
import { organizationStands } from '#src/organizations/organization-stands.js';
import { changeGroup } from '#src/people/groups/change-group.js';
import { makeCaller, makeOrganization, makeTenant, testEditor } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';
import { makePerson } from '../../support/oidc/browser.js';

const { app, container, call } = await buildTestApp(t, { workers: true });
const home = await makeOrganization(container, { id: 'home' });
const owner = await makeCaller(container, home.id, ['IAM_OWNER']);
const other = await makeTenant(container);

const secret = { hash: 'A'.repeat(43), created: '2026-01-02T03:04:05.678Z' };

/** One organization with something in every section. */
const acme = {
  orgId: 'acme',
  org: {
    name: 'Acme',
    passwordPolicy: { minLength: 12, upper: true, lower: true, digit: true, symbol: false },
    login: { selfRegistration: true },
  },
  domains: [
    { domainName: 'old.acme.example', isVerified: true },
    { domainName: 'acme.example', isVerified: true, isPrimary: true },
    { domainName: 'claimed.example' },
  ],
  projects: [
    { projectId: 'shop', project: { name: 'Shop' } },
    { projectId: 'blog', project: { name: 'Blog' } },
  ],
  projectRoles: [
    { projectId: 'shop', roleKey: 'buyer', displayName: 'Buyer', group: 'Customers' },
    { projectId: 'shop', roleKey: 'seller' },
  ],
  oidcApps: [
    {
      projectId: 'shop',
      appId: 'shop-web',
      app: {
        name: 'Shop',
        type: 'web',
        redirectUris: ['https://shop.example/callback'],
        accessTokenType: 'jwt',
        clientSecrets: [secret],
      },
    },
    { appId: 'phone', app: { name: 'Phone', type: 'native', redirectUris: ['com.acme.phone:/done'] } },
  ],
  apiApps: [{ projectId: 'shop', appId: 'shop-api', app: { name: 'API', active: false } }],
  humanUsers: [
    {
      userId: 'ada',
      user: {
        userName: 'ada',
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: 'ada@acme.example', isEmailVerified: true },
      },
    },
  ],
  groups: [
    { groupId: 'staff', group: { displayName: 'Staff', externalId: 'x-1', roles: ['ORG_USER_VIEWER'] } },
    { groupId: 'empty', group: { displayName: 'Empty', externalId: '' } },
  ],
  groupMembers: [{ groupId: 'staff', userId: 'ada' }],
  machineUsers: [
    {
      userId: 'robot',
      user: { userName: 'robot', name: 'Robot', description: 'Cleans up', clientSecrets: [secret] },
    },
  ],
  userMetadata: [
    { userId: 'ada', key: 'team', value: 'Ymx1ZQ==' },
    { userId: 'robot', key: 'empty', value: '' },
  ],
  orgMembers: [
    { userId: 'robot', roles: ['ORG_USER_MANAGER'] },
    { userId: 'robot', roles: ['ORG_OWNER', 'ORG_USER_MANAGER'] },
  ],
  projectMembers: [{ projectId: 'blog', userId: 'robot', roles: ['PROJECT_OWNER'] }],
  userGrants: [{ userId: 'ada', projectId: 'shop', roleKeys: ['seller', 'buyer'] }],
  groupGrants: [{ groupId: 'staff', projectId: 'shop', roleKeys: ['seller'] }],
};

/** Imports organizations; the answer of the interface. */
async function importOrgs(orgs: readonly object[], more: object = {}) {
  const body = { timeout: '60s', data_orgsv1: { orgs }, ...more };
  const answer = await call('POST /admin/v1/import', { as: owner, body });
  t.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

interface ImportError {
  readonly type: string;
  readonly id: string;
  readonly message: string;
}

/** The attributes that errors name, without a value. */
function differences({ errors = [] }: { errors?: ImportError[] }): string[] {
  return errors
    .flatMap(({ type, id, message }) => {
      const [, names] = /^OTHER-CONTENT: .* differs in (.+)$/.exec(message) ?? [];
      return names === undefined ? [] : [`${type} ${id}: ${names}`];
    })
    .sort();
}

/** The errors as `type id CODE`, sorted. */
function problems({ errors = [] }: { errors?: ImportError[] }): string[] {
  return errors.map(({ type, id, message }) => `${type} ${id} ${message.split(':')[0]}`).sort();
}

/** The items of one administrative list of acme. */
async function items(path: string) {
  return (await call(`GET /admin/v1/orgs/acme/${path}`, { as: owner })).body.items;
}

t.test('a dry run finds what refers to the file itself, and writes nothing', async (t) => {
  const { errors, summary } = await importOrgs([acme], { dry_run: true });
  t.same(errors, undefined);
  t.match(summary, { failed: 0, created: 23, skipped: 0, total: 23 });
  t.equal((await call('GET /admin/v1/orgs/acme', { as: owner })).status, 404);

  const dangling = { ...acme, orgId: 'acme2', projects: [], machineUsers: [] };
  const { errors: found } = await importOrgs([dangling], { dry_run: true });
  t.ok(found.length > 0);
  t.ok(found.every(({ message }: ImportError) => message.startsWith('REFERENCE-UNKNOWN: ')));
});

t.test('each record that a dry run would create is named, whatever its list', async (t) => {
  const ofHome = acme.groups.map((one) => ({ ...one, groupId: `home-${one.groupId}` }));
  const { jobId } = await importOrgs([acme, { orgId: home.id, groups: ofHome }], { dry_run: true });
  const answer = await app.inject({
    url: `/admin/v1/jobs/${jobId}/created`,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  t.match(answer.headers, { 'content-type': /^application\/x-ndjson/ });
  const found: { orgId: string; list: string; id: string }[] = answer.payload
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const countOf = (orgId: string) => {
    const lists = found.filter((one) => one.orgId === orgId).map(({ list }) => list);
    return Object.fromEntries(lists.map((list) => [list, lists.filter((one) => one === list).length]));
  };
  t.match(countOf('acme'), {
    org: 1,
    humanUsers: 1,
    groups: 2,
    projectRoles: 2,
    userGrants: 1,
    groupGrants: 1,
  });
  t.equal(found.filter(({ orgId }) => orgId === 'acme').length, 23);
  t.same(countOf(home.id), { groups: 2 });
});

t.test('everything of an organization is made', async (t) => {
  const { errors, success, summary } = await importOrgs([acme]);
  t.same(errors, undefined);
  t.match(summary, { created: 23, skipped: 0, failed: 0, total: 23 });
  t.equal(success.orgs.length, 1);
  const [org] = success.orgs;
  t.match(org, {
    orgId: 'acme',
    humanUserIds: ['ada'],
    machineUserIds: ['robot'],
    groupIds: ['staff', 'empty'],
    groupMembers: ['staff/ada'],
    projectIds: ['shop', 'blog'],
    oidcAppIds: ['shop-web', 'phone'],
    apiAppIds: ['shop-api'],
    domains: ['old.acme.example', 'acme.example', 'claimed.example'],
    userMetadata: ['ada/team', 'robot/empty'],
  });

  t.match((await call('GET /admin/v1/orgs/acme', { as: owner })).body, {
    name: 'Acme',
    domains: ['acme.example', 'old.acme.example'],
    passwordPolicy: acme.org.passwordPolicy,
    login: acme.org.login,
  });
  t.same(await items('domains'), [
    { domainName: 'acme.example', isVerified: true, isPrimary: true },
    { domainName: 'old.acme.example', isVerified: true, isPrimary: false },
    { domainName: 'claimed.example', isVerified: false, isPrimary: false },
  ]);
  t.match(await items('projects'), [
    { id: 'blog', name: 'Blog' },
    { id: 'shop', name: 'Shop' },
  ]);
  t.match(await items('projects/shop/roles'), [
    { key: 'buyer', displayName: 'Buyer', group: 'Customers' },
    { key: 'seller', displayName: 'seller' },
  ]);
  t.match(await items('applications'), [
    { id: 'phone', type: 'native', authMethod: 'none' },
    { id: 'shop-api', type: 'api', projectId: 'shop', active: false },
    { id: 'shop-web', type: 'web', projectId: 'shop', accessTokenType: 'jwt', active: true },
  ]);
  t.equal((await items('applications/shop-web/secrets')).length, 1);
  t.match(await items('service-users'), [{ id: 'robot', userName: 'robot', description: 'Cleans up' }]);
  t.equal((await items('service-users/robot/secrets')).length, 1);
  t.match(await items('users/ada/metadata'), [{ key: 'team', value: 'Ymx1ZQ==' }]);
  t.match(await items('users/robot/metadata'), [{ key: 'empty', value: '' }]);
  t.same(
    (await items('memberships'))
      .map(({ userId, role }: { userId: string; role: string }) => [userId, role])
      .sort(),
    [
      ['robot', 'ORG_OWNER'],
      ['robot', 'ORG_USER_MANAGER'],
    ],
  );
  t.match(await items('projects/blog/members'), [{ userId: 'robot', roles: ['PROJECT_OWNER'] }]);
  t.match(await items('projects/shop/grants'), [{ userId: 'ada', roles: ['buyer', 'seller'] }]);
  t.match(await items('projects/shop/group-grants'), [{ groupId: 'staff', roles: ['seller'] }]);

  const staff = await container.groups.find('acme', 'staff');
  t.match(staff, { displayName: 'Staff', externalId: 'x-1', roles: ['ORG_USER_VIEWER'], version: 3 });
  t.same(await container.groupMembers.page('acme', 'staff', { limit: 9 }), ['ada']);
  t.notOk('externalId' in ((await container.groups.find('acme', 'empty')) ?? {}));

  const { body } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { resourceOwner: 'acme', limit: 1000, asc: true },
  });
  const types: string[] = body.events.map(({ type }: { type: string }) => type);
  for (const [type, count] of Object.entries({
    'org.added': 1,
    'project.added': 2,
    'project.role.added': 2,
    'application.added': 3,
    'user.human.added': 1,
    'user.machine.added': 1,
    'group.added': 2,
    'group.roles.changed': 1,
    'group.members.added': 1,
    'user.metadata.set': 2,
    'member.added': 2,
    'project.member.added': 1,
    'user.grant.added': 1,
    'group.grant.added': 1,
  })) {
    t.equal(types.filter((found) => found === type).length, count, type);
  }
  t.notMatch(JSON.stringify(body), secret.hash);
});

t.test('an existing object with the same content is skipped', async (t) => {
  const { errors, summary } = await importOrgs([acme]);
  t.same(errors, undefined);
  t.match(summary, { created: 0, skipped: 23, failed: 0, total: 23 });
});

t.test('an existing object with other content is an error, and stays as it is', async (t) => {
  const changed = {
    orgId: 'acme',
    org: { name: 'Renamed' },
    domains: [
      { domainName: 'claimed.example', isVerified: true },
      { domainName: 'old.acme.example', isVerified: true, isPrimary: true },
    ],
    projects: [{ projectId: 'shop', project: { name: 'Market' } }],
    projectRoles: [{ projectId: 'shop', roleKey: 'seller', displayName: 'Vendor' }],
    oidcApps: [
      { appId: 'phone', app: { name: 'Phone', type: 'native', redirectUris: ['com.acme.other:/done'] } },
      { appId: 'shop-api', app: { name: 'API', type: 'spa', redirectUris: ['https://shop.example/'] } },
    ],
    apiApps: [{ appId: 'shop-api', app: { name: 'API', active: false } }],
    groups: [
      { groupId: 'staff', group: { displayName: 'Staff', externalId: 'x-1' } },
      { groupId: 'crew', group: { displayName: 'EMPTY' } },
    ],
    machineUsers: [{ userId: 'robot', user: { userName: 'robot', name: 'Robot' } }],
    userMetadata: [{ userId: 'ada', key: 'team', value: 'cmVk' }],
    projectMembers: [{ projectId: 'blog', userId: 'robot', roles: ['PROJECT_OWNER_VIEWER'] }],
    userGrants: [{ userId: 'ada', projectId: 'shop', roleKeys: ['buyer'] }],
    groupGrants: [
      { groupId: 'staff', projectId: 'shop', roleKeys: ['buyer'] },
      { groupId: 'staff', projectId: 'blog', roleKeys: ['seller'] },
      { groupId: 'ada', projectId: 'shop', roleKeys: ['seller'] },
      { groupId: 'empty', projectId: 'nowhere', roleKeys: ['seller'] },
      { groupId: 'empty', projectId: 'shop', roleKeys: [] },
    ],
  };
  const answer = await importOrgs([changed]);
  t.same(problems(answer), [
    'api_app shop-api OTHER-CONTENT',
    'domain claimed.example OTHER-CONTENT',
    'domain old.acme.example OTHER-CONTENT',
    'group crew OTHER-CONTENT',
    'group staff OTHER-CONTENT',
    'group_grant blog/staff REFERENCE-UNKNOWN',
    'group_grant nowhere/empty REFERENCE-UNKNOWN',
    'group_grant shop/ada REFERENCE-UNKNOWN',
    'group_grant shop/empty RECORD-INVALID',
    'group_grant shop/staff OTHER-CONTENT',
    'machine_user robot OTHER-CONTENT',
    'oidc_app phone OTHER-CONTENT',
    'oidc_app shop-api OTHER-CONTENT',
    'project shop OTHER-CONTENT',
    'project_member blog/robot OTHER-CONTENT',
    'project_role shop/seller OTHER-CONTENT',
    'user_grant shop/ada OTHER-CONTENT',
    'user_metadata ada/team OTHER-CONTENT',
  ]);
  t.same(differences(answer), [
    'api_app shop-api: projectId',
    'domain claimed.example: isVerified',
    'domain old.acme.example: isPrimary',
    'group crew: displayName',
    'group staff: roles',
    'group_grant shop/staff: roleKeys',
    'machine_user robot: description',
    'oidc_app phone: redirectUris',
    'oidc_app shop-api: type',
    'project shop: name',
    'project_member blog/robot: roles',
    'project_role shop/seller: displayName',
    'user_grant shop/ada: roleKeys',
    'user_metadata ada/team: value',
  ]);
  t.match((await call('GET /admin/v1/orgs/acme', { as: owner })).body, { name: 'Acme' });
  t.match(await items('projects'), [{ name: 'Blog' }, { name: 'Shop' }]);
});

t.test('a record that is not right is one error, and the rest is imported', async (t) => {
  const bad = {
    orgId: 'bad',
    org: { name: 'Bad' },
    domains: [{ domainName: 'not a domain' }, { domainName: 5 }, { domainName: 'fine.bad.example' }],
    projects: [
      { projectId: 'with space', project: { name: 'X' } },
      { projectId: 'nameless', project: {} },
      7,
      { projectId: 'fine', project: { name: 'Fine' } },
    ],
    projectRoles: [
      { projectId: 'fine', roleKey: 'a b' },
      { projectId: 'fine', roleKey: 'good' },
    ],
    oidcApps: [
      { appId: 'no-uris', app: { name: 'X', type: 'web' } },
      { appId: 'http', app: { name: 'X', type: 'spa', redirectUris: ['http://elsewhere.example/'] } },
      { appId: 'kind', app: { name: 'X', type: 'api' } },
      {
        appId: 'public',
        app: { name: 'X', type: 'spa', redirectUris: ['https://x.example/'], clientSecrets: [secret] },
      },
    ],
    apiApps: [
      { appId: 'with:colon', app: { name: 'X' } },
      { appId: 'short-hash', app: { name: 'X', clientSecrets: [{ ...secret, hash: 'abc' }] } },
    ],
    groups: [
      { groupId: 'g 1', group: { displayName: 'X' } },
      { groupId: 'g2', group: {} },
      { groupId: 'g3', group: { displayName: ' ' } },
      { groupId: 'g4', group: { displayName: 'Same' } },
      { groupId: 'g5', group: { displayName: 'same' } },
      { groupId: 'g6', group: { displayName: 'Six', roles: ['IAM_OWNER'] } },
    ],
    groupMembers: [{ groupId: 'g4' }, { groupId: 'g4', userId: 'm3' }],
    machineUsers: [
      { userId: 'm 1', user: { userName: 'm1' } },
      { userId: 'm2', user: {} },
      { userId: 'm3', user: { userName: 'Same' } },
      { userId: 'm4', user: { userName: 'same' } },
    ],
    userMetadata: [
      { userId: 'm3', key: 'k', value: 'not base64' },
      { userId: 'm3', key: 'k 2', value: '' },
      { userId: 'm3', key: 'k3' },
    ],
    orgMembers: [
      { userId: 'm3', roles: ['IAM_OWNER'] },
      { userId: 'm3', roles: ['CHIEF'] },
      { userId: 'm3', roles: [] },
      { userId: 'm3', roles: ['ORG_USER_VIEWER'] },
    ],
    projectMembers: [{ projectId: 'fine', userId: 'm3', roles: ['ORG_OWNER'] }],
    userGrants: [{ projectId: 'fine', userId: 'm3', roleKeys: 'good' }],
  };
  const answer = await importOrgs([bad]);
  t.same(problems(answer), [
    'api_app short-hash RECORD-INVALID',
    'api_app with:colon VALUE-INVALID',
    'domain  RECORD-INVALID',
    'domain not a domain VALUE-INVALID',
    'group g 1 RECORD-INVALID',
    'group g2 RECORD-INVALID',
    'group g3 VALUE-MISSING',
    'group g5 NAME-TAKEN',
    'group g6 VALUE-INVALID',
    'group_member g4 RECORD-INVALID',
    'group_member g4/m3 REFERENCE-UNKNOWN',
    'machine_user m 1 RECORD-INVALID',
    'machine_user m2 RECORD-INVALID',
    'machine_user m4 NAME-TAKEN',
    'oidc_app http VALUE-INVALID',
    'oidc_app kind RECORD-INVALID',
    'oidc_app no-uris VALUE-MISSING',
    'oidc_app public VALUE-INVALID',
    'org_member m3 RECORD-INVALID',
    'org_member m3 VALUE-INVALID',
    'org_member m3 VALUE-INVALID',
    'project  RECORD-INVALID',
    'project nameless RECORD-INVALID',
    'project with space RECORD-INVALID',
    'project_member fine/m3 VALUE-INVALID',
    'project_role fine/a b VALUE-INVALID',
    'user_grant fine/m3 RECORD-INVALID',
    'user_metadata m3/k 2 VALUE-INVALID',
    'user_metadata m3/k VALUE-INVALID',
    'user_metadata m3/k3 RECORD-INVALID',
  ]);
  t.match(answer.summary, { created: 7, failed: 30, total: 37 });
  const memberships = await call('GET /admin/v1/memberships', { as: owner });
  t.notOk(memberships.body.items.some(({ userId }: { userId: string }) => userId === 'm3'));
});

t.test('a reference to what does not exist, or is another organization’s, is an error', async (t) => {
  const { body: foreign } = await call(`POST /admin/v1/orgs/${other.orgId}/projects`, {
    as: owner,
    body: { id: 'foreign', name: 'Foreign' },
  });
  await call(`POST /admin/v1/orgs/${other.orgId}/projects/foreign/roles`, {
    as: other.owner,
    body: { key: 'reader' },
  });
  const dangling = {
    orgId: 'dangling',
    org: { name: 'Dangling' },
    projects: [{ projectId: 'own', project: { name: 'Own' } }],
    projectRoles: [
      { projectId: 'nowhere', roleKey: 'a' },
      { projectId: foreign.id, roleKey: 'a' },
    ],
    oidcApps: [
      {
        appId: 'a1',
        projectId: 'nowhere',
        app: { name: 'X', type: 'spa', redirectUris: ['https://x.example/'] },
      },
    ],
    apiApps: [{ appId: 'a2', projectId: foreign.id, app: { name: 'X' } }],
    groups: [{ groupId: 'own-group', group: { displayName: 'Own' } }],
    humanUsers: [humanUser('own-user', { userId: 'own-user' })],
    groupMembers: [
      { groupId: 'nowhere', userId: 'own-user' },
      { groupId: 'staff', userId: 'own-user' },
      { groupId: 'own-group', userId: 'nobody' },
      { groupId: 'own-group', userId: other.viewer.id },
    ],
    userMetadata: [
      { userId: 'nobody', key: 'k', value: '' },
      { userId: other.viewer.id, key: 'k', value: '' },
    ],
    orgMembers: [{ userId: 'nobody', roles: ['ORG_OWNER'] }],
    projectMembers: [
      { projectId: 'own', userId: other.viewer.id, roles: ['PROJECT_OWNER'] },
      { projectId: foreign.id, userId: 'nobody', roles: ['PROJECT_OWNER'] },
    ],
    userGrants: [
      { projectId: foreign.id, userId: other.viewer.id, roleKeys: ['reader'] },
      { projectId: 'own', userId: 'nobody', roleKeys: ['reader'] },
    ],
  };
  const answer = await importOrgs([dangling]);
  const found = problems(answer);
  t.equal(found.length, 15);
  t.ok(
    found.every((problem) => problem.endsWith(' REFERENCE-UNKNOWN')),
    found.join('\n'),
  );
  t.match(answer.summary, { created: 4, failed: 15, total: 19 });
  t.equal((await call(`GET /admin/v1/orgs/dangling/applications`, { as: owner })).body.items.length, 0);
});

t.test('public keys and trusts of a file are checked like those of an administrator', async (t) => {
  const created = '2025-01-02T03:04:05.678Z';
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const [jwk, whole] = [await exportJWK(publicKey), await exportJWK(privateKey)];
  const symmetric = { kty: 'oct', k: 'c2VjcmV0LXdvcmQtb2YtdGhlLXRlc3Q' };
  const key = { kid: 'one', jwk, created };
  const trust = { issuer: 'https://issuer.example', subject: 'job', created };
  const api = (appId: string, clientKeys: unknown) => ({
    appId,
    app: { name: appId, authMethod: 'private_key_jwt', clientKeys },
  });
  const robot = (userId: string, federatedCredentials: unknown) => ({
    userId,
    user: { userName: userId, federatedCredentials },
  });
  const file = {
    orgId: 'keyed',
    org: { name: 'Keyed' },
    apiApps: [
      api('k-good', [
        { ...key, expires: '2025-06-01T00:00:00.000Z' },
        { ...key, kid: 'two' },
      ]),
      api('k-private', [{ ...key, jwk: whole }]),
      api('k-symmetric', [{ ...key, jwk: symmetric }]),
      api('k-broken', [{ ...key, jwk: { ...jwk, x: 'AA' } }]),
      api('k-twice', [key, key]),
      api('k-undated', [{ ...key, created: '2025-02-30T03:04:05.678Z' }]),
      api(
        'k-many',
        Array.from({ length: 11 }, (_, index) => ({ ...key, kid: `${index}` })),
      ),
    ],
    machineUsers: [
      robot('t-good', [trust, { ...trust, audience: 'api://x', label: 'Builds' }]),
      robot('t-plain', [{ ...trust, issuer: 'http://issuer.example' }]),
      robot('t-own', [{ ...trust, issuer: container.config.baseUrl }]),
      robot('t-twice', [trust, { ...trust, audience: container.config.baseUrl }]),
      robot(
        't-many',
        Array.from({ length: 21 }, (_, index) => ({ ...trust, subject: `${index}` })),
      ),
    ],
  };
  const answer = await importOrgs([file]);
  t.same(problems(answer), [
    'api_app k-broken VALUE-INVALID',
    'api_app k-many RECORD-INVALID',
    'api_app k-private VALUE-INVALID',
    'api_app k-symmetric VALUE-INVALID',
    'api_app k-twice VALUE-INVALID',
    'api_app k-undated VALUE-INVALID',
    'machine_user t-many RECORD-INVALID',
    'machine_user t-own VALUE-INVALID',
    'machine_user t-plain VALUE-INVALID',
    'machine_user t-twice VALUE-INVALID',
  ]);
  const warned = { path: 'orgs[].machineUsers[].user.federatedCredentials[].audience', count: 1 };
  const ofTrusts = ({ warnings }: { warnings: { path: string }[] }) =>
    warnings.filter(({ path }) => path.includes('federatedCredentials'));
  t.match(ofTrusts(answer), [warned], 'an audience that is not this service');
  for (const secret of [whole.d ?? '', symmetric.k]) t.notOk(JSON.stringify(answer).includes(secret));
  const expected = { kid: 'one', jwk, created: new Date(created), expires: new Date('2025-06-01T00:00:00Z') };
  t.match((await container.applications.find('keyed', 'k-good'))?.keys, [expected, { kid: 'two' }]);
  t.match((await container.serviceUsers.find('keyed', 't-good'))?.federatedCredentials, [
    { id: String, audience: container.config.baseUrl, created: new Date(created) },
    { id: String, audience: 'api://x', label: 'Builds' },
  ]);
  const told = async (aggregateId: string) =>
    (await container.events.search({ aggregateId, limit: 10, ascending: true })).map(
      ({ type, sequence, payload: { kid, audience } }) => [type, sequence, kid ?? audience],
    );
  t.same(await told('k-good'), [
    ['application.added', 1, undefined],
    ['application.key.added', 2, 'one'],
    ['application.key.added', 3, 'two'],
  ]);
  const trusted = 'user.machine.federatedCredential.added';
  t.same(await told('t-good'), [
    ['user.machine.added', 1, undefined],
    [trusted, 2, container.config.baseUrl],
    [trusted, 3, 'api://x'],
  ]);
  t.equal((await container.applications.find('keyed', 'k-good'))?.version, 3);

  const again = await importOrgs([file]);
  t.match(again.summary, { created: 0, skipped: 3, failed: 10 });
  t.same(ofTrusts(again), []);
  const without = { ...file, apiApps: [api('k-good', undefined)], machineUsers: [robot('t-good', null)] };
  t.match(
    (await importOrgs([without])).summary,
    { skipped: 3, failed: 0 },
    'a file without them says nothing',
  );
  const other = { ...file, apiApps: [api('k-good', [key])], machineUsers: [robot('t-good', [trust])] };
  t.same(differences(await importOrgs([other])), [
    'api_app k-good: clientKeys',
    'machine_user t-good: federatedCredentials',
  ]);
});

t.test('an identifier that something else has is refused', async (t) => {
  await call(`POST /admin/v1/orgs/${other.orgId}/projects`, {
    as: owner,
    body: { id: 'theirs', name: 'Theirs' },
  });
  await call(`POST /admin/v1/orgs/${other.orgId}/domains`, {
    as: owner,
    body: { domainName: 'theirs.example', isVerified: true },
  });
  const thief = {
    orgId: 'thief',
    org: { name: 'Thief' },
    domains: [{ domainName: 'theirs.example', isVerified: true }],
    projects: [
      { projectId: 'theirs', project: { name: 'Theirs' } },
      { projectId: other.viewer.id, project: { name: 'X' } },
      { projectId: 'shop-web', project: { name: 'X' } },
    ],
    groups: ['theirs', 'ada', 'staff', 'shop-web', 'thief'].map((groupId) => ({
      groupId,
      group: { displayName: groupId },
    })),
    oidcApps: [
      { appId: 'theirs', app: { name: 'X', type: 'spa', redirectUris: ['https://x.example/'] } },
      { appId: 'shop-web', app: { name: 'X', type: 'spa', redirectUris: ['https://x.example/'] } },
    ],
    apiApps: [{ appId: other.viewer.id, app: { name: 'X' } }],
    humanUsers: ['theirs', 'shop-web', other.viewer.id].map((userId) => humanUser(userId, { userId })),
    machineUsers: [
      { userId: other.viewer.id, user: { userName: 'viewer' } },
      { userId: 'ada', user: { userName: 'ada' } },
      { userId: 'shop-api', user: { userName: 'api' } },
      { userId: 'staff', user: { userName: 'staff' } },
    ],
  };
  t.same(
    problems(await importOrgs([thief])),
    [
      `api_app ${other.viewer.id} ID-TAKEN`,
      'domain theirs.example NAME-TAKEN',
      'group ada ID-TAKEN',
      'group shop-web ID-TAKEN',
      'group staff ID-TAKEN',
      'group theirs ID-TAKEN',
      'group thief ID-TAKEN',
      'machine_user staff ID-TAKEN',
      `human_user ${other.viewer.id} ID-TAKEN`,
      'human_user shop-web ID-TAKEN',
      'human_user theirs ID-TAKEN',
      'machine_user ada ID-TAKEN',
      `machine_user ${other.viewer.id} ID-TAKEN`,
      'machine_user shop-api ID-TAKEN',
      'oidc_app shop-web ID-TAKEN',
      'oidc_app theirs ID-TAKEN',
      `project ${other.viewer.id} ID-TAKEN`,
      'project shop-web ID-TAKEN',
      'project theirs ID-TAKEN',
    ].sort(),
  );
});

t.test('an organization that cannot be made takes its records along', async (t) => {
  const orgs = [
    { orgId: 'nameless', projects: [{ projectId: 'lost', project: { name: 'Lost' } }] },
    { orgId: '../up', org: { name: 'Up' } },
    { orgId: 'good', org: { name: 'Good' }, projects: [{ projectId: 'found', project: { name: 'Found' } }] },
  ];
  const answer = await importOrgs(orgs);
  t.same(problems(answer), ['org ../up VALUE-INVALID', 'org nameless VALUE-MISSING']);
  t.match(answer.summary, { created: 2, failed: 3, total: 5 });
  t.equal((await call('GET /admin/v1/orgs/good/projects/found', { as: owner })).status, 200);
});

t.test('names may be in snake_case', async (t) => {
  const org = {
    org_id: 'snake',
    org: { name: 'Snake', password_policy: acme.org.passwordPolicy },
    domains: [{ domain_name: 'snake.example', is_verified: true }],
    project_roles: [{ project_id: 'snakes', role_key: 'keeper', display_name: 'Keeper' }],
    projects: [{ project_id: 'snakes', project: { name: 'Snakes' } }],
    groups: [{ group_id: 'nest', group: { display_name: 'Nest', external_id: 'n' } }],
    human_users: [{ ...humanUser('snake-ada'), user_id: 'snake-ada', userId: undefined }],
    group_members: [{ group_id: 'nest', user_id: 'snake-ada' }],
    machine_users: [{ user_id: 'python', user: { user_name: 'python', access_token_type: 'jwt' } }],
    user_grants: [{ user_id: 'python', project_id: 'snakes', role_keys: ['keeper'] }],
  };
  const { errors, summary } = await importOrgs([org]);
  t.same(errors, undefined);
  t.match(summary, { created: 9, total: 9 });
  const grant = await call('GET /admin/v1/orgs/snake/projects/snakes/grants/python', { as: owner });
  t.match(grant, { status: 200, body: { roles: ['keeper'] } });
});

t.test('a project that another caller adds during the look-up of a part is skipped', async (t) => {
  const { id: orgId } = home;
  const raced = { projectId: 'raced', project: { name: 'Raced' } };
  const { lookUp } = container.identifiers;
  t.teardown(() => Object.assign(container.identifiers, { lookUp }));
  let added = 0;
  Object.assign(container.identifiers, {
    async lookUp(ids: readonly string[]) {
      const known = await lookUp(ids);
      if (ids.includes('raced') && added++ === 0) {
        await addProject(container, { orgId, id: 'raced', name: 'Raced', editor: testEditor });
      }
      return known;
    },
  });
  const { errors, summary } = await importOrgs([{ orgId, projects: [raced] }]);
  t.same(
    { errors, skipped: summary.skipped, added: added > 0 },
    { errors: undefined, skipped: 2, added: true },
  );
});

t.test('two imports of the same at once make everything once', async (t) => {
  const twin = {
    orgId: 'twin',
    org: { name: 'Twin' },
    domains: [{ domainName: 'twin.example', isVerified: true }, { domainName: 'two.example' }],
    projects: [{ projectId: 'twins', project: { name: 'Twins' } }],
    projectRoles: [{ projectId: 'twins', roleKey: 'one' }],
    apiApps: [{ appId: 'twin-api', app: { name: 'API' } }],
    groups: [{ groupId: 'twin-group', group: { displayName: 'Twins' } }],
    humanUsers: [humanUser('twin-ada', { userId: 'twin-ada' })],
    groupMembers: [{ groupId: 'twin-group', userId: 'twin-ada' }],
    machineUsers: [{ userId: 'twin-robot', user: { userName: 'robot' } }],
    userMetadata: [{ userId: 'twin-robot', key: 'k', value: '' }],
    orgMembers: [{ userId: 'twin-robot', roles: ['ORG_OWNER', 'ORG_USER_VIEWER'] }],
    projectMembers: [{ projectId: 'twins', userId: 'twin-robot', roles: ['PROJECT_OWNER'] }],
    userGrants: [{ projectId: 'twins', userId: 'twin-robot', roleKeys: ['one'] }],
  };
  const answers = await Promise.all([1, 2, 3].map(() => importOrgs([twin])));
  for (const { errors } of answers) t.same(errors, undefined, JSON.stringify(errors));
  const sum = (key: 'created' | 'skipped') =>
    answers.map(({ summary }) => summary[key]).reduce((total, count) => total + count, 0);
  t.equal(sum('created'), 14);
  t.equal(sum('skipped'), 28);
  const { body } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { resourceOwner: 'twin', limit: 1000 },
  });
  const types: string[] = body.events.map(({ type }: { type: string }) => type);
  t.equal(types.filter((type) => type !== 'org.changed').length, 13);
});

t.test(
  'a key that no document of the store may have is named like any other, and stops no record',
  async (t) => {
    const org = { name: 'Odd', 'a\0b': { '\0': 1 }, $set: { 'a.b': 1 } };
    const humanUsers = [humanUser('beside-odd', { 'e\0': 1 })];
    const { errors, summary, warnings } = await importOrgs([
      { orgId: 'odd', org, humanUsers, 'c\0': 1, 'd\0': [{}] },
    ]);
    t.same(summary, { created: 2, skipped: 0, failed: 0, total: 2 });
    t.match(errors, [{ type: 'org', id: 'odd', message: /^LIST-UNKNOWN: .*: d\0$/ }]);
    t.same(warnings.map(({ path }: { path: string }) => path).sort(), [
      'orgs[].c\0',
      'orgs[].humanUsers[].user.e\0',
      'orgs[].org.$set',
      'orgs[].org.a\0b',
    ]);
    t.match((await call('GET /admin/v1/orgs/odd', { as: owner })).body, { name: 'Odd' });
  },
);

t.test('what an import brings back with its old date has another version', async (t) => {
  const created = '2019-01-02T03:04:05.000Z';
  const bring = (word: string) =>
    importOrgs([
      {
        orgId: 'again',
        org: { name: 'Again' },
        humanUsers: [
          humanUser('again', { userId: 'again-user', profile: { firstName: word, lastName: 'A' }, created }),
        ],
        groups: [{ groupId: 'again-group', group: { displayName: word, created } }],
      },
    ]);
  const at = (path: string) => `/scim/v2/again/${path}`;
  const paths = ['Users/again-user', 'Groups/again-group'].map(at);
  const versions = () =>
    Promise.all(paths.map(async (path) => (await call(`GET ${path}`, { as: owner })).body.meta));
  await bring('First');
  const before = await versions();
  for (const path of paths) t.equal((await call(`DELETE ${path}`, { as: owner })).status, 204);
  await bring('Second');
  const after = await versions();
  for (const [index, path] of paths.entries()) {
    t.equal(after[index].created, created);
    t.not(after[index].version, before[index].version, path);
    const headers = { 'if-match': before[index].version };
    t.equal(
      (await call(`DELETE ${path}`, { as: owner, headers })).status,
      412,
      'a stale tag removes nothing',
    );
  }
  const [, again] = await versions();
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
  const Operations = [{ op: 'replace', path: 'displayName', value: 'Third' }];
  await call(`PATCH ${paths[1]}`, { as: owner, body: { schemas, Operations } });
  const [, changed] = await versions();
  t.equal(changed.version.split('-')[1], again.version.split('-')[1], 'a change keeps when it came');
});

t.test('dates of a file are kept, while events and names have the time of the import', async (t) => {
  const began = new Date();
  const { id: earlier } = await makePerson(container, home, 'dated');
  const dates = { created: '2001-02-03T04:05:06.789Z', lastModified: '2009-08-07T08:05:04+02:00' };
  const kept = { created: dates.created, lastModified: '2009-08-07T06:05:04.000Z' };
  const dated = (groupId: string) => ({
    groupId,
    group: { displayName: groupId, roles: ['ORG_USER_VIEWER'], ...dates },
  });
  const orgs = [
    {
      orgId: 'dated',
      org: { name: 'Dated', ...dates },
      domains: [{ domainName: 'dated.example', isVerified: true }],
      humanUsers: [
        humanUser('dated', { userId: 'dated-person', ...dates }),
        humanUser('dated-first', { created: dates.created }),
        humanUser('dated-last', { lastModified: dates.lastModified }),
      ],
      machineUsers: [{ userId: 'dated-robot', user: { userName: 'dated-robot', ...dates } }],
      groups: [dated('dated-group')],
      groupMembers: [{ groupId: 'dated-group', userId: 'dated-person' }],
    },
  ];
  t.same((await importOrgs(orgs)).summary, { created: 8, skipped: 0, failed: 0, total: 8 });
  const get = async (path: string) => (await call(`GET ${path}`, { as: owner })).body;
  const scim = '/scim/v2/dated';
  t.match((await get(`${scim}/Users/dated-person`)).meta, kept);
  t.match((await get(`${scim}/Groups/dated-group`)).meta, kept);
  t.match(await get('/admin/v1/orgs/dated'), kept);
  t.match(await get('/admin/v1/orgs/dated/service-users/dated-robot'), kept);
  const first = (await get(`${scim}/Users/id-dated-first`)).meta;
  t.equal(first.created, kept.created);
  t.ok(first.lastModified >= began.toISOString(), 'last changed by the import');
  t.match((await get(`${scim}/Users/id-dated-last`)).meta, {
    created: kept.lastModified,
    lastModified: kept.lastModified,
  });

  const { body } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { resourceOwner: 'dated', limit: 100 },
  });
  t.equal(body.events.length, 9);
  for (const { type, creationDate } of body.events) t.ok(new Date(creationDate) >= began, type);
  t.equal(
    (await findAccount(container, { text: 'dated' }))?.user.id,
    earlier,
    'the name is of who had it here first',
  );
  const issuedAt = Date.parse('2020-01-01T00:00:00Z') / 1000;
  t.notOk(await organizationStands(container, 'dated', issuedAt), 'no token from before the import counts');
  t.ok(await organizationStands(container, 'dated', began.getTime() / 1000 + 3600));
  t.same((await importOrgs(orgs)).summary, { created: 0, skipped: 8, failed: 0, total: 8 });

  await changeGroup(container, {
    orgId: 'dated',
    id: 'dated-group',
    editor: testEditor,
    delta: { from: 'current', added: new Set(), removed: new Set() },
    profile: (now) => ({ ...now, displayName: 'Renamed' }),
  });
  const renamed = (await get(`${scim}/Groups/dated-group`)).meta.lastModified;
  t.ok(renamed >= began.toISOString());
  await importOrgs([
    { orgId: 'dated', groupMembers: [{ groupId: 'dated-group', userId: 'id-dated-first' }] },
  ]);
  t.ok(
    (await get(`${scim}/Groups/dated-group`)).meta.lastModified > renamed,
    'a group that was changed here has the dates of here',
  );
});

t.test('a date that cannot be is an error of its record', async (t) => {
  const bad: [Record<string, unknown>, RegExp][] = [
    [{ created: '2001-02-30T00:00:00Z' }, /^VALUE-INVALID: created is not a date and time of RFC 3339/],
    [{ lastModified: 'yesterday' }, /^VALUE-INVALID: lastModified is not/],
    [{ created: '2001-02-03' }, /^VALUE-INVALID: created is not/],
    [{ created: 981173106789 }, /^RECORD-INVALID: user.created/],
    [{ created: '1969-12-31T23:59:59Z' }, /^VALUE-INVALID: created is before 1970/],
    [{ lastModified: '2999-01-01T00:00:00Z' }, /^VALUE-INVALID: lastModified is in the future/],
    [
      { created: '2009-01-01T00:00:00Z', lastModified: '2008-01-01T00:00:00Z' },
      /^VALUE-INVALID: created is later/,
    ],
  ];
  const humanUsers = bad.map(([dates], index) => humanUser(`bad-date-${index}`, dates));
  const [tooLate] = [{ created: '2999-01-01T00:00:00Z' }];
  const { errors, summary } = await importOrgs([
    { orgId: 'late', org: { name: 'Late', ...tooLate } },
    {
      orgId: 'acme',
      humanUsers: [...humanUsers, humanUser('good-date', { created: '', lastModified: null })],
      groups: [{ groupId: 'late', group: { displayName: 'Late', ...tooLate } }],
      machineUsers: [{ userId: 'late', user: { userName: 'late', ...tooLate } }],
    },
  ]);
  t.match(summary, { created: 1, failed: bad.length + 3 });
  const messages = new Map(errors.map(({ id, message }: ImportError) => [id, message]));
  for (const [index, [dates, message]] of bad.entries()) {
    t.match(messages.get(`id-bad-date-${index}`), message, JSON.stringify(dates));
  }
  t.equal(messages.get('late'), 'VALUE-INVALID: created is in the future');
});

/** An organization whose records an update could change. */
function deltaOrg(
  word: string,
  { name, roles, roleKeys }: { name: string; roles: string[]; roleKeys: string[] },
) {
  const [projectId, robot, ada] = [`${word}-shop`, `${word}-robot`, `id-${word}-ada`];
  return {
    orgId: word,
    org: { name },
    domains: [{ domainName: `${word}.example`, isVerified: name === 'First' }],
    projects: [{ projectId, project: { name } }],
    projectRoles: ['a', 'b'].map((roleKey) => ({ projectId, roleKey, displayName: name })),
    oidcApps: [{ appId: `${word}-web`, app: { name, type: 'web', redirectUris: ['https://shop.example/'] } }],
    apiApps: [{ appId: `${word}-api`, app: { name } }],
    humanUsers: [humanUser(`${word}-ada`, { profile: { lastName: name } })],
    groups: [{ groupId: `${word}-staff`, group: { displayName: name } }],
    groupMembers: [{ groupId: `${word}-staff`, userId: ada }],
    machineUsers: [{ userId: robot, user: { userName: robot, name, active: name === 'First' } }],
    userMetadata: [
      { userId: ada, key: 'team', value: Buffer.from(name).toString('base64') },
      { userId: ada, key: 'kept', value: '' },
    ],
    orgMembers: [{ userId: robot, roles }],
    projectMembers: [
      { projectId, userId: robot, roles: name === 'First' ? ['PROJECT_OWNER'] : ['PROJECT_OWNER_VIEWER'] },
    ],
    userGrants: [{ userId: ada, projectId, roleKeys }],
    groupGrants: [{ groupId: `${word}-staff`, projectId, roleKeys }],
  };
}

t.test('an update changes people, groups, metadata and roles, and says so of the other lists', async (t) => {
  const first = deltaOrg('delta', {
    name: 'First',
    roles: ['ORG_OWNER', 'ORG_USER_MANAGER'],
    roleKeys: ['a'],
  });
  const made = await importOrgs([first]);
  t.match(made.summary, { failed: 0, created: 17 });
  t.equal('updated' in made.summary, false, 'only an update counts what it updates');
  const second = deltaOrg('delta', {
    name: 'Second',
    roles: ['ORG_USER_VIEWER', 'ORG_OWNER'],
    roleKeys: ['b'],
  });
  const answer = await importOrgs([second], { update: true });
  const left = [
    'api_app delta-api: name; an update changes no such object',
    'domain delta.example: isVerified; an update changes no such object',
    'oidc_app delta-web: name; an update changes no such object',
    'project delta-shop: name; an update changes no such object',
    'project_role delta-shop/a: displayName; an update changes no such object',
    'project_role delta-shop/b: displayName; an update changes no such object',
  ];
  t.same(differences(answer), left);
  t.same(answer.summary, { created: 0, updated: 8, skipped: 3, failed: 6, total: 17 });
  t.match(
    answer.warnings,
    [
      { path: 'orgs[].machineUsers[].user.name', count: 1 },
      { path: 'orgs[].org.name', count: 1 },
    ],
    'what an updated object keeps',
  );

  t.match((await container.users.find('delta', 'id-delta-ada'))?.name, { familyName: 'Second' });
  t.match(await container.groups.find('delta', 'delta-staff'), { displayName: 'Second' });
  const metadata = await container.userMetadata.findMany('delta', [{ userId: 'id-delta-ada', key: 'team' }]);
  t.match(metadata, [{ value: Buffer.from('Second').toString('base64'), version: 2 }]);
  t.same(
    (await container.memberships.ofMembers('delta', ['delta-robot'])).map(({ role }) => role).sort(),
    ['ORG_OWNER', 'ORG_USER_VIEWER'],
    'it loses the roles that its record does not name',
  );
  const named = { projectId: 'delta-shop', holderId: 'id-delta-ada' };
  t.match(await container.userGrants.find('delta', named), { roles: ['b'], version: 2 });
  const ofGroup = { ...named, holderId: 'delta-staff' };
  t.match(await container.groupGrants.find('delta', ofGroup), { roles: ['b'], version: 2 });
  const ofRobot = { ...named, holderId: 'delta-robot' };
  t.match(await container.projectMembers.find('delta', ofRobot), { roles: ['PROJECT_OWNER_VIEWER'] });
  t.equal((await container.organizations.find('delta'))?.name, 'First', 'an organization stays as it is');
  t.match(await container.serviceUsers.find('delta', 'delta-robot'), { active: false, name: 'First' });
  const events = await container.events.search({ resourceOwner: 'delta', limit: 1_000, ascending: true });
  const changes = events.slice(-9).map(({ type, editor }) => `${type} by ${editor.service}`);
  t.same(changes.sort(), [
    'group.changed by import',
    'group.grant.changed by import',
    'member.added by import',
    'member.removed by import',
    'project.member.changed by import',
    'user.deactivated by import',
    'user.grant.changed by import',
    'user.human.changed by import',
    'user.metadata.set by import',
  ]);
  for (const type of ['project.member.changed', 'user.grant.changed', 'group.grant.changed']) {
    const told = events.findLast((one) => one.type === type)?.payload['changes'];
    t.match(told, { roles: { from: [/./], to: [/./] } }, `${type} has the former roles`);
  }
  const again = await importOrgs([second], { update: true });
  t.same(again.summary, { created: 0, updated: 0, skipped: 10, failed: 7, total: 17 });
  const robot = 'machine_user delta-robot: name; an update does no more to a service user than deactivate it';
  t.same(differences(again), [...left, robot].sort());
  const after = await container.events.search({ resourceOwner: 'delta', limit: 1_000, ascending: true });
  t.equal(after.length, events.length, 'the same file changes nothing more');
});

t.test('an update deactivates a service user, which ends its tokens, and activates none', async (t) => {
  const robot = await makeCaller(container, home.id, ['ORG_OWNER']);
  const { userName = '', name = '' } = (await container.serviceUsers.find(home.id, robot.id)) ?? {};
  const ask = async () => (await call(`GET /scim/v2/${home.id}/Users?count=0`, { as: robot })).status;
  t.equal(await ask(), 200);
  const update = (active: boolean, more: object = {}) => {
    const machineUsers = [{ userId: robot.id, user: { userName, name, active } }];
    return importOrgs([{ orgId: home.id, machineUsers }], { update: true, ...more });
  };
  const dry = await update(false, { dryRun: true });
  t.match(dry.summary, { updated: 1, failed: 0 });
  t.equal(await ask(), 200, 'a dry run deactivates nobody');
  const done = await update(false);
  t.match(done.summary, { updated: 1, failed: 0 });
  t.equal(done.warnings, undefined);
  t.equal(await ask(), 401);
  const query = { aggregateId: robot.id, limit: 10, ascending: false };
  const [event] = await container.events.search(query);
  t.match(event, { type: 'user.deactivated', editor: { userId: owner.id, service: 'import' } });
  t.match((await update(false)).summary, { updated: 0, skipped: 2 });
  t.same(differences(await update(true)), [
    `machine_user ${robot.id}: active; an update does no more to a service user than deactivate it`,
  ]);
  t.match(await container.serviceUsers.find(home.id, robot.id), { active: false });

  const { userName: own = '', name: ownName = '' } =
    (await container.serviceUsers.find(home.id, owner.id)) ?? {};
  const self = { userId: owner.id, user: { userName: own, name: ownName, active: false } };
  t.same(differences(await importOrgs([{ orgId: home.id, machineUsers: [self] }], { update: true })), [
    `machine_user ${owner.id}: active; an update deactivates no service user with a role of the instance`,
  ]);
});

t.test('a record that a strict update refuses takes no role away', async (t) => {
  const robots = ['strict-robot', 'strict-other'];
  const org = { orgId: 'strict', org: { name: 'Strict' } };
  const machineUsers = robots.map((userId) => ({ userId, user: { userName: userId, name: userId } }));
  const roles = ['ORG_OWNER', 'ORG_USER_VIEWER'];
  await importOrgs([{ ...org, machineUsers, orgMembers: robots.map((userId) => ({ userId, roles })) }]);
  const orgMembers = [
    { userId: 'strict-robot', roles: ['ORG_OWNER'] },
    { userId: 'strict-robot', roles: ['ORG_USER_VIEWER'], shoeSize: 44 },
    { userId: 'strict-other', roles: ['ORG_OWNER'] },
  ];
  const answer = await importOrgs([{ ...org, orgMembers }], { update: true, strict: true });
  t.same(problems(answer), ['org_member strict-robot LOSS']);
  const rolesOf = async (userId: string) =>
    (await container.memberships.ofMembers('strict', [userId])).map(({ role }) => role).sort();
  t.same(await rolesOf('strict-robot'), roles);
  t.same(await rolesOf('strict-other'), ['ORG_OWNER']);
});

t.test(
  'an update gives no roles that are not there, and takes none from the owners of the instance',
  async (t) => {
    const orgMembers = [
      { userId: owner.id, roles: ['IAM_OWNER'] },
      { userId: 'delta-robot', roles: ['ORG_OWNER', 'ORG_NONSENSE'] },
      { userId: 'delta-robot', roles: ['ORG_OWNER'] },
    ];
    const userGrants = [{ userId: 'id-delta-ada', projectId: 'delta-shop', roleKeys: ['b', 'zzz'] }];
    const ofOwner = { userId: owner.id, user: { userName: 'x', name: 'x', active: false } };
    const { errors, summary } = await importOrgs(
      [
        { orgId: 'delta', org: { name: 'Delta' }, orgMembers, userGrants },
        {
          orgId: home.id,
          org: { name: 'Home' },
          machineUsers: [ofOwner],
          orgMembers: [{ userId: owner.id, roles: ['ORG_USER_VIEWER'] }],
        },
      ],
      { update: true },
    );
    t.same(
      problems({ errors }),
      [
        `machine_user ${owner.id} OTHER-CONTENT`,
        `org_member ${owner.id} VALUE-INVALID`,
        'org_member delta-robot VALUE-INVALID',
        'user_grant delta-shop/id-delta-ada REFERENCE-UNKNOWN',
      ].sort(),
    );
    t.match(summary, { created: 1, updated: 0, skipped: 3 }, 'a user with a faulty record loses no role');
    const roles = (await container.memberships.ofUser(owner.id)).map(({ role }) => role).sort();
    t.same(roles, ['IAM_OWNER', 'ORG_USER_VIEWER'], 'roles of the instance are no roles of an organization');
  },
);
