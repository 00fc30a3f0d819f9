import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { convertKeycloak, type KeycloakInput } from '#src/migration/convert/keycloak/convert-keycloak.js';

const bcrypt = `$2a$10$${'k'.repeat(53)}`;

/** A credential as Keycloak exports it: JSON within JSON. */
function credential(type: string, secret: object, data: object) {
  return { type, secretData: JSON.stringify(secret), credentialData: JSON.stringify(data) };
}

const bcryptPassword = credential('password', { value: bcrypt, salt: '' }, { algorithm: 'bcrypt' });
const ownPassword = credential(
  'password',
  { value: 'c2VjcmV0', salt: 'c2FsdA==' },
  { hashIterations: 27500, algorithm: 'house-blend' },
);

/** Converts a realm and returns the result. */
async function conversion(
  t: Test,
  realm: unknown,
  skipInvalid = false,
  realmName?: string,
  more: Partial<KeycloakInput> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'realm.json');
  writeFileSync(path, typeof realm === 'string' ? realm : JSON.stringify(realm, undefined, 1));
  const output = { path: join(folder, 'out.json'), orgId: 'org1', timeout: '30m', multiline: false };
  const input = { realm: [path], realmName, emailVerified: false, skipInvalid, ...more };
  try {
    const report = await convertKeycloak(input, output);
    const { problems, withPassword, written, explained } = report;
    const { losses = [] } = report;
    const lost = report.losses?.map(({ path }) => path);
    const body = written ? JSON.parse(readFileSync(output.path, 'utf8')).dataOrgs.orgs[0] : undefined;
    const users = body?.humanUsers;
    const told = problems.list().map(({ line, severity, message }) => `${line} ${severity} ${message}`);
    return { body, users, told, withPassword, lost, losses, explained };
  } finally {
    const expected = ['realm.json', 'out.json'];
    t.same(
      readdirSync(folder).filter((name) => !expected.includes(name)),
      [],
      'nothing else is left',
    );
  }
}

const anna = {
  id: '8f2b',
  username: 'anna',
  email: 'anna@example.com',
  emailVerified: true,
  firstName: 'Anna',
  lastName: 'Lind',
  enabled: true,
};

