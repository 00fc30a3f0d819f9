import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { filesOfRealm } from '#src/cli/convert/realm-files.js';
import { convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';
import { convertPeople } from '#src/migration/convert/convert-people.js';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';
import { convertZitadel } from '#src/migration/convert/zitadel/convert-zitadel.js';
import { notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { folderOf } from '../../support/migration/convert-file.js';

/** The forms in which programs write files. PowerShell 5.1 writes UTF-16 by `>`, and Excel by "Unicode text". */
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
const forms: Record<string, (text: string) => Buffer> = {
  'a byte order mark': (text) => Buffer.from(`\ufeff${text}`),
  gzip: (text) => gzipSync(text),
  // `cat a.gz b.gz` is a file of gzip too (RFC 1952 section 2.2).
  'gzip of several members': (text) =>
    Buffer.concat([gzipSync(`\ufeff${text.slice(0, 9)}`), gzipSync(text.slice(9))]),
  'UTF-16 with a mark': (text) => utf16le(`\ufeff${text}`),
  'UTF-16 of the other byte order with a mark': (text) => utf16be(`\ufeff${text}`),
  'UTF-16 without a mark': utf16le,
  'UTF-16 of the other byte order without a mark': utf16be,
  'UTF-16 in gzip': (text) => gzipSync(utf16le(`\ufeff${text}`)),
};
if (findProgram('zstd') !== undefined)
  forms['zstd'] = (text) => spawnSync('zstd', ['-qc'], { input: text }).stdout;

const hash = '$2b$10$aXpKsOzIYnHUbwNkzn6LP.rBVBe2rLi7fbNjl/rTs7SJQ5hMvmKCa';
const person = { email: 'ada@example.com', first: 'Ada', last: 'Löwe' };
const json = (value: unknown) => JSON.stringify(value);

/** What each converter reads, with one person who has a name beyond ASCII. */
const inputs: Readonly<Record<string, string>> = {
  csv: `userName,name.familyName,email,emailVerified,passwordHash\nada,Löwe,${person.email},true,${hash}\n`,
  cognito: json({
    Users: [
      {
        Username: 'ada',
        Attributes: [
          { Name: 'email', Value: person.email },
          { Name: 'email_verified', Value: 'true' },
          { Name: 'family_name', Value: 'Löwe' },
        ],
      },
    ],
  }),
  entra: json({ value: [{ id: 'a', userPrincipalName: person.email, mail: person.email, surname: 'Löwe' }] }),
  firebase: json({
    users: [{ localId: 'a', email: person.email, emailVerified: true, displayName: 'A Löwe' }],
  }),
  fusionauth: json({ users: [{ id: 'a', email: person.email, verified: true, lastName: 'Löwe' }] }),
  json: json([{ login: 'ada', mail: person.email, emailVerified: true, lastName: 'Löwe', hash }]),
  kratos: json([{ id: 'a', traits: { email: person.email, name: { first: 'A', last: 'Löwe' } } }]),
  ldif: `dn: uid=ada,dc=example,dc=com\nobjectClass: inetOrgPerson\nuid: ada\nsn: Löwe\nmail: ${person.email}\n`,
  okta: `${json({ id: 'a', status: 'ACTIVE', profile: { login: person.email, email: person.email, lastName: 'Löwe' } })}\n`,
  keycloak: json({
    realm: 'r',
    users: [{ username: 'ada', lastName: 'Löwe', email: person.email, enabled: true }],
  }),
  zitadel: json({
    orgs: [
      {
        orgId: '1',
        org: { name: 'Acme' },
        humanUsers: [
          {
            userId: '2',
            user: {
              userName: 'ada',
              profile: { firstName: 'Ada', lastName: 'Löwe' },
              email: { email: person.email, isEmailVerified: true },
            },
          },
        ],
      },
    ],
  }),
  auth0: json({ user_id: 'auth0|1', email: person.email, email_verified: true, family_name: 'Löwe' }),
};

/** Converts a file of a system, and returns the family names in the output. */
async function familyNames(system: string, path: string): Promise<string[]> {
  const output = { path: `${path}.out`, orgId: 'o', timeout: '30m', multiline: false };
  const shared = { emailVerified: true, skipInvalid: false, strict: false };
  const format = peopleFormats[system];
  const report =
    format !== undefined
      ? await convertPeople(format, { users: [path], ...shared }, output)
      : system === 'keycloak'
        ? await convertKeycloak({ realm: [path], ...shared }, output)
        : system === 'zitadel'
          ? await convertZitadel({ export: path, ...shared }, output)
          : await convertAuth0({ users: path, passwords: `${path}.hashes`, ...shared }, output);
  if (!report.written) return report.problems.list().map(({ message }) => message);
  const body = JSON.parse(readFileSync(output.path, 'utf8'));
  const people = (body.dataOrgs ?? body.dataOrgsv1).orgs[0].humanUsers;
  return people.map(({ user }: { user: { profile: { lastName: string } } }) => user.profile.lastName);
}

t.test('every converter reads every form of a text', async (t) => {
  if (forms['zstd'] === undefined) notRun(t, 'zstd is not installed');
  const systems = [...Object.keys(peopleFormats), 'keycloak', 'zitadel', 'auth0'];
  t.same(Object.keys(inputs).sort(), systems.sort(), 'each converter has an input here');
  for (const [form, write] of Object.entries(forms)) {
    const folder = folderOf(t);
    for (const [system, text] of Object.entries(inputs)) {
      const path = join(folder, system);
      writeFileSync(path, write(text));
      writeFileSync(`${path}.hashes`, write(''));
      const names = await familyNames(system, path).catch((error: Error) => error.message);
      t.same(names, ['Löwe'], `${system} in ${form}`);
    }
  }
});

t.test('text that is hardly ASCII is recognized without a mark', async (t) => {
  const rows = Array.from({ length: 20 }, (_, n) => `пользователь${n},Анна Каренина,a${n}@example.com`);
  const text = `userName,displayName,email\n${rows.join('\n')}\n`;
  for (const write of [utf16le, utf16be]) {
    const path = join(folderOf(t), 'csv');
    writeFileSync(path, write(text));
    t.equal((await familyNames('csv', path)).length, 20);
  }
});

t.test('a file in no such form is refused with what to do', async (t) => {
  const path = join(folderOf(t), 'file');
  const refused = async (content: Buffer, message: RegExp) => {
    writeFileSync(path, content);
    for (const system of ['csv', 'kratos', 'keycloak', 'zitadel', 'auth0'])
      await t.rejects(familyNames(system, path), { message }, system);
  };
  writeFileSync(`${path}.hashes`, '');
  await refused(gzipSync('a,b\n'.repeat(9)).subarray(0, 20), /not a whole gzip file/);
  await refused(Buffer.concat([gzipSync('[]'), Buffer.from('more')]), /gzip/);
  await refused(gzipSync(' '.repeat(40_000_000)), /more than 200 times as long|a row is longer/);
  await refused(Buffer.from('504b030414000000', 'hex'), /ZIP archive.*save the table as CSV/);
  await refused(Buffer.from('fffe00007b000000', 'hex'), /UTF-32/);
  await refused(Buffer.from('425a6839', 'hex'), /bzip2/);
  const archive = Buffer.alloc(512);
  archive.write('realm.json');
  archive.write('ustar', 257);
  await refused(archive, /archive of tar/);
  await refused(gzipSync(archive), /archive of tar/);
  // Half of a pair of surrogates, and half of a character.
  await refused(Buffer.concat([utf16le('\ufeff[{"a":1}'), Buffer.from('00d8', 'hex')]), /UTF-16/);
  await refused(Buffer.concat([utf16le('\ufeff[]'), Buffer.from('20', 'hex')]), /UTF-16/);
});

t.test('NUL bytes in UTF-8 are no UTF-16', async (t) => {
  const path = join(folderOf(t), 'csv');
  writeFileSync(
    path,
    `userName,name.familyName,email\nada,Löwe\0,${person.email}\n${'bob,Berg,b@example.com\n'}`,
  );
  t.match(await familyNames('csv', path), [/control characters|NUL|not/]);
});

t.test('the files of a realm may be compressed one by one', async (t) => {
  const folder = join(folderOf(t), 'realm');
  mkdirSync(folder);
  const user = { username: 'ada', lastName: 'Löwe', email: person.email };
  writeFileSync(join(folder, 'acme-realm.json.gz'), gzipSync(json({ realm: 'acme' })));
  writeFileSync(join(folder, 'acme-users-0.json.gz'), gzipSync(json({ realm: 'acme', users: [user] })));
  const realm = filesOfRealm(folder);
  t.equal(realm.length, 2);
  const output = { path: join(folder, 'out'), orgId: 'o', timeout: '30m', multiline: false };
  const report = await convertKeycloak({ realm, emailVerified: true, skipInvalid: false }, output);
  t.equal(report.users, 1);
});

t.test('an input may be a pipe, which opens once', async (t) => {
  for (const [system, text] of Object.entries(inputs)) {
    const folder = folderOf(t);
    const path = join(folder, system);
    writeFileSync(`${path}.hashes`, '');
    spawnSync('mkfifo', [path]);
    for (const given of [Buffer.from(text), gzipSync(text)]) {
      writeFileSync(`${path}.text`, given);
      const writer = spawn('sh', ['-c', 'cat "$0.text" > "$0"', path]);
      const names = await familyNames(system, path).catch((error: Error) => error.message);
      t.same(names, ['Löwe'], system);
      writer.kill();
    }
  }
});
