import fc from 'fast-check';
import t from 'tap';
import { setPassword } from '#src/authentication/set-password.js';
import { runImportPart } from '#src/migration/import/parts/run-import-part.js';
import { unpackImport } from '#src/migration/import/run/unpack-import.js';
import { finishVerification } from '#src/migration/import/verify/finish-verification.js';
import { importWorker } from '#workers/import.worker.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { bcryptHash } from '../../support/migration/imports.js';

// No worker runs: parts are done one after the other, so that of two records that clash it is always the later that fails.
const { container, call } = await buildTestApp(t);
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);

type Lists = Record<string, readonly unknown[]>;

/** The result of an import of these organizations. */
async function outcomeOf(orgs: readonly unknown[], dryRun: boolean, more: object = {}) {
  // The data comes first, so that its places are the same in both.
  const body = { dataOrgsv1: { orgs }, timeout: '1h', dryRun, ...more };
  const begun = await call('POST /admin/v1/import', { as, body, headers: { prefer: 'respond-async' } });
  const jobId = begun.headers['location']?.split('/').at(-1) ?? '';
  await unpackImport(container, jobId);
  for (const phase of container.importSections.phases) {
    for (const partId of await container.importParts.waiting(jobId, { phase, limit: 1_000 })) {
      await runImportPart(container, partId);
    }
  }
  await container.jobs.end(jobId, 'completed');
  const { result } = (await call(`GET /admin/v1/jobs/${jobId}`, { as })).body;
  return { errors: result.errors ?? [], summary: result.summary };
}

/** Runs a file dry and then in earnest, and compares. */
async function compare(orgs: readonly unknown[], more: object = {}) {
  const dry = await outcomeOf(orgs, true, more);
  const real = await outcomeOf(orgs, false, more);
  return { dry, real };
}

const codes = (errors: readonly { type: string; message: string }[]) =>
  errors.map(({ type, message }) => `${type} ${/^[A-Z-]+/.exec(message)?.[0]}`);

const org = (orgId: string, lists: Lists = {}) => ({ orgId, org: { name: orgId }, ...lists });
const project = (projectId: string, name = 'Shop') => ({ projectId, project: { name } });
const webApp = (appId: string, more: object = {}) => ({
  appId,
  app: { name: 'Web', type: 'web', redirectUris: ['https://app.example/'], ...more },
});
const api = (appId: string, more: object = {}) => ({ appId, app: { name: 'API', ...more } });
const person = (userId: string | undefined, userName: string, more: object = {}) => ({
  userId,
  user: {
    userName,
    profile: { firstName: 'A', lastName: 'B' },
    email: { email: 'a@example.com', isEmailVerified: true },
    ...more,
  },
});
const robot = (userId: string, userName: string, name = 'Robot') => ({ userId, user: { userName, name } });

const group = (groupId: string, displayName: string) => ({ groupId, group: { displayName } });
const member = (groupId: string, userId: string) => ({ groupId, userId });

