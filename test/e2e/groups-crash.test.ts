import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { newUser } from '../support/scim/bulk.js';

/** Members of many groups are added by many simultaneous requests, whose process is killed. */

t.test('groups outlive the process that was changing them', { timeout: 180_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const api = await stage.startApi();
  const doomed = await stage.startApi();
  const scim = `/scim/v2/${stage.orgId}`;
  const create = async (kind: 'Users' | 'Groups', json: object): Promise<string> =>
    (await api.call(`POST ${scim}/${kind}`, { json })).body.id;
  const userIds = await Promise.all(Array.from({ length: 40 }, (_, n) => create('Users', newUser(`u${n}`))));
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
  const groupIds = await Promise.all(
    Array.from({ length: 8 }, (_, n) => create('Groups', { schemas, displayName: `Group ${n}` })),
  );
  const all = userIds.flatMap((userId) => groupIds.map((groupId) => ({ groupId, userId })));
  const add = async (by: typeof api, { groupId, userId }: (typeof all)[number]) => {
    const json = { Operations: [{ op: 'add', path: 'members', value: [{ value: userId }] }] };
    return (await by.call(`PATCH ${scim}/Groups/${groupId}`, { json })).status;
  };
  const membersOf = async (groupId: string): Promise<string[]> => {
    const { body } = await api.call(`GET ${scim}/Groups/${groupId}`);
    return (body.members ?? []).map(({ value }: { value: string }) => value);
  };
  /** The users whom the events of a group added. The events must have all sequences, each once. */
  const addedBy = async (groupId: string): Promise<string[]> => {
    const json = { aggregateId: groupId, limit: 1_000, asc: true };
    const { events } = (await api.call('POST /admin/v1/events/_search', { json })).body;
    const { meta } = (await api.call(`GET ${scim}/Groups/${groupId}`)).body;
    t.match(meta.version, `W/"${events.length}-`, 'the version counts the events');
    t.ok(events.every(({ sequence }: { sequence: number }, n: number) => sequence === n + 1));
    return events.flatMap(({ payload }: { payload: { userIds?: string[] } }) => payload.userIds ?? []);
  };

  const acknowledged: typeof all = [];
  const waiting = [...all];
  const client = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if ((await add(doomed, next).catch(() => 0)) === 204) acknowledged.push(next);
      else return;
    }
  };
  const clients = Array.from({ length: 16 }, client);
  await until(() => acknowledged.length >= 60);
  await doomed.crash();
  await Promise.all(clients);
  t.ok(
    waiting.length > 0,
    `it died in the middle: ${acknowledged.length} of ${all.length} were acknowledged`,
  );

  for (const groupId of groupIds) {
    const members = (await membersOf(groupId)).sort();
    t.strictSame((await addedBy(groupId)).sort(), members, 'each member has one event');
    const told = acknowledged.filter((one) => one.groupId === groupId).map(({ userId }) => userId);
    t.ok(
      told.every((userId) => members.includes(userId)),
      'what was acknowledged is there',
    );
  }
  const again = await Promise.all(all.map((one) => add(api, one)));
  t.strictSame([...new Set(again)], [204]);
  for (const groupId of groupIds) {
    t.strictSame((await membersOf(groupId)).sort(), [...userIds].sort());
    t.strictSame((await addedBy(groupId)).sort(), [...userIds].sort(), 'nobody joined twice');
  }
});
