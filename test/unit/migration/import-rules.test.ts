import t from 'tap';
import type { User } from '#src/directory/user.js';
import { parseDuration } from '#src/migration/duration.js';
import { mergedProfile } from '#src/migration/import/lists/humans/differences/merged-profile.js';
import { readHumanUser } from '#src/migration/import/lists/humans/read/human-user-input.js';
import { sectionKeys } from '#src/migration/import/lists/section/section-keys.js';
import { readEnvelope } from '#src/migration/import/receive/read-envelope.js';
import { guessIdentifiers, identifiersOf } from '#src/migration/import/records/identifiers-of.js';
import { parseRecord } from '#src/migration/import/records/read-records.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { createLazyBlobStore } from '#src/platform/blobs/lazy-blob-store.js';
import { createHttpsObjects } from '#src/platform/outgoing/https-objects.js';

t.test('scim of a record has no attribute of another place, and none that a file invents', async (t) => {
  const scim = {
    userName: 'bob',
    name: { familyName: 1 },
    displayName: 'B',
    locked: true,
    password: 'x',
    title: 'Dr',
  };
  const user = { userName: 'anna', profile: { firstName: 'Anna' }, scim };
  const { given, profile } = readHumanUser({ user }, { now: new Date() }, undefined);
  t.same(given, { userName: 'anna', name: { givenName: 'Anna' }, title: 'Dr' });
  t.match(profile, { userName: 'anna', name: { givenName: 'Anna' }, displayName: 'Anna', title: 'Dr' });
});

t.test('durations are those of Go', async (t) => {
  const good: [string, number][] = [
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m0s', 5_400_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['1500ms', 1_500],
    ['2us', 0.002],
    ['72h', 72 * 3_600_000],
  ];
  for (const [text, ms] of good) t.equal(parseDuration(text), ms, text);
  for (const text of [
    '',
    '30',
    's',
    '-5s',
    '0s',
    '5 m',
    '5m ',
    '1d',
    '1h-5m',
    '73h',
    '1e3s',
    `${'1'.repeat(70)}s`,
  ]) {
    t.equal(parseDuration(text), undefined, JSON.stringify(text));
  }
});

