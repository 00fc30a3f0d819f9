import t from 'tap';
import { removePasskey } from '#src/authentication/passkeys/index.js';
import { removeUser } from '#src/removal/remove-user.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const { container, call } = await buildTestApp(t, { workers: true });
const home = await makeTenant(container);
const instanceOwner = await makeCaller(container, home.orgId, ['IAM_OWNER']);

/** The example of RFC 8152 appendix C.7.1 is an EC2 key of P-256: a map of kty, crv, x and y. Here with alg, as WebAuthn wants it. */
const publicKey = Buffer.concat([
  Buffer.from('a5010203262001215820', 'hex'),
  Buffer.alloc(32, 1),
  Buffer.from('225820', 'hex'),
  Buffer.alloc(32, 2),
]).toString('base64url');
const credentialId = () => Buffer.from(uniqueName('credential')).toString('base64url');

const credential = (changes: object = {}) => ({
  id: credentialId(),
  publicKey,
  counter: 7,
  transports: ['internal', 'hybrid'],
  aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
  userHandle: 'aGFuZGxl',
  rpId: new URL(container.config.baseUrl).hostname,
  label: 'Phone',
  passwordless: true,
  backupEligible: true,
  backedUp: true,
  created: '2026-01-02T03:04:05.678Z',
  lastUsed: '2026-02-03T04:05:06.789Z',
  ...changes,
});
const links = [
  { provider: 'https://accounts.example/', subject: '42', name: 'ada@example.com' },
  { connectionId: 'c1', subject: 'G-1' },
];

interface Lists {
  readonly humanUsers?: readonly object[];
  readonly identityLinks?: readonly object[];
  readonly webauthnCredentials?: readonly object[];
}
const send = async (
  path: 'import' | 'verify' | 'export' | 'export/passkeys',
  body: object,
  as = instanceOwner,
) => (await call(`POST /admin/v1/${path}`, { as, body })).body;
const bodyOf = (orgId: string, lists: Lists, more: object = {}) => ({
  timeout: '2m',
  dataOrgs: { orgs: [{ orgId, ...lists }] },
  ...more,
});
const moved = (data: object, more: object = {}) => ({ timeout: '2m', data_orgsv1: data, ...more });
const exported = (orgId: string) => ({ orgIds: [orgId], responseOutput: true });

/** An organization with a person who has links and a passkey. */
async function makeHolder() {
  const { orgId } = await makeTenant(container);
  const userId = uniqueName('holder');
  const key = credential();
  const lists = {
    humanUsers: [humanUser(userId, { userId })],
    identityLinks: [{ userId, links }],
    webauthnCredentials: [{ userId, credentials: [key] }],
  };
  const report = await send('import', bodyOf(orgId, lists));
  return { orgId, userId, key, lists, report };
}

t.test('links and passkeys come in with people, are counted, and come in once', async (t) => {
  const { orgId, userId, key, lists, report } = await makeHolder();
  t.equal(report.errors, undefined, JSON.stringify(report.errors));
  t.match(report.summary, { created: 3, total: 3 });
  t.match(report.success.orgs[0], { identityLinks: [userId], webauthnCredentials: [userId] });
  const [stored] = await container.webauthnCredentials.findMany(orgId, [userId]);
  t.match(Object.values(stored?.items ?? {}), [{ ...key, created: Date, lastUsed: Date }]);
  const [kept] = await container.identityLinks.findMany(orgId, [userId]);
  t.same(Object.values(kept?.items ?? {}), links);
  t.match((await send('import', bodyOf(orgId, lists))).summary, { created: 0, skipped: 3, failed: 0 });
  const events = await container.events.search({
    ...{ eventTypes: ['user.identities.set', 'user.passkeys.set'], resourceOwner: orgId },
    ...{ limit: 9, ascending: true },
  });
  t.same(events.map(({ type, payload }) => [type, payload]).sort(), [
    ['user.identities.set', { userId, count: 2 }],
    ['user.passkeys.set', { userId, count: 1 }],
  ]);
});

t.test('a dry run knows them too', async (t) => {
  const { orgId } = await makeTenant(container);
  const [userId, other] = [uniqueName('dry'), uniqueName('dry')];
  const key = credential();
  const report = await send(
    'import',
    bodyOf(
      orgId,
      {
        humanUsers: [humanUser(userId, { userId }), humanUser(other, { userId: other })],
        identityLinks: [{ userId, links }],
        webauthnCredentials: [
          { userId, credentials: [key] },
          { userId: other, credentials: [key] },
        ],
      },
      { dryRun: true },
    ),
  );
  t.match(report.summary, { created: 4, failed: 1 });
  t.match(report.errors, [{ type: 'webauthn_credential', message: /^VALUE-TAKEN/ }]);
  t.same(await container.identityLinks.findMany(orgId, [userId]), []);
});

