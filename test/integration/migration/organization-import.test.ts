import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { removeMembership } from '#src/access/memberships/remove-membership.js';
import { findAccount } from '#src/authentication/find-account.js';
import { newId } from '#src/platform/ids.js';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { type Caller, makeCaller, makeOrganization, makeTenant, testEditor } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser, humanUsers, importOf } from '../../support/migration/imports.js';

/** Imports and exports by the owners of organizations: nothing outside of the organization, and nothing told about others. */

const { app, container, call, clock } = await buildTestApp(t, {
  workers: true,
  organizationImportMaxBytes: 400_000,
});
const [north, south] = [await makeTenant(container), await makeTenant(container)];
const root = await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);

const send = (tenant: { orgId: string; owner: Caller }, body: object, headers = {}) =>
  call(`POST /admin/v1/orgs/${tenant.orgId}/import`, { as: tenant.owner, body, headers });
const instance = (orgId: string, lists: object, more: object = {}) => ({
  ...{ timeout: '5m', ...more },
  dataOrgsv1: { orgs: [{ orgId, ...lists }] },
});
const codes = (errors: readonly { type: string; message: string }[] = []) =>
  errors.map(({ type, message }) => `${type} ${/^[A-Z-]+/.exec(message)?.[0]}`);
const codeOf = (answer: { headers: Record<string, unknown> }) => answer.headers['x-error-id'];

t.test('an owner imports its people, and a manager does not', async (t) => {
  const body = importOf(north.orgId, humanUsers('own', 20));
  const first = await send(north, body);
  t.equal(first.status, 200, JSON.stringify(first.body));
  t.same(first.body.summary, { created: 20, skipped: 0, failed: 0, total: 20 });
  t.same((await send(north, body)).body.summary, { created: 0, skipped: 20, failed: 0, total: 20 });
  const path = `POST /admin/v1/orgs/${north.orgId}/import`;
  t.equal((await call(path, { as: north.manager, body })).status, 403);
  t.equal((await call(path, { as: south.owner, body })).status, 404);
  t.equal((await call(`POST /admin/v1/orgs/${newId()}/import`, { as: south.owner, body })).status, 404);
  t.equal((await call('POST /admin/v1/import', { as: north.owner, body })).status, 403);
  t.equal(
    (await call('POST /admin/v1/export', { as: north.owner, body: { responseOutput: true } })).status,
    403,
  );
});

t.test('nothing reaches another organization, and none is told to exist', async (t) => {
  const absent = newId();
  const told = await Promise.all(
    [south.orgId, absent].map(async (orgId) => {
      const { body } = await send(north, importOf(orgId, [humanUser('spy')]));
      const ofInstance = await send(
        north,
        instance(orgId, { org: { name: 'Taken' }, humanUsers: [humanUser('spy')] }),
      );
      t.equal(await container.organizations.find(absent), undefined, 'no organization is added');
      return [body, ofInstance.body].map(({ errors, summary, success }) => ({
        errors: JSON.stringify(errors).replaceAll(orgId, '?'),
        summary,
        success,
      }));
    }),
  );
  t.same(told[0], told[1]);
  t.match(told[0]?.[0]?.errors, 'ORG-NOT-FOUND');
  t.equal(await container.users.count(south.orgId), 0);
});