/** Files in which something clashes, and the errors that are expected; names begin with that of the case. */
const cases: Record<string, { orgs: (id: string) => readonly unknown[]; errors: readonly string[] }> = {
  'a project has the identifier of another organization’s': {
    orgs: (id) => [org(`${id}a`, { projects: [project(id)] }), org(`${id}b`, { projects: [project(id)] })],
    errors: ['project ID-TAKEN'],
  },
  'an application, a user and a service user have the identifier of a project': {
    orgs: (id) => [
      org(id, {
        projects: [project(`${id}-1`)],
        oidcApps: [webApp(`${id}-1`)],
        humanUsers: [person(`${id}-1`, 'ada')],
        machineUsers: [robot(`${id}-1`, 'robot')],
      }),
    ],
    errors: ['oidc_app ID-TAKEN', 'human_user ID-TAKEN', 'machine_user ID-TAKEN'],
  },
  'a user has the identifier of an application, and a service user that of a user': {
    orgs: (id) => [
      org(id, {
        apiApps: [api(`${id}-1`)],
        humanUsers: [person(`${id}-1`, 'ada'), person(`${id}-2`, 'eve')],
        machineUsers: [robot(`${id}-2`, 'robot')],
      }),
    ],
    errors: ['human_user ID-TAKEN', 'machine_user ID-TAKEN'],
  },
  'an application is in both lists': {
    orgs: (id) => [org(id, { oidcApps: [webApp(`${id}-1`)], apiApps: [api(`${id}-1`)] })],
    errors: ['api_app OTHER-CONTENT'],
  },
  'a list is there again, the same and with other content': {
    orgs: (id) => [
      org(id, {
        projects: [project(`${id}-1`), project(`${id}-2`)],
        projectRoles: [{ projectId: `${id}-1`, roleKey: 'a' }],
        apiApps: [api(`${id}-3`), api(`${id}-4`)],
        humanUsers: [person(`${id}-5`, 'ada'), person(`${id}-6`, 'eve', { password: 'Correct-Horse-7' })],
        machineUsers: [robot(`${id}-7`, 'one'), robot(`${id}-8`, 'two')],
        userMetadata: [{ userId: `${id}-5`, key: 'k', value: 'YQ==' }],
        orgMembers: [{ userId: `${id}-7`, roles: ['ORG_OWNER'] }],
        userGrants: [{ projectId: `${id}-1`, userId: `${id}-5`, roleKeys: ['a'] }],
      }),
      org(id, {
        projects: [project(`${id}-1`), project(`${id}-2`, 'Other')],
        projectRoles: [{ projectId: `${id}-1`, roleKey: 'a', displayName: 'Other' }],
        apiApps: [api(`${id}-3`), api(`${id}-4`, { active: false })],
        humanUsers: [
          person(`${id}-5`, 'ada', { hashedPassword: { value: bcryptHash } }),
          person(`${id}-6`, 'eve', { password: 'Correct-Horse-7' }),
          person(`${id}-9`, 'eve'),
        ],
        machineUsers: [robot(`${id}-7`, 'one'), robot(`${id}-8`, 'two', 'Other'), robot(`${id}-9`, 'one')],
        userMetadata: [{ userId: `${id}-5`, key: 'k', value: 'Yg==' }],
        orgMembers: [{ userId: `${id}-7`, roles: ['ORG_OWNER'] }],
        userGrants: [{ projectId: `${id}-1`, userId: `${id}-5`, roleKeys: ['a'] }],
      }),
    ],
    errors: [
      'project OTHER-CONTENT',
      'project_role OTHER-CONTENT',
      'api_app OTHER-CONTENT',
      'human_user OTHER-CONTENT',
      'human_user NAME-TAKEN',
      'machine_user OTHER-CONTENT',
      'machine_user NAME-TAKEN',
      'user_metadata OTHER-CONTENT',
    ],
  },
  'what is referred to is in another organization of the file': {
    orgs: (id) => [
      org(`${id}a`, { projects: [project(`${id}-1`)], humanUsers: [person(`${id}-2`, 'ada')] }),
      org(`${id}b`, {
        projectRoles: [{ projectId: `${id}-1`, roleKey: 'a' }],
        apiApps: [{ ...api(`${id}-3`), projectId: `${id}-1` }],
        userMetadata: [{ userId: `${id}-2`, key: 'k', value: 'YQ==' }],
        orgMembers: [
          { userId: `${id}-2`, roles: ['ORG_OWNER'] },
          { userId: `${id}-1`, roles: ['ORG_OWNER'] },
        ],
        userGrants: [{ projectId: `${id}-1`, userId: `${id}-2`, roleKeys: ['a'] }],
        groupGrants: [{ projectId: `${id}-1`, groupId: `${id}-2`, roleKeys: ['a'] }],
      }),
    ],
    errors: [
      'project_role REFERENCE-UNKNOWN',
      'api_app REFERENCE-UNKNOWN',
      'user_metadata REFERENCE-UNKNOWN',
      'org_member REFERENCE-UNKNOWN',
      'user_grant REFERENCE-UNKNOWN',
      'group_grant REFERENCE-UNKNOWN',
    ],
  },
  'groups have names and identifiers of others, and members who are none': {
    orgs: (id) => [
      org(`${id}a`, {
        groups: [group(`${id}-1`, 'Staff'), group(`${id}-2`, 'STAFF'), group(`${id}-3`, 'Crew')],
        humanUsers: [person(`${id}-3`, 'eve'), person(`${id}-4`, 'ada')],
        machineUsers: [robot(`${id}-5`, 'robot')],
        groupMembers: [
          member(`${id}-1`, `${id}-4`),
          member(`${id}-1`, `${id}-5`),
          member(`${id}-2`, `${id}-4`),
        ],
      }),
      org(`${id}a`, {
        groups: [group(`${id}-1`, 'Staff'), group(`${id}-3`, 'Other'), group(`${id}-6`, 'staff')],
        groupMembers: [member(`${id}-1`, `${id}-4`), member(`${id}-3`, `${id}-4`)],
      }),
      org(`${id}b`, {
        groups: [group(`${id}-1`, 'Staff'), group(`${id}-7`, 'Staff')],
        groupMembers: [member(`${id}-7`, `${id}-4`)],
      }),
    ],
    errors: [
      'group NAME-TAKEN',
      'human_user ID-TAKEN',
      'group_member REFERENCE-UNKNOWN',
      'group_member REFERENCE-UNKNOWN',
      'group OTHER-CONTENT',
      'group NAME-TAKEN',
      'group ID-TAKEN',
      'group_member REFERENCE-UNKNOWN',
    ],
  },
  'domains are of two organizations, or have two primary ones': {
    orgs: (id) => [
      org(`${id}a`, { domains: [{ domainName: `one.${id}.example`, isVerified: true }] }),
      org(`${id}b`, { domains: [{ domainName: `one.${id}.example`, isVerified: true }] }),
      org(`${id}a`, { domains: [{ domainName: `two.${id}.example`, isVerified: true, isPrimary: true }] }),
    ],
    errors: ['domain NAME-TAKEN', 'domain OTHER-CONTENT'],
  },
  'a password is measured by the policy of the file': {
    orgs: (id) => [
      {
        orgId: id,
        org: {
          name: id,
          passwordPolicy: { minLength: 20, upper: true, lower: true, digit: true, symbol: true },
        },
        humanUsers: [
          person(`${id}-1`, 'ada', { password: 'Correct-Horse-7' }),
          person(`${id}-2`, 'eve', { password: 'Correct-Horse-Battery-7' }),
        ],
      },
    ],
    errors: ['human_user PASSWORD-WEAK'],
  },
  'objects have the identifier of an organization, of another one of the file or of their own': {
    orgs: (id) => [
      org(`${id}a`, {
        projects: [project(`${id}a`)],
        apiApps: [api(`${id}b`)],
        humanUsers: [person(`${id}b`, 'ada'), person(`${id}c`, 'eve')],
        machineUsers: [robot(`${id}a`, 'robot')],
      }),
      org(`${id}b`),
    ],
    errors: ['project ID-TAKEN', 'api_app ID-TAKEN', 'human_user ID-TAKEN', 'machine_user ID-TAKEN'],
  },
  'applications of other organizations are granted, opened or not': {
    orgs: (id) => [
      org(`${id}a`, {
        oidcApps: [webApp(`${id}-own`, { orgOnly: false })],
        applicationGrants: [
          { clientId: `${id}-open` },
          { clientId: `${id}-open` },
          { clientId: `${id}-closed` },
          { clientId: `${id}-own` },
          { clientId: `${id}-none` },
        ],
      }),
      org(`${id}b`, {
        oidcApps: [webApp(`${id}-open`, { orgOnly: false }), webApp(`${id}-closed`)],
        apiApps: [api(`${id}-api`, { orgOnly: false })],
      }),
      org(`${id}c`, { applicationGrants: [{ clientId: `${id}-open` }, { clientId: `${id}-api` }] }),
    ],
    errors: [
      'application_grant REFERENCE-UNKNOWN',
      'application_grant REFERENCE-UNKNOWN',
      'application_grant REFERENCE-UNKNOWN',
    ],
  },
  'a policy of an earlier version is raised to 8 characters': {
    orgs: (id) => [
      {
        orgId: id,
        org: {
          name: id,
          passwordPolicy: { minLength: 6, upper: false, lower: false, digit: false, symbol: false },
        },
        humanUsers: [
          person(`${id}-1`, 'ada', { password: 'teapots' }),
          person(`${id}-2`, 'eve', { password: 'teapotsa' }),
        ],
      },
    ],
    errors: ['human_user PASSWORD-WEAK'],
  },
  'an organization cannot be made': {
    orgs: (id) => [{ orgId: id, projects: [project(id)] }, org(`${id}b`, { projects: [project(id)] })],
    errors: ['org VALUE-MISSING'],
  },
};

