import { pbkdf2Sync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';
import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import { convertPeople } from '#src/migration/convert/convert-people.js';
import type { BodyOptions } from '#src/migration/convert/import-body.js';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import type { PeopleFormat } from '#src/migration/convert/mapping/people-format.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { goodPassword } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import {
  auth0Export,
  firebaseExport,
  firebaseParameters,
  firebasePassword,
  fusionauthExport,
  fusionauthPassword,
  keycloakFiles,
  kratosExport,
  kratosPassword,
} from '../../support/migration/exports.js';
import { mappedPerson, mappedTable } from '../../support/migration/mapped-people.js';
import { systemExports } from '../../support/migration/system-exports.js';
import { visit } from '../../support/oidc/visitor.js';

/** Samples of other systems are converted and imported, and their people sign in with their old passwords. */

const { container, app, call } = await buildTestApp(t, { workers: true, loginFailureMilliseconds: 0 });
const { id: orgId } = await makeOrganization(container);
const as = await makeCaller(container, orgId, ['IAM_OWNER']);
const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Imports what a conversion writes. @param more further properties of the body */
async function importConverted(
  convert: (output: BodyOptions) => Promise<ConversionReport>,
  more: object = {},
) {
  const output = { path: join(folder, 'out.json'), orgId, timeout: '5m', multiline: false };
  const { problems } = await convert(output);
  const body = { ...JSON.parse(readFileSync(output.path, 'utf8')), ...more };
  const answer = await call('POST /admin/v1/import', { as, body });
  return { errors: problems.count('error'), body: answer.body };
}

async function signIn(loginName: string, password: string) {
  const visitor = visit(app, container);
  return visitor.fill(await visitor.get('/login'), { loginName, password });
}

const people = (name: string, content: unknown, hashParameters?: string) => (output: BodyOptions) => {
  const format = peopleFormats[name];
  if (format === undefined) throw new Error(`There is no ${name}`);
  const users = [write(`${name}.json`, content)];
  const input = { users, hashParameters, emailVerified: false, skipInvalid: false, strict: false };
  return convertPeople(format, input, output);
};
const usual = { emailVerified: false, skipInvalid: false };

const samples = [
  {
    system: 'Firebase',
    convert: people('firebase', firebaseExport, firebaseParameters),
    loginName: 'maria@example.com',
    password: firebasePassword,
    // Two people, and the link of one of them to Google.
    created: 3,
  },
  {
    system: 'Ory Kratos',
    convert: people('kratos', kratosExport),
    loginName: 'ada@example.org',
    password: kratosPassword,
    created: 1,
  },
  {
    system: 'FusionAuth',
    convert: people('fusionauth', fusionauthExport),
    loginName: 'johnny123',
    password: fusionauthPassword,
    created: 1,
  },
  {
    system: 'Keycloak',
    convert: (output: BodyOptions) =>
      convertKeycloak(
        { realm: keycloakFiles.map((file, n) => write(`realm-${n}.json`, file)), ...usual },
        output,
      ),
    loginName: 'anna',
    password: 'Secret-of-anna-1',
    // Three people, a group and a membership.
    created: 5,
  },
  {
    system: 'Auth0',
    convert: (output: BodyOptions) => {
      const { users, passwords } = auth0Export;
      return convertAuth0(
        { users: write('users', users), passwords: write('passwords', passwords), ...usual },
        output,
      );
    },
    loginName: 'cara@example.net',
    password: goodPassword,
    created: 1,
  },
];

for (const { system, convert, loginName, password, created } of samples) {
  t.test(`people of ${system} keep their passwords`, async (t) => {
    const { errors, body } = await importConverted(convert);
    t.equal(errors, 0);
    t.match(body, { summary: { created, failed: 0 } }, JSON.stringify(body.errors));
    t.equal((await signIn(loginName, `${password}x`)).status, 400);
    const page = await signIn(loginName, password);
    t.equal(page.status, 303);
    // Ada's authenticator app came along.
    t.match(page.location, system === 'Ory Kratos' ? /^\/login\/code/ : /^\/(?!login)/);
  });
}

t.test('a person with every target of a mapping is imported as the mapping says', async (t) => {
  const { id } = await makeOrganization(container);
  const { text, delimiter, map } = mappedTable;
  const users = [write('mapped.csv', text)];
  const input = { users, delimiter, map, ...usual, strict: true };
  const { errors, body } = await importConverted((output) =>
    convertPeople(peopleFormats['csv'] as PeopleFormat, input, { ...output, orgId: id }),
  );
  t.equal(errors, 0);
  // Two people, a group and a membership.
  t.match(body, { summary: { created: 4, failed: 0 } }, JSON.stringify(body.errors));
  const wanted = { org_ids: [id], with_passwords: true, with_otp: true, response_output: true };
  const exported = await call('POST /admin/v1/export', { as, body: wanted });
  const { humanUsers, groups, groupMembers } = exported.body.orgs[0];
  const byId = new Map(humanUsers.map((one: { userId: string }) => [one.userId, one]));
  t.same(byId.get('person-7'), mappedPerson, 'an export has exactly what the mapping made');
  t.match(byId.get('person-8'), { user: { userName: 'lou', scim: { preferredLanguageGiven: true } } });
  t.match(groups, [{ group: { displayName: 'staff' } }]);
  t.same(groupMembers, [{ groupId: groups[0].groupId, userId: 'person-7' }]);
  t.equal((await signIn('lou', 'Correct-Horse-8')).status, 303);
});

