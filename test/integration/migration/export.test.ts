import t from 'tap';
import { putMigrationHook } from '#src/authentication/migration-hook/put-migration-hook.js';
import { approveApplication } from '#src/clients/applications/approve-application.js';
import { giveConsent } from '#src/clients/consents/give-consent.js';
import { addApplicationGrant } from '#src/clients/grants/change-application-grants.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { newId } from '#src/platform/ids.js';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { startStorageServer } from '../../../dev/storage/storage-server.js';
import { until } from '../../../dev/until.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const storage = await startStorageServer(t, ['exports']);
const { app, container, call } = await buildTestApp(t, {
  workers: true,
  storageEmulatorHost: storage.endpoint,
});
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
const org = await makeFullOrganization(container);
const other = await makeFullOrganization(container);
// As a process leaves it that ends after it has added a member, and before it has looked whether the user was removed.
await container.mongo.db.collection<{ _id: string } & Record<string, unknown>>('groupMembers').insertOne({
  _id: `${org.group.id} gone`,
  orgId: org.orgId,
  groupId: org.group.id,
  userId: 'gone',
  schemaVersion: 1,
});

const exportIt = (body: unknown) => call('POST /admin/v1/export', { as, body });
const one = { org_ids: [org.orgId], response_output: true };
const gcs = { bucket: 'exports', path: 'a/b.json', serviceaccount_json: encodeServiceAccount() };
const lastEvent = async () => {
  const body = { eventTypes: ['export.completed'], limit: 1 };
  return (await call('POST /admin/v1/events/_search', { as, body })).body.events[0];
};

