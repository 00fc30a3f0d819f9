import { addGroup } from '#src/people/groups/add-group.js';
import { compareP95, compareRates, type Pace } from '../compare.js';
import type { Cost } from '../growth.js';
import { median, type Shot } from '../load.js';
import { organizationOf } from '../load-users.js';
import { compared, judged, milliseconds, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { type ScimTarget, scimTarget } from '../target.js';
import { type GroupOfSize, measureGroupGrants } from './group-grants.js';

const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const headers = { 'content-type': 'application/scim+json' };
const connections = 4;
const groupsOfOne = 1_000;
const membersAtOnce = 1_000;
/** The size of an organization that has no group. */
const peopleWithoutGroups = 999;
const parallel = 50;

/** Changes and reads of groups with few and with many members, and of a person in many groups. */
export async function measureGroups(
  setting: Setting,
  {
    token,
    sizes,
    pace,
    costs,
  }: { token: string; sizes: { few: number; many: number }; pace: Pace; costs: Cost[] },
): Promise<Row[]> {
  const client = await openClient(setting, token, sizes.many);
  const { ids } = client;
  // The load of the changes may remove these two members.
  const [member = '', other = ''] = ids;
  const few = { id: await makeGroup(client, 'Few'), size: sizes.few, member: other };
  const many = { id: await makeGroup(client, 'Many'), size: sizes.many, member };
  await replaceMembers(client, few.id, 'Few', ids.slice(0, sizes.few));
  const rows = [
    ...(await measureReads(client, await openClient(setting, token, peopleWithoutGroups), pace)),
    await measureReplacing(client, many),
    await measureChanges(client, { few, many, pace, costs }),
    await measureAdding(client, pace),
    await measureParallel(await makeGroup(client, 'Parallel'), client, pace),
  ];
  for (const { id, member } of [many, few]) await patchMembers(client, id, 'add', [member]);
  rows.push(await measureGroupGrants(setting, { orgId: client.orgId, token, many, few, pace }));
  rows.push(...(await measureCrowdedPerson(setting, client, { large: many.id, pace })));
  return rows;
}

/** A client of the organization with the groups. */
interface GroupClient extends ScimTarget {
  readonly orgId: string;
  /** The users of the organization. */
  readonly ids: readonly string[];
  /** @throws Error if the response is no success */
  send(shot: Shot): Promise<Response>;
}

async function openClient(
  { container, baseUrl }: Setting,
  token: string,
  size: number,
): Promise<GroupClient> {
  const { id: orgId } = await organizationOf(container, size);
  const { url, shot } = scimTarget(baseUrl, orgId, token);
  const users = await container.mongo.db
    .collection<{ _id: string }>('users')
    .find({ orgId }, { projection: { _id: 1 } })
    .toArray();
  return {
    url,
    shot,
    orgId,
    ids: users.map(({ _id }) => _id),
    async send({ method, path, body }) {
      const sent = shot({ method, path, headers, ...(body !== undefined && { body }) });
      const answer = await fetch(`${url}${sent.path}`, { ...sent, headers: sent.headers ?? {} });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return answer;
    },
  };
}

function bodyWith(displayName: string, members: readonly string[]): string {
  return JSON.stringify({ schemas: [group], displayName, members: members.map((value) => ({ value })) });
}

function bodyOfPatch(op: 'add' | 'remove', members: readonly string[]): string {
  const value = members.map((one) => ({ value: one }));
  return JSON.stringify({ schemas: [patchOp], Operations: [{ op, path: 'members', value }] });
}

async function makeGroup({ send }: GroupClient, displayName: string): Promise<string> {
  const body = bodyWith(displayName, []);
  const made = await send({ method: 'POST', path: '/Groups?attributes=id', body });
  return ((await made.json()) as { id: string }).id;
}

async function replaceMembers(
  { send }: GroupClient,
  id: string,
  displayName: string,
  members: readonly string[],
): Promise<void> {
  const body = bodyWith(displayName, members);
  await send({ method: 'PUT', path: `/Groups/${id}?attributes=id`, body });
}

async function patchMembers(
  { send }: Pick<GroupClient, 'send'>,
  id: string,
  op: 'add' | 'remove',
  members: readonly string[],
): Promise<void> {
  await send({ method: 'PATCH', path: `/Groups/${id}`, body: bodyOfPatch(op, members) });
}

/** One PUT that gives a group all users of the organization. */
async function measureReplacing(client: GroupClient, { id, size }: GroupOfSize): Promise<Row> {
  const started = performance.now();
  await replaceMembers(client, id, 'Many', client.ids);
  const replacing = performance.now() - started;
  return {
    measure: `PUT of a group with ${size.toLocaleString('en')} members`,
    ours: `${Math.round(size / (replacing / 1_000)).toLocaleString('en')} members/s`,
    ...nothing,
    peer: 'one request',
  };
}

/** PATCHes of one member, in a large group beside a small one. */
async function measureChanges(
  { url, shot, ids }: GroupClient,
  { few, many, pace, costs }: { few: GroupOfSize; many: GroupOfSize; pace: Pace; costs: Cost[] },
): Promise<Row> {
  // Of the users of the load, about half are members at any time.
  const changeOf =
    ({ id, size }: GroupOfSize) =>
    () => {
      const op = Math.random() < 0.5 ? 'add' : 'remove';
      const one = ids[Math.floor(Math.random() * Math.min(2 * size, ids.length))] ?? '';
      return shot({ method: 'PATCH', path: `/Groups/${id}`, headers, body: bodyOfPatch(op, [one]) });
    };
  const changes = await compareP95(
    { url, connections, next: changeOf(many) },
    { url, connections, next: changeOf(few) },
    pace,
  );
  const what = 'PATCH of one member of a group, p95 in ms (users: its members)';
  costs.push({ what, users: many.size, cost: changes.ours }, { what, users: few.size, cost: changes.peer });
  return judged(
    {
      measure: `PATCH of one member, p95 in a group of ${many.size.toLocaleString('en')}`,
      ours: milliseconds(changes.ours),
      peer: `in a group of ${few.size.toLocaleString('en')}: ${milliseconds(changes.peer)}`,
    },
    changes.ratio,
    { atMost: 1.5 },
  );
}

/** GETs and lists of people of the organization with the groups, half of whom are in one, beside those of an organization that has no group. */
async function measureReads(client: GroupClient, without: GroupClient, pace: Pace): Promise<Row[]> {
  const ids = client.ids.slice(0, peopleWithoutGroups);
  await replaceMembers(
    client,
    await makeGroup(client, 'Half'),
    'Half',
    ids.filter((_, n) => n % 2 === 0),
  );
  const reads = ({ url, shot }: ScimTarget, paths: readonly string[]) => ({
    url,
    connections: 16,
    next: paths.map((path) => shot({ method: 'GET', path })),
  });
  const gets = (of: readonly string[]) => of.map((id) => `/Users/${id}`);
  const list = ['/Users?count=100&attributes=userName,name,emails,groups'];
  const rows: Row[] = [];
  for (const [measure, ours, peer] of [
    ['SCIM get by id, half of the people in a group', gets(ids), gets(without.ids)],
    ['SCIM list of 100 with groups, half of the people in one', list, list],
  ] as const) {
    const result = await compareRates(reads(client, ours), reads(without, peer), pace);
    const row = {
      measure,
      ours: rate(result.ours),
      peer: `an organization without groups: ${rate(result.peer)}`,
    };
    rows.push(judged(row, result.ratio, { atLeast: 0.87 }));
  }
  return rows;
}

/** PATCHes that fill new groups, many members at once. */
async function measureAdding(client: GroupClient, pace: Pace): Promise<Row> {
  const { ids } = client;
  const rates: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const id = await makeGroup(client, `Filled ${round}`);
    const parts = Array.from({ length: 10 }, (_, n) => ids.slice(n * membersAtOnce, (n + 1) * membersAtOnce));
    const from = performance.now();
    for (const part of parts) await patchMembers(client, id, 'add', part);
    rates.push(parts.flat().length / ((performance.now() - from) / 1_000));
  }
  const perSecond = median(rates);
  return {
    measure: `PATCH that adds ${membersAtOnce.toLocaleString('en')} members, one after the other`,
    ours: `${Math.round(perSecond).toLocaleString('en')} members/s`,
    peer: 'one at a time',
    ratio: '',
    asked: '>= 10,000',
    met: perSecond >= 10_000 ? 'yes' : 'NO',
  };
}

