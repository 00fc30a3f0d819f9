import t from 'tap';
import { v7 } from 'uuid';
import type { Event } from '#src/audit/event.js';
import type { EventQuery } from '#src/audit/events.store.js';
import { until } from '../../../dev/until.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { watchCommands } from '../../support/stores/mongo-commands.js';

const { container } = await openTestContainer(t);
const { events, mongo } = container;

/** Identifiers as they are made at the time of the event, by the names that the test has for them. */
const names = new Map<string, string>();

function idOf(name: string, { creationDate = new Date('2026-01-01T00:00:00.000Z') }: Partial<Event>): string {
  const id = v7({ msecs: creationDate.getTime(), seq: names.size });
  names.set(id, name);
  return id;
}

const eventOf = (name: string, more: Partial<Event> = {}): Event => ({
  id: idOf(name, more),
  type: 'user.human.added',
  aggregate: { id: 'u1', type: 'user', resourceOwner: 'a' },
  editor: { userId: 'editor', service: 'test' },
  sequence: 1,
  creationDate: new Date('2026-01-01T00:00:00.000Z'),
  payload: {},
  ...more,
});

const third = new Date('2026-01-03T00:00:00.000Z');

const all = [
  eventOf('e1', { payload: { userName: 'ada', nested: { list: [1, 'x'] } } }),
  eventOf('e2', {
    type: 'user.deactivated',
    sequence: 2,
    creationDate: new Date('2026-01-02T00:00:00.000Z'),
  }),
  eventOf('e3', {
    creationDate: third,
    aggregate: { id: 'o1', type: 'org', resourceOwner: 'b' },
    type: 'org.added',
  }),
  eventOf('e4', { creationDate: third, editor: { userId: 'other', service: 'scim' }, sequence: 3 }),
];

async function ids(query: Partial<EventQuery> = {}): Promise<string[]> {
  return (await events.search({ limit: 100, ascending: true, ...query })).map(
    ({ id }) => names.get(id) ?? id,
  );
}

t.test('events are found as they were appended', async (t) => {
  await mongo.transaction((transaction) => events.append(all, transaction));
  await mongo.transaction((transaction) => events.append([], transaction));
  t.same(await events.search({ limit: 100, ascending: true }), all);
});

t.test('each condition narrows the search', async (t) => {
  t.same(await ids({ ascending: false }), ['e4', 'e3', 'e2', 'e1']);
  t.same(await ids({ limit: 2 }), ['e1', 'e2']);
  t.same(await ids({ eventTypes: ['user.deactivated', 'org.added'] }), ['e2', 'e3']);
  t.same(await ids({ eventTypes: [] }), []);
  const both = { eventTypes: ['org.added', 'user.human.added', 'user.human.added'] as const };
  t.same(await ids({ ...both, ascending: false, limit: 2 }), ['e4', 'e3'], 'several types, the newest first');
  t.same(await ids({ ...both, limit: 2 }), ['e1', 'e3']);
  t.same(await ids({ ...both, after: all[0]?.id ?? '' }), ['e3', 'e4'], 'and from a position on');
  t.same(await ids({ ...both, resourceOwner: 'a' }), ['e1', 'e4'], 'and in one organization');
  t.same(await ids({ aggregateId: 'o1' }), ['e3']);
  t.same(await ids({ aggregateTypes: ['org', 'job'] }), ['e3']);
  t.same(await ids({ resourceOwner: 'a' }), ['e1', 'e2', 'e4']);
  t.same(await ids({ editorUserId: 'other' }), ['e4']);
  t.same(await ids({ since: new Date('2026-01-02T00:00:00.000Z') }), ['e2', 'e3', 'e4']);
  t.same(await ids({ since: new Date('2026-01-02T00:00:00.001Z') }), ['e3', 'e4']);
  t.same(await ids({ until: new Date('2026-01-01T23:59:59.999Z') }), ['e1']);
  t.same(await ids({ since: new Date('2026-01-02T00:00:00.000Z'), until: third }), ['e2', 'e3', 'e4']);
  t.same(await ids({ aggregateId: 'u1', sequence: 1 }), ['e2', 'e4']);
  t.same(await ids({ aggregateId: 'u1', sequence: 3, ascending: false }), ['e2', 'e1']);
  t.same(await ids({ resourceOwner: 'b', aggregateId: 'u1' }), []);
  t.same(await ids({ aggregateId: 'u1', editorUserIds: ['other', 'nobody'] }), ['e4']);
  t.same(await ids({ aggregateId: 'u1', editorUserIds: [] }), []);
  t.same(await ids({ aggregateId: 'u1', attribute: 'userName' }), ['e1'], 'the event that has a value');
});

