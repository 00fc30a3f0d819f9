import t from 'tap';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { addSetupLink } from '#src/connections/setup/index.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { organizationRemovalWorker } from '#workers/organization-removal.worker.js';
import { startWorkers } from '#workers/start-workers.js';
import { until } from '../../../dev/until.js';
import type { Caller } from '../../support/app/make.js';
import { testEditor as editor, makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { makeApplication, makePerson, postForm, redeemCode } from '../../support/app/oauth-client.js';
import { buildTestApp, serve } from '../../support/app/test-app.js';
import { storeConnection } from '../../support/oidc/connected.js';
import { newUser, urn } from '../../support/scim/scim-client.js';

/** The removal of an organization: it ends for everybody at once, and workers remove everything that belongs to it. */

const opened = await buildTestApp(t, { requestTimeoutSeconds: 1 });
const { container, call } = opened;
/** Another process, which learns of the removal by a message. */
const elsewhere = await opened.openAnother();
const { call: there } = await serve(t, elsewhere);
const instanceOwner = await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);

const remove = (orgId: string, name: string | undefined, as: Pick<Caller, 'token'> = instanceOwner) =>
  call(`DELETE /admin/v1/orgs/${orgId}${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`, {
    as,
  });

const stateOf = async (location: string | undefined) =>
  (await call(`GET ${new URL(location ?? '').pathname}`, { as: instanceOwner })).body;

/** Everything of an organization that other processes use: a person and a program with tokens of every kind. */
async function inhabited() {
  const tenant = await makeTenant(container);
  const { orgId, owner } = tenant;
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('no organization');
  const person = await makePerson(container, organization);
  const application = await makeApplication(container, orgId);
  const { body: tokens } = await redeemCode(
    { container, call },
    { client: application, person, grant: { scope: 'openid profile offline_access' } },
  );
  await addGroup(container, {
    orgId,
    profile: { displayName: 'Group' },
    members: new Set([person.id]),
    editor,
  });
  const { id: connectionId } = await storeConnection(container, orgId, {});
  const identity = { orgId, connectionId, subject: 'theirs', userId: person.id };
  await linkIdentity(container, { ...identity, rule: 'person', editor });
  await addSetupLink(container, { orgId, steps: ['connection'], editor });
  await container.sessions.signIn(`agent-${orgId}`, {
    userId: person.id,
    orgId,
    userName: person.userName,
    displayName: 'x',
    proofs: [{ kind: 'password' }],
  });
  return { orgId, owner, organization, person, application, connectionId, tokens };
}

/** Which documents and keys of Redis mention one of these texts. */
async function mentions(texts: readonly string[]): Promise<string[]> {
  const { db } = container.mongo;
  const found: string[] = [];
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    for await (const document of db.collection(name).find()) {
      const text = JSON.stringify(document);
      if (texts.some((one) => text.includes(one)))
        found.push(`${name} ${document['type'] ?? document['kind'] ?? ''}`);
    }
  }
  for (const key of await container.redis.keys(`${container.config.redisPrefix}:sessions:*`))
    if (texts.some((one) => key.includes(one))) found.push(key);
  return found.sort();
}

t.test('who may, and what confirms it', async (t) => {
  const { orgId, owner, organization } = await inhabited();
  const { name } = organization;
  t.equal((await remove(orgId, name, owner)).status, 403, 'an owner of the organization may not');
  for (const wrong of [undefined, '', `${name} `, name.toUpperCase()])
    t.match(await remove(orgId, wrong), { status: 400, body: { id: 'directory.organizationNameDiffers' } });
  t.match(await remove('unknown', name), { status: 404, body: { id: 'directory.organizationNotFound' } });
  t.equal((await call(`GET /admin/v1/orgs/${orgId}`, { as: owner })).status, 200, 'nothing was removed');
});

t.test('the organization of the last owner of the instance stays', async (t) => {
  const { memberships, serviceUsers, organizations } = container;
  const owners = await memberships.page(undefined, { limit: 100 });
  const homes = await serviceUsers.organizationsOf(owners.map(({ userId }) => userId));
  t.equal(new Set(homes.values()).size, 1, 'all owners are of one organization');
  const [home = ''] = homes.values();
  const { name = '' } = (await organizations.find(home)) ?? {};
  t.match(await remove(home, name), { status: 409, body: { id: 'directory.lastOwner' } });
  t.equal((await organizations.find(home))?.name, name);
});

