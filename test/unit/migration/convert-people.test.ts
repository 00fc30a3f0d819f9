import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { convertPeople, type PeopleInput } from '#src/migration/convert/convert-people.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';
import { tagOf } from '#src/migration/convert/values/language.js';
import {
  cognitoExport,
  entraExport,
  firebaseExport,
  firebaseParameters,
  fusionauthExport,
  kratosExport,
  oktaExport,
} from '../../support/migration/exports.js';

/** Converts exports, one file each. */
async function conversion(
  t: Test,
  name: string,
  exports: readonly unknown[],
  options: Partial<PeopleInput> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const users = exports.map((given, place) => {
    const path = join(folder, `${place}.json`);
    writeFileSync(path, typeof given === 'string' ? given : JSON.stringify(given, undefined, 1));
    return path;
  });
  const format = peopleFormats[name];
  if (format === undefined) throw new Error(`There is no ${name}`);
  const output = { path: join(folder, 'out.json'), orgId: 'org1', timeout: '30m', multiline: false };
  const input = { users, emailVerified: false, skipInvalid: false, strict: false, ...options };
  try {
    const report = await convertPeople(format, input, output);
    const body = report.written ? JSON.parse(readFileSync(output.path, 'utf8')) : undefined;
    const told = report.problems
      .list()
      .map(({ line, severity, message }) => `${line} ${severity} ${message}`);
    const lost = (report.losses ?? []).map(({ path, records, line }) => `${path} ${records} ${line}`);
    const org = body?.dataOrgs.orgs[0];
    return {
      ...report,
      people: org?.humanUsers,
      links: org?.identityLinks ?? [],
      passkeys: org?.webauthnCredentials,
      told,
      lost,
    };
  } finally {
    const left = readdirSync(folder).filter((file) => !/^(\d|out)\.json$/.test(file));
    t.same(left, [], 'no other file is left');
  }
}

t.test('Firebase: hashes, addresses and disabled people', async (t) => {
  const { people, told, lost, withPassword } = await conversion(t, 'firebase', [firebaseExport], {
    hashParameters: firebaseParameters,
  });
  t.same(told, []);
  t.equal(withPassword, 1);
  t.same(people, [
    {
      userId: 'fb-1',
      user: {
        userName: 'maria@example.com',
        created: '2017-07-14T02:40:00.000Z',
        profile: { firstName: 'Maria', lastName: 'Berg', displayName: 'Maria Berg' },
        email: { email: 'maria@example.com', isEmailVerified: true },
        phone: { phone: '+41446681800', isPhoneVerified: true },
        hashedPassword: {
          value:
            '$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ$Bw$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA',
        },
        scim: { active: true, photos: [{ value: 'https://example.com/maria.jpg', type: 'photo' }] },
      },
    },
    {
      userId: 'fb-2',
      user: {
        userName: 'off@example.com',
        profile: {},
        email: { email: 'off@example.com', isEmailVerified: true },
        scim: { active: false },
      },
    },
  ]);
  t.same(lost, ['customAttributes 1 3', 'lastSignedInAt 1 3']);
  await t.rejects(conversion(t, 'firebase', [firebaseExport]), { message: /--hash-parameters is required/ });
  for (const hashParameters of ['', 'algorithm: BCRYPT', firebaseParameters.replace('rounds', 'turns')]) {
    await t.rejects(conversion(t, 'firebase', [firebaseExport], { hashParameters }), {
      message: /--hash-parameters has not what the Firebase console shows/,
    });
  }
  const alike = JSON.stringify({
    algorithm: 'SCRYPT',
    base64_signer_key:
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    base64_salt_separator: 'Bw==',
    rounds: 8,
    mem_cost: 14,
  });
  const again = await conversion(t, 'firebase', [firebaseExport], { hashParameters: alike });
  t.same(again.people, people, 'the parameters may be JSON');
});

