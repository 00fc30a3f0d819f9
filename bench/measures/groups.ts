import { addGroup } from '#src/people/groups/add-group.js';
import { compareP95, type Pace } from '../compare.js';
import type { Cost } from '../growth.js';
import { median, type Shot } from '../load.js';
import { organizationOf } from '../load-users.js';
import { compared, judged, milliseconds, type Row } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { scimTarget } from '../target.js';
import { measureGroupGrants } from './group-grants.js';

const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const headers = { 'content-type': 'application/scim+json' };
const connections = 4;
const groupsOfOne = 1_000;
const membersAtOnce = 1_000;
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
  const { container } = setting;
  const organization = await organizationOf(container, sizes.many);
  const orgId = organization.id;
  const { url, shot } = scimTarget(setting.baseUrl, orgId, token);
  const users = await container.mongo.db
    .collection<{ _id: string }>('users')
    .find({ orgId }, { projection: { _id: 1 } })
    .toArray();
  const ids = users.map(({ _id }) => _id);
  const rows: Row[] = [];

  const send = async ({ method, path, body }: Shot) => {
    const sent = shot({ method, path, headers, ...(body !== undefined && { body }) });
    const answer = await fetch(`${url}${sent.path}`, { ...sent, headers: sent.headers ?? {} });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const bodyWith = (displayName: string, members: readonly string[]) =>
    JSON.stringify({ schemas: [group], displayName, members: members.map((value) => ({ value })) });
  const makeGroup = async (displayName: string) => {
    const made = await send({
      method: 'POST',
      path: '/Groups?attributes=id',
      body: bodyWith(displayName, []),
    });
    return ((await made.json()) as { id: string }).id;
  };
  const few = await makeGroup('Few');
  const many = await makeGroup('Many');
  await send({
    method: 'PUT',
    path: `/Groups/${few}?attributes=id`,
    body: bodyWith('Few', ids.slice(0, sizes.few)),
  });
  const started = performance.now();
  await send({ method: 'PUT', path: `/Groups/${many}?attributes=id`, body: bodyWith('Many', ids) });
  const replacing = performance.now() - started;
  rows.push({
    measure: `PUT of a group with ${sizes.many.toLocaleString('en')} members`,
    ours: `${Math.round(sizes.many / (replacing / 1_000)).toLocaleString('en')} members/s`,
    ...nothing,
    peer: 'one request',
  });

  // Of the users of the load, about half are members at any time.
  const changeOf = (id: string, size: number) => () => {
    const op = Math.random() < 0.5 ? 'add' : 'remove';
    const value = [{ value: ids[Math.floor(Math.random() * Math.min(2 * size, ids.length))] }];
    const body = JSON.stringify({ schemas: [patchOp], Operations: [{ op, path: 'members', value }] });
    return shot({ method: 'PATCH', path: `/Groups/${id}`, headers, body });
  };
  const changes = await compareP95(
    { url, connections, next: changeOf(many, sizes.many) },
    { url, connections, next: changeOf(few, sizes.few) },
    pace,
  );
  rows.push(
    judged(
      {
        measure: `PATCH of one member, p95 in a group of ${sizes.many.toLocaleString('en')}`,
        ours: milliseconds(changes.ours),
        peer: `in a group of ${sizes.few.toLocaleString('en')}: ${milliseconds(changes.peer)}`,
      },
      changes.ratio,
      { atMost: 1.5 },
    ),
  );
  const what = 'PATCH of one member of a group, p95 in ms (users: its members)';
  costs.push({ what, users: sizes.many, cost: changes.ours }, { what, users: sizes.few, cost: changes.peer });

  const rates: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const id = await makeGroup(`Filled ${round}`);
    const parts = Array.from({ length: 10 }, (_, n) => ids.slice(n * membersAtOnce, (n + 1) * membersAtOnce));
    const from = performance.now();
    for (const part of parts) {
      const value = part.map((one) => ({ value: one }));
      const body = JSON.stringify({
        schemas: [patchOp],
        Operations: [{ op: 'add', path: 'members', value }],
      });
      await send({ method: 'PATCH', path: `/Groups/${id}`, body });
    }
    rates.push(parts.flat().length / ((performance.now() - from) / 1_000));
  }
  const rate = median(rates);
  rows.push({
    measure: `PATCH that adds ${membersAtOnce.toLocaleString('en')} members, one after the other`,
    ours: `${Math.round(rate).toLocaleString('en')} members/s`,
    peer: 'one at a time',
    ratio: '',
    asked: '>= 10,000',
    met: rate >= 10_000 ? 'yes' : 'NO',
  });
  rows.push(await measureParallel(await makeGroup('Parallel'), { ids, send, pace }));

  // The load above may have removed them.
  const [member = '', other = ''] = ids;
  for (const [id, one] of [
    [many, member],
    [few, other],
  ]) {
    const value = [{ value: one }];
    const body = JSON.stringify({ schemas: [patchOp], Operations: [{ op: 'add', path: 'members', value }] });
    await send({ method: 'PATCH', path: `/Groups/${id}`, body });
  }
  rows.push(
    await measureGroupGrants(setting, {
      orgId,
      token,
      many: { id: many, size: sizes.many, member },
      few: { id: few, size: sizes.few, member: other },
      pace,
    }),
  );

  const [busy = '', alone = ''] = ids.slice(-2);
  for (let n = 0; n < groupsOfOne; n++) {
    const profile = { displayName: `Of one ${n}` };
    await addGroup(container, { orgId, profile, members: new Set([busy]), editor });
  }
  // The person who is in no other group is taken out of the large one.
  const value = [{ value: alone }];
  const out = JSON.stringify({ schemas: [patchOp], Operations: [{ op: 'remove', path: 'members', value }] });
  await send({ method: 'PATCH', path: `/Groups/${many}`, body: out });
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
    rows.push(
      compared(
        {
          measure: `${measure}, p95`,
          ours: milliseconds(result.ours),
          peer: `in no group: ${milliseconds(result.peer)}`,
        },
        result.ratio,
      ),
    );
  }
  return rows;
}

const nothing = { peer: '', ratio: '', asked: '', met: '' };

/** PATCHes of one group that are sent at once, each with another member. None may fail or be lost. */
async function measureParallel(
  id: string,
  { ids, send, pace }: { ids: readonly string[]; send: (shot: Shot) => Promise<Response>; pace: Pace },
): Promise<Row> {
  const slowest: number[] = [];
  const medians: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const members = ids.slice(round * parallel, (round + 1) * parallel);
    const times = await Promise.all(
      members.map(async (one) => {
        const started = performance.now();
        const Operations = [{ op: 'add', path: 'members', value: [{ value: one }] }];
        const body = JSON.stringify({ schemas: [patchOp], Operations });
        await send({ method: 'PATCH', path: `/Groups/${id}`, body });
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
