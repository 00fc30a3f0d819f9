import { compareCosts, type Pace } from '../compare.js';
import type { Load, Shot } from '../load.js';
import { firstNumbers, scimUser } from '../people.js';
import { compared, judged, judgedTime, milliseconds, type Row, rate } from '../report.js';
import type { Setting } from '../setting.js';
import type { ScimTarget } from '../target.js';

const connections = 16;
const headers = { 'content-type': 'application/scim+json' };
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const people = 500;
const groups = 100;
/** More users than any version deletes in a second. */
const deletedInSecond = 1_500;
const usersOfBulk = 100;

let number: number = firstNumbers.changes;

/** At least this part of the rate of creates, and at most so many milliseconds of processor time, if a figure is asked. */
type Asked = readonly [atLeast: number, mostMs?: number];

/**
 * Changes of users and of groups, each beside creates by SCIM, which are the same work: a document and an event in a shared transaction. A change has
 * two rows: its rate and its processor time.
 */
export async function measureChanges(setting: Setting, target: ScimTarget, pace: Pace): Promise<Row[]> {
  const numbers = Array.from({ length: people }, () => nextNumber());
  const users = await addUsers(target, numbers);
  const groupIds = await addGroups(target);
  const creates = load(target, () => post('/Users', scimUser(nextNumber())));
  const rows: Row[] = [];
  const changes: [measure: string, ours: Load, asked: Asked][] = [
    ['SCIM PATCH of a user', ofUsers(target, users, patchTitle), [0.7, 2]],
    ['SCIM PUT of a user', ofUsers(target, users, replace(numbers)), [0.7]],
    ['SCIM deactivation or activation', ofUsers(target, users, patchActive), [0.7]],
    ['SCIM DELETE of a user', deletes(target), [0.7]],
    ['admin API, metadata of a user', metadata(setting, users), [0.7]],
    ['SCIM PATCH of a member, 100 groups in turn', load(target, changesOfMembers(users, groupIds)), [1, 1.2]],
  ];
  for (const [measure, ours, [atLeast, mostMs]] of changes) {
    const { rates, costs } = await compareCosts(ours, creates, { pace });
    const row = { measure, ours: rate(rates.ours), peer: `SCIM create: ${rate(rates.peer)}` };
    const cost = {
      ...{ measure: `${measure}, processor time of one`, ours: milliseconds(costs.ours) },
      peer: `SCIM create: ${milliseconds(costs.peer)}`,
    };
    rows.push(judged(row, rates.ratio, { atLeast }));
    rows.push(mostMs === undefined ? compared(cost, costs.ratio) : judgedTime(cost, costs, mostMs));
  }
  return rows;
}

/** A metadata value of each user in turn, by the admin API. */
function metadata({ baseUrl, organization, client }: Setting, users: readonly string[]): Load {
  let count = 0;
  const authorization = `Bearer ${client.personalAccessToken}`;
  return {
    ...{ url: baseUrl, connections },
    next() {
      const value = Buffer.from(`value ${count}`).toString('base64');
      return {
        method: 'PUT',
        path: `/admin/v1/orgs/${organization.id}/users/${users[count++ % users.length]}/metadata/bench`,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ value }),
      };
    },
  };
}

function nextNumber(): number {
  number += 1;
  return number;
}

function post(path: string, body: object): Shot {
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

function patch(path: string, operation: object): Shot {
  const body = JSON.stringify({ schemas: [patchOp], Operations: [operation] });
  return { method: 'PATCH', path, headers, body };
}

function load({ url, shot }: ScimTarget, next: () => Shot): Load {
  return { url, connections, next: () => shot(next()) };
}

type ChangeOf = (user: { id: string; index: number; turn: number }) => Shot;

/** The users in turn. @param changeOf `turn`: how often all of them were changed */
function ofUsers(target: ScimTarget, users: readonly string[], changeOf: ChangeOf): Load {
  let count = 0;
  return load(target, () => {
    const index = count % users.length;
    const turn = Math.floor(count++ / users.length);
    return changeOf({ id: users[index] ?? '', index, turn });
  });
}

const patchTitle: ChangeOf = ({ id, turn }) =>
  patch(`/Users/${id}`, { op: 'replace', path: 'title', value: `Title ${turn}` });

const patchActive: ChangeOf = ({ id, turn }) =>
  patch(`/Users/${id}`, { op: 'replace', path: 'active', value: turn % 2 === 1 });

function replace(numbers: readonly number[]): ChangeOf {
  return ({ id, index, turn }) => {
    const body = JSON.stringify({ ...scimUser(numbers[index] ?? 0), title: `Replaced ${turn}` });
    return { method: 'PUT', path: `/Users/${id}`, headers, body };
  };
}

/** Each user joins all groups, and leaves them once all users have joined. */
function changesOfMembers(users: readonly string[], groupIds: readonly string[]): () => Shot {
  let count = 0;
  return () => {
    const groupId = groupIds[count % groupIds.length];
    const turn = Math.floor(count++ / groupIds.length);
    const value = users[turn % users.length];
    const path = `/Groups/${groupId}`;
    const joins = Math.floor(turn / users.length) % 2 === 0;
    return joins
      ? patch(path, { op: 'add', path: 'members', value: [{ value }] })
      : patch(path, { op: 'remove', path: `members[value eq "${value}"]` });
  };
}

/** Deletes users who are added before the time begins. */
function deletes(target: ScimTarget): Load {
  const waiting: string[] = [];
  return {
    ...load(target, () => {
      const id = waiting.pop();
      if (id === undefined) throw new Error('More users are deleted in a second than were added');
      return { method: 'DELETE', path: `/Users/${id}`, headers };
    }),
    async prepare(seconds) {
      while (waiting.length < seconds * deletedInSecond) {
        const numbers = Array.from({ length: usersOfBulk }, () => nextNumber());
        waiting.push(...(await addUsers(target, numbers)));
      }
    },
  };
}

/** Adds people by Bulks. Returns their identifiers. */
async function addUsers(target: ScimTarget, numbers: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < numbers.length; from += usersOfBulk) {
    const Operations = numbers.slice(from, from + usersOfBulk).map((one, index) => ({
      ...{ method: 'POST', path: '/Users', bulkId: `${index}` },
      data: scimUser(one),
    }));
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    const answer = await send<{ Operations: { location: string }[] }>(
      target,
      post('/Bulk', { schemas, Operations }),
    );
    ids.push(...answer.Operations.map(({ location }) => location.slice(location.lastIndexOf('/') + 1)));
  }
  return ids;
}

async function addGroups(target: ScimTarget): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < groups; n++) {
    const made = post('/Groups', { schemas: [group], displayName: `Changed ${n}` });
    ids.push((await send<{ id: string }>(target, made)).id);
  }
  return ids;
}

async function send<T>({ url, shot }: ScimTarget, given: Shot): Promise<T> {
  const { path, ...request } = shot(given);
  const answer = await fetch(url + path, request as RequestInit);
  if (!answer.ok) throw new Error(`${given.method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
