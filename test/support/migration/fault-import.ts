import { type Db, MongoClient } from 'mongodb';
import type { Test } from 'tap';
import type { Api, Stage } from '../../../dev/stage/stage.js';
import { until } from '../../../dev/until.js';
import { humanUsers } from './imports.js';

/** Users of one import. `make bench-faults` sets a larger number. */
export const faultUsers = Number(process.env['MUSTER_FAULT_USERS'] ?? 5_000);
/** The limit of waits, in milliseconds. It is large for noisy machines. Usually these waits take seconds. */
const within = 120_000 + faultUsers * 20;
/** The maximum number of imports until a fault falls in the middle of one. */
const tries = 8;

/** The processes that begin imports and read their state. */
export interface Scene {
  readonly stage: Stage;
  /** An API process that survives the fault. */
  readonly api: Api;
}

/** A list of records that a fault may interrupt. Each record adds one object, whose identifier is `id-{word}-{number}`. */
export interface FaultList {
  readonly records: (word: string) => object;
  readonly collection: 'users' | 'groups' | 'serviceUsers';
  /** The resource type of SCIM. Service users have none. */
  readonly resources?: 'Users' | 'Groups';
  readonly successKey: 'humanUserIds' | 'groupIds' | 'machineUserIds';
  readonly added: 'user.human.added' | 'group.added' | 'user.machine.added';
  /** Collections in which each object has one more, with its identifier as `userId`. Their records are in lists of a later phase. */
  readonly more?: readonly string[];
}

const ofUsers: FaultList = {
  records: (word) => ({ humanUsers: humanUsers(word, faultUsers) }),
  collection: 'users',
  resources: 'Users',
  successKey: 'humanUserIds',
  added: 'user.human.added',
};

export const ofGroups: FaultList = {
  records: (word) => ({
    groups: Array.from({ length: faultUsers }, (_, index) => ({
      groupId: `id-${word}-${index}`,
      group: { displayName: `${word}-${index}` },
    })),
  }),
  collection: 'groups',
  resources: 'Groups',
  successKey: 'groupIds',
  added: 'group.added',
};

/** Service users, each with a role in the organization and with metadata. */
export const ofServiceUsers: FaultList = {
  records: (word) => {
    const userIds = Array.from({ length: faultUsers }, (_, index) => `id-${word}-${index}`);
    return {
      org: { name: 'Stage' },
      machineUsers: userIds.map((userId) => ({ userId, user: { userName: userId } })),
      orgMembers: userIds.map((userId) => ({ userId, roles: ['ORG_USER_VIEWER'] })),
      userMetadata: userIds.map((userId) => ({ userId, key: 'badge', value: 'Ng==' })),
    };
  },
  collection: 'serviceUsers',
  successKey: 'machineUserIds',
  added: 'user.machine.added',
  more: ['memberships', 'userMetadata'],
};

/** A fault in the middle of an import. */
export interface Fault {
  /** Part of the users' names, followed by a number per import. */
  readonly word: string;
  /** The list that the import has. By default users. */
  readonly list?: FaultList;
  /** Begins the import of {@link faultImport}. By default the import is asynchronous. @returns its job */
  readonly begin?: (word: string) => Promise<string>;
  /** Resolves when the fault has happened. */
  readonly strike: () => Promise<void>;
  /** Lets the import continue. */
  readonly mend?: () => Promise<void>;
}

/** The body of an import of objects whose names contain this word. */
export function faultImport({ orgId }: Stage, word: string, list = ofUsers): string {
  const data = { orgs: [{ orgId, ...list.records(word) }] };
  // Only the form of an instance has more lists.
  return JSON.stringify({ timeout: '1h', [list.more === undefined ? 'dataOrgs' : 'dataOrgsv1']: data });
}

/** Starts an asynchronous import. @returns its job */
export function beginImport({ stage, api }: Scene, word: string, list = ofUsers): Promise<string> {
  return beginWith(api, JSON.parse(faultImport(stage, word, list)));
}

/** Starts an asynchronous import with this body. @returns its job */
export async function beginWith(api: Api, json: object): Promise<string> {
  const answer = await api.call('POST /admin/v1/import', { json, headers: { prefer: 'respond-async' } });
  if (answer.status !== 202) throw new Error(`The import is answered ${answer.status}`);
  return String(answer.headers.location).split('/').at(-1) ?? '';
}

/**
 * Asserts that an import survives a fault in its middle: some of its users were added and reported when the fault
 * struck, and others were added after it. If the import was too quick for that, the function begins another import with
 * other users. Each of these imports must complete.
 */