t.test(
  'the same identifiers in two organizations: neither is refused, and neither learns of the other',
  async (t) => {
    const lists = (name: string) => ({
      projects: [{ projectId: 'shop', project: { name: 'Shop' } }],
      projectRoles: [{ projectId: 'shop', roleKey: 'buyer' }],
      oidcApps: [
        {
          appId: 'web',
          projectId: 'shop',
          app: { name: 'Web', type: 'web', redirectUris: ['https://a.example/'] },
        },
      ],
      groups: [{ groupId: 'admins', group: { displayName: 'Admins' } }],
      humanUsers: [
        humanUser(`${name}-boss`, { userId: 'auth0|1' }),
        humanUser(`${name}-clerk`, { userId: 'auth0|2', scim: { manager: 'auth0|1' } }),
      ],
      machineUsers: [{ userId: 'robot', user: { userName: `${name}-robot` } }],
      groupMembers: [{ groupId: 'admins', userId: 'auth0|2' }],
      userMetadata: [{ userId: 'auth0|1', key: 'shoe', value: 'NDI=' }],
      orgMembers: [{ userId: 'auth0|1', roles: ['ORG_OWNER'] }],
      projectMembers: [{ projectId: 'shop', userId: 'robot', roles: ['PROJECT_OWNER'] }],
      userGrants: [{ projectId: 'shop', userId: 'auth0|2', roleKeys: ['buyer'] }],
      groupGrants: [{ projectId: 'shop', groupId: 'admins', roleKeys: ['buyer'] }],
    });
    const shapes: unknown[] = [];
    for (const tenant of [north, south]) {
      const body = instance(tenant.orgId, lists('same'));
      const dry = await send(tenant, { ...body, dryRun: true });
      t.equal(dry.body.errors, undefined, JSON.stringify(dry.body.errors));
      const real = await send(tenant, body);
      t.equal(real.body.errors, undefined, JSON.stringify(real.body.errors));
      t.same(dry.body.summary, real.body.summary);
      t.equal((await send(tenant, body)).body.summary.created, 0, 'the same file finds what it added');
      const [{ humanUserIds, groupIds }] = real.body.success.orgs;
      const { body: clerk } = await call(`GET /scim/v2/${tenant.orgId}/Users/${humanUserIds[1]}`, {
        as: tenant.owner,
      });
      const enterprise = clerk['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'];
      t.equal(enterprise.manager.value, humanUserIds[0]);
      t.match(clerk.groups, [{ value: groupIds[0] }]);
      shapes.push(JSON.stringify(real.body.summary));
    }
    t.equal(shapes[0], shapes[1]);
    // An identifier that another organization really has, in every list.
    const { id: theirs } = south.viewer;
    const probes = [theirs, newId()].map((id) =>
      send(
        north,
        instance(north.orgId, {
          userMetadata: [{ userId: id, key: 'k', value: 'NDI=' }],
          orgMembers: [{ userId: id, roles: ['ORG_OWNER'] }],
        }),
      ),
    );
    for (const probe of await Promise.all(probes)) {
      t.same(codes(probe.body.errors), ['user_metadata REFERENCE-UNKNOWN', 'org_member REFERENCE-UNKNOWN']);
    }
    t.match((await probes[0])?.body.errors[0].message, theirs, 'the error names the identifier of the file');
  },
);

t.test('an export of the organization comes back as it is', async (t) => {
  const path = `/admin/v1/orgs/${north.orgId}/export`;
  const { status, body } = await call(`POST ${path}`, { as: north.owner, body: { responseOutput: true } });
  t.equal(status, 200);
  t.same(
    body.orgs.map(({ orgId }: { orgId: string }) => orgId),
    [north.orgId],
  );
  t.notMatch(JSON.stringify(body), /hashedPassword|otpCode|"hash"/);
  const back = await send(north, { timeout: '5m', dataOrgsv1: body });
  t.equal(back.body.errors, undefined, JSON.stringify(back.body.errors));
  t.equal(back.body.summary.created, 0);
  t.equal(back.body.summary.skipped, back.body.summary.total);
  for (const more of [{ orgIds: [south.orgId] }, { orgIds: [newId()] }, { excludedOrgIds: [south.orgId] }]) {
    const refused = await call(`POST ${path}`, { as: north.owner, body: { responseOutput: true, ...more } });
    t.equal(refused.status, 400);
    t.equal(codeOf(refused), 'export.organizationUnknown');
  }
  for (const more of [{ withPasswords: true }, { withOtp: true }]) {
    const refused = await call(`POST ${path}`, { as: north.owner, body: { responseOutput: true, ...more } });
    t.equal(refused.status, 403);
    t.equal(codeOf(refused), 'export.secretsForOwners');
  }
});

