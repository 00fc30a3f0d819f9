import { type Db, MongoClient } from 'mongodb';
import type { Test } from 'tap';
import type { Api, Running, Stage } from '../../../dev/stage/stage.js';
import { until } from '../../../dev/until.js';
import { humanUsers } from './imports.js';

/**
 * The fewest users of an import with a middle. A part has 500 records, and a worker has three parts in work, which it
 * may complete while the fault strikes. One part is told before the strike, and one is left.
 */
const fewestUsers = 2_500;
/** Users of one import. `make bench-faults` sets a larger number. */
export const faultUsers = Number(process.env['MUSTER_FAULT_USERS'] ?? 5_000);
if (!(faultUsers >= fewestUsers)) {
  throw new Error(`MUSTER_FAULT_USERS must be at least ${fewestUsers}: a smaller import has no middle`);
}
/** The limit of waits, in milliseconds. It is large for noisy machines. Usually these waits take seconds. */
const within = 120_000 + faultUsers * 20;
/** The maximum number of imports until a fault falls in the middle of one. */
const tries = 4;

/** The processes that begin imports and read their state. */
export interface Scene {
  readonly stage: Stage;
  /** An API process that survives the fault. */
  readonly api: Api;
}

/** A list that an import has, with one record for each user or group. */
interface List {
  readonly collection: string;
  /** Whether its objects belong to a user. Otherwise they are users or groups. */
  readonly ofUser?: boolean;
  /** The type of the event for the addition of an object. */
  readonly added: string;
}

/** What an import has, and the list that a fault interrupts. The identifiers of users and groups are `id-{word}-{number}`. */
export interface FaultRecords {
  readonly recordsOf: (word: string) => object;
  /** The list of users, service users or groups. */
  readonly main: List;
  /** A list of a later phase. The fault interrupts it, and by default the main list. */
  readonly later?: List;
  /** The number of other records, which come before a later list. By default 0. */
  readonly others?: number;
  /** The resource type of SCIM. Service users have none. */
  readonly resources?: 'Users' | 'Groups';
  readonly successKey: 'humanUserIds' | 'groupIds' | 'machineUserIds';
}

const ofUsers: FaultRecords = {
  recordsOf: (word) => ({ humanUsers: humanUsers(word, faultUsers) }),
  main: { collection: 'users', added: 'user.human.added' },
  resources: 'Users',
  successKey: 'humanUserIds',
};

export const ofGroups: FaultRecords = {
  recordsOf: (word) => ({
    groups: idsOf(word).map((groupId) => ({ groupId, group: { displayName: groupId } })),
  }),
  main: { collection: 'groups', added: 'group.added' },
  resources: 'Groups',
  successKey: 'groupIds',
};

const idsOf = (word: string) => Array.from({ length: faultUsers }, (_, index) => `id-${word}-${index}`);

/** Service users with a record each in a list of a later phase, and what this list refers to besides. */
const serviceUsersWith = (
  later: Omit<List, 'ofUser'> & { key: string; recordOf: (word: string) => object },
  more?: { recordsOf: (word: string) => object; count: number },
): FaultRecords => ({
  recordsOf: (word) => ({
    // The form of an instance has these lists. In it, an organization has a name.
    org: { name: 'Stage' },
    machineUsers: idsOf(word).map((userId) => ({ userId, user: { userName: userId } })),
    [later.key]: idsOf(word).map((userId) => ({ userId, ...later.recordOf(word) })),
    ...more?.recordsOf(word),
  }),
  main: { collection: 'serviceUsers', added: 'user.machine.added' },
  later: { ...later, ofUser: true },
  others: more?.count ?? 0,
  successKey: 'machineUserIds',
});

/** Service users with one more list. The keys are words for the names of the users. */
export const ofServiceUsers: Readonly<Record<string, FaultRecords>> = {
  metadata: serviceUsersWith({
    key: 'userMetadata',
    recordOf: () => ({ key: 'badge', value: 'Ng==' }),
    collection: 'userMetadata',
    added: 'user.metadata.set',
  }),
  members: serviceUsersWith({
    key: 'orgMembers',
    recordOf: () => ({ roles: ['ORG_USER_VIEWER'] }),
    collection: 'memberships',
    added: 'member.added',
  }),
  grants: serviceUsersWith(
    {
      key: 'userGrants',
      recordOf: (word) => ({ projectId: word, roleKeys: ['driver'] }),
      collection: 'userGrants',
      added: 'user.grant.added',
    },
    {
      recordsOf: (word) => ({
        projects: [{ projectId: word, project: { name: word } }],
        projectRoles: [{ projectId: word, roleKey: 'driver' }],
      }),
      count: 2,
    },
  ),
};

/** A fault in the middle of an import. */
export interface Fault {
  /** Part of the users' names, followed by a number per import. */
  readonly word: string;
  /** What the import has. By default users. */
  readonly records?: FaultRecords;
  /** Begins the import of {@link faultImport}. By default the import is asynchronous. @returns its job */
  readonly begin?: (word: string) => Promise<string>;
  /** The only worker. It stands still from the middle of the import until the fault has happened. */
  readonly worker: () => Running;
  /** Resolves when the fault has happened. If it waits for the worker, it lets the worker go on by SIGCONT. */
  readonly strike: () => Promise<void>;
  /** Lets the import continue. */
  readonly mend?: () => Promise<void>;
}

/** The body of an import of objects whose names contain this word. */
export function faultImport({ orgId }: Stage, word: string, records = ofUsers): string {
  const data = { orgs: [{ orgId, ...records.recordsOf(word) }] };
  // Only the form of an instance has more lists.
  return JSON.stringify({ timeout: '1h', [records.later === undefined ? 'dataOrgs' : 'dataOrgsv1']: data });
}