t.test('an event of a transaction that fails did not happen', async (t) => {
  await t.rejects(
    mongo.transaction(async (transaction) => {
      await events.append([eventOf('e5')], transaction);
      throw new Error('changed my mind');
    }),
    { message: 'changed my mind' },
  );
  t.equal((await ids()).length, all.length);
});

async function planOf(explain: object): Promise<string> {
  const { queryPlanner } = await mongo.db.command({ explain });
  return JSON.stringify(queryPlanner.winningPlan ?? queryPlanner.plan);
}

const isRangeOfIndex = (plan: string) =>
  /IXSCAN|Index Scan/.test(plan) && !/"SORT"|Sort Key|BitmapAnd|COLLSCAN|Seq Scan/.test(plan);

t.test('a page of a search is a range of one index, however many events there are', async (t) => {
  const made = Array.from({ length: 600 }, (_, n) =>
    eventOf(`many-${n}`, {
      type: n % 3 === 0 ? 'user.deactivated' : 'user.human.added',
      aggregate: { id: `many-${n}`, type: 'user', resourceOwner: n % 2 === 0 ? 'even' : 'odd' },
      editor: { userId: n % 5 === 0 ? 'fifth' : 'editor', service: 'test' },
      creationDate: new Date(Date.UTC(2026, 1, 1) + n * 1_000),
    }),
  );
  await mongo.transaction((transaction) => events.append(made, transaction));
  const middle = made[300]?.id ?? '';
  const byOwner = 'aggregate.resourceOwner_1__id_1';
  // Of these one index has all conditions: no event is read that is not found.
  const searches: Record<string, readonly [index: string, Partial<EventQuery>]> = {
    everything: ['_id_', {}],
    'one organization': [byOwner, { resourceOwner: 'even' }],
    'one organization up to a time': [byOwner, { resourceOwner: 'even', before: made[560]?.id ?? '' }],
    'one type': ['type_1__id_1', { eventTypes: ['user.deactivated'] }],
    'several types': ['type_1__id_1', { eventTypes: ['user.deactivated', 'user.human.added'] }],
    'one editor': ['editor.userId_1__id_1', { editorUserId: 'fifth' }],
  };
  for (const [name, [hint, query]] of Object.entries(searches)) {
    for (const ascending of [true, false]) {
      const watched = watchCommands();
      const found = await events.search({ ...query, limit: 5, ascending, after: middle });
      watched.stop();
      t.equal(found.length, 5, name);
      for (const { find, filter, sort, limit } of watched.commands.filter((command) => 'find' in command)) {
        t.ok(Number(limit) <= 5, name);
        const read = { find, filter, sort, limit };
        t.ok(isRangeOfIndex(await planOf({ ...read, hint })), `${name}, ${ascending}: by its index`);
        // PostgreSQL chooses by statistics, which it renews some seconds after the events were added.
        const isChosen = async () => isRangeOfIndex(await planOf(read));
        await until(isChosen, { within: 60_000 });
      }
      t.equal(
        await events.placeAfter({ ...query, limit: 5, ascending }, 2),
        undefined,
        `${name}: read alone`,
      );
    }
  }
  const none = { resourceOwner: 'even', eventTypes: [], limit: 5, ascending: true };
  t.equal(await events.placeAfter(none, 2), undefined, 'a search for no type reads nothing');
  // No index has these conditions. They have a place behind so many events of the organization, the editor or the service.
  const more: Partial<EventQuery>[] = [
    { resourceOwner: 'even', eventTypes: ['user.deactivated'] },
    { editorUserId: 'editor', eventTypes: ['user.deactivated', 'org.added'] },
    { resourceOwner: 'even', editorUserId: 'fifth' },
    { resourceOwner: 'even', aggregateTypes: ['org'] },
    { sequence: 1 },
  ];
  for (const query of more) {
    for (const ascending of [true, false]) {
      const whole = { ...query, limit: 1_000, ascending, after: middle };
      const { aggregateTypes, sequence, ...equal } = whole;
      const { eventTypes, editorUserId, ...owned } = equal;
      const read = await events.search(
        query.resourceOwner === undefined ? { ...owned, ...(editorUserId && { editorUserId }) } : owned,
      );
      const through = await events.placeAfter(whole, 20);
      t.equal(through, read[19]?.id, JSON.stringify(query));
      const all = await events.search(whole);
      const expected = all.filter(({ id }) => (ascending ? id <= String(through) : id >= String(through)));
      t.same(await events.search({ ...whole, through: String(through) }), expected);
      t.equal(await events.placeAfter(whole, 1_000), undefined);
    }
  }
});
