import { pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { hashOfParts } from '#src/keys/password-hashes/hash-of-parts.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { guessMapping } from '#src/migration/convert/guess/guess-mapping.js';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { conversion } from '../../support/migration/convert-file.js';
import { bcryptHash } from '../../support/migration/imports.js';
import { type ShortPerson, systemExports } from '../../support/migration/system-exports.js';

/** Files of systems for which nobody wrote a mapping: who comes out, and what is told. */

interface Converted {
  readonly userId?: string;
  readonly user: {
    readonly userName: string;
    readonly email?: { readonly email: string };
    readonly profile?: { readonly displayName?: string };
    readonly hashedPassword?: { readonly value: string };
    readonly password?: string;
    readonly otpCode?: string;
    readonly scim?: { readonly active?: boolean; readonly externalId?: string };
  };
}

/** What decides who a person is, and how the person signs in. */
function short(
  { userId, user }: Converted,
  { text, hash = '' }: { text: string; hash?: string },
): ShortPerson {
  const all = {
    userName: user.userName,
    email: user.email?.email,
    active: user.scim?.active,
    // An identifier that the conversion made is no part of the file.
    id: userId !== undefined && text.includes(userId) ? userId : undefined,
    externalId: user.scim?.externalId,
    hash: user.hashedPassword?.value.slice(0, hash.length || undefined),
    password: user.password,
    displayName: user.profile?.displayName,
    otp: user.otpCode,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as ShortPerson;
}

for (const [name, { origin, system, text, people, told = [], lost = [], groups = [] }] of Object.entries(
  systemExports,
)) {
  t.test(`${name} (${origin})`, async (t) => {
    const result = await conversion(t, text, { system, emailVerified: true, skipInvalid: true });
    const found: Converted[] = result.org?.humanUsers ?? [];
    t.same(
      found.map((one, place) => short(one, { text, ...people[place] })),
      people,
    );
    t.match(result.told, told);
    t.equal(result.told.length, told.length, result.told.join('\n'));
    for (const one of lost) t.ok(result.lost.includes(one), `${one} of ${result.lost.join(', ')}`);
    t.same(
      (result.org?.groups ?? []).map(({ group }: { group: { displayName: string } }) => group.displayName),
      groups,
    );
    if (people.length === 0 || result.guess === undefined) return;
    const again = await conversion(t, text, {
      ...{ system, emailVerified: true, skipInvalid: true },
      map: JSON.stringify(result.guess.mapping),
    });
    t.same(again.org, result.org, 'the mapping that is shown does the same');
  });
}

const targets = (records: readonly JsonObject[]) =>
  Object.fromEntries(
    guessMapping(records)
      .columns.filter(({ to }) => to !== undefined)
      .map(({ name, to }) => [name, to]),
  );

t.test('what belongs to a manager, a company or a role is not of the person', async (t) => {
  const boss = {
    name: 'The Boss',
    email: 'boss@x.example',
    username: 'boss',
    phone: '+46 8 1',
    id: 'x',
    active: false,
  };
  const of = { login: 'mona', hash: bcryptHash };
  for (const relation of [
    'manager',
    'employer',
    'role',
    'createdBy',
    'invited_by',
    'team',
    'emergencyContact',
    'parent',
  ])
    t.same(targets([{ ...of, [relation]: boss }]), { login: 'userName', hash: 'passwordHash' }, relation);
  t.same(targets([{ ...of, managers: [boss] }]), { login: 'userName', hash: 'passwordHash' });
  t.same(targets([{ ...of, manager: 'boss@x.example' }]), {
    ...{ login: 'userName', hash: 'passwordHash', manager: 'manager' },
  });
  for (const name of ['invited_by', 'new_email', 'unconfirmed_email', 'supervisor_mail', 'emergency'])
    t.same(
      targets([{ ...of, [name]: 'other@x.example' }]),
      { login: 'userName', hash: 'passwordHash' },
      name,
    );
  const shared = ['a', 'b'].map((login) => ({ ...of, login, kontakt: 'desk@x.example' }));
  t.same(targets(shared), { login: 'userName', hash: 'passwordHash' }, 'an address of several people');
  t.match(targets([{ ...of, profile: boss }]), { 'profile.email': 'email', 'profile.name': 'displayName' });
  t.match(targets([{ user: { name: 'Mona Lind', email: 'm@x.example' } }]), { 'user.name': 'displayName' });
});

t.test('the hash of a token or an answer is no password', async (t) => {
  for (const name of [
    'reset_token',
    'otp_hash',
    'recovery_codes',
    'pin',
    'api_key',
    'old_hash',
    'refreshTokenHash',
  ])
    t.same(targets([{ login: 'mona', [name]: bcryptHash }]), { login: 'userName' }, name);
  t.same(targets([{ login: 'mona', token: { value: bcryptHash } }]), { login: 'userName' });
});

t.test('a column that names the algorithm is no hash, and decides how a bare hash is read', async (t) => {
  const digest = 'ab'.repeat(32);
  const mail = 'mona@hash.example';
  for (const kind of ['hash', 'hash_algorithm', 'passwordHasher', 'encryptionScheme', 'passwd_hash_algo']) {
    const known = await conversion(t, JSON.stringify([{ mail, password: bcryptHash, [kind]: 'bcrypt' }]), {
      system: 'json',
    });
    t.same(known.told, [], kind);
    t.equal(known.org.humanUsers[0].user.hashedPassword.value, bcryptHash, kind);
  }
  const options = { system: 'json', emailVerified: true };
  for (const scheme of ['pbkdf2', 'SHA3-256', 'salted-sha256', 'scrypt', 'legacy']) {
    const record = { mail, password: digest, hash_algorithm: scheme };
    const left = await conversion(t, JSON.stringify([record]), options);
    t.match(left.told, [/"password" has hashes and "hash_algorithm" their algorithms/], scheme);
    t.same(left.lost.sort(), ['hash_algorithm 1', 'password 1']);
    t.equal(left.withPassword, 0);
  }
  const plain = await conversion(
    t,
    JSON.stringify([{ mail, password: digest, hash_algorithm: 'SHA-256' }]),
    options,
  );
  t.match(plain.org.humanUsers[0].user.hashedPassword.value, /^\$sha256\$/);
});

t.test('words of a state that are known in part let nobody in', async (t) => {
  const states = async (words: readonly string[]) => {
    const records = words.map((status, place) => ({
      login: `u${place}`,
      mail: `u${place}@s.example`,
      status,
    }));
    const { org, told } = await conversion(t, JSON.stringify(records), {
      system: 'json',
      emailVerified: true,
    });
    return { active: org.humanUsers.map(({ user }: Converted) => user.scim?.active), told };
  };
  t.same(await states(['active', 'on_hold', 'Active']), { active: [true, false, true], told: [] });
  t.same(await states(['vip', 'suspended']), { active: [true, false], told: [] });
  const unknown = await states(['a1', 'b2']);
  t.same(unknown.active, [undefined, undefined]);
  t.match(unknown.told, [/"status" may say who is not active/]);
});

t.test('a column without values gives way, and a number is no group', async (t) => {
  t.same(targets([{ username: '', login: 'mona', mail: 'm@x.example' }]), {
    login: 'userName',
    mail: 'email',
  });
  t.same(targets([{ login: 'mona', groups: [1, 2], roles: ['3b9c2f0e-6a51-4c3a-9a0e-5d8f0f3f1a01'] }]), {
    login: 'userName',
  });
  t.same(targets([{ login: 'mona', groups: ['lab'] }]), { login: 'userName', groups: 'group' });
  t.same(targets([{ uid: 'mona', name: 'Mona Lind', mail: 'm@x.example' }]), {
    ...{ uid: 'userName', name: 'displayName', mail: 'email' },
  });
  t.same(targets([{ id: 1, name: 'Mona Lind', email: 'm@x.example' }]), {
    ...{ id: 'externalId', name: 'displayName', email: 'email' },
  });
  t.same(
    targets([{ Name: 'Lind', Vorname: 'Mona', Telefon: '+46 8 1234' }]).Name,
    'displayName',
    'no user name',
  );
});

/** Whether the password has the hash. */
async function opens(value: string, password: string): Promise<boolean> {
  const reading = readPasswordHash(value);
  return typeof reading === 'object' && reading.matches?.(password) === true;
}

t.test('the password hasher of Clerk says whether a salt is base64', async (t) => {
  const password = 'Roni_clerk7@example';
  // 16 and 12 bytes whose base64 has no sign but letters and digits, with and without padding, and in the alphabet for URLs.
  const salts = [
    Buffer.from('0123456789abcdef'),
    Buffer.from('saltsaltsalt'),
    Buffer.from('fb7f'.repeat(8), 'hex'),
  ];
  const encoded = salts.flatMap((salt) => [salt.toString('base64'), salt.toString('base64url')]);
  const line = (salt: string, hashed: Buffer | string, hasher: string) =>
    `pbkdf2_sha256$1000$${salt}$${pbkdf2Sync(password, hashed, 1_000, 32, 'sha256').toString('base64url')},${hasher}`;
  const lines = [
    ...encoded.map((salt) => line(salt, Buffer.from(salt, 'base64'), 'pbkdf2_sha256')),
    line('c2FsdHNhbHRzYWx0', 'c2FsdHNhbHRzYWx0', 'pbkdf2_sha256_django'),
    line('c2FsdHNhbHRzYWx0', 'c2FsdHNhbHRzYWx0', ''),
  ];
  const rows = lines.map((text, place) => `u${place},u${place}@clerk.example,${text}`);
  const table = `username,primary_email_address,password_digest,password_hasher\n${rows.join('\n')}\n`;
  const ready = readFileSync('docs/mappings/clerk-csv.json', 'utf8');
  for (const options of [{}, { map: ready }]) {
    const { org } = await conversion(t, table, options);
    t.equal(org.humanUsers.length, rows.length);
    for (const { user } of org.humanUsers as Converted[])
      t.equal(await opens(user.hashedPassword?.value ?? '', password), true, user.userName);
  }
});

t.test('the hashes of Appwrite open with the passwords of its own tests', async (t) => {
  const { text = '' } = systemExports['Appwrite'] ?? {};
  const { org } = await conversion(t, text, { system: 'json', skipInvalid: true });
  const hashes = org.humanUsers.map(({ user }: Converted) => user.hashedPassword?.value ?? '');
  const passwords = [
    '',
    'appwrite',
    'pass123',
    'some-scrypt-password',
    'users-password',
    'developersAreAwesome!',
  ];
  for (const [place, password] of passwords.entries()) {
    if (password === '') continue;
    t.equal(await opens(hashes[place], password), true, password);
    t.equal(await opens(hashes[place], `${password}x`), false, password);
  }
  const none = { algorithm: 'sha', hash: 'ab'.repeat(64) };
  t.equal(hashOfParts(none), undefined, 'SHA-2 or SHA-3');
  t.equal(hashOfParts({ ...none, digest: 'sha512/256' }), undefined);
  const key = { hash: 'ab'.repeat(32), salt: 'salt', iterations: 5 };
  const named = hashOfParts({ ...key, algorithm: 'PBKDF2', digest: 'SHA-512' });
  t.equal(named, hashOfParts({ ...key, algorithm: 'pbkdf2-sha512' }));
  t.equal(hashOfParts({ ...key, algorithm: 'pbkdf2' }), undefined);
  t.equal(hashOfParts({ ...key, algorithm: 'firebase-scrypt', key: '' }), undefined);
});