t.test('an export has the links and counts the passkeys, which leave by a file of their own', async (t) => {
  const { orgId, userId, key } = await makeHolder();
  const answer = await call('POST /admin/v1/export', { as: instanceOwner, body: exported(orgId) });
  const [org] = answer.body.orgs;
  t.same(org.identityLinks, [{ userId, links }]);
  t.equal(org.webauthnCredentials, undefined, 'spec.md excludes them');
  t.notMatch(JSON.stringify(answer.body), key.id);
  t.match(answer.headers['muster-not-exported'], /webauthn-credentials=1/);

  const file = await send('export/passkeys', exported(orgId));
  t.same(Object.keys(file.orgs[0]), ['orgId', 'org', 'webauthnCredentials']);
  t.same(file.orgs[0].webauthnCredentials, [{ userId, credentials: [key] }]);

  // Elsewhere: here in the same instance, after the organization was emptied.
  const passwords = await send('export', { ...exported(orgId), withPasswords: true });
  const user = { orgId, id: userId };
  await removeUser(container, { ...user, editor: testEditor });
  t.same(await container.identityLinks.findMany(orgId, [userId]), [], 'removed with the person');
  t.same(await container.webauthnCredentials.findMany(orgId, [userId]), []);
  t.match((await send('import', moved(file))).errors, [
    { type: 'webauthn_credential', message: /^REFERENCE-UNKNOWN/ },
  ]);
  const renamed = JSON.parse(JSON.stringify(passwords).replaceAll(userId, `${userId}-2`));
  const keys = JSON.parse(JSON.stringify(file).replaceAll(userId, `${userId}-2`));
  t.equal((await send('import', moved(renamed))).errors, undefined);
  t.equal((await send('import', moved(keys))).errors, undefined);
  t.same((await send('export/passkeys', exported(orgId))).orgs, keys.orgs);
  for (const body of [renamed, keys]) {
    const { isSame, lists } = (await send('verify', moved(body))) ?? {};
    t.equal(isSame, true, JSON.stringify(lists));
  }
});

t.test('a verification compares both lists', async (t) => {
  const { orgId, userId, key, lists } = await makeHolder();
  const verified = async (changes: Lists) => send('verify', bodyOf(orgId, { ...lists, ...changes }));
  t.equal((await verified({})).isSame, true);
  const changes: Lists[] = [
    { identityLinks: [{ userId, links: [...links, { provider: 'x', subject: '1' }] }] },
    { identityLinks: [{ userId, links: links.slice(1) }] },
    { identityLinks: [{ userId, links: [{ ...links[0], name: 'other' }, links[1]] }] },
    { webauthnCredentials: [{ userId, credentials: [{ ...key, label: 'Other' }] }] },
    { webauthnCredentials: [{ userId, credentials: [key, credential()] }] },
    { webauthnCredentials: [{ userId, credentials: [{ ...key, counter: 8 }] }] },
  ];
  for (const change of changes) t.equal((await verified(change)).isSame, false, JSON.stringify(change));
  const earlier = { ...key, counter: 3, lastUsed: '2026-02-01T00:00:00.000Z' };
  const used = await verified({ webauthnCredentials: [{ userId, credentials: [earlier] }] });
  t.equal(used.isSame, true, 'a key that was used since is the same');
});

t.test('an update adds and changes, and takes nothing away', async (t) => {
  const { orgId, userId, key } = await makeHolder();
  const own = credential();
  const lists = {
    identityLinks: [{ userId, links: [{ ...links[0], name: 'new name' }] }],
    webauthnCredentials: [{ userId, credentials: [{ ...key, counter: 0, label: 'Stolen' }, own] }],
  };
  t.match((await send('import', bodyOf(orgId, lists))).errors, [
    { message: /^OTHER-CONTENT/ },
    { message: /^OTHER-CONTENT/ },
  ]);
  t.match((await send('import', bodyOf(orgId, lists, { update: true }))).summary, { updated: 2, failed: 0 });
  const [stored] = await container.webauthnCredentials.findMany(orgId, [userId]);
  t.match(stored?.items[key.id], { counter: 7, label: 'Phone' }, 'a key that is here stays as it is');
  t.ok(stored?.items[own.id]);
  const [kept] = await container.identityLinks.findMany(orgId, [userId]);
  t.same(
    Object.values(kept?.items ?? {}).map(({ name }) => name),
    ['new name', undefined],
  );
  t.match((await send('import', bodyOf(orgId, lists, { update: true }))).summary, { skipped: 2, failed: 0 });
});

