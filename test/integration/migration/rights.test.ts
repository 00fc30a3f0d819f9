import t from 'tap';
import { runImportPart } from '#src/migration/import/parts/run-import-part.js';
import { unpackImport } from '#src/migration/import/run/unpack-import.js';
import { newId } from '#src/platform/ids.js';
import { exportWorker } from '#workers/export.worker.js';
import { importWorker } from '#workers/import.worker.js';
import { organizationRemovalWorker } from '#workers/organization-removal.worker.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization, uniqueName } from '../../support/app/make.js';
import { basic, postForm } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUsers, importOf } from '../../support/migration/imports.js';

// No worker runs: the test does the parts of the jobs itself, and takes the right away between them.
const { container, call, clock } = await buildTestApp(t);
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
await makePerson(container, home);

interface Owner {
  readonly id: string;
  /** The credentials of the requester: a personal access token, or an access token. */
  readonly token: string;
  readonly secret: string;
}

async function makeOwner(): Promise<Owner> {
  const { id, token } = await makeCaller(container, home.id, ['IAM_OWNER']);
  const added = await call(`POST /admin/v1/orgs/${home.id}/service-users/${id}/secrets`, { as });
  return { id, token, secret: added.body.clientSecret };
}

async function withAccessToken(): Promise<Owner> {
  const owner = await makeOwner();
  const form = { grant_type: 'client_credentials', scope: 'openid' };
  const { body } = await postForm(call, '/oauth/v2/token', { form, as: basic(owner.id, owner.secret) });
  return { ...owner, token: body.access_token };
}

const serviceUser = (id: string) => `/admin/v1/orgs/${home.id}/service-users/${id}`;

async function removeTokens({ id }: Owner): Promise<void> {
  for (const token of await container.personalAccessTokens.page(home.id, { userId: id, limit: 10 })) {
    await call(`DELETE ${serviceUser(id)}/tokens/${token.id}`, { as });
  }
}

async function removeRole({ id }: Owner): Promise<void> {
  const [held] = await container.memberships.ofUser(id);
  await call(`DELETE /admin/v1/memberships/${held?.id}`, { as });
}

/** Ways in which the requester's right is taken away, or seems to be. */
const happenings: readonly {
  readonly name: string;
  readonly make: () => Promise<Owner>;
  readonly happen: (owner: Owner) => Promise<unknown>;
  readonly goesOn?: boolean;
}[] = [
  { name: 'the membership is removed', make: makeOwner, happen: removeRole },
  {
    name: 'the service user is deactivated',
    make: makeOwner,
    happen: ({ id }) => call(`PATCH ${serviceUser(id)}`, { as, body: { active: false } }),
  },
  {
    name: 'the service user is removed',
    make: makeOwner,
    happen: ({ id }) => call(`DELETE ${serviceUser(id)}`, { as }),
  },
  { name: 'the personal access token is removed', make: makeOwner, happen: removeTokens },
  {
    name: 'the access token is revoked',
    make: withAccessToken,
    happen: ({ id, secret, token }) =>
      postForm(call, '/oauth/v2/revoke', { form: { token }, as: basic(id, secret) }),
  },
  {
    name: 'another token is removed',
    make: withAccessToken,
    happen: removeTokens,
    goesOn: true,
  },
];

const jobOf = async (id: string) => (await call(`GET /admin/v1/jobs/${id}`, { as })).body;

async function begin(path: string, owner: Owner, body: unknown): Promise<string> {
  const begun = await call(`POST /admin/v1/${path}`, {
    as: owner,
    body,
    headers: { prefer: 'respond-async' },
  });
  t.equal(begun.status, 202, JSON.stringify(begun.body));
  return begun.headers['location']?.split('/').at(-1) ?? '';
}

/** Runs up to this many waiting parts of an import, the parts of organizations first. */
async function runParts(jobId: string, count: number): Promise<void> {
  await unpackImport(container, jobId);
  const { importParts } = container;
  const waiting = await Promise.all([0, 4].map((phase) => importParts.waiting(jobId, { phase, limit: 100 })));
  for (const partId of waiting.flat().slice(0, count)) await runImportPart(container, partId);
}

/**
 * A worker process whose caches keep what they know of the requester now. It reads the message of a change in the turn of the event loop after
 * it has taken the job over, or never.
 */