/** Reads of a person in many groups, beside a person in none. @param large the group that the second person leaves */
async function measureCrowdedPerson(
  { container }: Setting,
  client: GroupClient,
  { large, pace }: { large: string; pace: Pace },
): Promise<Row[]> {
  const { orgId, url, shot } = client;
  const [busy = '', alone = ''] = client.ids.slice(-2);
  for (let n = 0; n < groupsOfOne; n++) {
    const profile = { displayName: `Of one ${n}` };
    await addGroup(container, { orgId, profile, members: new Set([busy]), editor });
  }
  // The person who is in no other group is taken out of the large one.
  await patchMembers(client, large, 'remove', [alone]);
  const rows: Row[] = [];
  for (const [measure, query] of [
    ['GET of a person in 1,000 groups, with the groups', ''],
    ['GET of a person in 1,000 groups, without the groups', '?excludedAttributes=groups'],
  ] as const) {
    const read = (id: string) => ({
      url,
      connections,
      next: shot({ method: 'GET', path: `/Users/${id}${query}` }),
    });
    const result = await compareP95(read(busy), read(alone), pace);
    const row = {
      measure: `${measure}, p95`,
      ours: milliseconds(result.ours),
      peer: `in no group: ${milliseconds(result.peer)}`,
    };
    rows.push(compared(row, result.ratio));
  }
  return rows;
}

const nothing = { peer: '', ratio: '', asked: '', met: '' };

/** PATCHes of one group that are sent at once, each with another member. None may fail or be lost. */
async function measureParallel(id: string, { ids, send }: GroupClient, pace: Pace): Promise<Row> {
  const slowest: number[] = [];
  const medians: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const members = ids.slice(round * parallel, (round + 1) * parallel);
    const times = await Promise.all(
      members.map(async (one) => {
        const started = performance.now();
        await patchMembers({ send }, id, 'add', [one]);
        return performance.now() - started;
      }),
    );
    slowest.push(Math.max(...times));
    medians.push(median(times));
  }
  const found = (await (await send({ method: 'GET', path: `/Groups/${id}` })).json()) as {
    members?: unknown[];
  };
  const expected = pace.rounds * parallel;
  if (found.members?.length !== expected)
    throw new Error(`Of ${expected} members ${found.members?.length} are there`);
  const time = median(slowest);
  return {
    measure: `${parallel} parallel PATCHes of one group, the slowest`,
    ours: milliseconds(time),
    peer: `median of them: ${milliseconds(median(medians))}`,
    ratio: '',
    asked: '< 1,000 ms',
    met: time < 1_000 ? 'yes' : 'NO',
  };
}