t.test('an organization is exported with everything that belongs to it', async (t) => {
  const { status, headers, body } = await exportIt(one);
  t.equal(status, 200);
  t.match(headers['content-type'], /^application\/json/);
  t.equal(headers['muster-not-exported'], 'client-secrets=2, personal-access-tokens=1, connection-secrets=1');
  t.equal(body.orgs.length, 1);
  const [exported] = body.orgs;
  t.equal(exported.groupMembers.length, 2, 'without the member who is gone');
  const { full, plain, registered, bare } = org.people;
  t.match(exported, {
    orgId: org.orgId,
    org: {
      name: String,
      passwordPolicy: { minLength: 10, upper: true },
      login: {
        selfRegistration: true,
        verifyEmail: true,
        notifyNewBrowser: false,
        notifyChanges: false,
        notifyAdministration: false,
        logoUrl: 'https://logo.example/x.png',
        faviconUrl: 'https://logo.example/x.ico',
        brandColor: '#0a6b4f',
      },
      plainScimErrors: true,
    },
    domains: [
      { domainName: `${org.orgId}.example`, isPrimary: true, isVerified: true },
      { domainName: `b.${org.orgId}.example`, isPrimary: false, isVerified: true },
      { domainName: `c.${org.orgId}.example`, isPrimary: false, isVerified: false },
    ],
    projects: [{ projectId: org.project.id, project: { name: 'Shop' } }, { project: { name: 'Empty' } }],
    projectRoles: [
      { projectId: org.project.id, roleKey: 'admin' },
      { projectId: org.project.id, roleKey: 'reader', displayName: 'Reader', group: 'people' },
    ],
    oidcApps: [
      {
        appId: org.web.id,
        projectId: org.project.id,
        app: {
          name: 'Web',
          type: 'web',
          redirectUris: ['https://shop.example/callback'],
          orgOnly: false,
          strictAuthMethod: true,
          idTokenSignedResponseAlg: 'EdDSA',
        },
      },
    ],
    apiApps: [
      {
        appId: org.api.id,
        app: {
          name: 'API',
          authMethod: 'private_key_jwt',
          clientKeys: [
            { kid: org.apiKey.kid, jwk: { kty: 'EC', crv: 'P-256', alg: 'ES256' }, created: String },
          ],
        },
      },
    ],
    groups: [
      {
        groupId: org.group.id,
        group: { displayName: 'Team "Ä"', externalId: 'g-1', roles: ['ORG_USER_VIEWER'] },
      },
      { group: { displayName: 'Nobody' } },
    ],
    groupMembers: [
      { groupId: org.group.id, userId: full.id },
      { groupId: org.group.id, userId: plain.id },
    ],
    machineUsers: [
      {
        userId: org.machine.id,
        user: {
          description: 'Provisions',
          ignorePasswordOnCreate: true,
          ignorePasswords: true,
          plainScimErrors: true,
          clientKeys: [{ kid: String, jwk: { kty: 'RSA', e: 'AQAB' }, created: String, expires: String }],
          federatedCredentials: [
            {
              issuer: 'https://issuer.example/',
              subject: 'repo:acme/shop:ref:refs/heads/main',
              audience: 'api://shop',
              created: org.trust.created.toISOString(),
              label: 'Builds',
            },
          ],
        },
      },
    ],
    orgMembers: [
      { userId: full.id, roles: ['ORG_USER_MANAGER'] },
      { userId: org.machine.id, roles: ['ORG_OWNER', 'ORG_USER_VIEWER'] },
    ],
    groupGrants: [{ groupId: org.group.id, projectId: org.project.id, roleKeys: ['admin', 'reader'] }],
    projectMembers: [{ projectId: org.project.id, userId: org.machine.id, roles: ['PROJECT_OWNER'] }],
    userMetadata: [
      { userId: full.id, key: 'a', value: 'AAEC/w==' },
      { userId: full.id, key: 'b' },
      { userId: org.machine.id, key: 'a' },
    ],
  });
  t.same(
    exported.userGrants.map((grant: { userId: string }) => grant.userId),
    [full.id, plain.id],
  );
  t.same(exported.userGrants[0].roleKeys.toSorted(), ['admin', 'reader']);
  const users = exported.humanUsers;
  t.same(
    users.map((user: { userId: string }) => user.userId),
    [full.id, plain.id, registered.id, bare.id],
  );
  t.match(users[0].user, {
    userName: full.userName,
    profile: {
      firstName: 'Zoë "Z" \\ 😀',
      lastName: 'de\u00a0Vries',
      nickName: 'Z',
      preferredLanguage: 'nl',
    },
    email: { email: 'zoe@work.example', isEmailVerified: true },
    phone: { phone: '+3120555' },
    scim: {
      externalId: 'ext-1',
      active: false,
      middleName: 'M',
      honorificPrefix: 'Dr.',
      honorificSuffix: 'III',
      profileUrl: 'https://people.example/zoe',
      website: 'https://zoe.example',
      birthdate: '0000-12-31',
      title: 'Lead',
      employeeNumber: 'E-7',
      costCenter: '4130',
      organization: 'Museums',
      division: 'Art',
      department: 'Tours',
      manager: 'someone-later',
      userType: 'Employee',
      locale: 'nl-NL',
      timezone: 'Europe/Amsterdam',
      emails: [
        { value: 'zoe@home.example', type: 'home', primary: false },
        { type: 'work', primary: true },
      ],
      phoneNumbers: [{ value: '+3120555' }, { value: '+316555' }],
      ims: [{ value: 'zoe', type: 'xmpp' }],
      addresses: [{ locality: 'Amsterdam' }],
      photos: [{ value: 'https://people.example/zoe.png' }],
      roles: [{ value: 'r', display: 'R' }],
      entitlements: [{ value: 'e' }],
    },
  });
  t.match(users[2].user, {
    email: { email: 'registered@people.example', isEmailVerified: false },
    phone: { phone: '+4930555', isPhoneVerified: true },
    scim: { active: true },
  });
  const { userName } = bare;
  t.same(users[3].user, {
    userName,
    created: bare.created.toISOString(),
    lastModified: bare.lastModified.toISOString(),
    profile: { displayName: userName, preferredLanguage: 'en' },
    scim: { active: true, preferredLanguageGiven: false },
  });
});

