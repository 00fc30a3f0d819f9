import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';
import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import { convertZitadel } from '#src/migration/convert/zitadel/convert-zitadel.js';
import type { Json } from '../../../dev/stage/http-client.js';
import { conversion, folderOf } from '../../support/migration/convert-file.js';

/** Hashes that nobody can read, and people who have nothing to sign in with. People are invented. */

const hash = '$2b$10$aXpKsOzIYnHUbwNkzn6LP.rBVBe2rLi7fbNjl/rTs7SJQ5hMvmKCa';
const cutOff = '$2b$10$aXpKsOzIYnHUbwNk';
const flags = { emailVerified: false, skipInvalid: false, strict: false };
const dropped = '(password hash)';

/** People of several systems: one with a hash, one with a hash that was cut off, and no verified address. */
const files: Record<string, string> = {
  csv: `userName,passwordHash\nada,${hash}\nbea,${cutOff}\n`,
  kratos: JSON.stringify(
    [hash, cutOff].map((hashed_password, index) => ({
      id: `k${index}`,
      traits: { username: `u${index}` },
      credentials: { password: { identifiers: [`u${index}`], config: { hashed_password } } },
    })),
  ),
  fusionauth: JSON.stringify({
    users: [hash, cutOff].map((text, index) => ({
      ...{ id: `f${index}`, username: `u${index}`, encryptionScheme: 'bcrypt', factor: 10 },
      ...{ salt: text.slice(7, 29), password: text.slice(29) || 'short' },
    })),
  }),
  ldif: ['ada', 'bea']
    .map((uid, index) =>
      [
        ...[`dn: uid=${uid},dc=x`, 'objectClass: inetOrgPerson', `uid: ${uid}`],
        // A scheme of an extension of the server.
        index === 0 ? `userPassword: {CRYPT}${hash}` : 'userPassword: {X-OWN}c2VjcmV0',
      ].join('\n'),
    )
    .join('\n\n'),
};

for (const [system, text] of Object.entries(files)) {
  t.test(`${system}: a hash that cannot be read does not cost the person`, async (t) => {
    const refused = await conversion(t, text, { system });
    t.match([refused.written, refused.told.join()], [false, /HASH-UNREADABLE/], 'it is an error by default');
    const rules = JSON.stringify({ attributes: [], rules: { unreadableHashes: 'drop' } });
    for (const options of [{ dropHashes: true }, ...(system === 'csv' ? [] : [{ map: rules }])]) {
      const { body, org, told, lost, users, withPassword } = await conversion(t, text, {
        system,
        ...options,
      });
      t.same(
        told.filter((one) => one.includes(' error ')),
        [],
      );
      t.match([users, withPassword], [2, 1]);
      t.ok(lost.includes(`${dropped} 1`), lost.join());
      t.notOk('hashedPassword' in org.humanUsers[1].user);
      t.equal(
        org.humanUsers[0].user.hashedPassword.value,
        hash.replace('$2b', system === 'fusionauth' ? '$2a' : '$2b'),
      );
      t.equal(body.withoutCredentials, 'allow', 'the import takes the person too');
    }
  });
}

t.test('the people of Firebase come without the parameters of their hashes', async (t) => {
  const text = JSON.stringify({
    users: [{ localId: '1', email: 'a@f.example', passwordHash: 'eA==', salt: 'eA==' }],
  });
  await t.rejects(conversion(t, text, { system: 'firebase' }), { message: /--drop-hashes/ });
  const { users, lost } = await conversion(t, text, { system: 'firebase', dropHashes: true });
  t.match([users, lost.includes(`${dropped} 1`)], [1, true]);
});

interface Converted {
  readonly report: ConversionReport;
  readonly people: Json[];
}

/** Converts a document by a converter of its own. */
async function converted(
  t: Test,
  document: unknown,
  convert: (input: string, path: string) => Promise<ConversionReport>,
): Promise<Converted> {
  const folder = folderOf(t);
  const [input, path] = [join(folder, 'in'), join(folder, 'out')];
  writeFileSync(input, typeof document === 'string' ? document : JSON.stringify(document));
  const report = await convert(input, path);
  if (!report.written) return { report, people: [] };
  const body = JSON.parse(readFileSync(path, 'utf8'));
  return { report, people: (body.dataOrgs ?? body.dataOrgsv1).orgs[0].humanUsers };
}

