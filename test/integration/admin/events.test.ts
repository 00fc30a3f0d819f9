import t from 'tap';
import { v7 } from 'uuid';
import { makeCaller, makeOrganization, makeTenant, uniqueName } from '../../support/app/make.js';
import { buildTestApp, type CallOptions } from '../../support/app/test-app.js';

const { container, call, clock } = await buildTestApp(t);
const home = await makeOrganization(container);
const instanceOwner = await makeCaller(container, home.id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);

interface FoundEvent {
  type: string;
  sequence: number;
  creationDate: string;
  editor: { userId: string };
  aggregate: { id: string; type: string; resourceOwner: string };
}

async function search(as: NonNullable<CallOptions['as']>, body: unknown = {}): Promise<FoundEvent[]> {
  const answer = await call('POST /admin/v1/events/_search', { as, body });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.detail}`);
  return answer.body.events;
}

/** Makes a user over SCIM. People search mostly for events of users. */
async function scimUser(userName: string): Promise<string> {
  const { body, status } = await call(`POST /scim/v2/${acme.orgId}/Users`, {
    as: acme.manager,
    body: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: `${userName}@example.com`, primary: true }],
      password: 'Sup3r-Secret-Horse',
    },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}

t.test('every condition narrows the search', async (t) => {
  clock.advance(10);
  const before = clock.now().toISOString();
  const id = await scimUser(uniqueName('ada'));
  const after = clock.now().toISOString();
  clock.advance(10);
  const later = await scimUser(uniqueName('ada'));

  const [event] = await search(acme.owner, { eventTypes: ['user.human.added'], aggregateId: id });
  t.match(event, {
    type: 'user.human.added',
    sequence: 1,
    aggregate: { id, type: 'user', resourceOwner: acme.orgId },
    editor: { userId: acme.manager.id, service: 'scim' },
    payload: { active: true },
  });
  t.same(Object.keys(event ?? {}).sort(), [
    'aggregate',
    'creationDate',
    'editor',
    'payload',
    'sequence',
    'type',
  ]);
  const ids = async (body: object) => (await search(acme.owner, body)).map(({ aggregate }) => aggregate.id);
  t.same(await ids({ event_types: ['user.human.added'] }), [later, id], 'newest first');
  t.same(await ids({ eventTypes: ['user.human.added'], asc: true }), [id, later]);
  t.same(await ids({ eventTypes: ['user.human.added'], limit: 1 }), [later]);
  t.same(await ids({ range: { since: before, until: after } }), [id]);
  t.same(await ids({ eventTypes: ['user.human.added'], range: { since: after } }), [later]);
  t.same(await ids({ eventTypes: ['user.human.added'], range: { until: after } }), [id]);
  t.same(await ids({ editorUserId: acme.manager.id }), [later, id]);
  t.same(await ids({ editorUserId: 'nobody' }), []);
  t.same(await ids({ aggregateTypes: ['org'] }), [acme.orgId]);
  t.same(await ids({ eventTypes: ['user.human.added'], aggregateTypes: ['org', 'member'] }), []);
  t.same(await ids({ eventTypes: ['no.such.event'] }), []);
});

t.test('the sequence continues a search in either direction', async (t) => {
  const url = `/scim/v2/${acme.orgId}/Users/${await scimUser(uniqueName('bob'))}`;
  const aggregateId = url.split('/').at(-1);
  for (const value of [false, true, false]) {
    const Operations = [{ op: 'replace', path: 'active', value }];
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    const { status } = await call(`PATCH ${url}`, { as: acme.manager, body: { schemas, Operations } });
    t.equal(status, 204);
  }
  const sequences = async (body: object) =>
    (await search(acme.owner, { aggregateId, ...body })).map(({ sequence }) => sequence);
  t.same(await sequences({ asc: true }), [1, 2, 3, 4]);
  t.same(await sequences({ asc: true, sequence: 2 }), [3, 4]);
  t.same(await sequences({ sequence: 3 }), [2, 1]);
});

t.test('an organization owner sees only the events of the organization', async (t) => {
  t.ok((await search(instanceOwner)).some(({ aggregate }) => aggregate.resourceOwner === other.orgId));
  t.ok((await search(instanceOwner, { resourceOwner: '*' })).length > 0, 'the instance itself');
  const others = await search(instanceOwner, { resourceOwner: other.orgId });
  for (const body of [{}, { resourceOwner: acme.orgId }]) {
    const events = await search(acme.owner, body);
    t.ok(events.length > 0);
    t.ok(events.every(({ aggregate }) => aggregate.resourceOwner === acme.orgId));
  }
  const [foreign] = others;
  t.same(await search(acme.owner, { aggregateId: foreign?.aggregate.id }), []);
  const refused: [unknown, { token: string }, number][] = [
    [{ resourceOwner: other.orgId }, acme.owner, 404],
    [{ resourceOwner: '*' }, acme.owner, 404],
    [{ resourceOwner: 'nowhere' }, acme.owner, 404],
    [{}, acme.viewer, 403],
    [{ resourceOwner: acme.orgId }, acme.manager, 403],
  ];
  for (const [body, as, status] of refused) {
    const answer = await call('POST /admin/v1/events/_search', { as, body });
    t.equal(answer.status, status, JSON.stringify(body));
  }
  t.equal((await call('POST /admin/v1/events/_search', { body: {} })).status, 401);
});

t.test('an owner of several organizations has to name one', async (t) => {
  const both = await makeCaller(container, acme.orgId, ['ORG_OWNER']);
  const body = { userId: both.id, role: 'ORG_OWNER' };
  await call(`POST /admin/v1/orgs/${other.orgId}/memberships`, { as: instanceOwner, body });
  const unnamed = await call('POST /admin/v1/events/_search', { as: both, body: {} });
  t.match({ status: unnamed.status, detail: unnamed.body.detail }, { status: 400, detail: /resourceOwner/ });
  for (const resourceOwner of [acme.orgId, other.orgId]) {
    const events = await search(both, { resourceOwner });
    t.ok(events.length > 0);
    t.ok(events.every(({ aggregate }) => aggregate.resourceOwner === resourceOwner));
  }
});

t.test('bad conditions are refused', async (t) => {
  const bodies = [
    { limit: 0 },
    { limit: 1001 },
    { limit: '10' },
    { asc: 'yes' },
    { eventTypes: 'user.human.added' },
    { eventTypes: [{ $ne: null }] },
    { aggregateId: { $gt: '' } },
    { range: { since: 'yesterday' } },
    { range: { until: '2026-12-31T23:59:60Z' } },
    { range: { from: '2026-01-01T00:00:00Z' } },
    { sequence: -1 },
    { orgId: acme.orgId },
  ];
  for (const body of bodies) {
    const { status } = await call('POST /admin/v1/events/_search', { as: instanceOwner, body });
    t.equal(status, 400, JSON.stringify(body));
  }
});

t.test('no event holds a secret', async (t) => {
  await scimUser(uniqueName('eve'));
  const text = JSON.stringify(await search(instanceOwner, { limit: 1000 }));
  t.match(text, /user\.human\.added/);
  t.notMatch(text, /Sup3r|argon2|mpat_|"hash"/);
});

interface Page {
  events: FoundEvent[];
  nextCursor?: string;
}

async function page(body: Record<string, unknown>): Promise<Page> {
  const answer = await call('POST /admin/v1/events/_search', { as: acme.owner, body });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.detail}`);
  return answer.body;
}