for (const [name, { orgs, errors }] of Object.entries(cases)) {
  t.test(`a dry run tells what the import would: ${name}`, async (t) => {
    const { dry, real } = await compare(orgs(`case${Object.keys(cases).indexOf(name)}`));
    t.same(codes(real.errors), errors);
    t.same(dry, real);
  });
}

let runs = 0;
const ids = fc.constantFrom('x', 'y', 'z');
const words = fc.constantFrom('ada', 'eve');
const many = <T>(record: fc.Arbitrary<T>) => fc.array(record, { maxLength: 2 });
const file = fc.array(
  fc.record({
    orgId: fc.constantFrom('a', 'b'),
    hasName: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
    domains: many(fc.record({ id: ids, isVerified: fc.boolean(), isPrimary: fc.boolean() })),
    projects: many(fc.tuple(ids, words)),
    projectRoles: many(fc.record({ projectId: ids, roleKey: words })),
    oidcApps: many(ids),
    apiApps: many(
      fc.record({
        id: ids,
        projectId: fc.option(ids, { nil: undefined }),
        active: fc.boolean(),
        orgOnly: fc.boolean(),
      }),
    ),
    applicationGrants: many(ids),
    groups: many(fc.tuple(ids, words)),
    groupMembers: many(fc.tuple(ids, ids)),
    humanUsers: many(
      fc.record({ id: fc.option(ids, { nil: undefined }), name: words, isHashed: fc.boolean() }),
    ),
    machineUsers: many(fc.tuple(ids, words)),
    userMetadata: many(fc.record({ userId: ids, value: fc.constantFrom('YQ==', 'Yg==') })),
    orgMembers: many(ids),
    userGrants: many(fc.record({ projectId: ids, userId: ids, roleKey: words })),
    groupGrants: many(fc.record({ projectId: ids, groupId: ids, roleKey: words })),
  }),
  { minLength: 1, maxLength: 3 },
);