t.test('Ory Kratos: traits, hashes and authenticator apps', async (t) => {
  const { people, told, lost } = await conversion(t, 'kratos', [kratosExport]);
  t.same(told, []);
  t.same(people, [
    {
      userId: '9f425a8d-7efc-4768-8f23-7647a74fdf13',
      user: {
        userName: 'ada@example.org',
        created: '2023-11-14T22:13:20.000Z',
        profile: { firstName: 'Ada', lastName: 'Lind' },
        email: { email: 'ada@example.org', isEmailVerified: true },
        hashedPassword: {
          value: '$argon2id$v=19$m=32,t=2,p=4$cm94YnRVOW5jZzFzcVE4bQ$MNzk5BtR2vUhrp6qQEjRNw',
        },
        otpCode: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        scim: { active: true },
      },
    },
  ]);
  t.same(lost, [
    'credentials.password.type 1 2',
    'credentials.totp.type 1 2',
    'recovery_addresses[].value 1 2',
    'recovery_addresses[].via 1 2',
    'schema_id 1 2',
    'traits.newsletter 1 2',
  ]);
});

t.test(
  'an authenticator app that counts otherwise, or whose secret is in another form, is left out',
  async (t) => {
    const [kratos] = kratosExport;
    for (const change of ['digits=8', 'period=60', 'algorithm=SHA256', 'secret=']) {
      const [name = ''] = change.split('=');
      const given = JSON.stringify([kratos]).replace(new RegExp(`${name}=\\w+`), change);
      const { people, told } = await conversion(t, 'kratos', [given]);
      t.equal(people[0].user.otpCode, undefined, change);
      t.equal(told.filter((line) => /authenticator app/.test(line)).length, 1, change);
      t.equal(told.filter((line) => /those of 1 people/.test(line)).length, 1, change);
    }
    const [sample] = fusionauthExport.users;
    const twoFactor = { methods: [{ method: 'authenticator', secret: 'MDEyMzQ1Njc4OQ==' }] };
    const { people, lost } = await conversion(t, 'fusionauth', [{ users: [{ ...sample, twoFactor }] }]);
    t.equal(people[0].user.otpCode, undefined);
    t.ok(lost.some((path) => path.startsWith('twoFactor.methods[].secret')));
  },
);

t.test('Okta: employment, addresses, states', async (t) => {
  const { people, told, lost } = await conversion(t, 'okta', [oktaExport]);
  t.same(told, []);
  t.match(people, [
    {
      userId: '00ub0oNGTSWTBKOLGLNR',
      user: {
        userName: 'isaac.brock@example.com',
        profile: { firstName: 'Isaac', lastName: 'Brock', preferredLanguage: 'en-US' },
        email: { email: 'isaac.brock@example.com', isEmailVerified: true },
        phone: { phone: '555-415-1337', isPhoneVerified: false },
        scim: {
          employeeNumber: '701984',
          department: 'Engineering',
          manager: '00u1',
          emails: [
            { value: 'isaac.brock@example.com', primary: true, type: 'work', verified: true },
            { value: 'ib@example.org', type: 'other', verified: false },
          ],
          addresses: [{ locality: 'Oslo', type: 'work', primary: true }],
        },
      },
    },
    { userId: '00u2', user: { userName: 'gone@example.com', scim: { active: false } } },
  ]);
  t.same(lost, [
    '_links.self.href 1 2',
    'activated 1 2',
    'credentials.provider.name 1 2',
    'credentials.provider.type 1 2',
    'profile.shoeSize 1 2',
    'type.id 1 2',
  ]);
});

t.test('whether a person is enabled is told either way, unless the system does not say', async (t) => {
  const pooled = { Username: 'a', Attributes: [{ Name: 'email', Value: 'a@example.com' }] };
  const named = { email: 'a@example.com', verified: true };
  const login = { profile: { login: 'a', email: 'a@example.com' } };
  const traits = { id: '1', traits: { email: 'a@example.com' } };
  const principal = { userPrincipalName: 'a', mail: 'a@example.com' };
  const cases: [name: string, expected: boolean | undefined, given: object][] = [
    ['cognito', true, { ...pooled, Enabled: true }],
    ['cognito', false, { ...pooled, Enabled: false }],
    ['cognito', undefined, pooled],
    ['entra', true, { ...principal, accountEnabled: true }],
    ['entra', false, { ...principal, accountEnabled: false }],
    ['entra', undefined, principal],
    // An export has the flag only if it was ever set.
    ['firebase', true, { localId: '1', email: 'a@example.com' }],
    ['firebase', true, { localId: '1', email: 'a@example.com', disabled: false }],
    ['firebase', false, { localId: '1', email: 'a@example.com', disabled: true }],
    ['fusionauth', true, { ...named, active: true }],
    ['fusionauth', false, { ...named, active: false }],
    ['fusionauth', undefined, named],
    ['kratos', true, { ...traits, state: 'active' }],
    ['kratos', false, { ...traits, state: 'inactive' }],
    ['kratos', undefined, traits],
    ['okta', true, { ...login, status: 'ACTIVE' }],
    ['okta', false, { ...login, status: 'SUSPENDED' }],
    ['okta', undefined, login],
  ];
  for (const [name, expected, given] of cases) {
    const { people } = await conversion(t, name, [[given]], { emailVerified: true });
    t.equal(people[0].user.scim?.active, expected, `${name} ${JSON.stringify(given)}`);
  }
});