t.test('a cursor finds every event once, oldest first, also those that are committed late', async (t) => {
  const editorUserId = uniqueName('editor');
  const record = (name: string, secondsAgo: number) => {
    const at = new Date(clock.now().getTime() - secondsAgo * 1_000);
    return container.events.record({
      id: v7({ msecs: at.getTime() }),
      type: 'user.deactivated',
      aggregate: { id: name, type: 'user', resourceOwner: acme.orgId },
      editor: { userId: editorUserId, service: 'test' },
      sequence: 1,
      creationDate: at,
      payload: {},
    });
  };
  const names = ({ events }: Page) => events.map(({ aggregate }) => aggregate.id);
  const conditions = { editorUserId, asc: true, limit: 2 };
  const first = await page({ ...conditions, cursor: '' });
  t.same(names(first), []);
  for (const [name, secondsAgo] of [
    ['one', 300],
    ['two', 200],
    ['three', 100],
    ['young', 10],
  ] as const)
    await record(name, secondsAgo);
  const second = await page({ ...conditions, cursor: first.nextCursor });
  t.same(names(second), ['one', 'two']);
  const third = await page({ ...conditions, cursor: second.nextCursor });
  t.same(names(third), ['three'], 'what is young waits');
  await record('late', 60);
  clock.advance(100);
  const fourth = await page({ ...conditions, cursor: third.nextCursor });
  t.same(names(fourth), ['late', 'young']);
  const last = await page({ ...conditions, cursor: fourth.nextCursor });
  t.same(names(last), []);
  t.equal(last.nextCursor, fourth.nextCursor, 'more events will follow');
});