/** A file of these with names that no other run has. */
function fileOf(drawn: typeof file extends fc.Arbitrary<infer T> ? T : never) {
  const run = `run${++runs}`;
  const named = (id: string) => `${run}-${id}`;
  return drawn.map((one) => ({
    orgId: named(one.orgId),
    ...(one.hasName && { org: { name: run } }),
    domains: one.domains.map(({ id, ...flags }) => ({ domainName: `${id}.${run}.example`, ...flags })),
    projects: one.projects.map(([id, name]) => project(named(id), name)),
    projectRoles: one.projectRoles.map(({ projectId, roleKey }) => ({
      projectId: named(projectId),
      roleKey,
    })),
    oidcApps: one.oidcApps.map((id) => webApp(named(id))),
    apiApps: one.apiApps.map(({ id, projectId, active, orgOnly }) => ({
      ...api(named(id), { active, orgOnly }),
      ...(projectId !== undefined && { projectId: named(projectId) }),
    })),
    applicationGrants: one.applicationGrants.map((id) => ({ clientId: named(id) })),
    groups: one.groups.map(([id, name]) => group(named(id), name)),
    groupMembers: one.groupMembers.map(([groupId, userId]) => member(named(groupId), named(userId))),
    humanUsers: one.humanUsers.map(({ id, name, isHashed }) =>
      person(id && named(id), name, isHashed ? { hashedPassword: { value: bcryptHash } } : {}),
    ),
    machineUsers: one.machineUsers.map(([id, name]) => robot(named(id), name)),
    userMetadata: one.userMetadata.map(({ userId, value }) => ({ userId: named(userId), key: 'k', value })),
    orgMembers: one.orgMembers.map((userId) => ({ userId: named(userId), roles: ['ORG_OWNER'] })),
    userGrants: one.userGrants.map(({ projectId, userId, roleKey }) => ({
      projectId: named(projectId),
      userId: named(userId),
      roleKeys: [roleKey],
    })),
    groupGrants: one.groupGrants.map(({ projectId, groupId, roleKey }) => ({
      projectId: named(projectId),
      groupId: named(groupId),
      roleKeys: [roleKey],
    })),
  }));
}