t.test('a required change of the password is told either way, unless the system does not say', async (t) => {
  const [sample] = fusionauthExport.users;
  for (const flag of [true, false, undefined]) {
    const given = { users: [{ ...sample, passwordChangeRequired: flag }] };
    const { people } = await conversion(t, 'fusionauth', [given]);
    t.equal(people[0].user.passwordChangeRequired, flag);
  }
});

t.test('Amazon Cognito, Microsoft Entra, FusionAuth', async (t) => {
  const cognito = await conversion(t, 'cognito', [cognitoExport]);
  t.match(cognito.people, [
    {
      userId: 'eb3d3ab4-8d2a-4d3e-9d3b-1b1a9e1c2d3e',
      user: {
        userName: 'mary@example.com',
        created: '2019-01-21T16:56:57.683Z',
        lastModified: '2019-01-21T16:56:57.683Z',
        profile: { firstName: 'Mary', lastName: 'Major' },
        email: { email: 'mary@example.com', isEmailVerified: true },
        scim: { active: false },
      },
    },
  ]);
  t.same(cognito.lost, ['Attributes.custom:plan 1 3', 'UserStatus 1 3']);
  const refused = await conversion(t, 'entra', [entraExport]);
  t.match(refused, { written: false, told: [/^4 error HASH-MISSING/] });
  const entra = await conversion(t, 'entra', [entraExport], { emailVerified: true });
  t.match(entra.people, [
    {
      userId: '6e7b768e-07e2-4810-8459-485f84f8f204',
      user: {
        userName: 'Adams@contoso.com',
        email: { email: 'Adams@contoso.com', isEmailVerified: true },
        phone: { phone: '+1 425 555 0101' },
        scim: { title: 'Keeper', organization: 'Contoso', addresses: [{ locality: 'Seattle' }] },
      },
    },
  ]);
  t.same(entra.lost, ['officeLocation 1 4']);
  const fusionauth = await conversion(t, 'fusionauth', [fusionauthExport]);
  t.match(fusionauth.people, [
    {
      userId: '00000000-0000-0001-0000-000000000000',
      user: {
        userName: 'johnny123',
        profile: { firstName: 'John', lastName: 'Doe', preferredLanguage: 'en' },
        hashedPassword: { value: /^\$pbkdf2-sha256\$i=100000,l=32\$/ },
        scim: { birthdate: '1976-05-30', timezone: 'America/Denver' },
      },
    },
  ]);
  t.same(fusionauth.lost, ['data.favoriteColor 1 3', 'preferredLanguages[] 1 3']);
  const [sample] = fusionauthExport.users;
  const other = { users: [{ ...sample, encryptionScheme: 'phpass-md5' }] };
  t.match(await conversion(t, 'fusionauth', [other]), {
    withPassword: 0,
    told: [
      '3 note password hashes of "phpass-md5" cannot be taken over; the user sets a password at the first login',
    ],
  });
});

t.test('FusionAuth: an account that has ended is not active', async (t) => {
  const [sample] = fusionauthExport.users;
  for (const [expiry, active, isLost] of [
    [1_577_836_800_000, false, false],
    [4_070_908_800_000, true, true],
  ] as const) {
    const given = { users: [{ ...sample, active: true, expiry }] };
    const { people, lost } = await conversion(t, 'fusionauth', [given]);
    t.equal(people[0].user.scim.active, active);
    t.equal(
      lost.some((path) => path.startsWith('expiry')),
      isLost,
    );
  }
});