/** Starts an asynchronous import. @returns its job */
export function beginImport({ stage, api }: Scene, word: string, records = ofUsers): Promise<string> {
  return beginWith(api, JSON.parse(faultImport(stage, word, records)));
}

/** Starts an asynchronous import with this body. @returns its job */
export async function beginWith(api: Api, json: object): Promise<string> {
  const answer = await api.call('POST /admin/v1/import', { json, headers: { prefer: 'respond-async' } });
  if (answer.status !== 202) throw new Error(`The import is answered ${answer.status}`);
  return String(answer.headers.location).split('/').at(-1) ?? '';
}

/**
 * Asserts that an import survives a fault in its middle: some records of the list that the fault interrupts were stored when
 * it struck, and others were added after it. If the import was too quick for that, the function begins another import with
 * other users. Each of these imports must complete. If the fault strikes in the middle of none, the test fails.
 */
export async function strikeInTheMiddle(t: Test, scene: Scene, fault: Fault): Promise<void> {
  const { stage, api } = scene;
  const { records = ofUsers } = fault;
  const { main, later, others = 0 } = records;
  const before = later === undefined ? 0 : faultUsers + others;
  const missed: string[] = [];
  while (missed.length < tries) {
    const word = `${fault.word}${missed.length + 1}`;
    const id = await (fault.begin ?? ((name) => beginImport(scene, name, records)))(word);
    const processed = await until(
      async () => {
        const done = await progressOf(api, id);
        return done >= before + faultUsers / 5 ? done : undefined;
      },
      { within },
    );
    const worker = fault.worker();
    worker.signal('SIGSTOP');
    const stored = await storedOf(stage, word, later ?? main);
    const told = `${processed} records were told, and ${stored} of ${faultUsers} stored`;
    const isMiddle = stored > 0 && stored < faultUsers;
    if (isMiddle) await fault.strike();
    const struck = new Date();
    worker.signal('SIGCONT');
    if (isMiddle) await fault.mend?.();
    const { latest } = await expectImportedOnce(t, scene, { word, id, records });
    if (isMiddle && latest > struck) {
      t.pass(`it struck in the middle: ${told}`);
      return;
    }
    missed.push(told);
    t.comment(`the middle was missed: ${told}`);
  }
  t.fail(`the fault struck in the middle of none of ${tries} imports: ${missed.join('; ')}`);
}

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
 * @returns the time at which the last object of the last list was added
 */
export async function expectImportedOnce(
  t: Test,
  { stage, api }: Scene,
  { word, id, records = ofUsers }: { word: string; id: string; records?: FaultRecords },
): Promise<{ latest: Date }> {
  const { state, result } = await ended(api, id);
  const { main, later, others = 0 } = records;
  const lists = later === undefined ? [main] : [main, later];
  const created = lists.length * faultUsers + others;
  // The organization is a record of the form of an instance. It exists.
  const skipped = later === undefined ? 0 : 1;
  t.equal(state, 'completed');
  t.equal(result.errors, undefined);
  t.match(result.summary, { created, skipped, failed: 0, total: created + skipped });
  const named: string[] = result.success.orgs[0][records.successKey];
  t.equal(new Set(named).size, faultUsers, 'the report names each once');
  if (records.resources !== undefined) {
    const page = await api.call(`GET /scim/v2/${stage.orgId}/${records.resources}?count=0`);
    const all = await inDatabase(stage, (db) =>
      db.collection(main.collection).countDocuments({ orgId: stage.orgId }),
    );
    t.equal(page.body.totalResults, all, 'the total of the organization is exact');
  }
  let latest = new Date(0);
  for (const list of lists) {
    t.equal(await storedOf(stage, word, list), faultUsers, `each of ${list.collection} is there once`);
    const { perObject, last } = await eventsOf(stage, word, list);
    t.same(
      [...perObject.values()].filter((count) => count !== 1),
      [],
      'no object has two events',
    );
    t.equal(perObject.size, faultUsers, 'each object has its event');
    latest = last;
  }
  await until(async () => (await completions(api, id)) === 1, { within });
  return { latest };
}

const completions = async (api: Api, aggregateId: string): Promise<number> => {
  const json = { aggregateId, eventTypes: ['import.completed'] };
  return (await api.call('POST /admin/v1/events/_search', { json })).body.events?.length ?? 0;
};

/** Objects of a main list have such an identifier, and the others name such a user. */
const rangeOf = (word: string) => ({ $gte: `id-${word}-`, $lt: `id-${word}.` });

/** The number of objects of a list in the database. */
function storedOf(stage: Stage, word: string, { collection, ofUser }: List): Promise<number> {
  const range = rangeOf(word);
  return inDatabase(stage, (db) =>
    db
      .collection<{ _id: string }>(collection)
      .countDocuments(ofUser ? { userId: range } : { orgId: stage.orgId, _id: range }),
  );
}

/** The number of events for the addition of each object, and the time of the last one. */
function eventsOf(
  stage: Stage,
  word: string,
  { added, ofUser }: List,
): Promise<{ perObject: Map<string, number>; last: Date }> {
  const field = ofUser ? 'payload.userId' : 'aggregate.id';
  return inDatabase(stage, async (db) => {
    const perObject = new Map<string, number>();
    let last = new Date(0);
    const events = db
      .collection<{ aggregate: { id: string }; payload: { userId: string }; creationDate: Date }>('events')
      .find({ [field]: rangeOf(word), type: added });
    for await (const { aggregate, payload, creationDate } of events) {
      const id = ofUser ? payload.userId : aggregate.id;
      perObject.set(id, (perObject.get(id) ?? 0) + 1);
      if (creationDate > last) last = creationDate;
    }
    return { perObject, last };
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