t.test('records are read by themselves', async (t) => {
  const read = (text: string) => {
    const found = parseRecord(Buffer.from(text));
    return 'value' in found ? found.value : `${found.failure.code} ${found.id}`;
  };
  t.same(read('{"user_id":"a","user":{"user_name":"b_c","x":[{"is_email_verified":true}]}}'), {
    userId: 'a',
    user: { userName: 'b_c', x: [{ isEmailVerified: true }] },
  });
  t.same(read('{"a":"\\"{[:,","b":{"a":1},"c":[{"a":1},{"a":2}]}'), {
    a: '"{[:,',
    b: { a: 1 },
    c: [{ a: 1 }, { a: 2 }],
  });
  t.equal(read('{"userId":"a1","b":tru}'), 'RECORD-MALFORMED a1');
  t.equal(read('{"user_id": "a1","b":1,"b":1}'), 'RECORD-DUPLICATE-KEY a1');
  t.equal(read('{"a":{"b":1,"\\u0062":2}}'), 'RECORD-DUPLICATE-KEY ');
  t.equal(read('{"userId":"a1","user_id":"a2"}'), 'RECORD-DUPLICATE-KEY a1');
  t.equal(read(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`), 'RECORD-TOO-DEEP ');
  t.equal(read('{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}') !== 'RECORD-TOO-DEEP ', true);
  t.same(read('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}'));
});

t.test('a record names its identifiers, whole or broken, and never a secret', async (t) => {
  const user = {
    userName: 'anna',
    email: { email: 'a@example.com' },
    password: 'secret',
    hashedPassword: { value: 'secret' },
    otpCode: 'secret',
    profile: { deep: { deeperId: 'x' } },
  };
  const expected = { userId: 'u1', userName: 'anna', email: 'a@example.com' };
  t.same(identifiersOf({ userId: 'u1', user }), expected);
  t.same(guessIdentifiers(`{"user_id":"u1","user":${JSON.stringify(user)},,`), {
    ...expected,
    deeperId: 'x',
  });
  t.same(identifiersOf([{ userId: 'u1' }]), {});
  t.same(identifiersOf({ groupId: 'g'.repeat(300), userId: '' }), { groupId: 'g'.repeat(200) });
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`${'abcdefghij'[index % 10]}${'x'.repeat(index)}Id`, 'v']),
  );
  t.equal(Object.keys(identifiersOf(many)).length, 10);
  t.equal(Object.keys(guessIdentifiers(JSON.stringify(many))).length, 10);
});

t.test('a record of each list names all its identifiers', async (t) => {
  const [userId, groupId, projectId] = ['u1', 'g1', 'p1'];
  const secrets = [{ hash: 'secret', created: 'secret' }];
  /** A record, and its identifiers. */
  const lists: Record<(typeof sectionKeys)[number], [record: object, expected: object]> = {
    domains: [{ domainName: 'acme.example', isPrimary: true }, { domainName: 'acme.example' }],
    connections: [
      { connectionId: 'c1', connection: { name: 'Entra', clientSecret: 'secret' } },
      { connectionId: 'c1', name: 'Entra' },
    ],
    projects: [
      { projectId, project: { name: 'Shop', audienceOrgIds: ['o2'] } },
      { projectId, name: 'Shop' },
    ],
    projectRoles: [
      { projectId, roleKey: 'reader', displayName: 'Reader', group: 'people' },
      { projectId, roleKey: 'reader', displayName: 'Reader' },
    ],
    oidcApps: [
      { appId: 'a1', projectId, app: { name: 'Web', type: 'web', clientSecrets: secrets } },
      { appId: 'a1', projectId, name: 'Web' },
    ],
    apiApps: [
      { appId: 'a2', projectId, app: { name: 'API', clientSecrets: secrets } },
      { appId: 'a2', projectId, name: 'API' },
    ],
    humanUsers: [
      {
        userId,
        user: {
          userName: 'ada',
          profile: { firstName: 'Ada', displayName: 'Ada L.' },
          email: { email: 'ada@example.com', isEmailVerified: true },
          password: 'secret',
          scim: { externalId: 'e1' },
        },
      },
      { userId, userName: 'ada', displayName: 'Ada L.', email: 'ada@example.com', externalId: 'e1' },
    ],
    groups: [
      { groupId, group: { displayName: 'Staff', externalId: 'e2' } },
      { groupId, displayName: 'Staff', externalId: 'e2' },
    ],
    groupMembers: [
      { groupId, userId },
      { groupId, userId },
    ],
    machineUsers: [
      { userId, user: { userName: 'robot', name: 'Robot', clientSecrets: secrets } },
      { userId, userName: 'robot', name: 'Robot' },
    ],
    identityLinks: [{ userId, links: [{ provider: 'github', subject: 'secret' }] }, { userId }],
    webauthnCredentials: [
      { userId, credentials: [{ id: 'secret', publicKey: 'secret', counter: 0 }] },
      { userId },
    ],
    userMetadata: [
      { userId, key: 'badge', value: 'secret' },
      { userId, key: 'badge' },
    ],
    orgMembers: [{ userId, roles: ['ORG_OWNER'] }, { userId }],
    projectMembers: [
      { projectId, userId, roles: ['PROJECT_OWNER'] },
      { projectId, userId },
    ],
    userGrants: [
      { userId, projectId, roleKeys: ['reader'] },
      { userId, projectId },
    ],
    groupGrants: [
      { groupId, projectId, roleKeys: ['reader'] },
      { groupId, projectId },
    ],
    applicationGrants: [{ clientId: 'c1' }, { clientId: 'c1' }],
  };
  t.same(Object.keys(lists).sort(), [...sectionKeys].sort());
  for (const [list, [record, expected]] of Object.entries(lists)) {
    t.same(identifiersOf(record), expected, list);
    t.same(guessIdentifiers(`${JSON.stringify(record)},,`), expected, `${list}, of a record that is broken`);
  }
});

const sources = { blobs: createLazyBlobStore({}), httpsObjects: createHttpsObjects({ hosts: [] }) };

t.test('an envelope has no other properties, also not those of every object', async (t) => {
  const source = { bucket: 'bucket', path: 'path', serviceaccountJson: 'e30=' };
  for (const key of ['other', 'constructor', 'toString', '__proto__']) {
    const properties = new Map<string, unknown>([
      ['timeout', '5m'],
      [key, source],
    ]);
    const message = `There is no property "${key}"`;
    const staged = { properties, dataKeys: [], form: undefined };
    t.throws(() => readEnvelope(sources, staged), { message });
  }
});

t.test('an update takes the attributes that the record mentions', async (t) => {
  const now = new Date();
  const stored: User = {
    ...normalizeProfile({
      userName: 'ada',
      externalId: 'e-1',
      name: { givenName: 'Ada', familyName: 'Lind', honorificPrefix: 'Dr.' },
      nickName: 'A',
      gender: 'female',
      title: 'Engineer',
      preferredLanguage: 'de',
      active: false,
      emails: [{ value: 'ada@example.com', primary: true }, { value: 'ada@home.example' }],
      phoneNumbers: [{ value: '+41711234567' }],
      roles: [{ value: 'admin' }],
    }),
    ...{ id: 'ada', orgId: 'o', version: 3, created: now, lastModified: now },
  };
  /** The profile after an update by a record with these fields beside the userName. */
  const after = (user: Record<string, unknown>) => {
    const record = { userId: 'ada', user: { userName: 'ada', ...user } };
    return normalizeProfile(mergedProfile(stored, readHumanUser(record, { now }, undefined)));
  };
  const changes = (user: Record<string, unknown>) => {
    const before = normalizeProfile(
      mergedProfile(stored, readHumanUser({ user: { userName: 'ada' } }, { now }, undefined)),
    );
    const found = after(user) as unknown as Record<string, unknown>;
    const names = new Set([...Object.keys(found), ...Object.keys(before)]) as Set<keyof typeof before>;
    return Object.fromEntries(
      [...names].flatMap((name) =>
        JSON.stringify(found[name]) === JSON.stringify(before[name]) ? [] : [[name, found[name]]],
      ),
    );
  };
  t.match(after({}), { ...stored, active: false }, 'what it does not mention stays');
  t.strictSame(changes({ profile: {}, scim: {}, email: {}, phone: {} }), {});
  t.strictSame(changes({ profile: null, scim: null }), {}, 'no object is no mention');
  const renamed = {
    name: { givenName: 'Eva', familyName: 'Lind', honorificPrefix: 'Dr.' },
    displayName: 'Eva Lind',
  };
  t.match(
    changes({ profile: { firstName: 'Eva' } }),
    renamed,
    'a displayName that was made follows the names',
  );
  t.strictSame(changes({ profile: { displayName: 'Ada Lind' } }), {}, 'it equals the names');
  t.strictSame(changes({ profile: { displayName: 'Ada L.' } }), {
    displayName: 'Ada L.',
    displayNameGiven: true,
  });
  t.strictSame(changes({ scim: { title: null, roles: [] }, profile: { nickName: '' } }), {
    title: undefined,
    roles: undefined,
    nickName: undefined,
  });
  t.strictSame(changes({ profile: { gender: null } }), { gender: undefined });
  t.strictSame(changes({ scim: { gender: 'GENDER_X' } }), { gender: 'GENDER_X' });
  t.strictSame(changes({ scim: { honorificPrefix: null } }), {
    name: { givenName: 'Ada', familyName: 'Lind' },
  });
  t.strictSame(changes({ email: { email: 'new@example.com', isEmailVerified: true } }), {
    emails: [{ value: 'new@example.com', primary: true, verified: true }],
  });
  t.strictSame(changes({ email: { isEmailVerified: true } }), {}, 'it has no address');
  t.strictSame(changes({ email: null, phone: { phone: '' } }), { emails: [], phoneNumbers: undefined });
  t.strictSame(changes({ scim: { emails: [{ value: 'b@example.com' }] } }), {
    emails: [{ value: 'b@example.com', primary: true }],
  });
  t.strictSame(changes({ scim: { active: null } }), {}, 'active cannot be unassigned');
  t.strictSame(changes({ scim: { active: true } }), { active: true });
  t.match(changes({ profile: { preferredLanguage: null } }), { preferredLanguage: 'en' });
  t.strictSame(
    changes({ scim: { id: 'x', name: null, orgId: 'y', __proto__: { title: 'x' } } }),
    {},
    'no attributes',
  );
  t.equal(after({}).displayNameGiven, undefined);
});

t.test('the option update is true or false', async (t) => {
  const read = (update: unknown) => {
    const properties = new Map<string, unknown>([
      ['timeout', '5m'],
      ['update', update],
    ]);
    return readEnvelope(sources, { properties, dataKeys: ['dataOrgs'], form: 'external' }).update;
  };
  t.equal(read(true), true);
  t.equal(read(false), false);
  t.equal(read(null), false);
  t.throws(() => read('yes'), { message: 'update is not true or false' });
});
