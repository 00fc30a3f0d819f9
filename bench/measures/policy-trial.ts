import { setTimeout as pause } from 'node:timers/promises';
import { addGroup } from '#src/people/groups/add-group.js';
import { newId } from '#src/platform/ids.js';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { organizationWithFactors } from '../people-with-factors.js';
import { compared, milliseconds, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';

/** The members of the group that is named. */
const mostMembers = 100_000;
/** So many people in the groups of a policy are answered at once. */
const mostAtOnce = 20_000;
/** The longest time of a trial that kept numbers answer, in milliseconds. */
const longestMs = 5_000;
/** A count and a job that read more people than this take minutes, so they run once. */
const mostRepeated = 100_000;

/**
 * The time of trials of a sign-in policy. A policy that demands of everybody or of roles is answered from kept numbers, and one that names a large
 * group by a job.
 */
export async function measurePolicyTrial(
  setting: Setting,
  { token, users, pace }: { token: string; users: number; pace: Pace },
): Promise<Row[]> {
  const { container } = setting;
  const { id: orgId } = await organizationWithFactors(container, users);
  const size = users.toLocaleString('en');
  const members = Math.min(users, mostMembers);
  const rounds = users > mostRepeated ? 1 : Math.min(3, pace.rounds);
  const client = trialClient(setting, orgId, token);
  const rows: Row[] = [];
  const counting = await medianOf(rounds, () => container.accounts.countFactors(orgId));
  for (const of of ['everybody', 'roles'] as const) {
    const policy = { demands: [{ of, acr: '2', from: '2090-01-01' }] };
    const ours = await medianOf(pace.rounds, async () => {
      const { people } = await client.atOnce(policy);
      const counted = people.meets + people.mustEnrol + people.lockedOut;
      if (counted !== users) throw new Error(`${counted} of ${users} people`);
    });
    const row = {
      measure: `trial of a policy for ${of}, ${size} users`,
      ours: milliseconds(ours),
      peer: `counting the users: ${milliseconds(counting)}`,
    };
    rows.push({ ...compared(row, ours / counting), asked: '<= 5 s', met: ours <= longestMs ? 'yes' : 'NO' });
  }
  if (members <= mostAtOnce) return rows;
  const groupId = await groupWith(setting, orgId, members);
  const policy = { demands: [{ of: 'groups', groups: [groupId], acr: '2', from: '2090-01-01' }] };
  const rates: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await timeOf(() => client.byJob(policy));
    const bare = await timeOf(async () => {
      const found = container.mongo.db.collection('users').find({ orgId }).sort({ _id: 1 }).batchSize(1_000);
      for await (const _user of found);
    });
    rates.push({ ours: (users / ours) * 1_000, bare: (users / bare) * 1_000 });
  }
  const row = {
    measure: `trial of a policy for a group of ${members.toLocaleString('en')}, ${size} users`,
    ours: rate(median(rates.map(({ ours }) => ours)), 'users/s'),
    peer: `bare cursor: ${rate(median(rates.map(({ bare }) => bare)), 'users/s')}`,
  };
  rows.push(compared(row, median(rates.map(({ ours, bare }) => ours / bare))));
  return rows;
}

async function medianOf(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timeOf(work));
  return median(times);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

interface Trial {
  readonly people: { readonly meets: number; readonly mustEnrol: number; readonly lockedOut: number };
}

function trialClient({ baseUrl }: Setting, orgId: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const begin = async (policy: object, status: number) => {
    const address = `${baseUrl}/admin/v1/orgs/${orgId}/sign-in-policy/trial`;
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(policy) });
    if (answer.status !== status) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer;
  };
  return {
    atOnce: async (policy: object) => (await (await begin(policy, 200)).json()) as Trial,
    async byJob(policy: object): Promise<void> {
      const address = (await begin(policy, 202)).headers.get('location') ?? '';
      for (;;) {
        const job = (await (await fetch(address, { headers })).json()) as { state: string };
        if (job.state === 'completed') return;
        if (job.state !== 'queued' && job.state !== 'running') throw new Error(`The job is ${job.state}`);
        await pause(100);
      }
    },
  };
}

/** A group with the first users of the organization. Its members are written without events. */
async function groupWith({ container }: Setting, orgId: string, count: number): Promise<string> {
  const group = await addGroup(container, {
    ...{ orgId, profile: { displayName: `Trial ${newId()}` }, members: new Set<string>(), editor },
  });
  let after: string | undefined;
  for (let left = count; left > 0; ) {
    const page = await container.accounts.factorsPage(orgId, { after, limit: Math.min(1_000, left) });
    after = page.at(-1)?.id;
    if (after === undefined) throw new Error('There are too few users');
    const memberships = page.map(({ id: userId }) => ({ groupId: group.id, userId }));
    await container.mongo.transaction((transaction) =>
      container.groupMembers.insert(orgId, memberships, transaction),
    );
    left -= page.length;
  }
  return group.id;
}