t.test('hashes and secrets of second factors are there when they are asked for', async (t) => {
  const everything = { ...one, with_passwords: true, with_otp: true };
  const text = async (body: unknown) => JSON.stringify((await exportIt(body)).body);
  const bare = await text(one);
  const hashed = await text({ ...one, with_passwords: true });
  const coded = await text({ ...one, with_otp: true });
  const whole = await text(everything);
  for (const hash of Object.values(org.hashes)) {
    t.ok(hash.length > 20);
    t.notOk(bare.includes(hash) || coded.includes(hash));
    t.ok(hashed.includes(hash) && whole.includes(hash));
  }
  t.notOk(bare.includes(org.totp) || hashed.includes(org.totp));
  t.ok(coded.includes(org.totp) && whole.includes(org.totp));
  const { totp } = (await container.accounts.find(org.orgId, org.people.full.id)) ?? {};
  const [recovery = 'none'] = totp?.recovery ?? [];
  t.notOk(bare.includes(recovery) || hashed.includes(recovery));
  t.ok(coded.includes(recovery) && whole.includes(recovery));
  for (const secret of org.secrets) t.notOk(whole.includes(secret), 'tokens and secrets in clear never are');
  for (const word of ['publicKey', 'keys', 'd', 'qi', 'sealed', 'search'])
    t.notOk(whole.includes(`"${word}"`), word);

  t.match(await lastEvent(), {
    editor: { userId: as.id, service: 'export' },
    aggregate: { type: 'job', resourceOwner: '*' },
    payload: {
      withPasswords: true,
      withOtp: true,
      counts: {
        orgs: 1,
        domains: 3,
        projects: 2,
        projectRoles: 2,
        oidcApps: 1,
        apiApps: 1,
        humanUsers: 4,
        groups: 2,
        groupMembers: 2,
        machineUsers: 1,
        userGrants: 2,
        groupGrants: 1,
        orgMembers: 2,
        projectMembers: 1,
        userMetadata: 3,
      },
    },
  });
});

t.test('organizations are chosen and left out, in the order of their identifiers', async (t) => {
  const ids = async (body: object) =>
    (await exportIt({ responseOutput: true, ...body })).body.orgs.map(
      ({ orgId }: { orgId: string }) => orgId,
    );
  const all = [home.id, org.orgId, other.orgId].sort();
  t.same(await ids({}), all);
  t.same(await ids({ orgIds: [] }), all);
  t.same(await ids({ orgIds: [other.orgId, org.orgId, org.orgId] }), [org.orgId, other.orgId].sort());
  t.same(await ids({ excludedOrgIds: [org.orgId] }), [home.id, other.orgId].sort());
  t.same(await ids({ orgIds: [org.orgId, home.id], excluded_org_ids: [org.orgId] }), [home.id]);
  const instance = JSON.stringify((await exportIt({ responseOutput: true })).body);
  t.notOk(instance.includes('IAM_OWNER'), 'who owns the instance is not part of it');
});

t.test('many members are one record each, also where a page ends between two roles', async (t) => {
  const { id } = await makeOrganization(container);
  const created = new Date();
  const members = Array.from({ length: 700 }, (_, index) => ({
    userId: `member-${String(index).padStart(3, '0')}`,
    roles: index === 0 ? (['ORG_OWNER'] as const) : (['ORG_OWNER', 'ORG_USER_VIEWER'] as const),
  }));
  const memberships = members.flatMap(({ userId, roles }) =>
    roles.map((role) => ({ id: newId(), userId, role, orgId: id, created })),
  );
  await container.mongo.transaction((transaction) =>
    container.memberships.insert(memberships.reverse(), new Map(), transaction),
  );
  const { body } = await exportIt({ org_ids: [id], response_output: true });
  t.same(body.orgs[0].orgMembers, members);
});

t.test('an export goes to a bucket, alone or also to the answer', async (t) => {
  storage.reset();
  const alone = await exportIt({ org_ids: [org.orgId], gcs_output: gcs, timeout: '1m' });
  t.equal(alone.status, 200);
  t.same(Object.keys(alone.body), ['jobId', 'gcs', 'notExported']);
  t.same(alone.body.notExported, { clientSecrets: 2, personalAccessTokens: 1, connectionSecrets: 1 });
  t.same(alone.body.gcs, { bucket: 'exports', path: 'a/b.json' });
  const stored = storage.objects.get('exports/a/b.json');
  t.equal(stored?.contentType, 'application/json');
  t.match((await lastEvent()).payload, { gcs: { bucket: 'exports', path: 'a/b.json' } });

  storage.fail({ on: 'begin', status: 503 }, { on: 'chunk', status: 503 });
  const both = await exportIt({ ...one, gcs_output: { ...gcs, path: 'both.json' } });
  t.equal(both.status, 200);
  t.same(JSON.parse(String(storage.objects.get('exports/both.json')?.content)), both.body);
  t.same(JSON.parse(String(stored?.content)), both.body);
});