export async function strikeInTheMiddle(t: Test, scene: Scene, fault: Fault): Promise<void> {
  const { stage, api } = scene;
  const { list = ofUsers } = fault;
  const objects = objectsOf(list);
  for (let attempt = 1; attempt <= tries; attempt++) {
    const word = `${fault.word}${attempt}`;
    const id = await (fault.begin ?? ((name) => beginImport(scene, name, list)))(word);
    const processed = await until(
      async () => {
        const done = await progressOf(api, id);
        return done >= objects / 5 ? done : undefined;
      },
      { within },
    );
    const stored = await storedOf(stage, word, list);
    await fault.strike();
    const struck = new Date();
    await fault.mend?.();
    const { latest } = await expectImportedOnce(t, scene, { word, id, list });
    const told = `${processed} of ${objects} were told, and ${stored} stored, when it struck`;
    if (processed < objects && stored > 0 && stored < objects && (list.more || latest > struck)) {
      t.pass(`it struck in the middle: ${told}`);
      return;
    }
    t.comment(`the middle was missed: ${told}`);
  }
  t.fail(`the middle of an import was missed ${tries} times`);
}

/** The number of objects that an import of the list adds. */
const objectsOf = ({ more = [] }: FaultList) => faultUsers * (1 + more.length);

/** The number of records that are processed. */
async function progressOf(api: Api, id: string): Promise<number> {
  const { body } = await api.call(`GET /admin/v1/jobs/${id}`);
  return body.progress?.processed ?? 0;
}

/** The job after its end. The function waits while stores are away. */
function ended(api: Api, id: string) {
  return until(
    async () => {
      const { status, body } = await api.call(`GET /admin/v1/jobs/${id}`);
      return status === 200 && !['queued', 'running'].includes(body.state) ? body : undefined;
    },
    { within, every: 100 },
  );
}

/**
 * Asserts that the import completed, that its report adds up, and that each object exists once with one event.
 * @returns the time at which the last object was added
 */
export async function expectImportedOnce(
  t: Test,
  { stage, api }: Scene,
  { word, id, list = ofUsers }: { word: string; id: string; list?: FaultList },
): Promise<{ latest: Date }> {
  const { state, result } = await ended(api, id);
  const objects = objectsOf(list);
  // The organization itself is a record of the form of an instance. It exists.
  const others = list.more === undefined ? 0 : 1;
  t.equal(state, 'completed');
  t.equal(result.errors, undefined);
  const { created, skipped, failed, total } = result.summary;
  t.same(
    { created, skipped, failed, total },
    { created: objects, skipped: others, failed: 0, total: objects + others },
  );
  t.equal(new Set(result.success.orgs[0][list.successKey]).size, faultUsers, 'the report names each once');
  t.equal(await storedOf(stage, word, list), objects, 'each object is there once');
  if (list.resources !== undefined) {
    const page = await api.call(`GET /scim/v2/${stage.orgId}/${list.resources}?count=0`);
    const all = await inDatabase(stage, (db) =>
      db.collection(list.collection).countDocuments({ orgId: stage.orgId }),
    );
    t.equal(page.body.totalResults, all, 'the total of the organization is exact');
  }
  const { perObject, latest } = await eventsOf(stage, word, list);
  t.same(
    [...perObject.values()].filter((count) => count !== 1),
    [],
    'no object has two events',
  );
  t.equal(perObject.size, faultUsers, 'each object has its event');
  await until(async () => (await completions(api, id)) === 1, { within });
  return { latest };
}

const completions = async (api: Api, aggregateId: string): Promise<number> => {
  const json = { aggregateId, eventTypes: ['import.completed'] };
  return (await api.call('POST /admin/v1/events/_search', { json })).body.events?.length ?? 0;
};

/** The number of objects in the database. */
function storedOf(stage: Stage, word: string, { collection, more = [] }: FaultList): Promise<number> {
  const range = { $gte: `id-${word}-`, $lt: `id-${word}.` };
  return inDatabase(stage, async (db) => {
    const counts = [
      db.collection<{ _id: string }>(collection).countDocuments({ orgId: stage.orgId, _id: range }),
      ...more.map((name) => db.collection(name).countDocuments({ userId: range })),
    ];
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  });
}

/** The number of events for the addition of each object, and the time of the last one. */
function eventsOf(
  stage: Stage,
  word: string,
  { added }: FaultList,
): Promise<{ perObject: Map<string, number>; latest: Date }> {
  return inDatabase(stage, async (db) => {
    const perObject = new Map<string, number>();
    let latest = new Date(0);
    const events = db
      .collection<{ aggregate: { id: string }; creationDate: Date }>('events')
      .find(
        { 'aggregate.id': { $gte: `id-${word}-`, $lt: `id-${word}.` }, type: added },
        { projection: { 'aggregate.id': 1, creationDate: 1 } },
      );
    for await (const { aggregate, creationDate } of events) {
      perObject.set(aggregate.id, (perObject.get(aggregate.id) ?? 0) + 1);
      if (creationDate > latest) latest = creationDate;
    }
    return { perObject, latest };
  });
}

/** Reads the database of the stage, for counts that no endpoint offers. */
export async function inDatabase<T>({ mongodb }: Stage, look: (db: Db) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(mongodb.url);
  try {
    return await look(client.db(mongodb.database));
  } finally {
    await client.close();
  }
}