t.test('tenants are apart, and one person has a key', async (t) => {
  const [one, two] = [await makeHolder(), await makeHolder()];
  const taken = { humanUsers: [], identityLinks: [], webauthnCredentials: [] };
  const other = uniqueName('other');
  // The same key and the same identity in another organization: nobody is refused because another customer was first.
  const same = {
    ...taken,
    humanUsers: [humanUser(other, { userId: other })],
    identityLinks: [{ userId: other, links }],
    webauthnCredentials: [{ userId: other, credentials: [one.key] }],
  };
  t.equal(
    (await send('import', bodyOf(two.orgId, same))).errors?.length,
    1,
    'a connection has an account once',
  );
  t.same(
    (await container.webauthnCredentials.findMany(two.orgId, [other])).map(({ userId }) => userId),
    [other],
  );
  // A person of another organization.
  const reach = { identityLinks: [{ userId: one.userId, links: [links[0]] }] };
  t.match((await send('import', bodyOf(two.orgId, { ...taken, ...reach }))).errors, [
    { type: 'identity_link', message: /^REFERENCE-UNKNOWN/ },
  ]);
  t.same(await container.webauthnCredentials.findMany(two.orgId, [one.userId]), []);
  // Somebody else of the same organization.
  const thief = uniqueName('thief');
  const stolen = {
    humanUsers: [humanUser(thief, { userId: thief })],
    webauthnCredentials: [{ userId: thief, credentials: [one.key] }],
  };
  t.match((await send('import', bodyOf(one.orgId, stolen))).errors, [{ message: /^VALUE-TAKEN/ }]);
  t.match((await send('import', bodyOf(one.orgId, stolen, { update: true }))).errors, [
    { message: /^VALUE-TAKEN/ },
  ]);
});

t.test('hostile records are refused one by one, and told without their values', async (t) => {
  const { orgId, userId, key } = await makeHolder();
  const fresh = () => credential();
  const many = Array.from({ length: 65 }, () => fresh());
  const hostile: Lists[] = [
    { identityLinks: [{ userId, links: [{ subject: 'secret-1' }] }] },
    { identityLinks: [{ userId, links: [{ provider: 'x', subject: 'secret-1'.repeat(100) }] }] },
    { identityLinks: [{ userId, links: [{ provider: 'x\u0000', subject: 'secret-1' }] }] },
    { identityLinks: [{ userId, links: [] }] },
    {
      identityLinks: [
        { userId, links: Array.from({ length: 21 }, (_, n) => ({ provider: 'x', subject: `${n}` })) },
      ],
    },
    { identityLinks: [{ userId: '__proto__', links }] },
    { webauthnCredentials: [{ userId, credentials: many }] },
    ...[
      { id: '' },
      { id: 'A'.repeat(1_990) },
      { id: 'not base64!' },
      { publicKey: Buffer.from('hello').toString('base64url') },
      { publicKey: 'A'.repeat(4_000) },
      { counter: -1 },
      { counter: 2 ** 32 },
      { counter: 1.5 },
      { transports: ['<script>'] },
      { aaguid: 'x' },
      { userHandle: Buffer.alloc(65).toString('base64url') },
      { rpId: 'https://login.example' },
      { created: 'yesterday' },
    ].map((change) => ({ webauthnCredentials: [{ userId, credentials: [{ ...fresh(), ...change }] }] })),
  ];
  for (const lists of hostile) {
    const { errors, summary } = await send('import', bodyOf(orgId, lists, { update: true }));
    t.equal(errors?.length, 1, JSON.stringify(lists).slice(0, 200));
    t.match(summary, { failed: 1, total: 1 });
    t.notMatch(JSON.stringify(errors), /secret-1|hello/);
  }
  // Each record is small, and together they are too many.
  for (let round = 0; round < 3; round++) {
    const lists = { webauthnCredentials: [{ userId, credentials: many.slice(round * 21, round * 21 + 22) }] };
    const { errors } = await send('import', bodyOf(orgId, lists, { update: true }));
    t.equal(errors?.length, round < 2 ? undefined : 1);
  }
  const [stored] = await container.webauthnCredentials.findMany(orgId, [userId]);
  t.equal(Object.keys(stored?.items ?? {}).length, 44);
  t.ok(stored?.items[key.id]);
  t.equal(({} as Record<string, unknown>)['links'], undefined);
});