t.test('a dry run tells what the import would, whatever clashes', async (t) => {
  const property = fc.asyncProperty(file, async (drawn) => {
    const { dry, real } = await compare(fileOf(drawn));
    t.same(dry, real);
    return t.passing();
  });
  await fc.assert(property, { numRuns: 5, seed: 4, endOnFailure: true });
});

t.test('a dry run of an update says what the update does', async (t) => {
  const before = org('dry-update', {
    humanUsers: Array.from({ length: 510 }, (_, at) => person(`du-${at}`, `du-${at}`)),
    groups: [group('du-g1', 'One'), group('du-g2', 'Two')],
    userMetadata: [{ userId: 'du-1', key: 'team', value: 'YQ==' }],
    orgMembers: [{ userId: 'du-1', roles: ['ORG_OWNER'] }],
  });
  t.match((await outcomeOf([before], false)).summary, { failed: 0 });
  const crowd = Array.from({ length: 500 }, (_, at) => person(`du-${at + 5}`, `du-${at + 5}`));
  const after = org('dry-update', {
    humanUsers: [
      person('du-0', 'renamed'),
      person('du-1', 'du-1', { scim: { title: 'Chief' } }),
      person('du-1', 'du-1', { scim: { title: 'Other' } }),
      person('du-new', 'du-new'),
      ...crowd,
      person('du-2', 'RENAMED'),
    ],
    groups: [group('du-g1', 'Three'), group('du-g2', 'THREE')],
    groupMembers: [member('du-g1', 'du-0')],
    userMetadata: [{ userId: 'du-1', key: 'team', value: 'Yg==' }],
    orgMembers: [{ userId: 'du-1', roles: ['ORG_USER_VIEWER'] }],
  });
  const { dry, real } = await compare([after], { update: true });
  t.same(dry, real);
  t.same(codes(real.errors), ['human_user OTHER-CONTENT', 'human_user NAME-TAKEN', 'group NAME-TAKEN']);
  t.match(real.summary, { created: 2, updated: 5, failed: 3 });
  t.match((await outcomeOf([after], true, { update: true })).summary, { created: 0, updated: 0, failed: 3 });
});

/** Begins a verification, which the test then works on. */
async function beginVerify(body: object): Promise<string> {
  const headers = { prefer: 'respond-async' };
  const begun = await call('POST /admin/v1/verify', { as, body: { timeout: '1h', ...body }, headers });
  return begun.headers['location']?.split('/').at(-1) ?? '';
}

async function runVerify(jobId: string) {
  for (const phase of container.importSections.phases) {
    for (const partId of await container.importParts.waiting(jobId, { phase, limit: 1_000 })) {
      await runImportPart(container, partId);
    }
  }
  await importWorker(container)({ jobId, attemptId: 'attempt' }, container.logger);
  return (await call(`GET /admin/v1/jobs/${jobId}`, { as })).body;
}

t.test('a verification counts the records of an organization that is not there', async (t) => {
  const humanUsers = [person('absent-1', 'absent-1'), person('absent-2', 'absent-2')];
  const { state, result } = await runVerify(
    await beginVerify({ dataOrgs: { orgs: [{ orgId: 'nowhere', humanUsers }] } }),
  );
  t.equal(state, 'completed');
  t.match(result, { isSame: false, counts: { same: 0, refused: 3, extra: 0, total: 3 } });
});