t.test('a user with a bcrypt hash and an authenticator app comes along whole', async (t) => {
  const app = credential(
    'otp',
    { value: 'Hello, world!' },
    { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' },
  );
  const { users, told, withPassword } = await conversion(t, {
    realm: 'shop',
    roles: { realm: [{ name: 'users', note: 'not [these] {ones}: "users"' }], users: [{ id: 'no' }] },
    users: [
      {
        ...anna,
        attributes: { locale: ['de'] },
        credentials: [bcryptPassword, app],
        requiredActions: ['UPDATE_PASSWORD'],
      },
    ],
    clients: [],
  });
  t.same(told, []);
  t.equal(withPassword, 1);
  t.same(users, [
    {
      userId: '8f2b',
      user: {
        userName: 'anna',
        profile: { firstName: 'Anna', lastName: 'Lind', preferredLanguage: 'de' },
        email: { email: 'anna@example.com', isEmailVerified: true },
        hashedPassword: { value: bcrypt },
        passwordChangeRequired: true,
        otpCode: 'JBSWY3DPFQQHO33SNRSCC',
        scim: { active: true },
      },
    },
  ]);
});

t.test('the hashes that Keycloak makes come along in their usual form', async (t) => {
  const pbkdf2 = credential(
    'password',
    {
      value: 'QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI=',
      salt: '1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc=',
    },
    { hashIterations: 100_000, algorithm: 'pbkdf2-sha256', additionalParameters: {} },
  );
  const argon2 = credential(
    'password',
    { value: 'MNzk5BtR2vUhrp6qQEjRNw==', salt: 'cm94YnRVOW5jZzFzcVE4bQ==', additionalParameters: {} },
    {
      hashIterations: 2,
      algorithm: 'argon2',
      additionalParameters: { memory: ['32'], type: ['id'], version: ['1.3'], parallelism: ['4'] },
    },
  );
  const { users, told, withPassword } = await conversion(t, {
    users: [
      { ...anna, credentials: [pbkdf2] },
      { ...anna, id: '2', username: 'bo', credentials: [argon2] },
    ],
  });
  t.same(told, []);
  t.equal(withPassword, 2);
  t.same(
    users.map((one: { user: { hashedPassword: unknown } }) => one.user.hashedPassword),
    [
      {
        value:
          '$pbkdf2-sha256$i=100000,l=32$1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc$QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI',
      },
      { value: '$argon2id$v=19$m=32,t=2,p=4$cm94YnRVOW5jZzFzcVE4bQ$MNzk5BtR2vUhrp6qQEjRNw' },
    ],
  );
});

t.test('flags are told either way, and a user without enabled is disabled', async (t) => {
  const { enabled: _, ...silent } = anna;
  const credentials = [bcryptPassword];
  const { users } = await conversion(t, {
    users: [
      { ...anna, credentials, requiredActions: [] },
      {
        ...anna,
        id: '2',
        username: 'bo',
        enabled: false,
        credentials: [{ ...bcryptPassword, temporary: true }],
      },
      { ...silent, id: '3', username: 'cy', credentials },
    ],
  });
  t.match(users, [
    { user: { scim: { active: true }, passwordChangeRequired: false } },
    { user: { scim: { active: false }, passwordChangeRequired: true } },
    { user: { scim: { active: false }, passwordChangeRequired: undefined } },
  ]);
});

t.test('what cannot be taken over is told, and the user comes without it', async (t) => {
  const counter = credential('otp', { value: 'x' }, { subType: 'hotp', digits: 6, algorithm: 'HmacSHA1' });
  const { users, told } = await conversion(t, {
    users: [
      { ...anna, credentials: [ownPassword, counter, { type: 'webauthn' }], attributes: { locale: ['??'] } },
      { ...anna, id: 's', username: 'service-account-x', serviceAccountClientId: 'x' },
      {
        ...anna,
        id: 'o',
        username: 'otto',
        enabled: false,
        credentials: [{ type: 'password', value: 'Clear-Text-1' }],
      },
    ],
  });
  t.match(users, [{ userId: '8f2b' }, { userId: 'o' }]);
  t.equal(users[0].user.hashedPassword, undefined);
  t.match(users[1].user, { password: 'Clear-Text-1', scim: { active: false } });
  t.same(told, [
    '1 note Second factors that sign-ins here do not ask for: those of 1 people. They sign in with the password alone; rules.secondFactors of a mapping can refuse them, or let them set a new password by a link',
    '3 note the attribute locale is no language; left out',
    '3 note 1 other credentials cannot be taken over',
    '3 note password hashes of "house-blend" cannot be taken over; the user sets a password at the first login',
    '3 note the authenticator app counts in another way than RFC 6238 does by default; left out',
    '32 note the account of a client is no person; left out',
    '42 note Passwords in plain text: 1. The import refuses those that break the rules of the organization; rules.clearPasswords of a mapping can exempt them',
  ]);
});

t.test('links and passkeys come along', async (t) => {
  const federatedIdentities = [
    { identityProvider: 'github', userId: '42', userName: 'anna-l' },
    { identityProvider: 'corporate saml', userId: 'G-1' },
  ];
  const links = [
    { provider: 'github', subject: '42', name: 'anna-l' },
    { provider: 'corporate saml', subject: 'G-1' },
  ];
  // The form is that of WebAuthnCredentialModel in keycloak/keycloak; the key is the beginning of one of P-256.
  const publicKey = Buffer.from('a5010203262001215820', 'hex').toString('base64url');
  const data = {
    aaguid: 'EA9B8D66-4d01-1d21-3ce4-b6b48cb575d4',
    credentialId: Buffer.from([251, 255, 1]).toString('base64'),
    counter: 3,
    credentialPublicKey: publicKey,
    attestationStatementFormat: 'none',
    transports: ['INTERNAL', 'usb'],
  };
  const key = {
    ...credential('webauthn-passwordless', {}, data),
    userLabel: 'Laptop',
    createdDate: 1_700_000_000_000,
  };
  const second = credential('webauthn', {}, { ...data, credentialId: 'AQID' });
  const broken = credential('webauthn', {}, { ...data, credentialPublicKey: 'aGVsbG8' });
  const realm = {
    users: [{ ...anna, federatedIdentities, credentials: [bcryptPassword, key, second, broken] }],
  };
  const { body, lost, told } = await conversion(t, realm, false, undefined, { rpId: 'login.example' });
  t.same(body.identityLinks, [{ userId: '8f2b', links }]);
  const shared = {
    publicKey,
    counter: 3,
    transports: ['internal', 'usb'],
    aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
    userHandle: Buffer.from('8f2b').toString('base64url'),
    rpId: 'login.example',
  };
  t.same(body.webauthnCredentials, [
    {
      userId: '8f2b',
      credentials: [
        { id: '-_8B', ...shared, label: 'Laptop', passwordless: true, created: '2023-11-14T22:13:20.000Z' },
        { id: 'AQID', ...shared, passwordless: false },
      ],
    },
  ]);
  t.match(told, [/those of 1 people/, /1 other credentials cannot be taken over/]);
  t.notOk(lost?.some((path) => path.startsWith('federated')));
  const nameless = { username: 'bo', email: 'bo@example.com', emailVerified: true, federatedIdentities };
  const made = await conversion(t, { users: [nameless] });
  t.match(made.users, [{ userId: made.body.identityLinks[0].userId }], 'a person without an id gets one');
});

t.test('errors are told with the line where the user begins, and nothing is written', async (t) => {
  const realm = `{"users": [
{"id": "1", "firstName": "a"},
  {"id": "2", "username": "b", "email": "b@example.com" "x"},

{"id": "3", "email": "c@example.com",
 "credentials": [{"type": "password", "credentialData": "{\\"algorithm\\":\\"bcrypt\\"}", "secretData": "{\\"value\\":\\"x\\"}"}]},
{"id": "4", "email": "d@example.com", "enabled": true},
{"id": "5", "email": "e@example.com", "emailVerified": true, "enabled": true}
]}`;
  const told = [
    '2 error no username',
    '3 error not JSON',
    '5 error HASH-UNREADABLE: The password hash is not in a form that is taken; /docs/password-hashes has them all',
    '7 error HASH-MISSING: The record has neither a password hash nor a verified e-mail address. If the address is right, say so with --email-verified: the person then sets a password by a link. Otherwise --without-credentials allow takes the person as it is',
  ];
  t.match(await conversion(t, realm), { users: undefined, told });
  t.match(await conversion(t, realm, true), { users: [{ userId: '5' }], told });
});

t.test('a user needs neither an address nor names', async (t) => {
  const { users, told } = await conversion(
    t,
    {
      users: [
        { id: '1', username: 'a', enabled: true, credentials: [bcryptPassword] },
        { id: '2', username: 'b', enabled: true, firstName: 'Bo', credentials: [bcryptPassword] },
        { id: '3', username: 'c', enabled: true },
      ],
    },
    true,
  );
  t.same(users, [
    {
      userId: '1',
      user: { userName: 'a', profile: {}, hashedPassword: { value: bcrypt }, scim: { active: true } },
    },
    {
      userId: '2',
      user: {
        userName: 'b',
        profile: { firstName: 'Bo' },
        hashedPassword: { value: bcrypt },
        scim: { active: true },
      },
    },
  ]);
  t.match(told, [/HASH-MISSING: .* Give the person an address for the link that sets a password/]);
});

t.test('an output that is the input is refused, whatever it is called', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const realm = join(folder, 'realm.json');
  const text = JSON.stringify({ users: [anna] });
  writeFileSync(realm, text);
  symlinkSync(realm, join(folder, 'link.json'));
  linkSync(realm, join(folder, 'second.json'));
  const names = ['realm.json', 'link.json', 'second.json'];
  for (const name of names) {
    const output = { path: join(folder, name), orgId: 'org1', timeout: '30m', multiline: false };
    const input = { realm: [realm], emailVerified: false, skipInvalid: false };
    await t.rejects(convertKeycloak(input, output), { message: /is an input/ }, name);
  }
  t.equal(readFileSync(realm, 'utf8'), text);
  t.same(readdirSync(folder).sort(), names.sort());
});

