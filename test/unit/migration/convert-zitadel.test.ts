import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { convertZitadel, type ZitadelInput } from '#src/migration/convert/zitadel/convert-zitadel.js';

/** The shape is that of ZITADEL's proto/zitadel/v1.proto (DataOrg), management.proto and app.proto, as its gateway writes it. */
const hash = '$2b$10$aXpKsOzIYnHUbwNkzn6LP.rBVBe2rLi7fbNjl/rTs7SJQ5hMvmKCa';
const person = (userId: string, user: object = {}) => ({
  userId,
  user: {
    userName: `u${userId}`,
    profile: { firstName: 'Road', lastName: 'Runner', preferredLanguage: 'en', gender: 'GENDER_FEMALE' },
    email: { email: `u${userId}@acme.example`, isEmailVerified: true },
    hashedPassword: { value: hash, algorithm: 'bcrypt' },
    ...user,
  },
});
const acme = {
  orgId: '1',
  org: { name: 'Acme' },
  iamPolicy: { orgId: '1', userLoginMustBeDomain: true },
  labelPolicy: { primaryColor: '#5469d4', warnColor: '#cd3d56' },
  loginPolicy: { allowRegister: true, passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED' },
  passwordComplexityPolicy: { minLength: '10', hasUppercase: true, hasNumber: true },
  projects: [{ projectId: '201', project: { name: 'Portal', projectRoleCheck: true } }],
  projectRoles: [{ projectId: '201', roleKey: 'editor', displayName: 'Editor' }],
  apiApps: [
    {
      appId: '302',
      app: { projectId: '201', name: 'Api', authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
    },
  ],
  oidcApps: [
    {
      appId: '301',
      app: {
        projectId: '201',
        name: 'Web',
        redirectUris: ['https://app.acme.example/back'],
        responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
        grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_DEVICE_CODE'],
        appType: 'OIDC_APP_TYPE_WEB',
        authMethodType: 'OIDC_AUTH_METHOD_TYPE_POST',
        accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
        devMode: true,
      },
    },
    { appId: '303', app: { name: 'Spa', appType: 1, authMethodType: 2 } },
  ],
  humanUsers: [person('11'), person('12', { otpCode: 'JBSWY3DPEHPK3PXP', profile: { gender: 3 } })],
  machineUsers: [{ userId: '21', user: { userName: 'robot', accessTokenType: 'ACCESS_TOKEN_TYPE_JWT' } }],
  triggerActions: [{ flowType: 'FLOW_TYPE_EXTERNAL_AUTHENTICATION' }],
  userGrants: [{ userId: '11', projectId: '201', projectGrantId: '9', roleKeys: ['editor'] }],
  orgMembers: [
    { userId: '11', roles: ['ORG_SETTINGS_MANAGER', 'ORG_OWNER'] },
    { userId: '12', roles: ['ORG_SETTINGS_MANAGER'] },
  ],
  projectMembers: [{ projectId: '201', userId: '11', roles: ['PROJECT_OWNER', 'PROJECT_OWNER_GLOBAL'] }],
  userMetadata: [{ id: '11', key: 'team', value: 'Q295b3Rlcw==' }],
  domains: [{ orgId: '1', domainName: 'acme.example', isVerified: true, isPrimary: true, validationType: 1 }],
};

async function conversion(t: Test, given: unknown, options: Partial<ZitadelInput> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'in.json');
  const text =
    typeof given === 'string' || given instanceof Buffer ? given : JSON.stringify(given, undefined, 1);
  writeFileSync(path, text);
  const input = { export: path, emailVerified: false, skipInvalid: false, strict: false, ...options };
  const target = join(folder, 'out.json');
  const report = await convertZitadel(input, { path: target, timeout: '30m', multiline: true });
  return {
    ...report,
    orgs: report.written ? JSON.parse(readFileSync(target, 'utf8')).dataOrgsv1.orgs : undefined,
    told: report.problems.list().map(({ severity, message }) => `${severity} ${message}`),
    lost: (report.losses ?? []).map(({ path, records }) => `${path} ${records}`).sort(),
  };
}

t.test('an export as it is becomes an import', async (t) => {
  const { orgs, told, users, withPassword } = await conversion(t, {
    orgs: [acme, { orgId: '2', org: { name: 'B' } }],
  });
  t.same([users, withPassword, orgs.length], [2, 2, 2]);
  const [first, second] = orgs;
  t.same(second, { orgId: '2', org: { name: 'B' } });
  t.same(first.org, {
    name: 'Acme',
    passwordPolicy: { minLength: 10, upper: true, lower: false, digit: true, symbol: false },
    login: { selfRegistration: true, brandColor: '#5469d4' },
  });
  t.same(
    first.oidcApps.map(({ app }: { app: object }) => app),
    [
      {
        name: 'Web',
        type: 'web',
        authMethod: 'client_secret_post',
        redirectUris: ['https://app.acme.example/back'],
        responseTypes: ['code'],
        grantTypes: ['authorization_code'],
        accessTokenType: 'jwt',
      },
      { name: 'Spa', type: 'spa', authMethod: 'none' },
    ],
  );
  t.match(first.apiApps, [{ appId: '302', app: { name: 'Api', authMethod: 'private_key_jwt' } }]);
  t.match(first.humanUsers, [
    { userId: '11', user: { profile: { gender: 'female' }, hashedPassword: { value: hash } } },
    { userId: '12', user: { profile: { gender: 'diverse' }, otpCode: 'JBSWY3DPEHPK3PXP' } },
  ]);
  t.same(first.machineUsers, [{ userId: '21', user: { userName: 'robot', accessTokenType: 'jwt' } }]);
  t.same(first.orgMembers, [{ userId: '11', roles: ['ORG_OWNER'] }]);
  t.same(first.projectMembers, [{ projectId: '201', userId: '11', roles: ['PROJECT_OWNER'] }]);
  t.same(first.userMetadata, [{ userId: '11', key: 'team', value: 'Q295b3Rlcw==' }]);
  t.same(first.domains, [{ domainName: 'acme.example', isVerified: true, isPrimary: true }]);
  t.equal(told.length, 3);
  t.ok(told.every((text) => /^note (?:oidc|api)Apps: the application gets its appId/.test(text)));
});

t.test('links to outside identity providers become metadata', async (t) => {
  const link = {
    userId: '11',
    idpId: '9',
    idpName: 'GitHub',
    providedUserId: 'g-1',
    providedUserName: 'road',
  };
  const again = { ...link, providedUserId: 'g-2' };
  const { orgs, told, lost } = await conversion(
    t,
    {
      orgs: [
        {
          ...acme,
          userLinks: [link, { ...link, userId: '12', providedUserName: '' }, { userId: '12' }, again],
        },
      ],
    },
    { skipInvalid: true },
  );
  const twice = { provider: '9', subject: 'g-1' };
  t.same(orgs[0].identityLinks, [
    {
      userId: '11',
      links: [
        { ...twice, name: 'road' },
        { provider: '9', subject: 'g-2', name: 'road' },
      ],
    },
    { userId: '12', links: [twice] },
  ]);
  t.ok(told.includes('error userLinks: no userId, no idpId or no providedUserId'));
  t.ok(lost.includes('orgs[].userLinks[].idpName 3'), lost.join());
});

t.test('every value that reaches nothing is named, and --strict refuses them', async (t) => {
  const expected = [
    'orgs[].iamPolicy.orgId 1',
    'orgs[].iamPolicy.userLoginMustBeDomain 1',
    'orgs[].labelPolicy.warnColor 1',
    'orgs[].loginPolicy.passwordlessType 1',
    'orgs[].oidcApps[].app.devMode 1',
    'orgs[].oidcApps[].app.grantTypes[] 1',
    'orgs[].orgMembers[].roles[] 2',
    'orgs[].projectMembers[].roles[] 1',
    'orgs[].projects[].project.projectRoleCheck 1',
    'orgs[].triggerActions[].flowType 1',
    'orgs[].userGrants[].projectGrantId 1',
  ];
  const { lost } = await conversion(t, { orgs: [acme], extra: true });
  t.same(lost, ['extra 1', ...expected]);
  const strict = await conversion(t, { orgs: [acme] }, { strict: true });
  t.same([strict.written, strict.lost], [false, expected]);
});

/** Copies a value with an unknown member in each object. Counts the members by their paths. */
function withUnknown(value: unknown, path: string, counts: Map<string, number>): unknown {
  if (Array.isArray(value)) return value.map((item) => withUnknown(item, `${path}[]`, counts));
  if (typeof value !== 'object' || value === null) return value;
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`);
  counts.set(inner('unknownKey'), (counts.get(inner('unknownKey')) ?? 0) + 1);
  const entries = Object.entries(value).map(([name, item]) => [name, withUnknown(item, inner(name), counts)]);
  return { ...Object.fromEntries(entries), unknownKey: 'x' };
}

t.test(
  'an independent count confirms the losses: each object gets a member that nothing reads',
  async (t) => {
    const counts = new Map<string, number>();
    const { lost } = await conversion(
      t,
      withUnknown({ orgs: [acme, { orgId: '2', org: { name: 'B' } }] }, '', counts),
    );
    const counted = [...counts].map(([path, count]) => `${path} ${count}`).sort();
    t.ok(counted.length > 20);
    t.same(
      lost.filter((path) => path.includes('unknownKey')),
      counted,
    );
  },
);

t.test('snake_case, a byte order mark and an envelope are the same', async (t) => {
  const snake = JSON.stringify({ data_orgsv1: { orgs: [acme] } }).replace(
    /"([a-z]+[A-Z]\w*)":/g,
    (_, key: string) => `"${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
  );
  t.match(snake, '"human_users"');
  const one = await conversion(t, { orgs: [acme] });
  const other = await conversion(t, `\uFEFF${snake}`);
  t.same(other.orgs, one.orgs);
  t.same(other.lost, one.lost);
});