t.test('a part of a verification has more people than one of an import', async (t) => {
  const people = Array.from({ length: 501 }, () => ({}));
  const jobId = await beginVerify({ dataOrgs: { orgs: [{ orgId: home.id, humanUsers: people }] } });
  t.equal((await container.importParts.waiting(jobId, { phase: 4, limit: 9 })).length, 1);
  const { result } = await runVerify(jobId);
  t.match(result.counts, { refused: 501, total: 501 });
});

t.test('an organization without settings is the same, and so is one of the external form', async (t) => {
  const bare = await runVerify(
    await beginVerify({ dataOrgsv1: { orgs: [{ orgId: home.id, projects: [] }] } }),
  );
  t.match(bare, { state: 'completed', result: { counts: { same: 1, total: 1 } } });
  const external = await runVerify(
    await beginVerify({ dataOrgs: { orgs: [{ orgId: home.id, humanUsers: [] }] } }),
  );
  t.match(external, { state: 'completed', result: { isSame: true, counts: { same: 0, total: 0 } } });
});

t.test('a record that is twice in the file is missing twice, in whatever parts it is', async (t) => {
  const twin = person('twin', 'twin');
  const filler = Array.from({ length: 499 }, (_, n) => person(`fill-${n}`, `fill-${n}`));
  const orgs = [org('twins', { humanUsers: [twin, twin, ...filler, twin] })];
  const { result } = await runVerify(await beginVerify({ dataOrgsv1: { orgs } }));
  t.match(result.counts, { same: 0, missing: 503, different: 0, refused: 0 });
});

t.test('a verification without some of its records has no digests', async (t) => {
  const jobId = await beginVerify({
    dataOrgsv1: { orgs: [org('skipped', { humanUsers: [person('skipped', 'skipped')] })] },
  });
  // As a worker of the version before does it.
  const [partId = ''] = await container.importParts.waiting(jobId, { phase: 4, limit: 1 });
  const part = await container.importParts.find(partId);
  if (part === undefined) throw new Error('There is a part');
  const counts = { created: 1, updated: 0, skipped: 0, failed: 0 };
  await container.mongo.transaction((transaction) => container.importParts.end(part, counts, transaction));
  const { state, result } = await runVerify(jobId);
  t.equal(state, 'failed');
  t.notOk('isSame' in result);
  t.notOk('targetDigest' in result);
  t.match(result.errors, [{ type: 'import', message: /^STOPPED: .*Only 1 of 2 records were compared/ }]);
  const details = await container.imports.find(jobId);
  t.match(details?.failure, /Only 1 of 2 records were compared/);
});

t.test('an organization that is twice in the file and not there is missing twice', async (t) => {
  const { result } = await runVerify(
    await beginVerify({ dataOrgsv1: { orgs: [org('twice-absent'), org('twice-absent')] } }),
  );
  t.match(result, { isSame: false, counts: { same: 0, missing: 2 } });
});

t.test('a verification neither compares nor hashes passwords in plain text', async (t) => {
  const clear = (password: string, id = 'clear') => person(id, id, { password });
  await outcomeOf([org('clear-org', { humanUsers: [clear('Correct-horse-7-field')] })], false);
  const never = async () => {
    throw new Error('A verification says nothing about passwords');
  };
  const { hash, verify } = container.passwords;
  t.teardown(() => Object.assign(container.passwords, { hash, verify }));
  Object.assign(container.passwords, { hash: never, verify: never });
  const humanUsers = [clear('Correct-horse-7-field'), clear('Another-horse-7-field')];
  const added = clear('Further-horse-7-field', 'clear-new');
  const jobId = await beginVerify({
    dataOrgsv1: { orgs: [org('clear-org', { humanUsers: [...humanUsers, added] })] },
  });
  const { state, result } = await runVerify(jobId);
  t.equal(state, 'completed');
  t.match(result.counts, { same: 3, missing: 1, different: 0, refused: 0 });
  const { body } = await call('POST /admin/v1/events/_search', {
    as,
    body: { eventTypes: ['import.completed'], aggregateId: jobId },
  });
  t.match(body.events, [{ payload: { verify: true } }]);
});