t.test('an owner compares a file with what the organization has', async (t) => {
  const [own, other] = [await makeTenant(container), await makeTenant(container)];
  const path = `POST /admin/v1/orgs/${own.orgId}/verify`;
  const people = ['ann', 'bea', 'cleo'].map((name) =>
    humanUser(`${name}-${own.orgId}`, { userId: `auth0|${name}`, scim: { title: 'Guide' } }),
  );
  const body = importOf(own.orgId, people);
  const compare = (given: object, as = own.owner) => call(path, { as, body: given });
  const before = await compare(body);
  t.equal(before.status, 200, JSON.stringify(before.body));
  t.match(before.body, { isSame: false, counts: { missing: 3, same: 0, total: 3 } });
  await send(own, body);
  const same = await compare({ ...body, listExtra: true });
  t.match(same.body, { counts: { missing: 0, different: 0, refused: 0, same: 3 } });
  t.equal(same.body.sourceDigest === same.body.targetDigest, same.body.isSame);
  const changed = importOf(own.orgId, [
    humanUser(`ann-${own.orgId}`, { userId: 'auth0|ann', scim: { title: 'Lead' } }),
    humanUser(`new-${own.orgId}`, { userId: 'auth0|new' }),
  ]);
  const found = await compare({ ...changed, listExtra: true });
  t.match(found.body.counts, { missing: 1, different: 1, same: 0, total: 2 });
  t.equal(found.body.counts.extra, 2, 'bea and cleo');
  const url = `/admin/v1/jobs/${found.body.jobId}/differences`;
  const read = ({ token }: Caller, at = url) =>
    app.inject({ url: at, headers: { authorization: `Bearer ${token}` } }).then(({ payload }) => payload);
  const told = await read(own.owner);
  t.match(told, 'auth0|new', `the missing person has the identifier of the file: ${told}`);
  t.match(told, /"kind":"different".*auth0\|ann/);
  t.equal((await call(`GET ${url}`, { as: other.owner })).status, 404);
  t.equal((await call(`GET ${url}`, { as: own.viewer })).status, 404);

  // Nothing is told of other organizations, and nothing is written.
  t.equal((await compare(body, own.manager)).status, 403);
  t.equal((await compare(body, other.owner)).status, 404);
  const theirs = await Promise.all([other.orgId, newId()].map((orgId) => compare(importOf(orgId, people))));
  t.same(...(theirs.map(({ body: told }) => [told.counts, told.lists.length]) as [unknown, unknown]));
  t.match(theirs[0]?.body.counts, { same: 0, missing: 0, refused: 4 });
  const taken = await Promise.all(
    [other.viewer.id, newId()].map((userId) =>
      compare(importOf(own.orgId, [humanUser(`probe-${own.orgId}`, { userId })])),
    ),
  );
  for (const probe of taken) t.match(probe.body.counts, { missing: 1, refused: 0, different: 0 });
  t.equal(await container.users.count(own.orgId), 3);
  const shared = instance(own.orgId, {
    humanUsers: [humanUser(`dan-${own.orgId}`, { userId: 'auth0|dan' })],
    groups: [{ groupId: 'admins', group: { displayName: 'Admins' } }],
    groupMembers: [{ groupId: 'admins', userId: 'auth0|dan' }],
    userMetadata: [{ userId: 'auth0|dan', key: 'shoe', value: 'NDI=' }],
  });
  t.match((await compare(shared)).body.counts, { missing: 4, refused: 0 }, 'references within the file');
  await send(own, shared);
  t.match((await compare(shared)).body.counts, { missing: 0, different: 0, refused: 0 });

  // One at a time, so many in a day, and nothing from the operator's own buckets.
  for (let n = 0; n < 100; n++)
    await container.organizationBounds
      .begin(own.orgId, 'verify', async () => undefined)
      .catch(() => undefined);
  const busy = await compare(body);
  t.equal(busy.status, 429);
  t.equal(codeOf(busy), 'import.organizationBusy');
  t.equal((await send(own, body)).status, 200, 'imports have bounds of their own');
});