t.test('a cursor reads back to the first event, newest first, while events are written', async (t) => {
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.unshift(await scimUser(uniqueName('ada')));
  const conditions = { eventTypes: ['user.human.added'], limit: 2 };
  const all = (await search(acme.owner, { ...conditions, limit: 1_000 })).map(
    ({ aggregate }) => aggregate.id,
  );
  const read: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const found = await page({ ...conditions, cursor });
    read.push(...found.events.map(({ aggregate }) => aggregate.id));
    cursor = found.nextCursor;
    await scimUser(uniqueName('later'));
  }
  t.same(read, all);
  t.same(read.slice(0, 5), made);
});

t.test('a search without a cursor gets none, and another cursor is refused', async (t) => {
  t.notOk('nextCursor' in (await page({ limit: 1 })));
  const { nextCursor } = await page({ limit: 1, cursor: '' });
  t.type(nextCursor, 'string');
  for (const [body, status] of [
    [{ cursor: nextCursor, asc: true }, 400],
    [{ cursor: 'x' }, 400],
    [{ cursor: 'x'.repeat(101) }, 400],
    [{ cursor: nextCursor, limit: 1 }, 200],
  ] as const) {
    const answer = await call('POST /admin/v1/events/_search', { as: acme.owner, body });
    t.equal(answer.status, status, JSON.stringify(body));
  }
});

t.test('names are those of organizations that the caller may read', async (t) => {
  const id = await scimUser(uniqueName('ada'));
  const body = { aggregateId: id, names: true };
  const own = await call('POST /admin/v1/events/_search', { as: acme.owner, body });
  t.match(own.body.names, [{ id, type: 'user', orgId: acme.orgId, name: 'Ada Lovelace' }], 'of the user');
  const ids = (answer: typeof own) => answer.body.names.map((one: { id: string }) => one.id);
  t.ok(ids(own).includes(acme.manager.id), 'of the service user who added it');

  // An owner of the instance changes the organization. Its owner does not learn the name of a stranger.
  const path = `PATCH /admin/v1/orgs/${acme.orgId}`;
  const changed = await call(path, { as: instanceOwner, body: { name: uniqueName('acme') } });
  t.equal(changed.status, 200);
  const seen = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { eventTypes: ['org.changed'], names: true },
  });
  t.equal(seen.body.events[0].editor.userId, instanceOwner.id);
  t.notOk(ids(seen).includes(instanceOwner.id));
  t.ok(ids(seen).includes(acme.orgId));
  const foreign = await call('POST /admin/v1/events/_search', { as: other.owner, body });
  t.same([foreign.body.events, foreign.body.names], [[], []]);
  const without = await call('POST /admin/v1/events/_search', { as: acme.owner, body: { aggregateId: id } });
  t.notOk('names' in without.body);
});
