import { MongoClient } from 'mongodb';
import type { Test } from 'tap';
import { humanUsers, importOf } from './imports.js';
import { type Api, type Stage, until } from './processes.js';

/** Users of one import; `make bench-faults` sets more. */
export const faultUsers = Number(process.env['MUSTER_FAULT_USERS'] ?? 5_000);
/** For noisy machines: what these waits wait for takes seconds. */
const within = 120_000 + faultUsers * 20;

/** The body of an import of users with names of this word. */
export function faultImport({ orgId }: Stage, word: string): string {
  return JSON.stringify(importOf(orgId, humanUsers(word, faultUsers), { timeout: '1h' }));
}

/** Starts an import that is answered later, and waits until some of its users are there. @returns its job */
export async function beginImport(stage: Stage, api: Api, word: string): Promise<string> {
  const answer = await api.call('POST /admin/v1/import', {
    json: JSON.parse(faultImport(stage, word)),
    headers: { prefer: 'respond-async' },
  });
  if (answer.status !== 202) throw new Error(`The import is answered ${answer.status}`);
  const id = String(answer.headers.location).split('/').at(-1) ?? '';
  await until(async () => (await progressOf(api, id)) > 0, { within });
  return id;
}

/** Records that are done by now. */
export async function progressOf(api: Api, id: string): Promise<number> {
  const { body } = await api.call(`GET /admin/v1/jobs/${id}`);
  return body.progress?.processed ?? 0;
}

/** The job once it ended. Stores that are away meanwhile are waited for. */
export function ended(api: Api, id: string) {
  return until(
    async () => {
      const { status, body } = await api.call(`GET /admin/v1/jobs/${id}`);
      return status === 200 && !['queued', 'running'].includes(body.state) ? body : undefined;
    },
    { within, every: 100 },
  );
}

/** Asserts that the import came to its end, that its report adds up, and that each user is there once with one event. */
export async function expectImportedOnce(
  t: Test,
  { stage, api, word, id }: { stage: Stage; api: Api; word: string; id: string },
): Promise<void> {
  const { state, result } = await ended(api, id);
  t.equal(state, 'completed');
  t.equal(result.errors, undefined);
  const { created, skipped, failed, total } = result.summary;
  t.same(
    { created, skipped, failed, total },
    { created: faultUsers, skipped: 0, failed: 0, total: faultUsers },
  );
  t.equal(new Set(result.success.orgs[0].humanUserIds).size, faultUsers, 'the report names each once');
  const counts = await countInDatabase(stage, word);
  t.equal(counts.users, faultUsers, 'each user is there once');
  t.same(
    [...counts.eventsPerUser.values()].filter((count) => count !== 1),
    [],
    'no user has two events',
  );
  t.equal(counts.eventsPerUser.size, faultUsers, 'each user has its event');
  await until(async () => (await completions(api, id)) === 1, { within });
}

const completions = async (api: Api, aggregateId: string): Promise<number> => {
  const json = { aggregateId, eventTypes: ['import.completed'] };
  return (await api.call('POST /admin/v1/events/_search', { json })).body.events?.length ?? 0;
};

async function countInDatabase({ mongodb, orgId }: Stage, word: string) {
  const client = await MongoClient.connect(mongodb.url);
  try {
    const db = client.db(mongodb.database);
    const names = { $gte: `${word}-`, $lt: `${word}.` };
    const users = await db.collection('users').countDocuments({ orgId, 'search.userName': names });
    const eventsPerUser = new Map<string, number>();
    const events = db
      .collection<{ aggregate: { id: string } }>('events')
      .find(
        { 'aggregate.resourceOwner': orgId, type: 'user.human.added' },
        { projection: { 'aggregate.id': 1 } },
      );
    for await (const { aggregate } of events) {
      if (!aggregate.id.startsWith(`id-${word}-`)) continue;
      eventsPerUser.set(aggregate.id, (eventsPerUser.get(aggregate.id) ?? 0) + 1);
    }
    return { users, eventsPerUser };
  } finally {
    await client.close();
  }
}
