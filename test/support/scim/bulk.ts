import type { Test } from 'tap';
import type { HttpAnswer } from '../../../dev/stage/http-client.js';
import type { Api, Stage } from '../../../dev/stage/stage.js';
import { until } from '../../../dev/until.js';

const bulkUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Settings with which a Bulk of users with passwords takes seconds, and is not cut short by the request's deadline. */
export const slowBulk = {
  MUSTER_ARGON2_PASSES: '5',
  MUSTER_HASH_CONCURRENCY: '2',
  MUSTER_REQUEST_TIMEOUT_SECONDS: '120',
};

/** A Bulk request that creates `count` users named after `word`. */
export function bulkOf(word: string, count: number, password?: string) {
  return {
    schemas: [bulkUrn],
    Operations: Array.from({ length: count }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `${word}-${index}`,
      data: newUser(`${word}-${index}`, password),
    })),
  };
}

export function newUser(userName: string, password?: string) {
  return {
    schemas: [userUrn],
    userName,
    name: { givenName: 'Given', familyName: 'Family' },
    emails: [{ value: `${userName}@example.com`, primary: true }],
    ...(password !== undefined && { password }),
  };
}

/** Sends a Bulk request. */
export function sendBulk(
  { orgId }: Stage,
  api: Api,
  bulk: object,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  return api.call(`POST /scim/v2/${orgId}/Bulk`, { json: bulk, headers });
}

/**
 * Sends Bulk requests until one is applied. Before, the workers may not have found the new master of Redis: a Bulk is then
 * refused, or answered after its deadline with operations that were not applied.
 */
export async function untilBulkWorks(stage: Stage, api: Api, options: { within: number }): Promise<void> {
  await until(async () => {
    const answer = await sendBulk(stage, api, bulkOf(`after-${Math.random()}`, 2));
    return answer.status === 200 && namesByStatus(answer)[201]?.length === 2;
  }, options);
}

/** The users whose names begin with `word`, by name, with the number of `user.human.added` events of each. */
export async function usersAndEvents({ orgId }: Stage, api: Api, word: string) {
  const filter = encodeURIComponent(`userName sw "${word}-"`);
  const list = await api.call(`GET /scim/v2/${orgId}/Users?count=100&filter=${filter}`);
  if (list.status !== 200) throw new Error(`The list answers ${list.status}`);
  const users: { id: string; userName: string }[] = list.body.Resources;
  const search = { resourceOwner: orgId, eventTypes: ['user.human.added'], limit: 1000 };
  const { body } = await api.call('POST /admin/v1/events/_search', { json: search });
  const added = new Map<string, number>();
  for (const { aggregate } of body.events) added.set(aggregate.id, (added.get(aggregate.id) ?? 0) + 1);
  return users.map(({ id, userName }) => ({ id, userName, events: added.get(id) ?? 0 }));
}

/** Asserts that exactly these users exist, each once and with one event. */
export async function expectAppliedOnce(
  t: Test,
  { stage, api, word, names }: { stage: Stage; api: Api; word: string; names: string[] },
): Promise<void> {
  const found = await usersAndEvents(stage, api, word);
  t.same(found.map(({ userName }) => userName).sort(), [...names].sort(), `${word}: each user exists once`);
  t.same(
    found.filter(({ events }) => events !== 1),
    [],
    `${word}: each user has one event`,
  );
}

/** The userNames of a Bulk request, by the status in the response. */
export function namesByStatus(answer: HttpAnswer): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const { bulkId, status } of answer.body.Operations as { bulkId: string; status: string }[]) {
    names[status] ??= [];
    names[status].push(bulkId);
  }
  return names;
}

/** The number of users of the Bulk that exist, by a cheap call. */
export async function countOf({ orgId }: Stage, api: Api, word: string): Promise<number> {
  const filter = encodeURIComponent(`userName sw "${word}-"`);
  const { body } = await api.call(`GET /scim/v2/${orgId}/Users?count=0&filter=${filter}`);
  return body.totalResults;
}

/** Whether a worker has logged this of a Bulk. Other kinds of jobs run there too, and some as soon as it starts. */
export function saysOfBulk({ log }: { log(): string }, message: RegExp): boolean {
  return log()
    .split('\n')
    .some((line) => line.includes('"job":"scim-bulk"') && message.test(line));
}