t.test('a file that ends too early is refused, wherever it ends', async (t) => {
  const whole = JSON.stringify([{ realm: 'shop', users: [{ ...anna, note: '\\"]}é' }], clients: [] }]);
  t.match(await conversion(t, whole), { users: [{ userId: '8f2b' }], told: [] }, 'whole');
  for (let length = 0; length < whole.length; length += 7) {
    await t.rejects(conversion(t, whole.slice(0, length)), { message: /not JSON/ }, `${length}`);
  }
  await t.rejects(conversion(t, '{"users":[}]'), { message: /realm\.json:1: not JSON/ });
});

t.test('groups and memberships come along, also nested ones and ones of the same name', async (t) => {
  const people = { enabled: true, credentials: [bcryptPassword] };
  const { body, told, losses } = await conversion(t, {
    users: [
      { ...anna, ...people, groups: ['/Sales', '/Sales/Europe', '/Sales', '/Gone'] },
      { username: 'nameless', ...people, groups: ['/Sales'] },
      { id: 'bo', username: 'bo', ...people, groups: ['/Asia/Europe', '/Loose'] },
    ],
    groups: [
      {
        id: 'g1',
        name: 'Sales',
        path: '/Sales',
        attributes: { cost: ['12'] },
        realmRoles: ['admin'],
        clientRoles: {},
        subGroups: [{ id: 'g2', name: 'Europe', path: '/Sales/Europe', subGroups: [] }],
      },
      {
        id: 'g3',
        name: 'Asia',
        path: '/Asia',
        subGroups: [{ id: 'g4', name: 'europe', path: '/Asia/Europe' }],
      },
      { name: 'Loose' },
    ],
  });
  t.same(body.groups.slice(0, 4), [
    { groupId: 'g1', group: { displayName: 'Sales' } },
    { groupId: 'g2', group: { displayName: '/Sales/Europe' } },
    { groupId: 'g3', group: { displayName: 'Asia' } },
    { groupId: 'g4', group: { displayName: '/Asia/Europe' } },
  ]);
  t.match(body.groups[4], { groupId: /^[0-9a-f]{32}$/, group: { displayName: 'Loose' } });
  t.equal(body.groups.length, 5);
  t.same(body.groupMembers, [
    { groupId: 'g1', userId: '8f2b' },
    { groupId: 'g2', userId: '8f2b' },
    { groupId: 'g1', userId: body.humanUsers[1].userId },
    { groupId: 'g4', userId: 'bo' },
    { groupId: body.groups[4].groupId, userId: 'bo' },
  ]);
  t.same(told.map((text) => text.replace(/^\d+ /, '')).sort(), [
    'note the group "/Gone" of the user is not in the output',
    'note the group "/Sales" comes without its attributes, realm roles',
    'note the subgroups of "/Asia" become groups beside it',
    'note the subgroups of "/Sales" become groups beside it',
  ]);
  t.match(body.humanUsers[1], { userId: /^[0-9a-f]{32}$/, user: { userName: 'nameless' } });
  t.match(losses, [{ path: 'groups[]', records: 1, line: 3 }]);
});