t.test('Cognito: what admin-get-user answers', async (t) => {
  const [{ Attributes, ...user } = { Attributes: [] }] = cognitoExport.Users;
  const { people, lost } = await conversion(t, 'cognito', [
    JSON.stringify({ ...user, UserAttributes: Attributes }),
  ]);
  t.match(people, [{ user: { userName: 'mary@example.com', email: { isEmailVerified: true } } }]);
  t.same(lost, ['UserAttributes.custom:plan 1 1', 'UserStatus 1 1']);
});

t.test('Ory Kratos writes a verified address in lower case', async (t) => {
  const [sample] = kratosExport;
  const given = { ...sample, traits: { ...sample?.traits, email: 'Ada@Example.org' } };
  const { people, lost } = await conversion(t, 'kratos', [[given]]);
  t.match(people, [{ user: { email: { email: 'Ada@Example.org', isEmailVerified: true } } }]);
  t.notOk(lost.some((path) => /verifiable_addresses|identifiers/.test(path)));
});

/** The parts of a hash of FusionAuth. Where no source is named, Python's hashlib computed it. */
const saltOf = { salt: 'MmE5M2Y2NzQtYjQ0ZS00Yzk5LWIxZDQtMjA4MTE3ZGQwMTM0' };
const saltedHashes = [
  {
    parts: { encryptionScheme: 'salted-md5', factor: 20000, ...saltOf, password: 'D+RCSJSSP2y/TDfeEb5i9w==' },
    password: 'lètmein',
  },
  {
    // fusionauth.io/docs/apis/users/import, MD5, in base64
    parts: { encryptionScheme: 'salted-md5', factor: 1, salt: '', password: 'JdVa0oOqQAr0ZMdtcTwHrQ==' },
    password: '12345678',
  },
  {
    // FusionAuth/fusionauth-import-scripts, generic/exampleData/faUsers.json
    parts: {
      encryptionScheme: 'salted-sha256',
      factor: '20000',
      ...saltOf,
      password: 'NF+m8S+f16RR3RhYkz90y2heRjC6SwFoVT9pFNby6/E=',
    },
    password: 'q',
  },
  {
    parts: {
      encryptionScheme: 'salted-hmac-sha256',
      factor: 1,
      ...saltOf,
      password: 'FiP4vlHzmuL2tFW+2KNkxcNRAUKPaxuV381J4lCAGyY=',
    },
    password: 'lètmein',
  },
];

t.test('FusionAuth: hashes of its schemes open the account to their password alone', async (t) => {
  const [sample] = fusionauthExport.users;
  for (const { parts, password } of saltedHashes) {
    const { people, told, lost } = await conversion(t, 'fusionauth', [{ users: [{ ...sample, ...parts }] }]);
    t.same(told, []);
    t.same(lost, ['data.favoriteColor 1 3', 'preferredLanguages[] 1 3']);
    const reading = readPasswordHash(people[0].user.hashedPassword.value);
    if (typeof reading !== 'object') return t.fail(`${reading}`);
    t.equal(reading.matches?.(password), true, parts.encryptionScheme);
    t.equal(reading.matches?.(`${password}x`), false);
  }
});

t.test('FusionAuth: a hash that is none, costs too much or has no salt', async (t) => {
  const [sample] = fusionauthExport.users;
  const [md5, , sha256, hmac] = saltedHashes;
  const cases: [change: object, told: string][] = [
    [{ ...md5?.parts, factor: 2_147_483_647 }, 'error HASH-COST'],
    [{ ...sha256?.parts, factor: 0 }, 'error HASH-COST'],
    [{ ...sha256?.parts, factor: undefined }, 'error HASH-UNREADABLE'],
    [{ ...sha256?.parts, password: 'password' }, 'error HASH-UNREADABLE'],
    [{ ...sha256?.parts, salt: '{' }, 'error HASH-UNREADABLE'],
    [{ ...hmac?.parts, salt: '' }, 'error HASH-UNREADABLE'],
    [{ ...sha256?.parts, salt: undefined }, 'note password hashes without their salt'],
    [{ ...sha256?.parts, salt: 5 }, 'note password hashes without their salt'],
    [{ ...sha256?.parts, encryptionScheme: 'constructor' }, 'note password hashes of "constructor"'],
  ];
  for (const [change, expected] of cases) {
    const { told } = await conversion(t, 'fusionauth', [{ users: [{ ...sample, ...change }] }]);
    t.equal(told.length, 1, expected);
    t.match(told[0], expected);
  }
});