t.test('Keycloak, Auth0 and ZITADEL', async (t) => {
  const output = (path: string) => ({ path, orgId: 'o', timeout: '1m', multiline: false });
  const credential = {
    type: 'password',
    secretData: `{"value":"${cutOff}"}`,
    credentialData: '{"algorithm":"bcrypt"}',
  };
  const realm = { users: [{ id: 'k1', username: 'kai', credentials: [credential] }] };
  const zitadel = {
    orgs: [
      {
        humanUsers: [{ userId: '1', user: { userName: 'zoe', hashedPassword: { value: cutOff } } }],
        orgId: '9',
        org: { name: 'N' },
      },
    ],
  };
  const own = {
    keycloak: (more: object) =>
      converted(t, realm, (input, path) =>
        convertKeycloak({ realm: [input], ...flags, ...more }, output(path)),
      ),
    zitadel: (more: object) =>
      converted(t, zitadel, (input, path) =>
        convertZitadel({ export: input, ...flags, ...more }, output(path)),
      ),
    auth0: (more: object) =>
      converted(t, '{"user_id":"auth0|1","email":"a@a0.example"}', (input, path) => {
        writeFileSync(`${input}.hashes`, JSON.stringify({ _id: { $oid: '1' }, passwordHash: cutOff }));
        return convertAuth0({ users: input, passwords: `${input}.hashes`, ...flags, ...more }, output(path));
      }),
  };
  for (const [name, convert] of Object.entries(own)) {
    const refused = await convert({});
    t.match([refused.report.written, refused.report.problems.count('error') > 0], [false, true], name);
    const { report, people } = await convert({ dropHashes: true });
    t.match([report.written, people.length, report.withPassword], [true, 1, 0], name);
    t.match(
      report.losses?.find(({ path }) => path.endsWith(dropped)),
      { records: 1 },
      name,
    );
  }
});

/** `GET /v1.0/users` of Microsoft Graph: guests and accounts of rooms have no `mail`. */
const entra = JSON.stringify({
  value: [
    { id: 'e1', userPrincipalName: 'ada@entra.example', mail: null },
    { id: 'e2', userPrincipalName: 'bea@entra.example', mail: 'bea@entra.example' },
    { id: 'e3', userPrincipalName: 'cid@entra.example', accountEnabled: false },
  ],
});

t.test('people with neither a hash nor a verified address', async (t) => {
  const refused = await conversion(t, entra, { system: 'entra', skipInvalid: true });
  t.same(
    refused.org.humanUsers.map(({ userId }: { userId: string }) => userId),
    ['e3'],
    'by default only those come who are disabled',
  );
  t.match(refused.told, [
    /HASH-MISSING.*--without-credentials allow/,
    /HASH-MISSING.*--without-credentials allow/,
  ]);
  t.notOk('withoutCredentials' in refused.body);
  const rule = JSON.stringify({ attributes: [], rules: { withoutCredentials: 'allow' } });
  for (const options of [{ withoutCredentials: 'allow' } as const, { map: rule }]) {
    const { body, org, told } = await conversion(t, entra, { system: 'entra', ...options });
    t.same([org.humanUsers.length, told], [3, []]);
    t.equal(body.withoutCredentials, 'allow');
  }
  const strict = { withoutCredentials: 'refuse', map: rule } as const;
  t.equal(
    (await conversion(t, entra, { system: 'entra', ...strict })).written,
    false,
    'a flag goes before the mapping',
  );
});

t.test('a password in plain text that no sign-in takes', async (t) => {
  const long = `Correct-Horse-7${'x'.repeat(190)}`;
  const table = `userName,email,emailVerified,pw\nada,ada@csv.example,yes,${long}\nbea,bea@csv.example,yes,Correct-Horse-8\n`;
  const map = (rules: object) =>
    JSON.stringify({
      attributes: [
        ...['userName', 'email', 'emailVerified'].map((name) => ({ from: name, to: name })),
        { from: 'pw', to: 'password' },
      ],
      rules,
    });
  for (const clearPasswords of ['check', 'exempt']) {
    const { told, written } = await conversion(t, table, { map: map({ clearPasswords }) });
    t.match([told, written], [[/^2 error PASSWORD-WEAK: .*200 characters/], false], clearPasswords);
    t.notMatch(told.join(), /xxx/, 'no message has the password');
    const rules = { clearPasswords, unreadableHashes: 'drop' };
    const { withPassword, users, lost } = await conversion(t, table, { map: map(rules) });
    t.same([users, withPassword, lost], [2, 1, ['(password) 1']], clearPasswords);
  }
});

t.test('a text that says that nobody has a password is no hash', async (t) => {
  const marks = [`!${'aB3'.repeat(14).slice(0, 40)}`, '!', '*', '!!', '*LK*', 'NP'];
  const rows = marks.map((mark, place) => `u${place},u${place}@csv.example,yes,${mark}`);
  const { users, withPassword, told, lost } = await conversion(
    t,
    ['userName,email,emailVerified,passwordHash', ...rows, ''].join('\n'),
  );
  t.same([users, withPassword, told, lost], [marks.length, 0, [], []]);
  // Behind such a mark, a hash may be kept for later.
  const locked = 'userName,email,emailVerified,passwordHash\nada,ada@csv.example,yes,!$1$abc$def\n';
  t.match((await conversion(t, locked)).told, [/HASH-UNREADABLE/]);
});