async function withNews(
  { id }: Owner,
  news: 'in its socket' | 'passed on later by a Cluster',
): Promise<typeof container> {
  const { caches, jobs, redis } = container;
  let isHeard = false;
  const start: typeof jobs.start = async (attempt) => {
    const started = await jobs.start(attempt);
    if (news === 'in its socket') setImmediate(() => (isHeard = true));
    return started;
  };
  const until = <V>(cache: { get(key: string): Promise<V> }, known: V) => ({
    ...{ ...cache, get: async (key: string) => (isHeard ? cache.get(key) : known) },
    invalidate: async () => undefined,
  });
  const [token] = await container.personalAccessTokens.page(home.id, { userId: id, limit: 1 });
  return {
    ...container,
    jobs: { ...jobs, start },
    redis: Object.create(redis, { isCluster: { value: news !== 'in its socket' } }),
    caches: {
      ...caches,
      serviceUsers: until(caches.serviceUsers, await caches.serviceUsers.get(id)),
      ownMemberships: until(caches.ownMemberships, await caches.ownMemberships.get(id)),
      personalAccessTokens: until(caches.personalAccessTokens, token),
    },
  };
}

for (const { name, make, happen, goesOn = false } of happenings) {
  t.test(`a small import is ${goesOn ? 'done' : 'not done'} if ${name} before`, async (t) => {
    const owner = await make();
    const jobId = await begin('import', owner, importOf(home.id, humanUsers(uniqueName('early'), 3)));
    // What the worker knows of the requester is in its memory.
    const warm = await begin('import', owner, importOf(home.id, humanUsers(uniqueName('warm'), 1)));
    await importWorker(container)({ jobId: warm, attemptId: newId() }, container.logger);
    await happen(owner);
    await importWorker(container)({ jobId, attemptId: newId() }, container.logger);
    const { state, result } = await jobOf(jobId);
    t.equal(state, goesOn ? 'completed' : 'failed');
    t.equal(result.summary.created, goesOn ? 3 : 0);
  });

  for (const news of ['in its socket', 'passed on later by a Cluster'] as const) {
    t.test(`a small import is ${goesOn ? 'done' : 'not done'} if ${name}, which is ${news}`, async (t) => {
      const owner = await make();
      const jobId = await begin('import', owner, importOf(home.id, humanUsers(uniqueName('stale'), 3)));
      const worker = await withNews(owner, news);
      await happen(owner);
      await importWorker(worker)({ jobId, attemptId: newId() }, container.logger);
      t.match(await jobOf(jobId), { state: goesOn ? 'completed' : 'failed' });
      t.equal((await jobOf(jobId)).result.summary.created, goesOn ? 3 : 0);
    });
  }

  t.test(`an import ${goesOn ? 'goes on' : 'stops'} when ${name}`, async (t) => {
    const owner = await make();
    const users = humanUsers(uniqueName('right'), 1_200);
    const jobId = await begin('import', owner, importOf(home.id, users));
    await container.jobs.start({ jobId, attemptId: newId() });
    await runParts(jobId, 2);
    await happen(owner);
    await runParts(jobId, 100);
    const { state, progress } = await jobOf(jobId);
    if (goesOn) {
      t.match({ state, progress }, { state: 'running', progress: { processed: 1_200 } });
      await call(`DELETE /admin/v1/jobs/${jobId}`, { as });
      return;
    }
    t.match({ state, progress }, { state: 'failed', progress: { processed: 500 } });
    await importWorker(container)({ jobId, attemptId: newId() }, container.logger);
    const { result } = await jobOf(jobId);
    t.same(result.summary, { created: 500, skipped: 0, failed: 700, total: 1_200 });
    t.match(result.errors, [
      { type: 'import', id: '', message: /^STOPPED: .*tokens\.permissionMissing: .*700 records/ },
    ]);
    t.equal(result.errors.length, 1);
    t.equal(result.success.orgs[0].humanUserIds.length, 500, 'what is in stays in');
  });

  t.test(`an export ${goesOn ? 'goes on' : 'stops'} when ${name}`, async (t) => {
    const owner = await make();
    const jobId = await begin('export', owner, { responseOutput: true, orgIds: [home.id] });
    const inTheMiddle: typeof container.memberships.pageByUser = async (...query) => {
      await happen(owner);
      return container.memberships.pageByUser(...query);
    };
    const worker = { ...container, memberships: { ...container.memberships, pageByUser: inTheMiddle } };
    await exportWorker(worker)({ jobId, attemptId: newId() }, container.logger);
    const { state, result } = await jobOf(jobId);
    if (goesOn) t.equal(state, 'completed');
    else
      t.match({ state, result }, { state: 'failed', result: { error: { id: 'tokens.permissionMissing' } } });
    const { status } = await call(`GET /admin/v1/jobs/${jobId}/result`, { as });
    t.equal(status, goesOn ? 200 : 403, 'nothing is there to download');
  });
}