t.test('a file may be an array, an object with it, or lines, and there may be several', async (t) => {
  const [first, second] = oktaExport;
  const files = [[first], { users: [second] }, `${JSON.stringify(first)}\n\n${JSON.stringify(second)}\n`];
  const { people, users } = await conversion(t, 'okta', files);
  t.equal(users, 4);
  t.same(
    people.map((person: { userId: string }) => person.userId),
    [first?.id, second?.id, first?.id, second?.id],
  );
  const one = await conversion(t, 'okta', [JSON.stringify(first)]);
  t.equal(one.users, 1, 'one line');
});

t.test('what is none of it is refused', async (t) => {
  // The tests of tables, of any JSON and of LDIF have their own input.
  const formats = Object.entries(peopleFormats).filter(([name]) => !['csv', 'json', 'ldif'].includes(name));
  for (const [name, { system }] of formats) {
    for (const given of [[], { realm: 'x', roles: [] }, '[[]]', '']) {
      await t.rejects(conversion(t, name, [given], { hashParameters: firebaseParameters }), {
        message: /has no users of|not JSON/,
      });
    }
    const options = { hashParameters: firebaseParameters, skipInvalid: true };
    await t.rejects(conversion(t, name, [[{ some: 'thing' }]], options), {
      message: new RegExp(`has no users of ${system}`),
    });
    const told = await conversion(t, name, [[{ some: 'thing' }]], { hashParameters: firebaseParameters });
    t.match(told, { written: false, told: [new RegExp(`^2 error not a user of ${system}`)] });
  }
  await t.rejects(conversion(t, 'okta', ['[{"a": ]']), { message: /not JSON/ });
});

t.test('a strict conversion writes nothing if something is left out', async (t) => {
  const strict = true;
  t.match(await conversion(t, 'okta', [oktaExport], { strict }), {
    written: false,
    losses: [{ records: 1 }],
  });
  const whole = [{ id: '1', profile: { login: 'a', email: 'a@example.com' } }];
  t.match(await conversion(t, 'okta', [whole], { strict, emailVerified: true }), { written: true });
});

t.test('the further values of a list that has one place are lost', async (t) => {
  const [kratos] = kratosExport;
  const [cognito] = cognitoExport.Users;
  const [entra] = entraExport.value;
  const cases: [name: string, given: unknown, lost: string][] = [
    ['entra', { ...entra, businessPhones: ['+1', '+2'] }, 'businessPhones[]'],
    [
      'kratos',
      {
        ...kratos,
        verifiable_addresses: [{ value: 'ada@example.org', verified: true }, { value: 'x@example.org' }],
      },
      'verifiable_addresses[].value',
    ],
    [
      'kratos',
      {
        ...kratos,
        credentials: {
          password: { ...kratos?.credentials.password, identifiers: ['ada@example.org', 'ada'] },
        },
      },
      'credentials.password.identifiers[]',
    ],
    [
      'cognito',
      {
        ...cognito,
        Username: 'mary',
        Attributes: [...(cognito?.Attributes ?? []), { Name: 'preferred_username', Value: 'mm' }],
      },
      'Attributes.preferred_username',
    ],
  ];
  for (const [name, given, lost] of cases) {
    const { losses = [] } = await conversion(t, name, [[given]], { emailVerified: true });
    t.ok(
      losses.some(({ path }) => path === lost),
      `${name}: ${lost}`,
    );
  }
});

