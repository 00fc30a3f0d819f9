import t from 'tap';
import { findUsersForAction } from '#src/admin/user-actions/find-users.js';
import { runUserActions } from '#src/admin/user-actions/run-user-actions.js';
import type { UserAction } from '#src/admin/user-actions/user-action.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { newId } from '#src/platform/ids.js';
import { makeTenant, testEditor } from '../../../support/app/make.js';
import { makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { startMailServer } from '../../../support/network/mail-server.js';
import { namesOfCommands } from '../../../support/stores/mongo-commands.js';

/** One action with many users: who is meant, what the job does, and what it must not do. */

const mailServer = await startMailServer(t);
const { container, call } = await buildTestApp(t, { workers: true, smtpUrl: mailServer.url });

async function makeHome() {
  const tenant = await makeTenant(container);
  const organization = await container.organizations.find(tenant.orgId);
  if (organization === undefined) throw new Error('The organization is missing');
  const path = `/admin/v1/orgs/${tenant.orgId}/user-actions`;
  const someone = (userName: string, more: object = {}) =>
    makePerson(container, organization, { userName, ...more });
  const act = (body: object, as = tenant.manager) => call(`POST ${path}`, { as, body });
  /** Waits for the end of the job that the body begins. */
  const done = async (body: object, as = tenant.manager) => {
    const { status, headers } = await act(body, as);
    t.equal(status, 202);
    const address = new URL(String(headers['location'])).pathname;
    for (;;) {
      const { body: job } = await call(`GET ${address}`, { as });
      if (!['queued', 'running'].includes(job.state)) return job;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const isActive = async ({ id }: { id: string }) => (await container.users.find(tenant.orgId, id))?.active;
  return { ...tenant, organization, someone, act, done, isActive };
}

t.test('several users are deactivated and active again, with a report', async (t) => {
  const { someone, act, done, isActive, orgId } = await makeHome();
  const [ada, bob, cleo] = [
    await someone('ada'),
    await someone('bob'),
    await someone('cleo', { active: false }),
  ];
  const userIds = [ada.id, cleo.id, ada.id, 'nobody'];
  const preview = await act({ action: 'deactivate', userIds, dryRun: true });
  t.match(preview, { status: 200, body: { users: 2 } });
  t.equal(preview.body.first.length, 2);
  t.equal(await isActive(ada), true, 'a dry run does nothing');
  t.equal(
    (await act({ action: 'deactivate', userIds, expected: 3 })).status,
    409,
    'others than were confirmed',
  );
  const job = await done({ action: 'deactivate', userIds, expected: 2 });
  t.match(job, { state: 'completed', progress: { processed: 2, total: 2, errors: 0 } });
  t.match(job.result, { done: 1, unchanged: 1, failed: 0, failures: [] });
  t.same([await isActive(ada), await isActive(bob)], [false, true]);
  const events = await container.events.search({ aggregateId: ada.id, limit: 9, ascending: true });
  t.ok(
    events.some(({ type }) => type === 'user.deactivated'),
    'the log has each change',
  );
  const count = await call(`GET /admin/v1/orgs/${orgId}/users?active=false&includeTotal=true`, {
    as: (await makeHome()).viewer,
  });
  t.equal(count.status, 404, 'nobody else sees the organization');
  t.match((await done({ action: 'reactivate', search: { active: false } })).result, { done: 2 });
  t.equal(await isActive(cleo), true);
});

t.test('all whom a search finds are meant, and nobody with more rights is changed', async (t) => {
  const { someone, act, done, isActive, owner, orgId } = await makeHome();
  const users = await Promise.all(Array.from({ length: 25 }, (_, n) => someone(`many-${n}`)));
  const boss = await someone('many-boss');
  await call(`POST /admin/v1/orgs/${orgId}/memberships`, {
    as: owner,
    body: { userId: boss.id, role: 'ORG_OWNER' },
  });
  await someone('other');
  t.match((await act({ action: 'deactivate', search: { text: 'many' }, dryRun: true })).body, { users: 26 });
  const { result, progress } = await done({ action: 'deactivate', search: { text: 'MANY' }, expected: 26 });
  t.match(result, { done: 25, failed: 1 });
  t.match(result.failures, [{ userName: 'many-boss', error: 'directory.userOutranksCaller' }]);
  t.match(progress, { processed: 26, errors: 1 });
  t.equal(await isActive(boss), true);
  t.same(
    await Promise.all(users.map(isActive)),
    users.map(() => false),
  );
  t.equal((await act({ action: 'deactivate', search: { text: 'nobody-at-all' } })).status, 409);
});

t.test('the last owner who can sign in stays active', async (t) => {
  const { someone, done, isActive, owner, orgId } = await makeHome();
  const bosses = [await someone('boss-1'), await someone('boss-2')];
  for (const { id: userId } of bosses)
    await call(`POST /admin/v1/orgs/${orgId}/memberships`, {
      as: owner,
      body: { userId, role: 'ORG_OWNER' },
    });
  const plain = await someone('plain');
  const userIds = [...bosses, plain].map(({ id }) => id);
  const { result } = await done({ action: 'deactivate', userIds }, owner);
  t.match(result, { done: 2, unchanged: 0, failed: 1, failures: [{ error: 'directory.lastAbleOwner' }] });
  t.same((await Promise.all(bosses.map(isActive))).sort(), [false, true]);
  t.equal(await isActive(plain), false, 'others are changed');
});

t.test('users of a step share transactions', async (t) => {
  const { someone, done, orgId } = await makeHome();
  const users = await Promise.all(Array.from({ length: 20 }, (_, n) => someone(`together-${n}`)));
  const userIds = users.map(({ id }) => id);
  const profile = { displayName: 'Together' };
  const group = await addGroup(container, { orgId, profile, members: new Set(), editor: testEditor });
  for (const body of [
    { action: 'addToGroup', groupId: group.id, userIds },
    { action: 'deactivate', userIds },
    { action: 'reactivate', userIds },
  ]) {
    const commands = await namesOfCommands(async () => t.match((await done(body)).result, { done: 20 }));
    const events = commands.filter((one) => one === 'insert events');
    t.ok(events.length <= 10, `${body.action}: ${events.length} transactions with events`);
  }
});

t.test('a search that reads very many users and finds few is refused', async (t) => {
  let reads = 0;
  const userSearch = {
    listed: async () => [],
    search: async () => (++reads < 1_000 ? { users: [], next: { step: 0 } } : { users: [] }),
  };
  const search = { text: 'a', active: true };
  await t.rejects(findUsersForAction({ userSearch }, 'org', { search }), /too many must be read/);
  t.equal(reads, 100);
});

t.test('an organization has ten open actions at most', async (t) => {
  const { act, someone, orgId, manager } = await makeHome();
  const body = { action: 'deactivate', userIds: [(await someone('ada')).id] };
  const waiting = { orgId, requestedBy: manager.id, total: 1, body: Buffer.from('{}') };
  for (let n = 0; n < 10; n++) {
    t.equal((await act({ ...body, dryRun: true })).status, 200);
    await container.jobs.insert({
      ...waiting,
      kind: 'user-actions',
      id: newId(),
      created: container.clock.now(),
    });
  }
  t.match(await act(body), {
    status: 429,
    headers: { 'retry-after': '30' },
    body: { id: 'directory.tooManyActions' },
  });
  t.equal((await act({ ...body, dryRun: true })).status, 200, 'counting goes on');
  const other = await makeHome();
  t.match((await other.done({ ...body, userIds: [(await other.someone('bob')).id] })).result, { done: 1 });
});

t.test('members are added to a group that the requester could give', async (t) => {
  const { someone, act, done, orgId, owner } = await makeHome();
  const [ada, bob] = [await someone('ada'), await someone('bob')];
  const group = await addGroup(container, {
    orgId,
    profile: { displayName: 'Tennis' },
    members: new Set([bob.id]),
    editor: testEditor,
  });
  const body = { action: 'addToGroup', groupId: group.id, userIds: [ada.id, bob.id] };
  t.match((await done(body)).result, { done: 1, unchanged: 1 });
  t.ok((await container.groupMembers.among(orgId, group.id, [ada.id])).has(ada.id));
  t.equal((await act({ ...body, groupId: 'none' })).status, 404);
  t.equal((await act({ ...body, action: 'deactivate' })).status, 400);
  const { groupId: _, ...without } = body;
  t.equal((await act(without)).status, 400);
  t.match(
    (await act({ ...without, dryRun: true })).body,
    { users: 2 },
    'users are counted before a group is chosen',
  );
  await call(`PUT /admin/v1/orgs/${orgId}/groups/${group.id}/roles`, {
    as: owner,
    body: { roles: ['ORG_OWNER'] },
  });
  t.equal((await act(body)).status, 403, 'a manager gives no role of an owner');
});

t.test('links are sent to those who have an address', async (t) => {
  const { someone, done } = await makeHome();
  const [ada, bob] = [
    await someone('ada', { emails: [{ value: 'ada@actions.example', primary: true }] }),
    await someone('bob', { emails: [] }),
  ];
  const { result } = await done({ action: 'sendLinks', userIds: [ada.id, bob.id] });
  t.match(result, {
    done: 1,
    failed: 1,
    failures: [{ userName: 'bob', error: 'directory.mailAddressMissing' }],
  });
  t.match(mailServer.to('ada@actions.example'), [/\/login\/password\?token=/]);
  t.notMatch(JSON.stringify(result), 'token=', 'no link is in the job');
});

t.test('bodies that mean nobody or too many are refused', async (t) => {
  const { act, viewer, owner } = await makeHome();
  const userIds = ['x'];
  for (const body of [
    { action: 'deactivate' },
    { action: 'deactivate', userIds: [] },
    { action: 'deactivate', userIds, search: {} },
    { action: 'delete', userIds },
    { action: 'deactivate', userIds: Array.from({ length: 1_001 }, (_, n) => `${n}`) },
    { action: 'deactivate', search: { text: 'x'.repeat(201) } },
    { action: 'deactivate', search: { text: { $ne: 1 } } },
  ])
    t.equal((await act(body)).status, 400, JSON.stringify(body).slice(0, 80));
  t.equal((await act({ action: 'deactivate', userIds }, viewer)).status, 403);
  const other = await makeHome();
  const stranger = await other.someone('stranger');
  t.match((await act({ action: 'deactivate', userIds: [stranger.id], dryRun: true }, owner)).body, {
    users: 0,
  });
});

t.test('the job ends when the requester loses the right, and goes on where it stopped', async (t) => {
  const { orgId, someone, isActive, manager } = await makeHome();
  const users = await Promise.all(Array.from({ length: 41 }, (_, n) => someone(`rest-${n}`)));
  const action: UserAction = {
    action: 'deactivate',
    orgId,
    userIds: users.map(({ id }) => id),
    userId: manager.id,
    credential: { accessToken: [] },
  };
  const steps: { processed: number }[] = [];
  const recorded = async (name: 'advance' | 'endWithResult', value: { processed: number }) => {
    steps.push(value);
    return name === 'endWithResult' || steps.length < 2;
  };
  let last: unknown;
  const deps = {
    ...container,
    mailLink: undefined,
    jobs: {
      advance: (_: unknown, progress: { processed: number }, result: unknown) => {
        last = result;
        return recorded('advance', progress);
      },
      endWithResult: (
        _: unknown,
        { state, result, progress }: { state: string; result: unknown; progress: { processed: number } },
      ) => {
        last = { state, result };
        return recorded('endWithResult', progress);
      },
    },
  } as unknown as Parameters<typeof runUserActions>[0];
  const job = { parts: {}, progress: { processed: 0, total: 41, errors: 0 } } as never;
  const attempt = { jobId: newId(), attemptId: newId() };
  const stopping = new AbortController().signal;
  await runUserActions(deps, { attempt, job, action, stopping });
  t.same(
    steps.map(({ processed }) => processed),
    [20, 40],
    'a lost attempt changes nothing more',
  );
  const rest = { parts: { 0: last }, progress: { processed: 40, total: 41, errors: 0 } } as never;
  await runUserActions(deps, { attempt, job: rest, action, stopping: AbortSignal.abort() });
  t.equal(
    await isActive(users[40] ?? { id: '' }),
    true,
    'a worker that stops leaves the rest to another one',
  );
  await runUserActions(deps, {
    attempt,
    job: rest,
    action: { ...action, userId: users[0]?.id ?? '' },
    stopping,
  });
  t.match(last, { state: 'failed', result: { error: 'tokens.permissionMissing', done: 40 } });
  t.equal(await isActive(users[40] ?? { id: '' }), true);
});