t.test('who sees the job, its report and its file', async (t) => {
  const path = `POST /admin/v1/orgs/${north.orgId}/export`;
  const headers = { prefer: 'respond-async' };
  const begin = async (as: Caller, more = {}) => {
    const begun = await call(path, { as, headers, body: { responseOutput: true, ...more } });
    t.equal(begun.status, 202);
    const job = String(begun.headers['location']).split('/admin/v1').at(-1);
    for (;;) {
      const { body } = await call(`GET /admin/v1${job}`, { as: root });
      if (body.state !== 'queued' && body.state !== 'running') return `GET /admin/v1${job}`;
    }
  };
  const job = await begin(north.owner);
  const colleague = await makeCaller(container, north.orgId, ['ORG_OWNER']);
  t.match((await call(job, { as: colleague })).body, { orgId: north.orgId, state: 'completed' });
  t.equal((await call(`${job}/result`, { as: colleague })).status, 200);
  t.equal((await call(job, { as: south.owner })).status, 404);
  t.equal((await call(job, { as: north.viewer })).status, 404);
  for (const as of [south.owner, north.viewer, north.manager])
    t.equal((await call(`${job}/result`, { as })).status, 403);
  t.equal(
    (await call(`GET /admin/v1/jobs/${newId()}/result`, { as: south.owner })).status,
    403,
    'as one of others',
  );

  const secret = await begin(root, { withPasswords: true });
  const refused = await call(`${secret}/result`, { as: colleague });
  t.equal(codeOf(refused), 'export.secretsForOwners', 'what an owner of the instance exported with hashes');
  const { body: events } = await call('POST /admin/v1/events/_search', {
    as: colleague,
    body: { eventTypes: ['export.completed', 'export.downloaded', 'import.completed'], limit: 100 },
  });
  t.ok(
    events.events.every(
      (one: { aggregate: { resourceOwner: string } }) => one.aggregate.resourceOwner === north.orgId,
    ),
  );
  t.ok(events.events.length > 3);
});

t.test('what only an owner of the instance may say: domains and proved addresses', async (t) => {
  const victim = await makeOrganization(container);
  await call(`POST /scim/v2/${victim.id}/Users`, {
    as: root,
    body: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      ...{ userName: 'ceo@victim.example', emails: [{ value: 'ceo@victim.example', primary: true }] },
    },
  });
  const before = await findAccount(container, { text: 'ceo@victim.example' });
  const thief = humanUser('ceo@victim.example', {
    userId: 'thief',
    email: { email: 'ceo@victim.example', isEmailVerified: true },
    phone: { phone: '+491701234567', isPhoneVerified: true },
  });
  const { body } = await send(
    north,
    instance(north.orgId, {
      domains: [
        { domainName: 'victim.example', isVerified: true, isPrimary: true },
        { domainName: 'plain.example', isVerified: false },
      ],
      humanUsers: [thief],
    }),
  );
  t.same(codes(body.errors), ['domain NOT-PERMITTED']);
  const after = await findAccount(container, { text: 'ceo@victim.example' });
  t.equal(after?.user.id, before?.user.id, 'the login name means whom it meant');
  const imported = await container.mongo.db
    .collection('users')
    .findOne({ orgId: north.orgId, userName: 'ceo@victim.example' });
  t.match(imported, {
    phoneNumbers: [{ value: '+491701234567' }],
    emails: [{ value: 'ceo@victim.example' }],
  });
  t.equal(imported?.['phoneNumbers'][0].verified, undefined, 'nobody has proved the number');
  t.equal(imported?.['emails'][0].verified, undefined, 'nor the address');
  t.same((await send(north, instance(north.orgId, { humanUsers: [thief] }))).body.summary, {
    ...{ created: 0, skipped: 2, failed: 0, total: 2 },
  });
});