t.test('every lost value is counted, and the report has a bound', async (t) => {
  const people = Array.from({ length: 30 }, (_, n) => ({
    id: `u${n}`,
    profile: {
      login: `p${n}`,
      email: `p${n}@example.com`,
      ...(n % 3 === 0 && { badge: n, tags: ['a', { b: 1 }] }),
    },
    ...Object.fromEntries(Array.from({ length: 50 }, (_, m) => [`key-${n}-${m}`, 1])),
  }));
  const { losses = [] } = await conversion(t, 'okta', [people], { emailVerified: true });
  const counts = new Map(losses.map(({ path, records }) => [path, records]));
  for (const path of ['profile.badge', 'profile.tags[]', 'profile.tags[].b'])
    t.equal(counts.get(path), 10, path);
  t.ok(losses.length <= 1_001, `${losses.length} paths`);
  t.ok((counts.get('(further paths)') ?? 0) > 5);
});

t.test('hostile records are problems of their lines', async (t) => {
  const deep = `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`;
  const good = JSON.stringify({ id: 'good', profile: { login: 'good', email: 'g@example.com' } });
  const files = [
    `${JSON.stringify({ profile: { login: 'x'.repeat(300) } })}\n${good}\n`,
    `[${good},${JSON.stringify({ id: 'bad id', profile: { login: 'b' } })}]`,
    `[${good},{"profile":{"login":{"a":1}}},{"profile":[]},{"profile":{"login":"a","email":"no address"}}]`,
    `[${good},${JSON.stringify({ id: 'e', profile: { login: 'e' }, x: 'y'.repeat(2_000_000) })}]`,
    `[${good},{"id":"d","profile":{"login":"d"},"z":${deep}}]`,
    `[${good},{"__proto__":{"login":"p"},"profile":{"login":"p","__proto__":{"x":1}}}]`,
  ];
  for (const file of files) {
    const options = { emailVerified: true, skipInvalid: true };
    const { people, told } = await conversion(t, 'okta', [file], options);
    t.match(people, [{ userId: 'good' }]);
    t.equal(people.length, 1, file.slice(0, 80));
    t.ok(told.length > 0);
  }
});

/** The links of people, as `userId link`. */
function linksIn(records: { userId: string; links: object[] }[]): string[] {
  return records.flatMap(({ userId, links }) => links.map((link) => `${userId} ${JSON.stringify(link)}`));
}

t.test('links to outside identity providers come along', async (t) => {
  const [kratos, fusionauth] = [kratosExport[0], fusionauthExport.users[0]];
  const [firebase] = firebaseExport.users;
  const oidc = {
    type: 'oidc',
    identifiers: ['google:10769'],
    config: { providers: [{ provider: 'google', subject: '10769', initial_access_token: 'ya29.secret' }] },
  };
  const cases: [name: string, person: object, links: string[], lost: string[]][] = [
    [
      'firebase',
      {
        ...firebase,
        localId: 'fb',
        providerUserInfo: [
          { providerId: 'google.com', rawId: '1', email: 'a@gmail.example', photoUrl: 'https://x.example/p' },
          { providerId: 'google.com', rawId: 2 },
          { providerId: 'password', rawId: 'maria@example.com', email: 'maria@example.com' },
          { providerId: 'apple.com' },
        ],
      },
      [
        'fb {"provider":"google.com","subject":"1","name":"a@gmail.example"}',
        'fb {"provider":"google.com","subject":"2"}',
      ],
      ['providerUserInfo[].photoUrl', 'providerUserInfo[].providerId'],
    ],
    [
      'kratos',
      { ...kratos, id: 'kr', credentials: { ...kratos?.credentials, oidc } },
      ['kr {"provider":"google","subject":"10769"}'],
      ['credentials.oidc.config.providers[].initial_access_token', 'credentials.oidc.type'],
    ],
    [
      'fusionauth',
      {
        ...fusionauth,
        id: 'fa',
        identityProviderLinks: [
          { identityProviderId: 'My IdP', identityProviderUserId: 'x', displayName: 'Jo', tenantId: 't' },
        ],
      },
      ['fa {"provider":"My IdP","subject":"x","name":"Jo"}'],
      ['identityProviderLinks[].tenantId'],
    ],
  ];
  for (const [name, person, links, expected] of cases) {
    const options = { emailVerified: true, hashParameters: firebaseParameters };
    const { links: found, told, lost } = await conversion(t, name, [[person]], options);
    t.same(told, [], name);
    t.same(linksIn(found), links, name);
    const ofLinks = lost.filter((path) =>
      /^(providerUserInfo|credentials\.oidc|identityProviderLinks)/.test(path),
    );
    t.same(
      ofLinks.map((path) => path.split(' ')[0]),
      expected,
      name,
    );
  }
  const many = Array.from({ length: 21 }, (_, index) => ({ providerId: `p${index}`, rawId: 'x' }));
  const { links, lost } = await conversion(t, 'firebase', [[{ ...firebase, providerUserInfo: many }]], {
    hashParameters: firebaseParameters,
  });
  t.equal(links[0].links.length, 20);
  t.ok(lost.some((path) => path.startsWith('providerUserInfo[].rawId')));
});