t.test('a bad record is told with its list, and is left out when asked', async (t) => {
  const humanUsers = [
    person('11', { hashedPassword: { value: 'secret-text' } }),
    person('12', { hashedPassword: undefined, email: { email: 'a@b.example' } }),
    'no object',
    person('14'),
    person('15', { userName: 'x'.repeat(2_000_000) }),
  ];
  const given = {
    orgs: [{ ...acme, humanUsers, domains: [{ domainName: ['x'] }], oidcApps: [{ app: { appType: 'X' } }] }],
  };
  const refused = await conversion(t, given);
  t.equal(refused.written, false);
  const text = refused.told.join('\n');
  for (const part of [
    'oidcApps: app.appType is no constant',
    'humanUsers: HASH-UNREADABLE',
    'humanUsers: HASH-MISSING',
    'humanUsers: not a JSON object',
    'humanUsers: longer than',
    'domains: ',
  ]) {
    t.match(text, `error ${part}`);
  }
  t.notMatch(text, 'secret-text');
  const { orgs } = await conversion(t, given, { skipInvalid: true });
  t.same(
    orgs[0].humanUsers.map(({ userId }: { userId: string }) => userId),
    ['14'],
  );
});

t.test('what is no export of ZITADEL is refused', async (t) => {
  const refusals: [unknown, RegExp][] = [
    ['[]', /no export of ZITADEL/],
    ['{"orgs":[', /ends too early/],
    [Buffer.from('{"orgs":[{"orgId":"\xff"}]}', 'latin1'), /not UTF-8/],
    [{ users: [] }, /no organizations of ZITADEL/],
    [{ orgs: {} }, /no export of ZITADEL/],
  ];
  for (const [given, message] of refusals) await t.rejects(conversion(t, given), { message });
  const nameless = await conversion(t, { orgs: [{ org: { name: 'A' } }] });
  t.same(nameless.told, ['error organization 1 has no orgId']);
});