t.test('it ends for everybody at once, and then is gone', async (t) => {
  const bystander = await inhabited();
  const { orgId, owner, organization, person, application, connectionId, tokens } = await inhabited();
  const scim = `/scim/v2/${orgId}/Users`;
  const introspect = async (where: typeof call, token: string) =>
    (await postForm(where, '/oauth/v2/introspect', { form: { token }, as: application.credentials })).body;
  for (const where of [call, there]) {
    t.equal((await where(`GET ${scim}`, { as: owner })).status, 200);
    t.match(await introspect(where, tokens.access_token), { active: true });
    t.equal((await where('GET /oidc/v1/userinfo', { as: { token: tokens.access_token } })).status, 200);
  }
  t.equal((await container.sessions.ofUser(person.id)).length, 1);
  // The clock of the test goes faster than the timer that writes these.
  for (const { secretUses, provisioningLog } of [container, elsewhere]) {
    await secretUses.flush();
    await provisioningLog.flush();
  }

  const answer = await remove(orgId, organization.name);
  t.equal(answer.status, 202);
  const location = answer.headers['location'] as string;
  t.match(await stateOf(location), { kind: 'organization-removal', state: 'queued', orgId: '*' });
  for (const where of [call, there]) {
    t.equal((await where(`GET ${scim}`, { as: owner })).status, 401, 'its programs');
    t.equal((await where(`GET ${scim}`, { as: instanceOwner })).status, 404, 'and for others');
    t.match(await introspect(where, tokens.access_token), { error: 'invalid_client' }, 'its applications');
    t.equal(
      (await where('GET /oidc/v1/userinfo', { as: { token: tokens.access_token } })).status,
      401,
      'its people',
    );
    const refreshed = await postForm(where, '/oauth/v2/token', {
      form: { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
      as: application.credentials,
    });
    t.equal(refreshed.status, 401);
  }
  t.strictSame(await container.sessions.ofUser(person.id), [], 'its sessions');
  t.equal(await container.people.find(orgId, person.id, undefined), undefined);
  t.equal((await call(`GET /admin/v1/orgs/${orgId}`, { as: instanceOwner })).status, 404);
  t.equal((await call(`GET /.well-known/openid-configuration`)).status, 200);
  const again = await remove(orgId, organization.name);
  t.strictSame([again.status, again.headers['location']], [202, location], 'asking again finds the same job');
  const taken = await call('POST /admin/v1/orgs', {
    as: instanceOwner,
    body: { id: orgId, name: 'Successor' },
  });
  t.equal(taken.status, 409, 'its identifier is not free yet');

  // A request that was inside when the removal began writes after it.
  const late = container.mongo.db.collection<{ _id: string; orgId: string }>('userMetadata');
  const workers = startWorkers(container);
  t.teardown(() => workers.close());
  await until(async () => (await late.countDocuments({ orgId })) === 0);
  await late.insertOne({ _id: `${person.id} late`, orgId });
  await until(async () => (await stateOf(location)).state === 'completed', { within: 30_000 });
  const marks = [
    orgId,
    person.id,
    person.userName,
    application.id,
    owner.id,
    organization.name,
    connectionId,
  ];
  t.strictSame(
    await mentions(marks),
    ['events org.removal.requested', 'events org.removed'],
    'only the record of the removal is left',
  );
  const { result } = await stateOf(location);
  t.match(result, {
    removed: { users: 1, applications: 1, groups: 1, groupMembers: 1, serviceUsers: Number, userMetadata: 1 },
  });

  t.equal((await call(`GET /scim/v2/${bystander.orgId}/Users`, { as: bystander.owner })).status, 200);
  t.match(
    (
      await postForm(call, '/oauth/v2/introspect', {
        form: { token: bystander.tokens.access_token },
        as: bystander.application.credentials,
      })
    ).body,
    { active: true },
    'another organization stays as it is',
  );
  t.equal((await container.sessions.ofUser(bystander.person.id)).length, 1);

  opened.clock.advance(1);
  const successor = await addOrganization(container, { id: orgId, name: 'Successor', editor });
  t.equal(successor.id, orgId, 'the identifier is free');
  const { db } = container.mongo;
  await db.collection('users').insertOne({
    ...(await db.collection('users').findOne({ _id: bystander.person.id as never })),
    _id: person.id,
    orgId,
  } as never);
  const old = await call('GET /oidc/v1/userinfo', { as: { token: tokens.access_token } });
  t.equal(old.status, 401, 'a token of the earlier organization is not one of the later');
  await workers.close();
});

t.test(
  'a token names an organization, and is not one of another that has its service user now',
  async (t) => {
    const { owner } = await inhabited();
    const other = await makeTenant(container);
    const token = await container.accessTokens.issue(
      {
        jti: `jti-${owner.id}`,
        sub: owner.id,
        org: other.orgId,
        clientId: owner.id,
        clientOrgId: other.orgId,
        audience: [container.config.baseUrl],
        scope: 'openid',
        issuedAt: container.clock.now().getTime() / 1000,
        expiresAt: container.clock.now().getTime() / 1000 + 600,
      },
      'opaque',
    );
    t.equal((await call('GET /admin/v1/orgs', { as: { token } })).status, 401);
  },
);

t.test('jobs of the organization end, and a removal that was cancelled can be taken up again', async (t) => {
  const { orgId, owner, organization } = await inhabited();
  const bulk = {
    schemas: [urn.bulkRequest],
    Operations: [{ method: 'POST', path: '/Users', bulkId: 'a', data: newUser() }],
  };
  const queued = await call(`POST /scim/v2/${orgId}/Bulk`, {
    as: owner,
    body: bulk,
    headers: { prefer: 'respond-async' },
  });
  t.equal(queued.status, 202);
  const first = await remove(orgId, organization.name);
  const firstId = new URL(first.headers['location'] as string).pathname.split('/').at(-1) ?? '';
  await container.jobs.end(firstId, 'cancelled');
  const second = await remove(orgId, organization.name);
  t.equal(second.status, 202);
  t.not(second.headers['location'], first.headers['location'], 'another job goes on');
  const workers = startWorkers(container);
  t.teardown(() => workers.close());
  await until(async () => (await stateOf(second.headers['location'] as string)).state === 'completed', {
    within: 30_000,
  });
  t.strictSame(
    (await mentions([orgId])).filter((one) => !/removal|removed|member.removed/.test(one)),
    [],
  );
});

t.test('a removal whose workers die in the middle is done by the next one', async (t) => {
  const { orgId, owner, organization, person, application } = await inhabited();
  const origin = `https://${orgId}.example`;
  await makeApplication(container, orgId, { redirectUris: [`${origin}/callback`] });
  const preflight = async () => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    return (await call('OPTIONS /oauth/v2/token', { headers })).headers['access-control-allow-origin'];
  };
  t.equal(await preflight(), origin);
  for (const { secretUses, provisioningLog } of [container, elsewhere]) {
    await secretUses.flush();
    await provisioningLog.flush();
  }
  const answer = await remove(orgId, organization.name);
  const location = answer.headers['location'] as string;
  const jobId = new URL(location).pathname.split('/').at(-1) ?? '';
  const { organizationContents, jobs, logger } = container;
  const death = new Error('the worker dies');
  /** An attempt that dies before or behind a removal of objects. */
  const dies = async (place: 'before' | 'behind', collection: string) => {
    const removing: typeof organizationContents.remove = async (...step) => {
      if (place === 'before' && step[1] === collection) throw death;
      await organizationContents.remove(...step);
      if (place === 'behind' && step[1] === collection) throw death;
    };
    const dying = { ...container, organizationContents: { ...organizationContents, remove: removing } };
    const attempt = { jobId, attemptId: `${place} ${collection}` };
    await t.rejects(organizationRemovalWorker(dying)(attempt, logger), death, attempt.attemptId);
  };
  const count = (name: string) => container.mongo.db.collection(name).countDocuments({ orgId });
  await dies('behind', 'serviceUsers');
  t.same([await count('serviceUsers'), await count('applications'), await count('users')], [0, 2, 1]);
  await dies('behind', 'applications');
  t.equal(await preflight(), '*', 'a process that has seen the origin forgets it');
  await dies('before', 'users');
  t.same([await count('applications'), await count('users')], [0, 1]);
  await dies('behind', 'groups');
  t.same([await count('users'), await count('groups'), await count('groupMembers')], [0, 0, 1]);
  t.match(await stateOf(location), { state: 'running' });

  // The transaction at the end fails as a whole.
  opened.clock.advance(5);
  const endWithResult = () => Promise.reject(death);
  const last = organizationRemovalWorker({ ...container, jobs: { ...jobs, endWithResult } });
  await t.rejects(last({ jobId, attemptId: 'at the end' }, logger), death);
  t.ok(await container.organizations.findRemoval(orgId), 'the organization is still being removed');

  const workers = startWorkers(container);
  t.teardown(() => workers.close());
  const ended = await until(
    async () => {
      const job = await stateOf(location);
      return job.state === 'completed' ? job : undefined;
    },
    { within: 30_000 },
  );
  // Each was removed by another attempt. The one that died behind the applications did not record them.
  t.match(ended.result.removed, { users: 1, groupMembers: 1 });
  t.notOk('applications' in ended.result.removed);
  t.strictSame(
    await mentions([orgId, person.id, person.userName, application.id, owner.id, organization.name]),
    ['events org.removal.requested', 'events org.removed'],
  );
  t.equal(await container.organizations.findRemoval(orgId), undefined);
});