t.test('states and dates of each system are kept', async (t) => {
  const [first, last] = ['2017-07-14T02:40:00.000Z', '2020-09-13T12:26:40.500Z'];
  const [okta, kratos, fusionauth] = [oktaExport[0], kratosExport[0], fusionauthExport.users[0]];
  const [entra] = entraExport.value;
  const cases: [name: string, person: object, dates: object][] = [
    [
      'okta',
      { ...okta, status: 'SUSPENDED', created: first, lastUpdated: last },
      { created: first, lastModified: last },
    ],
    [
      'kratos',
      { ...kratos, state: 'inactive', created_at: first, updated_at: last },
      { created: first, lastModified: last },
    ],
    [
      'fusionauth',
      { ...fusionauth, active: false, insertInstant: Date.parse(first), lastUpdateInstant: Date.parse(last) },
      { created: first, lastModified: last },
    ],
    ['entra', { ...entra, accountEnabled: false, createdDateTime: first }, { created: first }],
  ];
  for (const [name, person, dates] of cases) {
    const { people, told, lost } = await conversion(t, name, [[person]], { emailVerified: true });
    t.match(people, [{ user: { ...dates, scim: { active: false } } }], name);
    t.same(told, [], name);
    t.notMatch(lost.join(), /created|updated|instant|status|state|active|accountEnabled/i, name);
  }
});

t.test('dates of people, and dates that an import would refuse', async (t) => {
  const of = async (dates: Record<string, unknown>) => {
    const { people, told } = await conversion(
      t,
      'fusionauth',
      [{ users: [{ id: 'f', username: 'f', email: 'f@example.com', verified: true, ...dates }] }],
      {
        emailVerified: true,
      },
    );
    const { created, lastModified } = people[0]?.user ?? {};
    return { created, lastModified, told };
  };
  const kept = (created: unknown, lastModified?: unknown) => ({ created, lastModified, told: [] });
  const [first, last] = ['2017-07-14T02:40:00.000Z', '2020-09-13T12:26:40.500Z'];
  for (const created of [
    1_500_000_000_000,
    '1500000000',
    1_500_000_000,
    '2017-07-14T04:40:00+02:00',
    '20170714024000Z',
  ]) {
    t.same(await of({ insertInstant: created }), kept(first), String(created));
  }
  t.same(await of({ insertInstant: first, lastUpdateInstant: 1_600_000_000_500 }), kept(first, last));
  t.match(await of({ insertInstant: last, lastUpdateInstant: first }), {
    created: last,
    lastModified: undefined,
    told: [/note lastModified is before created; left out/],
  });
  for (const created of [
    'yesterday',
    -1,
    '1969-12-31T00:00:00Z',
    '2999-01-01T00:00:00Z',
    9e15,
    true,
    '20171314024000Z',
  ]) {
    t.match(
      await of({ insertInstant: created }),
      {
        created: undefined,
        told: [/note created is no date from 1970 until today; left out/],
      },
      String(created),
    );
  }
});