t.test('a person without an identifier who differs is different', async (t) => {
  const named = (nickName: string) => person(undefined, 'nameless', { profile: { nickName } });
  await outcomeOf([org('nameless', { humanUsers: [named('One')] })], false);
  const { result } = await runVerify(
    await beginVerify({ dataOrgsv1: { orgs: [org('nameless', { humanUsers: [named('Two')] })] } }),
  );
  t.match(result.counts, { different: 1, refused: 0, missing: 0, extra: 0 });
});

t.test('the file has the same digest whether or not the organization is there', async (t) => {
  const password = 'Correct-horse-7-field';
  const humanUsers = [
    person('later', 'later', { password, profile: { nickName: 'L' } }),
    person('later-refused', 'later-refused', { password, hashedPassword: { value: bcryptHash } }),
  ];
  const body = { dataOrgs: { orgs: [{ orgId: 'later-org', humanUsers }] } };
  const before = (await runVerify(await beginVerify(body))).result;
  await outcomeOf([org('later-org', { humanUsers })], false);
  const after = (await runVerify(await beginVerify(body))).result;
  t.match(before, { isSame: false, counts: { refused: 3 } });
  t.match(after, { isSame: false, counts: { same: 1, refused: 1, extra: 0 } });
  const digests = ({ lists }: typeof before) =>
    lists.map(({ list, sourceDigest }: Record<string, unknown>) => ({ list, sourceDigest }));
  t.same(digests(before), digests(after));
  t.equal(before.sourceDigest, after.sourceDigest);
});

t.test('a person who has used the account since the import is the same', async (t) => {
  const dates = { created: '2020-01-02T03:04:05.000Z', lastModified: '2021-01-02T03:04:05.000Z' };
  const used = (more: object = {}) => person('used', 'used', { ...dates, ...more });
  const orgs = (more?: object) => [org(home.id, { humanUsers: [used(more)] })];
  await outcomeOf(orgs(), false);
  const organization = (await container.organizations.find(home.id)) ?? home;
  const editor = { userId: 'used', service: 'login' } as const;
  await setPassword(container, { organization, id: 'used', password: 'Chosen-horse-7-field', editor });
  t.ok((await container.users.find(home.id, 'used'))?.lastModified.toISOString() !== dates.lastModified);
  const people = async (more?: object) => {
    const { result } = await runVerify(await beginVerify({ dataOrgsv1: { orgs: orgs(more) } }));
    return result.lists.find(({ list }: { list: string }) => list === 'humanUsers');
  };
  t.match(await people(), { same: 1, different: 0 });
  t.match(await people({ created: '2020-01-01T00:00:00.000Z' }), { same: 0, different: 1 });
});

t.test('the roles of a member may come in several records', async (t) => {
  const record = (userId: string, role: string) => ({ userId, roles: [role] });
  const others = Array.from({ length: 260 }, (_, n) => `between-${n}`);
  const between = others.map((id) => record(id, 'ORG_OWNER'));
  const orgMembers = [record('member', 'ORG_OWNER'), ...between, record('member', 'ORG_USER_VIEWER')];
  const humanUsers = ['member', ...others].map((id) => person(id, id));
  const orgs = [org('members', { humanUsers, orgMembers })];
  await outcomeOf(orgs, false);
  const { result } = await runVerify(await beginVerify({ dataOrgsv1: { orgs } }));
  t.match(result, { isSame: true, counts: { same: 4 + 2 * others.length, different: 0 } });
  const fewer = [org('members', { humanUsers, orgMembers: orgMembers.slice(1) })];
  t.match((await runVerify(await beginVerify({ dataOrgsv1: { orgs: fewer } }))).result.counts, {
    different: 1,
  });
});