t.test('a bucket that cannot be used is told, and nothing is in it', async (t) => {
  storage.reset();
  const refused = async (changes: object) => {
    const { status, body } = await exportIt({ ...one, gcs_output: { ...gcs, ...changes } });
    return [status, body.id];
  };
  t.same(await refused({ bucket: 'no-such-bucket' }), [400, 'bucket.bucketMissing']);
  t.same(await refused({ bucket: '../x' }), [400, 'bucket.targetInvalid']);
  t.same(await refused({ path: '' }), [400, 'bucket.targetInvalid']);
  storage.fail({ on: 'begin', status: 403 });
  t.same(await refused({}), [400, 'bucket.permissionMissing']);
  storage.fail({ on: 'begin', status: 401 });
  t.same(await refused({}), [400, 'bucket.credentialsRefused']);
  const credentials = { serviceaccount_json: encodeServiceAccount({ type: 'external_account' }) };
  t.same(await refused(credentials), [400, 'bucket.serviceAccountInvalid']);
  t.equal(storage.objects.size, 0);
});

t.test('exactly the requested data is exported', async (t) => {
  const cases: [unknown, string][] = [
    [{}, 'export.outputMissing'],
    [{ org_ids: [org.orgId] }, 'export.outputMissing'],
    [{ response_output: false }, 'export.outputMissing'],
    [{ ...one, timeout: 'soon' }, 'export.timeoutInvalid'],
    [{ ...one, timeout: '25h' }, 'export.timeoutInvalid'],
    [{ ...one, timeout: 30 }, 'http.bodyMalformed'],
    [{ ...one, org_ids: org.orgId }, 'http.bodyMalformed'],
    [{ ...one, org_ids: [1] }, 'http.bodyMalformed'],
    [{ ...one, with_passwords: 'true' }, 'http.bodyMalformed'],
    [{ ...one, withEverything: true }, 'http.bodyMalformed'],
    [{ ...one, orgIds: [] }, 'http.bodyMalformed'],
    [{ gcs_output: { bucket: 'exports', path: 'x' } }, 'http.bodyMalformed'],
    [{ gcs_output: { ...gcs, token: 'x' } }, 'http.bodyMalformed'],
    [{ ...one, org_ids: ['nobody'] }, 'export.organizationUnknown'],
    [{ response_output: true, excluded_org_ids: ['nobody'] }, 'export.organizationUnknown'],
    ['{"response_output":', 'http.bodyMalformed'],
  ];
  for (const [body, id] of cases) {
    const answer = await exportIt(body);
    t.match({ status: answer.status, id: answer.body.id }, { status: 400, id }, JSON.stringify(body));
    t.match(answer.headers['content-type'], /^application\/problem\+json/);
  }
});

t.test('only an instance owner exports', async (t) => {
  const owner = await makeCaller(container, org.orgId, ['ORG_OWNER', 'ORG_USER_MANAGER']);
  t.equal((await call('POST /admin/v1/export', { body: one })).status, 401);
  t.equal((await call('POST /admin/v1/export', { as: owner, body: one })).status, 403);
});

t.test('an export is fetched later, also the rest of it', async (t) => {
  const later = { prefer: 'respond-async' };
  const begun = await call('POST /admin/v1/export', {
    as,
    body: { ...one, with_passwords: true },
    headers: later,
  });
  t.equal(begun.status, 202);
  const path = begun.headers['location']?.slice(container.config.baseUrl.length);
  let job = (await call(`GET ${path}`, { as })).body;
  await until(async () => {
    job = (await call(`GET ${path}`, { as })).body;
    return job.state === 'completed';
  });
  t.match(job, { kind: 'export', progress: { processed: 4, total: 4 } });
  t.same(Object.keys(job.result), ['counts', 'notExported', 'bytes']);
  const { body, headers } = await call(`GET ${path}/result`, { as });
  t.equal(Number(headers['content-length']), job.result.bytes);
  t.same(body, (await exportIt({ ...one, with_passwords: true })).body);

  const rest = await app.inject({
    url: `${path}/result`,
    headers: { authorization: `Bearer ${as.token}`, range: 'bytes=100-' },
  });
  t.equal(rest.statusCode, 206);
  t.equal(rest.headers['content-range'], `bytes 100-${job.result.bytes - 1}/${job.result.bytes}`);
  t.equal(rest.rawPayload.length, job.result.bytes - 100);
  t.equal(
    (await call(`GET ${path}/result`, { as, headers: { range: `bytes=${job.result.bytes}-` } })).body.id,
    'export.rangeInvalid',
  );
  const owner = await makeCaller(container, org.orgId, ['ORG_OWNER']);
  t.equal((await call(`GET ${path}/result`, { as: owner })).status, 403);
  t.equal((await call(`GET /admin/v1/jobs/${newId()}/result`, { as })).status, 404);

  const query = { eventTypes: ['export.downloaded'], aggregateId: job.id };
  const { events } = (await call('POST /admin/v1/events/_search', { as, body: query })).body;
  t.match(events[0], { editor: { userId: as.id }, payload: { withPasswords: true } });
  const all = await container.events.search({ aggregateId: job.id, limit: 10, ascending: true });
  t.same(
    all.map(({ type, sequence }) => `${type} ${sequence}`),
    ['export.completed 1', ...events.map((_: unknown, n: number) => `export.downloaded ${n + 2}`)],
  );
  t.ok(events.length > 1);
});