t.test('a table as the documentation of Cognito shows it', async (t) => {
  // docs.aws.amazon.com, Importing users from a CSV file: flags in capital letters, and dates with the month first.
  const table = [
    'name,email,email_verified,birthdate,zoneinfo,phone_number_verified,cognito:mfa_enabled,cognito:username',
    'Jo,jo@example.com,TRUE,02/01/1985,Somewhere/Else,TRUE,FALSE,jo',
    'Al,al@example.com,True,1985-02-01,Europe/Rome,,false,al',
    '',
  ].join('\n');
  const { people, told, lost } = await conversion(t, 'cognito', [table]);
  t.match(people, [
    { user: { userName: 'jo', email: { isEmailVerified: true }, scim: undefined } },
    {
      user: { email: { isEmailVerified: true }, scim: { birthdate: '1985-02-01', timezone: 'Europe/Rome' } },
    },
  ]);
  t.match(told, [
    /^2 note timezone is not .*; left out$|^2 note birthdate .*; left out$/,
    /^2 note .*; left out$/,
  ]);
  t.same(lost, ['Attributes.birthdate 1 2', 'Attributes.zoneinfo 1 2']);
});

t.test('a page that says that others follow is told, unless one of the files is the last', async (t) => {
  const page = (id: string, more: object = {}) => ({
    Users: [{ ...cognitoExport.Users[0], Username: id }],
    ...more,
  });
  const first = page('a', { PaginationToken: 'x', total: 2 });
  const alone = await conversion(t, 'cognito', [first]);
  t.match(alone.told, [
    /PaginationToken says that the export has another page\. Give each page with --users/,
  ]);
  t.ok(alone.lost.some((one) => one.startsWith('(document) total 1')));
  t.same((await conversion(t, 'cognito', [first, page('b')])).told, []);
});

t.test('a list of languages is taken as an import takes it', async (t) => {
  const list = 'da, en-gb;q=0.8, en;q=0.7';
  t.equal(tagOf(list), list);
  t.equal(tagOf('en_US'), 'en-US');
  t.equal(tagOf('no language at all'), undefined);
});

t.test('passkeys of Kratos come along', async (t) => {
  // The fields are those of CredentialWebAuthn in ory/kratos, identity/credentials_webauthn.go; bytes are in base64, as Go writes them.
  const publicKey = Buffer.from('a5010203262001215820', 'hex');
  const key = (id: string, more: object = {}) => ({
    id: Buffer.from(id).toString('base64'),
    public_key: publicKey.toString('base64'),
    attestation_type: 'none',
    authenticator: { aaguid: Buffer.alloc(16, 0xab).toString('base64'), sign_count: 9, clone_warning: false },
    display_name: 'Phone',
    added_at: '2024-05-06T07:08:09Z',
    is_passwordless: false,
    flags: { user_present: true, user_verified: true, backup_eligible: true, backup_state: false },
    transport: ['internal'],
    ...more,
  });
  const userHandle = Buffer.from('handle').toString('base64');
  const [kratos] = kratosExport;
  const person = (id: string, credentials: object) => ({ ...kratos, id, credentials });
  const { passkeys, people, told, lost } = await conversion(
    t,
    'kratos',
    [
      [
        person('k1', {
          passkey: { type: 'passkey', config: { credentials: [key('one')], user_handle: userHandle } },
        }),
        person('k2', {
          webauthn: { config: { credentials: [key('two'), key('three', { is_passwordless: true })] } },
        }),
        person('k3', { webauthn: { config: { credentials: [key('four', { public_key: 'aGVsbG8=' }), 7] } } }),
      ],
    ],
    { emailVerified: true, rpId: 'Login.Example' },
  );
  t.equal(people.length, 3);
  t.same(passkeys, [
    {
      userId: 'k1',
      credentials: [
        {
          id: Buffer.from('one').toString('base64url'),
          publicKey: publicKey.toString('base64url'),
          counter: 9,
          transports: ['internal'],
          aaguid: 'abababab-abab-abab-abab-abababababab',
          userHandle: Buffer.from('handle').toString('base64url'),
          rpId: 'login.example',
          label: 'Phone',
          passwordless: true,
          backupEligible: true,
          backedUp: false,
          created: '2024-05-06T07:08:09.000Z',
        },
      ],
    },
    {
      userId: 'k2',
      credentials: [{ passwordless: false }, { passwordless: true }].map((kind, index) => ({
        ...passkeys[1].credentials[index],
        ...kind,
      })),
    },
  ]);
  t.equal(
    told.filter((line) => /those of 1 people/.test(line)).length,
    1,
    'a key after a password is a factor',
  );
  t.ok(lost.some((path) => path.startsWith('credentials.webauthn.config.credentials')));
});