t.test('recovery codes belong to another identifier, so the report warns of them', async (t) => {
  const codes = { otpCode: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', otpRecoveryCodes: ['x'.repeat(43)] };
  const coded = humanUser('coded', { userId: 'coded', ...codes });
  const { body } = await send(north, instance(north.orgId, { humanUsers: [coded] }));
  t.match(body, {
    summary: { created: 1 },
    warnings: [{ path: 'orgs[].humanUsers[].user.otpRecoveryCodes' }],
  });
});

t.test('an update changes nobody with more rights', async (t) => {
  const body = instance(north.orgId, { humanUsers: [humanUser('higher', { userId: 'higher' })] });
  const [{ humanUserIds }] = (await send(north, body)).body.success.orgs;
  await addMembership(container, { userId: humanUserIds[0], role: 'IAM_OWNER', editor: testEditor });
  const changed = humanUser('higher', { userId: 'higher', scim: { title: 'Nobody', active: false } });
  const { body: report } = await send(
    north,
    instance(north.orgId, { humanUsers: [changed] }, { update: true }),
  );
  t.same(codes(report.errors), ['human_user USER-OUTRANKS']);
  t.equal(report.errors[0].id, 'higher');
});

t.test('an update does not deactivate the last owner who can sign in', async (t) => {
  const { orgId, owner } = await makeTenant(container);
  const caller = { orgId, owner };
  const people = (active: boolean) =>
    ['first', 'second'].map((name) =>
      humanUser(`${name}-${orgId}`, { userId: `${name}-${orgId}`, scim: { active } }),
    );
  const added = await send(caller, instance(orgId, { humanUsers: people(true) }));
  for (const userId of added.body.success.orgs[0].humanUserIds)
    await addMembership(container, { userId, role: 'ORG_OWNER', orgId, editor: testEditor });
  const update = instance(orgId, { humanUsers: people(false) }, { update: true });
  const { body: report } = await send(caller, update);
  t.same(codes(report.errors), ['human_user LAST-OWNER'], 'one of both stays');
  const left = await container.memberships.ownersOf(orgId);
  t.equal((await container.accounts.activeAmong(left)).filter(({ password }) => password).length, 1);
});

t.test('an update deactivates no service user with a role outside of the organization', async (t) => {
  const robot = await makeCaller(container, north.orgId);
  await addMembership(container, {
    ...{ userId: robot.id, role: 'ORG_USER_VIEWER', orgId: south.orgId, editor: testEditor },
  });
  const { userName = '', name = '' } = (await container.serviceUsers.find(north.orgId, robot.id)) ?? {};
  const machineUsers = [{ userId: robot.id, user: { userName, name, active: false } }];
  const { body } = await send(north, instance(north.orgId, { machineUsers }, { update: true }));
  t.same(codes(body.errors), ['machine_user OTHER-CONTENT']);
  t.equal((await container.serviceUsers.find(north.orgId, robot.id))?.active, true);
});

t.test('an import ends when its requester is no owner any more', async (t) => {
  const { id } = await makeOrganization(container);
  const owner = await makeCaller(container, id, ['ORG_OWNER']);
  const [membership] = await container.memberships.ofUser(owner.id);
  await removeMembership(container, { id: membership?.id ?? '', orgId: id, editor: testEditor });
  await container.caches.memberships.invalidate(owner.id);
  const { startImport } = await import('#src/migration/import/receive/start-import.js');
  const source = (async function* () {
    yield Buffer.from(JSON.stringify(importOf(id, humanUsers('late', 3))));
  })();
  const { jobId } = await startImport(container, { source, requestedBy: owner.id, orgId: id, within: id });
  for (;;) {
    const job = await container.jobs.find(jobId);
    if (job?.state === 'failed') break;
    t.not(job?.state, 'completed');
    if (job?.state === 'completed') break;
  }
  t.equal(await container.users.count(id), 0);
});

t.test('buckets and addresses of the operator are not for owners of organizations', async (t) => {
  const at = { path: 'p', bucket: 'bucket' };
  const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
  const refused = {
    https: { dataOrgsHttps: { url: 'https://files.example.com/x' } },
    endpoint: { dataOrgsS3: { ...at, ...keys, endpoint: 'https://minio.example.com' } },
    listed: { dataOrgsS3: { ...at, ...keys, region: 'eu-central-1' } },
    azure: {
      dataOrgsAzure: {
        path: 'p',
        container: 'box',
        endpoint: 'https://azurite.example.com',
        account: 'acc',
        accountKey: 'YWJjZA==',
      },
    },
    string: {
      dataOrgsAzure: {
        path: 'p',
        container: 'box',
        connectionString: 'BlobEndpoint=https://azurite.example.com;SharedAccessSignature=sig=abc',
      },
    },
    google: { dataOrgsGcs: { ...at, serviceaccount_json: encodeServiceAccount() } },
  };
  const own = await buildTestApp(t, {
    bucketHosts: 'minio.example.com,azurite.example.com,bucket.s3.eu-central-1.amazonaws.com',
    importHosts: 'files.example.com',
    storageEmulatorHost: 'http://127.0.0.1:9',
  });
  const tenant = await makeTenant(own.container);
  for (const [name, source] of Object.entries(refused)) {
    const answer = await own.call(`POST /admin/v1/orgs/${tenant.orgId}/import`, {
      as: tenant.owner,
      body: { timeout: '5m', ...source },
    });
    t.equal(answer.status, 403, `${name}: ${JSON.stringify(answer.body)}`);
  }
  for (const [name, output] of Object.entries({
    gcsOutput: { ...at, serviceaccount_json: encodeServiceAccount() },
    s3Output: { ...at, ...keys, endpoint: 'https://minio.example.com' },
  })) {
    const answer = await own.call(`POST /admin/v1/orgs/${tenant.orgId}/export`, {
      as: tenant.owner,
      body: { [name]: output },
    });
    t.equal(answer.status, 403, `${name}: ${JSON.stringify(answer.body)}`);
  }
});

t.test('an organization has bounds of its own', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const tenant = { orgId, owner: await makeCaller(container, orgId, ['ORG_OWNER']) };
  const large = importOf(orgId, humanUsers('large', 2_500));
  const tooLarge = await send(tenant, large);
  t.equal(tooLarge.status, 413);
  t.match(tooLarge.body.detail, 'MUSTER_ORGANIZATION_IMPORT_MAX_BYTES');
  const empty = await send(tenant, {
    timeout: '5m',
    dataOrgs: { orgs: [{ orgId, humanUsers: [] }] },
  });
  t.equal(empty.status, 200);
  for (let n = 0; n < 3; n++) {
    const id = newId();
    const job = { id, kind: 'import', orgId, requestedBy: 'x', total: 1, body: Buffer.from('{}') } as const;
    await container.jobs.insert({ ...job, created: new Date() });
  }
  // Nobody takes a turn of another organization by naming it.
  const begun = await send(north, importOf(south.orgId, []), { prefer: 'respond-async' });
  const job = await container.jobs.find(String(begun.headers['location']).split('/').at(-1) ?? '');
  t.match(job, { orgId: north.orgId, queuedUnder: north.orgId });
  const busy = await send(tenant, importOf(orgId, humanUsers('busy', 1)));
  t.equal(busy.status, 429);
  t.equal(codeOf(busy), 'import.organizationBusy');
  t.ok(Number(busy.headers['retry-after']) > 0);
  t.equal(
    (await send(south, importOf(south.orgId, humanUsers('free', 1)))).status,
    200,
    'the others do not wait',
  );

  const many = await makeTenant(container);
  const broken = { 413: large, 400: { timeout: '5m', nothing: [] } };
  for (let n = 0; n < 50; n++)
    for (const [status, body] of Object.entries(broken))
      t.equal((await send(many, body)).status, Number(status));
  const used = await send(many, importOf(many.orgId, []));
  t.equal(used.status, 429, 'bodies that failed count too: each was received');
  t.equal(codeOf(used), 'import.organizationBusy');
  t.match(used.body.detail, '100');
  t.ok(Number(used.headers['retry-after']) > 3_600, 'it is free when the oldest is a day old');
  const exported = await call(`POST /admin/v1/orgs/${many.orgId}/export`, {
    as: many.owner,
    body: { responseOutput: true },
  });
  t.equal(exported.status, 200, 'exports count apart');
  const begin = () => container.organizationBounds.begin(many.orgId, 'import', async () => 'begun');
  await t.rejects(begin(), /100 jobs of the kind import in a day/);
  clock.advance(24 * 3_600);
  t.equal(await begin(), 'begun', 'a day later');
});
