import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { runPolicyTrial } from '#src/admin/policy-trials/run-policy-trial.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { newId } from '#src/platform/ids.js';
import { makeTenant, testEditor } from '../../../support/app/make.js';
import { makeApplication } from '../../../support/app/oauth-client.js';
import { giveTotp, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';

/** A trial for which too many people must be looked at one by one: a job looks at everybody. */

const { container, call, clock } = await buildTestApp(t, { workers: true });
// The daily correction would make the numbers known again between two requests.
t.intercept(container.userTotals, 'correct', { value: async () => ({ stored: undefined, counted: 0 }) });
t.intercept(container.userTotals, 'correctFactors', { value: async () => false });

async function makeOrganization() {
  const tenant = await makeTenant(container);
  const { orgId, owner } = tenant;
  const home = await container.organizations.find(orgId);
  if (home === undefined) throw new Error('There is no organization');
  const people = await Promise.all(Array.from({ length: 5 }, () => makePerson(container, home)));
  const [boss, member, able] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
  await makePerson(container, home, { active: false });
  await giveTotp(container, able);
  await addMembership(container, { userId: boss.id, role: 'ORG_USER_VIEWER', orgId, editor: testEditor });
  const group = await addGroup(container, {
    ...{ orgId, profile: { displayName: 'Many' }, members: new Set([member.id, able.id]) },
    editor: testEditor,
  });
  const path = `/admin/v1/orgs/${orgId}/sign-in-policy/trial`;
  const begin = (body: object, as = owner) => call(`POST ${path}`, { as, body });
  /** Makes the numbers of the organization unknown, and so large that no request counts. */
  const grow = async () => {
    const totals = container.mongo.collection<{ _id: string; orgId: string; by: number }>('userTotals');
    await totals.updateOne({ _id: orgId }, { $unset: { factors: '' } });
    await totals.insertOne({ _id: newId(), orgId, by: 20_001 });
  };
  return { ...tenant, home, boss, member, able, group, begin, grow };
}

type Answer = Awaited<ReturnType<typeof call>>;

async function end({ headers }: Answer, as: Awaited<ReturnType<typeof makeTenant>>['owner']) {
  const address = new URL(String(headers['location'])).pathname;
  for (;;) {
    const { body: job } = await call(`GET ${address}`, { as });
    if (!['queued', 'running'].includes(job.state)) return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

t.test('the job says what the request would have said, with the policy', async (t) => {
  const { owner, orgId, begin, grow, boss, group } = await makeOrganization();
  await makeApplication(container, orgId);
  const policies = [
    {},
    { demands: [{ of: 'everybody', acr: '2', from: '2090-01-01' }] },
    { demands: [{ of: 'roles', acr: '2', from: '2020-01-01' }] },
    { demands: [{ of: 'groups', groups: [group.id], acr: '2', from: '2020-01-01' }] },
    { firstFactors: ['passkey', 'connection'] },
  ];
  const atOnce = [];
  for (const policy of policies) {
    const { status, body } = await begin(policy);
    t.equal(status, 200);
    atOnce.push(body);
  }
  t.same(atOnce[2]?.administrators, [{ userId: boss.id, userName: boss.userName, outcome: 'lockedOut' }]);
  t.same(atOnce[3]?.people, { meets: 4, mustEnrol: 0, lockedOut: 1 });
  for (const [n, policy] of policies.entries()) {
    await grow();
    const begun = await begin(policy);
    t.equal(begun.status, 202);
    const job = await end(begun, owner);
    t.match(job, { kind: 'policy-trial', orgId, state: 'completed', progress: { processed: 6 } });
    t.same(job.result, { ...atOnce[n], policy });
  }
});

t.test('members of large groups, and people with a role by a group, are looked at', async (t) => {
  const { owner, orgId, begin, member, able, group } = await makeOrganization();
  const members = container.mongo.db.collection<{ _id: string }>('groupMembers');
  const strangers = Array.from({ length: 20_001 }, (_, n) => `nobody-${n}`);
  await members.insertMany(
    strangers.map((userId) => ({
      ...{ _id: `${group.id} ${userId}`, orgId, groupId: group.id, userId, schemaVersion: 1 },
    })),
  );
  const everybody = { demands: [{ of: 'everybody', acr: '2', from: '2090-01-01' }] };
  t.equal((await begin(everybody)).status, 200, 'a policy that does not name the group needs no job');
  const ofGroup = { of: 'groups', groups: [group.id], acr: '2', from: '2020-01-01' };
  const named = await end(await begin({ demands: [ofGroup] }), owner);
  t.same(named.result.people, { meets: 4, mustEnrol: 0, lockedOut: 1 });
  t.same(named.result.administrators, [], 'a member of a group without roles is no administrator');
  await call(`PUT /admin/v1/orgs/${orgId}/groups/${group.id}/roles`, {
    ...{ as: owner, body: { roles: ['ORG_USER_VIEWER'] } },
  });
  const powerful = await end(
    await begin({ demands: [{ of: 'roles', acr: '2', from: '2020-01-01' }] }),
    owner,
  );
  const names = powerful.result.administrators.map(({ userId }: { userId: string }) => userId);
  t.ok(names.includes(member.id), 'by the group');
  t.notOk(names.includes(able.id));
});

t.test('an organization has one such job at a time, which its owner may cancel', async (t) => {
  const { owner, orgId, manager, begin, grow } = await makeOrganization();
  const id = newId();
  const waiting = { id, kind: 'policy-trial', orgId, requestedBy: owner.id, total: 1 } as const;
  await container.jobs.insert({ ...waiting, created: clock.now(), body: Buffer.from('{}') });
  await grow();
  t.match(await begin({}), { status: 409, body: { id: 'directory.trialUnderWay' } });
  t.equal((await call(`DELETE /admin/v1/jobs/${id}`, { as: manager })).status, 404);
  t.match((await call(`DELETE /admin/v1/jobs/${id}`, { as: owner })).body, { state: 'cancelled' });
  await grow();
  t.match(await end(await begin({}), owner), { state: 'completed' });
  const other = await makeOrganization();
  t.equal((await call(`GET /admin/v1/jobs/${id}`, { as: other.owner })).status, 404);
});

t.test('an attempt goes on where the one before stopped, and ends without the right', async (t) => {
  const { owner, orgId } = await makeOrganization();
  const trial = { orgId, policy: {}, userId: owner.id, credential: { accessToken: [] } } as const;
  const begin = async () => {
    const id = newId();
    const new_ = { id, kind: 'policy-trial', orgId, requestedBy: owner.id, total: 6 } as const;
    await container.jobs.insert({ ...new_, created: clock.now(), body: Buffer.from('{}') });
    return id;
  };
  const attempt = async (jobId: string, stopping: AbortSignal) => {
    const attemptId = newId();
    const job = await container.jobs.start({ jobId, attemptId });
    if (job === undefined) throw new Error('The job has ended');
    await runPolicyTrial(container, { attempt: { jobId, attemptId }, job, trial, stopping });
    const after = await container.jobs.find(jobId);
    if (after === undefined) throw new Error('There is no job');
    return after;
  };
  const first = await begin();
  const stopped = await attempt(first, AbortSignal.abort());
  t.match(stopped, { state: 'running', progress: { processed: 6, total: 6 } });
  const counted = (stopped.parts['0'] as { scan: { people: object } }).scan.people;
  const done = await attempt(first, new AbortController().signal);
  t.match(done, { state: 'completed', progress: { processed: 6 } });
  t.same((done.parts['0'] as { people: object }).people, counted, 'nobody is counted twice');

  const second = await begin();
  const [membership] = await container.memberships.ofUser(owner.id);
  await container.mongo.transaction((transaction) =>
    container.memberships.remove(membership?.id ?? '', transaction),
  );
  const failed = await attempt(second, new AbortController().signal);
  t.match(failed, { state: 'failed', parts: { 0: { error: { id: 'tokens.permissionMissing' } } } });
});