t.test('the body of a request is not kept once it is sent', async (t) => {
  const { body } = await exportIt({ org_ids: [org.orgId], gcs_output: gcs, response_output: true });
  t.equal(body.orgs.length, 1);
  const jobs = (await call('GET /admin/v1/jobs?limit=1', { as })).body.items;
  await until(async () => (await call(`GET /admin/v1/jobs/${jobs[0].id}/result`, { as })).status === 404);
  const staged = await container.mongo.db.collection('jobBodies').countDocuments({ _id: jobs[0].id });
  t.equal(staged, 0, 'neither is the key of the service account');
});

t.test('an export whose time is over is answered so', async (t) => {
  const { status, body } = await exportIt({ ...one, timeout: '1ns' });
  t.match({ status, id: body.id }, { status: 504, id: 'export.timedOut' });
});

t.test('an export that is cancelled writes no object', async (t) => {
  storage.reset();
  storage.fail({ on: 'begin', stallAfter: 0 });
  const begun = await call('POST /admin/v1/export', {
    as,
    body: { org_ids: [org.orgId], gcs_output: gcs },
    headers: { prefer: 'respond-async' },
  });
  const path = begun.headers['location']?.slice(container.config.baseUrl.length);
  await until(async () => storage.requests.length > 0);
  t.equal((await call(`DELETE ${path}`, { as })).body.state, 'cancelled');
  t.same((await call(`GET ${path}/result`, { as })).body.id, 'export.cancelled');
  t.equal(storage.objects.size, 0);
});

t.test('what an export leaves out is counted', async (t) => {
  const [giving, asked] = [await makeFullOrganization(container), await makeFullOrganization(container)];
  const editor = { userId: as.id, service: 'test' };
  const ids = [giving.orgId, asked.orgId];
  await addApplicationGrant(container, { orgId: giving.orgId, clientId: asked.web.id, editor });
  for (const user of [giving.people.plain, giving.people.bare]) {
    await giveConsent(container, { user, clientId: asked.web.id, scopes: ['openid'], editor });
  }
  await approveApplication(container, { orgId: asked.orgId, id: asked.web.id, editor }, true);
  const hook = { orgId: giving.orgId, url: 'https://former.example/hook', editor };
  await putMigrationHook(container, hook);
  await changeOrganization(container, { orgId: asked.orgId, change: { quotas: { users: 50 } }, editor });
  await container.mongo.db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: giving.people.full.id }, { $set: { 'totp.sealed': 'of-a-key-that-is-gone' } });

  const leftOut = async (body: object) => {
    const { headers, body: file } = await exportIt({ response_output: true, ...body });
    const grants = file.orgs.flatMap((one: { applicationGrants: object[] }) => one.applicationGrants);
    return [headers['muster-not-exported'], grants.length];
  };
  const both =
    'personal-access-tokens=2, consents=2, application-approvals=1, migration-hooks=1, connection-secrets=2, quotas=1';
  t.same(await leftOut({ org_ids: ids, with_passwords: true }), [both, 1]);
  t.same(await leftOut({ org_ids: ids, with_passwords: true, with_otp: true }), [
    `second-factors=1, ${both}`,
    1,
  ]);
  t.same(await leftOut({ org_ids: [giving.orgId], with_passwords: true }), [
    'personal-access-tokens=1, consents=2, application-grants=1, migration-hooks=1, connection-secrets=1',
    0,
  ]);
  const empty = await makeOrganization(container);
  t.same(await leftOut({ org_ids: [empty.id] }), [undefined, 0]);
});