t.test('a mapping changes people of every organization, and adds to its lists', async (t) => {
  const second = {
    ...acme,
    orgId: '2',
    userMetadata: [],
    identityLinks: [],
    webauthnCredentials: [],
    humanUsers: [person('51', { profile: { nickName: 'Lab' } })],
  };
  const first = {
    ...acme,
    humanUsers: [
      person('11', { profile: { firstName: 'Road', nickName: 'Lab' } }),
      person('12', { email: {}, profile: { firstName: 'x@acme.example' }, hashedPassword: {} }),
    ],
  };
  const map = JSON.stringify({
    attributes: [
      { from: 'user.profile.nickName', to: 'group' },
      { from: 'user.profile.firstName', to: 'metadata:first' },
      { from: 'user.userName', to: 'title' },
      { from: 'user.shoeSize', to: 'employeeNumber' },
    ],
    rules: { clearPasswords: 'check' },
  });
  const { orgs, told, lost, groups, memberships } = await conversion(
    t,
    { orgs: [first, second] },
    { map, skipInvalid: true },
  );
  t.equal(orgs[0].humanUsers[0].user.scim.title, 'u11');
  t.match(told.join('\n'), /humanUsers: HASH-MISSING/, 'a person whom the mapping does not mend is an error');
  t.same(
    orgs.map((org: { groups: { group: object }[] }) => org.groups.map(({ group }) => group)),
    [[{ displayName: 'Lab' }], [{ displayName: 'Lab' }]],
  );
  t.not(orgs[0].groups[0].groupId, orgs[1].groups[0].groupId, 'each organization has a group of its own');
  t.same(orgs[0].groupMembers, [{ groupId: orgs[0].groups[0].groupId, userId: '11' }]);
  t.same(
    orgs[0].userMetadata.map(({ key }: { key: string }) => key),
    ['first', 'team'],
    'beside those of the export, in one list',
  );
  t.same({ groups, memberships }, { groups: 2, memberships: 2 });
  t.notOk(lost.some((path) => path.includes('nickName')));
  t.match(told.join('\n'), 'the mapping names "user.shoeSize", which no record has');
  const again = await conversion(t, { orgs: [first, second] }, { map, skipInvalid: true });
  t.same(again.orgs, orgs, 'another conversion gives the same');
  const { explained, written } = await conversion(t, { orgs: [second] }, { map, isDryRun: true });
  t.equal(written, false);
  t.match(explained?.[0], { after: { userId: '51', user: { hashedPassword: '•••' } } });
});