t.test('a group that no import takes is an error', async (t) => {
  const realm = {
    groups: [
      { id: 'g 1', name: 'Space' },
      { id: 'g2', name: 'x'.repeat(300) },
      { id: 'g3', subGroups: [{ name: 'below' }] },
      { id: 'g4', name: 'Sales' },
      { id: 'g5', name: 'sales' },
      { id: 'g6', name: 'Sales' },
      { id: 'g7', name: 'Good', subGroups: [7] },
    ],
    users: [],
  };
  const { body, told } = await conversion(t, realm, true);
  t.same(body.groups, [
    { groupId: 'g4', group: { displayName: '/Sales' } },
    { groupId: 'g7', group: { displayName: 'Good' } },
  ]);
  t.same(body.humanUsers, []);
  t.equal(body.groupMembers, undefined);
  t.equal(told.filter((text) => text.includes(' error ')).length, 7, told.join('\n'));
  t.equal((await conversion(t, realm)).users, undefined);
});

t.test('each record is on a line of its own in every list', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const realm = join(folder, 'realm.json');
  const users = [{ ...anna, groups: ['/a', '/b'] }];
  const groups = [
    { id: 'a', name: 'a' },
    { id: 'b', name: 'b' },
  ];
  writeFileSync(realm, JSON.stringify({ groups, users }));
  const output = { path: join(folder, 'out.json'), orgId: 'org1', timeout: '30m', multiline: true };
  const report = await convertKeycloak({ realm: [realm], emailVerified: false, skipInvalid: false }, output);
  t.match(report, { users: 1, groups: 2, memberships: 2, written: true });
  const text = readFileSync(output.path, 'utf8');
  const { timeout, dataOrgs, statedAttributes } = JSON.parse(text);
  const spread = JSON.stringify({ timeout, dataOrgs, statedAttributes }, undefined, 2);
  t.same(
    text.split('\n').filter((line) => !line.startsWith(' '.repeat(10))),
    spread
      .split('\n')
      .filter((line) => !line.startsWith(' '.repeat(10)))
      .concat(''),
    'the lists look as JSON.stringify writes them',
  );
  t.equal(text.split('\n').filter((line) => line.startsWith(' '.repeat(10))).length, 5);
});