t.test('people of Appwrite keep their passwords without a mapping, whatever their hashes are', async (t) => {
  const { total: _, users } = JSON.parse(systemExports['Appwrite']?.text ?? '');
  // Nobody can tell the hash of the last one.
  const { errors, body } = await importConverted(people('json', { users: users.slice(0, -1) }));
  t.equal(errors, 0);
  t.match(body, { summary: { created: 6, failed: 0 } }, JSON.stringify(body.errors));
  // The passwords of appwrite/appwrite, tests/unit/Auth/AuthTest.php.
  const passwords = { bea: 'appwrite', cid: 'pass123', dan: 'some-scrypt-password', eli: 'users-password' };
  for (const [name, password] of Object.entries(passwords)) {
    t.equal((await signIn(`${name}@appwrite.example`, `${password}x`)).status, 400, name);
    t.equal((await signIn(`${name}@appwrite.example`, password)).status, 303, name);
  }
  t.equal((await signIn('fay@appwrite.example', 'developersAreAwesome!')).status, 400, 'not active');
});

t.test('people of Clerk keep their passwords without a mapping, whatever their salts are', async (t) => {
  const password = 'Roni_clerk7@example';
  const [salt, text] = [Buffer.from('saltsaltsalt'), 'c2FsdHNhbHRzYWx0'];
  const digest = (hashed: Buffer | string) =>
    `pbkdf2_sha256$1000$${text}$${pbkdf2Sync(password, hashed, 1_000, 32, 'sha256').toString('base64')}`;
  const rows = [
    'id,username,primary_email_address,password_digest,password_hasher',
    `user_1,clerk-1,clerk-1@clerk.example,${digest(salt)},pbkdf2_sha256`,
    `user_2,clerk-2,clerk-2@clerk.example,${digest(text)},pbkdf2_sha256_django`,
  ];
  const { errors, body } = await importConverted(people('csv', `${rows.join('\n')}\n`));
  t.equal(errors, 0);
  t.match(body, { summary: { created: 2, failed: 0 } }, JSON.stringify(body.errors));
  for (const name of ['clerk-1', 'clerk-2']) {
    t.equal((await signIn(name, `${password}x`)).status, 400, name);
    t.equal((await signIn(name, password)).status, 303, name);
  }
});

t.test('each hash of Keycloak opens its account, unless the person was disabled', async (t) => {
  t.equal((await signIn('eli', 'Secret-of-eli-1')).status, 303, 'PBKDF2 with SHA-512');
  t.equal((await signIn('fay', 'Secret-of-fay-1')).status, 400, 'disabled');
  const { user } = (await container.accounts.find(orgId, '7b393112-9662-4653-b0c9-02647e8c0ad5')) ?? {};
  t.equal(user?.active, false);
});

t.test('somebody whom Firebase disabled cannot sign in', async (t) => {
  t.equal((await signIn('off@example.com', firebasePassword)).status, 400);
});

t.test('whoever is enabled again at the source is active after an update', async (t) => {
  const [, , third] = keycloakFiles;
  const realm = (flags: object) => (output: BodyOptions) => {
    const users = third?.users.map(({ enabled: _, ...user }) => ({ ...user, ...flags }));
    return convertKeycloak({ realm: [write('third.json', { realm: 'shop', users })], ...usual }, output);
  };
  const firebase = (flags: object) => {
    const users = firebaseExport.users.slice(1).map(({ disabled: _, ...user }) => ({ ...user, ...flags }));
    return people('firebase', { users }, firebaseParameters);
  };
  const isActive = async (id: string) => (await container.accounts.find(orgId, id))?.user.active;
  const update = async (convert: (output: BodyOptions) => Promise<ConversionReport>) =>
    (await importConverted(convert, { update: true })).body.summary;

  const fay = '7b393112-9662-4653-b0c9-02647e8c0ad5';
  t.match(
    await update(realm({})),
    { updated: 0, skipped: 1 },
    'a user without enabled is disabled, as in Keycloak',
  );
  t.equal(await isActive(fay), false);
  t.match(await update(realm({ enabled: true })), { updated: 1, failed: 0 });
  t.equal((await signIn('fay', 'Secret-of-fay-1')).status, 303);
  t.match(await update(realm({})), { updated: 1, failed: 0 });
  t.equal(await isActive(fay), false);
  t.match(await update(realm({ enabled: false })), { updated: 0, skipped: 1 });
  t.equal((await signIn('fay', 'Secret-of-fay-1')).status, 400);

  t.equal(await isActive('fb-2'), false);
  // Firebase leaves out the flag of a person who is not disabled.
  t.match(await update(firebase({})), { updated: 1, failed: 0 });
  t.equal(await isActive('fb-2'), true);
});