for (const { name, make, happen, goesOn = false } of happenings)
  t.test(`a verification ${goesOn ? 'goes on' : 'stops'} when ${name}`, async (t) => {
    const owner = await make();
    const jobId = await begin('verify', owner, importOf(home.id, humanUsers(uniqueName('verified'), 1_200)));
    await container.jobs.start({ jobId, attemptId: newId() });
    // The part of the organization. All people are compared in one part.
    await runParts(jobId, 1);
    await happen(owner);
    await runParts(jobId, 100);
    const { state, progress } = await jobOf(jobId);
    if (goesOn) {
      t.match({ state, progress }, { state: 'running', progress: { processed: 1_200 } });
      await call(`DELETE /admin/v1/jobs/${jobId}`, { as });
      return;
    }
    t.match({ state, progress }, { state: 'failed', progress: { processed: 0 } });
    await importWorker(container)({ jobId, attemptId: newId() }, container.logger);
    const { result } = await jobOf(jobId);
    t.notOk(result.sourceDigest ?? result.targetDigest, 'nothing was compared');
    t.match(JSON.stringify(result), /STOPPED: .*tokens\.permissionMissing/);
  });

t.test(
  'the removal of an organization goes on: the organization ended for everybody when it began',
  async (t) => {
    const owner = await makeOwner();
    const { id: orgId, name } = await makeOrganization(container);
    const organization = await container.organizations.find(orgId);
    if (organization === undefined) throw new Error('no organization');
    for (let count = 0; count < 3; count++) await makePerson(container, organization);
    const url = `/admin/v1/orgs/${orgId}?name=${encodeURIComponent(name)}`;
    const { status, headers } = await call(`DELETE ${url}`, { as: owner });
    t.equal(status, 202);
    await removeRole(owner);
    t.equal((await call(`DELETE ${url}`, { as: owner })).status, 404, 'the requester does no more');
    clock.advance(container.config.requestTimeoutSeconds + 10);
    const jobId = headers['location']?.split('/').at(-1) ?? '';
    await organizationRemovalWorker(container)({ jobId, attemptId: newId() }, container.logger);
    t.match(await jobOf(jobId), { state: 'completed' });
    t.equal(await container.users.count(orgId), 0);
  },
);

t.test('a requester that loses the role in the middle of an import gets no report', async (t) => {
  const owner = await makeOwner();
  const begun = call('POST /admin/v1/import', {
    as: owner,
    body: importOf(home.id, humanUsers(uniqueName('report'), 600)),
  });
  const seen = async () => (await container.jobs.page(undefined, { limit: 1 }))[0];
  await until(async () => (await seen())?.requestedBy === owner.id);
  const jobId = (await seen())?.id ?? '';
  await runParts(jobId, 2);
  await removeRole(owner);
  await runParts(jobId, 100);
  const { status, body } = await begun;
  t.match({ status, body }, { status: 403, body: { id: 'tokens.permissionMissing' } });
  t.notOk('success' in body);
  t.equal((await call(`GET /admin/v1/jobs/${jobId}`, { as: owner })).status, 404);
  t.match((await jobOf(jobId)).result.summary, { created: 500 }, 'other owners read it');
});

t.test('a token that ends in the middle of an import takes nothing back', async (t) => {
  const owner = await makeOwner();
  const expires = new Date(clock.now().getTime() + 60_000).toISOString();
  const added = await call(`POST ${serviceUser(owner.id)}/tokens`, { as, body: { expires } });
  const shortLived = { ...owner, token: added.body.token };
  const users = humanUsers('short-lived', 20);
  const jobId = await begin('import', shortLived, importOf(home.id, users, { timeout: '1h' }));
  clock.advance(120);
  await removeTokens(owner);
  await runParts(jobId, 2);
  t.match((await jobOf(jobId)).progress, { processed: 20, total: 20, errors: 0 });
});
