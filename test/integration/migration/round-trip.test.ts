import { SignJWT } from 'jose';
import t from 'tap';
import { settingNamed, settingNames } from '#src/clients/applications/application-settings.js';
import { optionalFields } from '#src/people/users/user-document.js';
import { newId } from '#src/platform/ids.js';
import { postForm } from '../../support/app/oauth-client.js';
import { goodPassword } from '../../support/app/people.js';
import { leavesOf, nameOf } from '../../support/migration/leaves.js';
import { openMove } from '../../support/migration/move.js';

const { storage, gcs, openInstance, source, moved, wanted } = await openMove(t);

t.test('an export that is imported elsewhere and exported again is the same', async (t) => {
  const target = await openInstance();
  const exported = await source.post('export', { ...wanted, response_output: true, gcs_output: gcs });
  const imported = await target.post('import', { timeout: '5m', data_orgsv1_gcs: gcs });
  t.equal(imported.errors, undefined, JSON.stringify(imported.errors));
  const { total } = imported.summary;
  t.same(imported.summary, { created: total, skipped: 0, failed: 0, total });

  await target.post('export', { ...wanted, gcs_output: { ...gcs, path: 'again.json' } });
  const [before, after] = ['instance.json', 'again.json'].map((path) => storage.objects.get(`moves/${path}`));
  t.equal(String(after?.content), String(before?.content));
  t.same(JSON.parse(String(before?.content)), exported);

  const [first] = moved;
  const person = first?.people.full;
  const account = await target.container.accounts.find(first?.orgId ?? '', person?.id ?? '');
  const hash = account?.password?.hash ?? '';
  t.ok(
    await target.container.passwords.verify(hash, goodPassword, { purpose: 'other', orgId: undefined }),
    'the password is still the password',
  );
  const kept = await source.container.accounts.find(first?.orgId ?? '', person?.id ?? '');
  t.equal(account?.totp?.recovery?.length, 10);
  t.same(account?.totp?.recovery, kept?.totp?.recovery, 'and the recovery codes still work');

  const { api, apiKey, machine, trust } = first as NonNullable<typeof first>;
  const { baseUrl } = target.container.config;
  const assertion = await new SignJWT({ jti: newId() })
    .setProtectedHeader({ alg: 'ES256', kid: apiKey.kid ?? '' })
    .setIssuer(api.id)
    .setSubject(api.id)
    .setAudience(baseUrl)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(apiKey);
  const introspected = await postForm(target.call, '/oauth/v2/introspect', {
    form: {
      token: 'none',
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    },
  });
  t.match(
    introspected,
    { status: 200, body: { active: false } },
    'the key of the API still authenticates it',
  );
  const { id: _id, ...expected } = trust;
  t.match((await target.container.serviceUsers.find(first?.orgId ?? '', machine.id))?.federatedCredentials, [
    expected,
  ]);

  const again = await target.post('import', { timeout: '5m', data_orgsv1: exported });
  t.same(again.summary, { created: 0, skipped: total, failed: 0, total });
});

/** Why fields of stored documents differ after a move. */
const counted = 'an import adds an object with its first version';
const added = 'the record has no dates, so they are those of the import';
const known = 'when the import added what is older';
const named = 'each instance has identifiers of its own for what no record refers to';
const locked = 'the number of locks of transactions';
const remembered = 'what the import brought, so that an update knows what was changed here';
const sorted = 'a set, which an import sorts';
const since = 'login names are of this instance since the import';
const began = 'the import set the credential here';
const sealed = 'sealed with the key of the instance';

/** The fields of each collection that travels, and that differ after a move. */
const differing: Record<string, Record<string, string>> = {
  organizations: { version: counted, imported: known },
  logos: {},
  users: {
    version: counted,
    imported: known,
    locked,
    'importedCredentials.password': remembered,
    'importedCredentials.passwordHash': remembered,
    'importedCredentials.totp': remembered,
    'loginNamesSince.email': since,
    'loginNamesSince.userName': since,
    'search.loginNamesChanged': since,
    'password.changed': began,
    'totp.enrolled': began,
    'totp.sealed': sealed,
  },
  groups: { imported: known, isDated: known },
  groupMembers: {},
  serviceUsers: { version: counted, locked, 'secrets[].id': named, 'federatedCredentials[].id': named },
  projects: { created: added, lastModified: added, locked },
  projectRoles: { created: added, lastModified: added },
  applications: {
    version: counted,
    created: added,
    lastModified: added,
    'secrets[].id': named,
    'grantTypes[]': sorted,
    'responseTypes[]': sorted,
  },
  applicationGrants: { grantId: named, created: added },
  userGrants: { id: named, created: added, lastModified: added },
  groupGrants: { id: named, created: added, lastModified: added },
  projectMembers: { id: named, created: added, lastModified: added },
  memberships: { _id: named, created: added },
  userMetadata: { id: named, created: added, lastModified: added },
  connections: {
    created: added,
    lastModified: added,
    signInsSince: added,
    sealedSecret: 'no file has a secret',
  },
  identityLinks: { id: named, created: added, lastModified: added },
};