t.test('of an array of realms one is converted, and nothing of the others', async (t) => {
  const realmOf = (realm: string, id: string) => ({
    id: `realm-${id}`,
    realm,
    displayName: 'realm',
    attributes: { realm: 'other' },
    groups: [{ id: `g-${id}`, name: `of-${realm}`, attributes: { realm: ['other'] } }],
    users: [
      { ...anna, id, username: `anna-${id}`, attributes: { realm: ['other'] }, groups: [`/of-${realm}`] },
    ],
  });
  const realms = [realmOf('master', 'a'), realmOf('shop "ü"', 'b'), realmOf('shop', 'c')];
  const { users, body } = await conversion(t, realms, false, 'shop "ü"');
  t.match(users, [{ userId: 'b' }]);
  t.match([body.groups, body.groupMembers], [[{ groupId: 'g-b' }], [{ groupId: 'g-b', userId: 'b' }]]);
  t.equal((await conversion(t, realmOf('shop', 'c'))).users.length, 1, 'one realm needs no name');
  t.equal((await conversion(t, [realmOf('shop', 'c')], false, 'shop')).users.length, 1);

  await t.rejects(conversion(t, realms), {
    message: /has the realms "master", "shop \\"ü\\"", "shop"\. Name one with --realm-name/,
  });
  await t.rejects(conversion(t, realms, false, 'other'), {
    message: /has no realm "other"\. Its realms: "master"/,
  });
  const { realm, ...others } = realmOf('shop', 'a');
  await t.rejects(conversion(t, [realms[0], { ...others, realm }], false, 'shop'), {
    message: /the realm has its name after its users/,
  });
  await t.rejects(conversion(t, { ...others, realm: 'x'.repeat(2_000) }, false, 'shop'), {
    message: /name after its users/,
  });
});

t.test('accepted settings of a realm leave a strict conversion, and people in them do not', async (t) => {
  const realm = {
    realm: 'shop',
    accessTokenLifespan: 300,
    browserSecurityHeaders: { xFrameOptions: 'SAMEORIGIN' },
    clients: [{ clientId: 'account' }],
    users: [{ ...anna, credentials: [{ type: 'password', value: 'Clear-Text-1' }] }],
  };
  const more = { strict: true, map: JSON.stringify({ acceptedLosses: ['(realm) *'] }) };
  const { users, losses } = await conversion(t, realm, false, undefined, more);
  t.match(
    users,
    [{ user: { password: 'Clear-Text-1' } }],
    'the rule for clear passwords is that without a mapping',
  );
  t.equal(losses.length, 3);
  t.ok(losses.every(({ accepted }) => accepted));
  const ofPeople = { organizations: [{ members: [{ username: 'x' }] }], federatedUsers: [{ id: '1' }] };
  const refused = await conversion(t, { ...realm, ...ofPeople }, false, undefined, more);
  t.equal(refused.users, undefined, 'nothing is written');
  t.same(
    refused.losses.filter(({ accepted }) => !accepted).map(({ path }) => path),
    ['federatedUsers[]', 'organizations[]'],
  );
});

t.test('a mapping takes attributes, and a group of one name is one group', async (t) => {
  const realm = {
    realm: 'shop',
    groups: [{ id: 'g-1', name: 'Staff' }],
    users: [
      { ...anna, attributes: { badge: ['B-1'], teams: ['staff', 'lab'], pin: ['1234'] }, groups: ['/Staff'] },
      { ...anna, id: 'b', username: 'bea', attributes: { badge: ['B-2'] } },
    ],
  };
  const map = JSON.stringify({
    attributes: [
      { from: 'attributes.badge', to: 'employeeNumber' },
      { from: 'attributes.teams', to: 'group' },
      { from: 'email', to: 'userName' },
      { from: 'attributes.typo', to: 'title' },
    ],
  });
  const mapped = await conversion(t, realm, false, undefined, { map });
  t.same(mapped.told, ['1 note the mapping names "attributes.typo", which no record has']);
  t.match(mapped.users, [
    { user: { userName: 'anna@example.com', scim: { employeeNumber: 'B-1' } } },
    { user: { scim: { employeeNumber: 'B-2' } } },
  ]);
  t.same(
    mapped.body.groups.map(({ group }: { group: object }) => group),
    [{ displayName: 'staff' }, { displayName: 'lab' }],
  );
  t.notOk(mapped.body.groupMembers.some(({ groupId }: { groupId: string }) => groupId === 'g-1'));
  t.same(mapped.lost, ['attributes.pin[]']);
  const explained = await conversion(t, realm, false, undefined, { map, isDryRun: true });
  t.same([explained.users, explained.explained?.length], [undefined, 2]);
  t.notMatch(JSON.stringify(explained.explained), '1234');
});

/** Names the places of all values of a document that say something. It shares no code with the conversion. */
function leavesOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, `${path}[]`));
  if (typeof value === 'object' && value !== null) {
    const start = path === '' ? '' : `${path}.`;
    return Object.entries(value).flatMap(([name, one]) => leavesOf(one, `${start}${name}`));
  }
  return value === null || value === '' ? [] : [path];
}