t.test(
  'a later attempt of a verification forgets what an earlier one found, and stops when it must',
  async (t) => {
    const jobId = await beginVerify({
      dataOrgs: { orgs: [{ orgId: 'nobody', humanUsers: [] }] },
      listExtra: true,
    });
    const details = await container.imports.find(jobId);
    if (details === undefined) throw new Error('There is a job');
    const stale = { orgId: 'nobody', list: 'humanUsers', ids: ['gone'] };
    await container.importResults.keepExtra(jobId, 3, stale, details.expires);
    await runVerify(jobId);
    for await (const extra of container.importResults.extra(jobId)) t.fail('It is forgotten', { extra });
    const stopping = AbortSignal.abort();
    t.equal(await finishVerification(container, { details, stagingId: jobId, stopping }), 'stopped');
  },
);

/** Begins a verification of one organization with two people, and runs its first part: the organization itself. */
async function beginVerifyAndStop(id: string): Promise<string> {
  const humanUsers = [person(`${id}-1`, `${id}-1`), person(`${id}-2`, `${id}-2`)];
  const jobId = await beginVerify({ dataOrgsv1: { orgs: [org(id, { humanUsers })] } });
  const [first = ''] = await container.importParts.waiting(jobId, { phase: 0, limit: 1 });
  await runImportPart(container, first);
  return jobId;
}

/** The end of a verification, after a worker has had its job. */
async function endOf(jobId: string) {
  await importWorker(container)({ jobId, attemptId: 'late' }, container.logger);
  const { state, result } = (await call(`GET /admin/v1/jobs/${jobId}`, { as })).body;
  return { state, result };
}

t.test('a verification that is cancelled between two parts says what it left', async (t) => {
  const jobId = await beginVerifyAndStop('cut-between');
  await call(`DELETE /admin/v1/jobs/${jobId}`, { as });
  const { state, result } = await endOf(jobId);
  t.equal(state, 'cancelled');
  t.notOk('isSame' in result || 'targetDigest' in result);
  t.match(result.counts, { missing: 1, total: 1 });
  const message = 'CANCELLED: The job was cancelled: 2 records were not compared';
  t.same(result.errors, [{ type: 'import', id: '', message }]);
});

t.test('a verification whose timeout passes says what it left', async (t) => {
  const jobId = await beginVerifyAndStop('cut-late');
  const { now } = container.clock;
  t.teardown(() => Object.assign(container.clock, { now }));
  Object.assign(container.clock, { now: () => new Date(Date.now() + 3_601_000) });
  const { state, result } = await endOf(jobId);
  t.equal(state, 'expired');
  t.notOk('isSame' in result || 'targetDigest' in result);
  const message = 'TIMEOUT: The timeout passed before the job was done: 2 records were not compared';
  t.same(result.errors, [{ type: 'timeout', id: '', message }]);
});

t.test('a verification that is cancelled while it looks for what is extra has no digests', async (t) => {
  const humanUsers = [person('cut-extra-1', 'cut-extra-1')];
  await outcomeOf([org('cut-extra', { humanUsers })], false);
  const jobId = await beginVerify({
    dataOrgsv1: { orgs: [org('cut-extra', { humanUsers })] },
    listExtra: true,
  });
  const { ids } = container.accounts;
  t.teardown(() => Object.assign(container.accounts, { ids }));
  t.teardown(() => Reflect.deleteProperty(performance, 'now'));
  const elapsed = performance.now.bind(performance);
  Object.assign(container.accounts, {
    async *ids(orgId: string) {
      await call(`DELETE /admin/v1/jobs/${jobId}`, { as });
      // The search asks once a second whether the job is open.
      Object.defineProperty(performance, 'now', { value: () => elapsed() + 2_000, configurable: true });
      yield* ids(orgId);
    },
  });
  const { state, result } = await runVerify(jobId);
  t.equal(state, 'cancelled');
  t.notOk('isSame' in result || 'targetDigest' in result);
  t.match(result.counts, { same: 2, extra: 0 });
  t.same(result.errors, [{ type: 'import', id: '', message: 'CANCELLED: The job was cancelled' }]);
});