/** Flags that a document may lack, which means no. */
const absentMeansNo = ['ignorePasswords', 'plainScimErrors'];

/** Collections of which an export has nothing, and why. */
const staying: Record<string, string> = {
  events: 'they tell what happened at the source',
  identifiers: 'an import keeps the identifiers that it brings from being used again',
  jobs: 'work of the source',
  personalAccessTokens: 'each opens the source without further proof',
  userTotals: 'counts of the users',
};

t.test('what is moved has every attribute of a user and every setting of an application', async (t) => {
  const { mongo } = source.container;
  const has = async (collection: string, condition: object) =>
    (await mongo.db.collection(collection).countDocuments(condition, { limit: 1 })) > 0;
  const ofMigration = ['imported', 'loginNamesSince'];
  for (const name of optionalFields.filter((field) => !ofMigration.includes(field)))
    t.ok(await has('users', { [name]: { $exists: true } }), `nobody has ${name}`);
  for (const name of settingNames) {
    const setting = settingNamed(name);
    const usual =
      typeof setting.default === 'function' ? setting.default({ name: '', type: 'web' }) : setting.default;
    const other = { $exists: true, ...(usual !== undefined && { $ne: usual }) };
    t.ok(await has('applications', { type: 'web', [name]: other }), `no application has another ${name}`);
  }
});

t.test('every stored field of what travels is the same', async (t) => {
  const target = await openInstance();
  const exported = await source.post('export', { ...wanted, response_output: true });
  await target.post('import', { timeout: '5m', data_orgsv1: exported });
  const orgIds = moved.map(({ orgId }) => orgId);
  const ofOrganizations = {
    $or: ['_id', 'orgId', 'scope'].map((name) => ({ [name]: { $in: orgIds } })),
  };
  const documentsOf = async ({ container: { mongo } }: typeof source, collection: string) => {
    const found = await mongo.db.collection<{ _id: unknown }>(collection).find(ofOrganizations).toArray();
    return new Map(
      found.map((one: Record<string, unknown>) => [
        collection === 'memberships' ? `${one['userId']} ${one['role']}` : String(one['_id']),
        one,
      ]),
    );
  };
  const collections = await source.container.mongo.db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of collections) {
    if (name in staying) continue;
    const [before, after] = [await documentsOf(source, name), await documentsOf(target, name)];
    if (before.size === 0 && !(name in differing)) continue;
    t.ok(before.size > 0, `the source has ${name}`);
    t.same([...after.keys()].sort(), [...before.keys()].sort(), `the same objects of ${name}`);
    const names = new Set<string>();
    for (const [key, one] of before) {
      const [sent, got] = [one, after.get(key)].map(
        (document) => new Map(leavesOf(document).map(({ path, value }) => [path.join(' '), { path, value }])),
      );
      for (const [place, { path }] of [...(sent ?? []), ...(got ?? [])]) {
        const [here, there] = [sent, got].map((leaves) => {
          const absent = absentMeansNo.includes(place) ? false : undefined;
          return JSON.stringify(leaves?.get(place)?.value ?? absent);
        });
        if (here !== there) names.add(nameOf(path));
      }
    }
    t.same([...names].sort(), Object.keys(differing[name] ?? {}).sort(), `what differs in ${name}`);
  }
  t.same(
    Object.keys(differing).filter((name) => !collections.some((one) => one.name === name)),
    [],
  );
});

t.test('without hashes people come without passwords, and nothing else is lost', async (t) => {
  const target = await openInstance();
  const bare = { ...wanted, with_passwords: false, with_otp: false, response_output: true };
  const without = await source.post('export', bare);
  const imported = await target.post('import', { timeout: '5m', data_orgsv1: without });
  t.equal(imported.errors, undefined, JSON.stringify(imported.errors));
  t.same(await target.post('export', { ...wanted, response_output: true }), without);
});