t.test('keys of another RP ID come in with a warning', async (t) => {
  const { orgId, userId } = await makeHolder();
  const keys = [credential({ rpId: 'old.example' }), credential({ rpId: undefined })];
  const lists = { webauthnCredentials: [{ userId, credentials: keys }] };
  const { warnings } = await send('import', bodyOf(orgId, lists, { update: true }));
  t.match(warnings, [{ path: /credentials\[\]\.rpId/, count: 1 }]);
  const { hostname } = new URL(container.config.baseUrl);
  const above = `${hostname.split('.').slice(1).join('.') || 'above'}`;
  for (const [rpId, warns] of [
    [hostname, false],
    [above, true],
    [`login.${hostname}`, true],
  ] as const) {
    const one = await makeHolder();
    const list = { webauthnCredentials: [{ userId: one.userId, credentials: [credential({ rpId })] }] };
    const told = await send('import', bodyOf(one.orgId, list, { update: true }));
    t.equal((told.warnings ?? []).length > 0, warns, `${rpId}: whatever works here`);
  }
});

t.test('a person whose passkeys are all of another RP ID counts as one without', async (t) => {
  const { orgId } = await makeTenant(container);
  const markOf = async (keys: readonly object[]) => {
    const userId = uniqueName('person');
    const lists = {
      humanUsers: [humanUser(userId, { userId })],
      webauthnCredentials: [{ userId, credentials: keys }],
    };
    const { errors } = await send('import', bodyOf(orgId, lists));
    t.same(errors, undefined);
    return (await container.accounts.find(orgId, userId))?.passkeys?.count;
  };
  const foreign = () => credential({ rpId: 'old.example' });
  t.equal(await markOf([foreign()]), undefined);
  t.equal(await markOf([foreign(), credential()]), 1);
  t.equal(await markOf([credential({ rpId: undefined }), credential()]), 2);
  const totals = await container.userTotals.readFactors(orgId);
  t.same(totals, await container.accounts.countFactors(orgId), 'the kept numbers say the same');

  const userId = uniqueName('person');
  const lists = {
    humanUsers: [humanUser(userId, { userId })],
    webauthnCredentials: [{ userId, credentials: [foreign()] }],
  };
  await send('import', bodyOf(orgId, lists));
  const key = await enrolPasskey(container, { id: userId, orgId });
  const count = async () => (await container.accounts.find(orgId, userId))?.passkeys?.count;
  t.equal(await count(), 1, 'the new one');
  await removePasskey(container, { orgId, id: userId, passkeyId: key.id, editor: testEditor });
  t.equal(await count(), undefined, 'and none after it');
  const [list] = await container.webauthnCredentials.findMany(orgId, [userId]);
  t.equal(Object.keys(list?.items ?? {}).length, 1, 'the imported one stays for its RP ID');
});

t.test(
  'nobody but an owner of the instance gets the file of passkeys, and only after a fresh sign-in',
  async (t) => {
    const { orgId } = await makeHolder();
    const tenant = await makeTenant(container);
    for (const as of [tenant.owner, tenant.manager, tenant.viewer, home.owner]) {
      const { status } = await call('POST /admin/v1/export/passkeys', { as, body: exported(orgId) });
      t.equal(status, 403);
    }
    const wrong = { ...exported(orgId), withPasswords: true };
    t.equal((await call('POST /admin/v1/export/passkeys', { as: instanceOwner, body: wrong })).status, 400);
  },
);

t.test('links and passkeys end with their organization, and no other loses any', async (t) => {
  const [gone, stays] = [await makeHolder(), await makeHolder()];
  const lists = ['identityLinks', 'webauthnCredentials'];
  const count = (orgId: string) =>
    Promise.all(lists.map((name) => container.mongo.db.collection(name).countDocuments({ orgId })));
  t.same(await count(gone.orgId), [1, 1]);
  const { body } = await call(`GET /admin/v1/orgs/${gone.orgId}`, { as: instanceOwner });
  const name = encodeURIComponent(body.name);
  const removed = await call(`DELETE /admin/v1/orgs/${gone.orgId}?name=${name}`, { as: instanceOwner });
  t.ok(removed.status < 300, JSON.stringify(removed.body));
  await until(async () => (await count(gone.orgId)).every((left) => left === 0));
  t.same(await count(stays.orgId), [1, 1]);
  // The same passkey and link may come in elsewhere now, and again under the same identifier of a person.
  const { orgId } = await makeTenant(container);
  const again = await send('import', bodyOf(orgId, gone.lists));
  t.equal(again.errors, undefined, JSON.stringify(again.errors));
  t.same(await count(orgId), [1, 1]);
});