t.test('an independent count confirms what came in, and what reached nothing', async (t) => {
  const user = (name: string, more: object = {}) => ({
    id: `id-${name}`,
    username: name,
    enabled: true,
    emailVerified: false,
    createdTimestamp: 1_511_213_805_851,
    credentials: [{ ...bcryptPassword, id: `credential-${name}`, createdDate: 1_511_213_805_852 }],
    ...more,
  });
  const realm = {
    id: 'shop',
    realm: 'shop',
    notBefore: 0,
    displayName: '',
    displayNameHtml: null,
    rememberMe: false,
    enabled: true,
    smtpServer: {},
    supportedLocales: ['', null],
    attributes: { a: { b: [] }, c: 'd' },
    roles: { realm: [{ name: 'user' }], client: {} },
    'odd "name"': -1,
    groups: [
      {
        id: 'g1',
        name: 'sales',
        path: '/sales',
        attributes: { floor: ['2'], empty: [] },
        subGroups: [{ id: 'g2', name: 'lead', path: '/sales/lead', realmRoles: ['boss'], subGroups: [] }],
      },
    ],
    users: [
      user('ada', { email: 'ada@kc.example', firstName: 'Ada', groups: ['/sales'], realmRoles: ['user'] }),
      user('bo', { attributes: { locale: ['de', 'fr'], badge: ['7'] }, requiredActions: ['VERIFY_EMAIL'] }),
      user('cy', { credentials: [bcryptPassword, credential('webauthn', { value: 'x' }, { counter: 1 })] }),
      user('robot', { serviceAccountClientId: 'api' }),
      user('di', {
        clientRoles: { account: ['view-profile'] },
        federatedIdentities: [{ identityProvider: 'x' }],
      }),
    ],
    clients: [{ clientId: 'shop', secret: 'client-secret' }],
  };
  const { users, groups, realm: _name, ...members } = realm;
  const people = users.filter((one) => !('serviceAccountClientId' in one));

  const expected = new Map<string, number>();
  const count = (paths: Iterable<string>) => {
    for (const path of new Set(paths)) expected.set(path, (expected.get(path) ?? 0) + 1);
  };
  for (const [name, value] of Object.entries(members)) {
    if (leavesOf(value).length > 0) count([`(realm) ${name}`]);
  }
  count(['(account of a client)']);
  for (const { id: _id, name: _own, path: _path, subGroups = [], ...rest } of [
    ...groups,
    ...groups.flatMap(({ subGroups }) => subGroups),
  ] as Record<string, unknown>[]) {
    t.ok(subGroups);
    count(leavesOf(rest).map((path) => `groups[].${path}`));
  }
  const arrives =
    /^(?:id|username|enabled|email|emailVerified|firstName|groups\[\]|createdTimestamp|credentials\[\]\.(?:type|secretData|credentialData))$/;
  const partly: Record<string, string[]> = {
    bo: ['attributes.locale[]', 'requiredActions[]'],
    // The second credential is of another kind.
    cy: ['credentials[]'],
  };
  for (const person of people) {
    const lost = leavesOf(person).filter((path) => !arrives.test(path));
    count([...lost, ...(partly[person.username] ?? [])]);
  }

  for (const text of [JSON.stringify(realm), JSON.stringify(realm, undefined, 3)]) {
    const { users: came, body, losses } = await conversion(t, text);
    t.same(
      came.map((one: { user: { userName: string } }) => one.user.userName),
      people.map(({ username }) => username),
    );
    t.same(
      body.groups.map((one: { group: { displayName: string } }) => one.group.displayName),
      ['sales', 'lead'],
    );
    t.same(
      losses.map(({ path, records }) => [path, records] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
      [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }
  const two = await conversion(
    t,
    [
      { realm: 'other', clients: [1] },
      { ...realm, clients: [] },
    ],
    false,
    'shop',
  );
  t.notOk(two.lost?.includes('(realm) clients'), 'another realm of the file is no loss');
  t.ok(two.lost?.includes('(realm) roles'));
  const late = await conversion(t, [{ clients: [1], realm: 'shop', users: realm.users }], false, 'shop');
  t.ok(late.lost?.includes('(realm) clients'), 'also if the name of the realm comes later');
});

t.test('what people write into a realm means what it means to Keycloak', async (t) => {
  // The shapes are those of model/testrealm.json and testrealm.json in the test suite of keycloak/keycloak, of its quickstarts, and of
  // kafka-authz-realm.json in strimzi/strimzi-kafka-oauth: texts for flags and numbers, no identifiers, attributes with one value.
  const { users, told, lost } = await conversion(t, {
    users: [
      {
        ...anna,
        username: 7,
        enabled: 'FALSE',
        email: undefined,
        createdTimestamp: '123655',
        attributes: { locale: 'de' },
        credentials: [{ type: 'password', value: 1234, temporary: 'true' }],
      },
      {
        username: 'bo',
        email: 'bo@example.com',
        emailVerified: 'true',
        enabled: 'maybe',
        attributes: { locale: ['en'] },
      },
      {
        username: 'cy',
        enabled: true,
        credentials: [bcryptPassword],
        createdTimestamp: -5,
        groups: '/Sales',
      },
    ],
  });
  t.match(users, [
    {
      user: {
        userName: '7',
        created: '1970-01-01T00:02:03.655Z',
        profile: { preferredLanguage: 'de' },
        password: '1234',
        passwordChangeRequired: true,
        scim: { active: false },
      },
    },
    {
      user: {
        email: { isEmailVerified: true },
        profile: { preferredLanguage: 'en' },
        scim: { preferredLanguageGiven: true, active: undefined },
      },
    },
    { user: { created: undefined } },
  ]);
  t.match(told, [/^3 note Passwords in plain text: 1\. .*rules\.clearPasswords/, /created is no date/]);
  t.same(lost, ['createdTimestamp', 'enabled', 'groups']);
});

t.test('a realm of which nobody is taken says why', async (t) => {
  const realm = {
    users: [
      { username: 'a', enabled: true },
      { username: 'b', enabled: true, credentials: [{ type: 'Password', value: 'x' }] },
    ],
  };
  await t.rejects(conversion(t, realm, true), {
    message: /has no users .* 2 records were refused, the first at .*realm\.json:3: HASH-MISSING/,
  });
});

t.test(
  'an identifier that a realm lacks is the same again, and another one in another organization',
  async (t) => {
    const realm = {
      groups: [{ name: 'Staff' }],
      users: [{ username: 'Ada', groups: ['/Staff'], credentials: [bcryptPassword] }],
    };
    const [first, second] = [await conversion(t, realm), await conversion(t, realm)];
    t.same(first.body, second.body);
    t.equal(first.body.groupMembers.length, 1);
    const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'realm.json');
    writeFileSync(path, JSON.stringify(realm));
    const output = { path: join(folder, 'out.json'), orgId: 'org2', timeout: '30m', multiline: false };
    await convertKeycloak({ realm: [path], emailVerified: false, skipInvalid: false }, output);
    const [other] = JSON.parse(readFileSync(output.path, 'utf8')).dataOrgs.orgs[0].humanUsers;
    t.not(other.userId, first.body.humanUsers[0].userId);
  },
);

/** `GET /admin/realms/{realm}/users` (UserRepresentation of Keycloak's admin API); the people are invented. */
const ofApi = (n: number, more: object = {}) => ({
  id: `api-${n}`,
  username: `u${n}`,
  firstName: 'Ada',
  email: `u${n}@example.com`,
  emailVerified: true,
  createdTimestamp: 1_700_000_000_000,
  enabled: true,
  totp: false,
  disableableCredentialTypes: [],
  requiredActions: [],
  notBefore: 0,
  access: { manageGroupMembership: true, view: true },
  ...more,
});

t.test('what the admin API answers: arrays of users and of groups', async (t) => {
  const compact = JSON.stringify([ofApi(1), ofApi(2, { enabled: false })]);
  for (const given of [
    compact,
    JSON.stringify([ofApi(1), ofApi(2, { enabled: false })], undefined, 2),
    `${JSON.stringify(ofApi(1))}\n${JSON.stringify(ofApi(2, { enabled: false }))}\n`,
  ]) {
    const { users, told, lost } = await conversion(t, given);
    t.match(users, [
      { userId: 'api-1', user: { userName: 'u1', scim: { active: true } } },
      { userId: 'api-2', user: { scim: { active: false } } },
    ]);
    t.same(told, []);
    t.same(lost, ['notBefore', 'totp']);
  }
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const [people, groups] = [join(folder, 'users'), join(folder, 'groups')];
  writeFileSync(people, JSON.stringify([ofApi(1, { groups: ['Sales/', '/Sales/North'] })]));
  // A group whose first member is long, and a realm whose group comes first.
  const sales = {
    id: 'g',
    name: 'Sales',
    description: 'x'.repeat(1000),
    path: '/Sales',
    subGroups: [{ name: 'North' }],
  };
  writeFileSync(groups, JSON.stringify([sales]));
  const output = { path: join(folder, 'out'), orgId: 'o', timeout: '30m', multiline: false };
  const input = { realm: [people, groups], emailVerified: false, skipInvalid: false };
  const report = await convertKeycloak(input, output);
  t.match(report, { users: 1, groups: 2, memberships: 2, written: true });
  const realm = { groups: [sales], users: [ofApi(1)] };
  t.equal((await conversion(t, realm)).users.length, 1, 'a realm without a name that begins with its groups');
});

t.test('groups of a user without the slash', async (t) => {
  const group = { id: 'g', name: 'a', path: '/a' };
  const users = [
    { ...anna, groups: ['a'] },
    { ...anna, id: '2', username: 'bo', groups: ['/a/', 'a', ' a'] },
    { ...anna, id: '3', username: 'cy', groups: ['b', '//a'] },
  ];
  const { body, told } = await conversion(t, { users, groups: [group, { name: 'c', path: 'c' }] });
  t.same(body.groupMembers, [
    { groupId: 'g', userId: '8f2b' },
    { groupId: 'g', userId: '2' },
  ]);
  t.equal(told.length, 2, 'unknown groups are told');
});

t.test('the usual attributes come along without a mapping', async (t) => {
  // The names are those of the protocol mappers of services/.../oidc/OIDCLoginProtocolFactory.java in keycloak/keycloak.
  const { users, told, lost } = await conversion(t, {
    users: [
      {
        ...anna,
        attributes: {
          phoneNumber: ['+41 44 668 18 00'],
          phoneNumberVerified: ['true'],
          picture: ['https://example.com/anna.jpg'],
          nickname: ['Ann'],
          zoneinfo: ['Europe/Zurich'],
          website: ['https://example.com/', 'https://example.org/'],
          birthdate: ['1990-02-03'],
          gender: ['female'],
          street: ['Bahnhofstrasse 1'],
          postal_code: ['8001'],
          department: 'Sales',
          badge: ['7'],
        },
      },
      {
        ...anna,
        id: '2',
        username: 'bo',
        attributes: {
          picture: ['javascript:alert(1)'],
          zoneinfo: ['Mars'],
          phoneNumber: ['x'.repeat(5000)],
          phone: [''],
        },
      },
    ],
  });
  t.match(users[0].user, {
    profile: { nickName: 'Ann', gender: 'female' },
    phone: { phone: '+41 44 668 18 00', isPhoneVerified: true },
    scim: {
      active: true,
      photos: [{ value: 'https://example.com/anna.jpg' }],
      timezone: 'Europe/Zurich',
      website: 'https://example.com/',
      birthdate: '1990-02-03',
      department: 'Sales',
      addresses: [{ streetAddress: 'Bahnhofstrasse 1', postalCode: '8001', primary: true }],
    },
  });
  t.same(users[1].user.phone, undefined);
  t.same(users[1].user.scim, { active: true });
  t.equal(told.length, 3);
  t.same(lost, [
    'attributes.badge[]',
    'attributes.phoneNumber[]',
    'attributes.picture[]',
    'attributes.website[]',
    'attributes.zoneinfo[]',
  ]);
});

t.test('a realm that has only accounts of clients says so', async (t) => {
  const client = { id: 's', username: 'service-account-x', serviceAccountClientId: 'x', enabled: true };
  await t.rejects(conversion(t, { realm: 'r', users: [client] }), {
    message: /has no people: its 1 users are accounts of clients/,
  });
});

t.test('second factors that do not come over follow a rule', async (t) => {
  const key = { type: 'webauthn', secretData: '{}', credentialData: '{}' };
  const hotp = credential('otp', { value: 'x' }, { subType: 'hotp', digits: 6, algorithm: 'HmacSHA1' });
  const app = credential(
    'otp',
    { value: 'Hello, world!' },
    { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' },
  );
  const realm = {
    users: [
      { ...anna, credentials: [bcryptPassword, key] },
      { ...anna, id: '2', username: 'bo', credentials: [bcryptPassword, hotp] },
      { ...anna, id: '3', username: 'cy', credentials: [bcryptPassword, app] },
      { ...anna, id: '4', username: 'di', emailVerified: false, totp: true, credentials: [bcryptPassword] },
      { ...anna, id: '5', username: 'ed', credentials: [bcryptPassword] },
    ],
  };
  const by = (rule?: string) =>
    conversion(
      t,
      realm,
      true,
      undefined,
      rule === undefined ? {} : { map: JSON.stringify({ rules: { secondFactors: rule } }) },
    );
  const withHash = ({ users }: { users: { userId: string; user: { hashedPassword?: unknown } }[] }) =>
    users.filter(({ user }) => user.hashedPassword !== undefined).map(({ userId }) => userId);
  const dropped = await by();
  t.same(withHash(dropped), ['8f2b', '2', '3', '4', '5']);
  t.match(dropped.told.join('\n'), /those of 3 people\. They sign in with the password alone/);
  const refused = await by('refuse');
  t.same(withHash(refused), ['3', '5']);
  t.equal(refused.told.filter((line: string) => /error a second factor/.test(line)).length, 3);
  const linked = await by('link');
  t.same(withHash(linked), ['3', '5']);
  t.equal(linked.users.length, 4, 'without a verified address no link can be sent');
  t.match(linked.told.join('\n'), /no verified address/);
});
