import { pino } from 'pino';
import t from 'tap';
import type { Event } from '#src/audit/event.js';
import type { Application } from '#src/clients/applications/application.js';
import type { Refusal } from '#src/oidc/clients/refusal.js';
import { createRefusedAuthentications } from '#src/oidc/clients/refused-authentications.js';

const logger = pino({ level: 'silent' });

const known = (id: string, orgId = 'org') => ({ id, orgId, version: 7 }) as Application;

function open({
  fails = false,
  find = async (id: string): Promise<Application | undefined> => known(id),
} = {}) {
  const counts = new Map<string, number>();
  const written: Event[] = [];
  let now = new Date('2026-01-02T03:04:05Z');
  const refusals = createRefusedAuthentications({
    events: {
      async record(event) {
        if (fails) throw new Error('away');
        written.push(event);
      },
    },
    applications: { get: find },
    rateCounts: {
      add(name) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return counts.get(name) ?? 0;
      },
      read: (name) => counts.get(name) ?? 0,
    },
    clock: { now: () => now },
    logger,
  });
  const note = (
    id: string,
    reason: Refusal['reason'] = 'secretWrong',
    address = '192.0.2.1',
    orgId = 'org',
  ) =>
    refusals.note({
      client: { kind: 'application', application: known(id, orgId) },
      ...{ reason, address, method: 'client_secret_basic', endpoint: 'token' },
    });
  const advance = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000);
    counts.clear();
  };
  return { refusals, note, advance, written };
}

t.test('the first refusal is written at once, the others of the minute with their number', async (t) => {
  const { refusals, note, advance, written } = open();
  note('a');
  t.match(written, [
    {
      type: 'application.authentication.failed',
      aggregate: { id: 'a', type: 'application', resourceOwner: 'org' },
      sequence: 7,
      payload: { reason: 'secretWrong', method: 'client_secret_basic', endpoint: 'token', count: 1 },
    },
  ]);
  for (let number = 0; number < 1_000; number++) note('a', 'secretWrong', `192.0.2.${number % 9}`);
  t.equal(written.length, 1);
  note('a', 'assertionUsed');
  note('b');
  t.equal(written.length, 3, 'each application and reason by itself');
  advance(60);
  note('a');
  t.match(written.slice(3), [
    { aggregate: { id: 'a' }, payload: { count: 1_000, since: '2026-01-02T03:04:05.000Z' } },
    { aggregate: { id: 'a' }, payload: { count: 1 } },
  ]);
  await refusals.close();
  t.equal(written.length, 5, 'what was written alone is not written again');
});

t.test('what was counted is written when the process ends', async (t) => {
  const { refusals, note, written } = open();
  note('a');
  note('a');
  note('a');
  await refusals.close();
  t.same(
    written.map(({ payload }) => payload['count']),
    [1, 2],
  );
});

t.test('applications in great number fill neither memory nor the events', async (t) => {
  const { refusals, note, advance, written } = open();
  for (let number = 0; number < 5_000; number++)
    note(`application-${number}`, 'secretWrong', '192.0.2.1', `org-${number}`);
  t.equal(written.length, 1_000);
  advance(60);
  await refusals.flush();
  note('later');
  t.equal(written.length, 1_001);
  await refusals.close();
});

t.test('a store that is away harms nobody', async (t) => {
  const { refusals, note } = open({ fails: true });
  note('a');
  await t.resolves(refusals.close());
});

t.test('all applications of an organization share 60 events a minute', async (t) => {
  const { refusals, note, advance, written } = open();
  for (let number = 0; number < 200; number++) note(`application-${number}`);
  t.equal(written.length, 60);
  note('other', 'secretWrong', '192.0.2.1', 'other');
  t.equal(written.length, 61, 'another organization has its own');
  await refusals.flush();
  t.equal(written.length, 61, 'neither does a summary exceed the bound');
  advance(60);
  note('application-0');
  t.equal(written.length, 62, 'the next minute has its own');
  await refusals.close();
});

t.test('a refusal without an event of its own is in the number of the next', async (t) => {
  const { refusals, note, advance, written } = open();
  for (let number = 0; number < 60; number++) note(`application-${number}`);
  note('late');
  note('late');
  advance(60);
  await refusals.flush();
  t.match(written.slice(60), [{ aggregate: { id: 'late' }, payload: { count: 2 } }]);
  await refusals.close();
});

t.test('malformed requests find their application in the background, a few at a time', async (t) => {
  const waiting: ((found: Application | undefined) => void)[] = [];
  const { refusals, written } = open({ find: () => new Promise((resolve) => waiting.push(resolve)) });
  const request = { endpoint: 'token', address: '192.0.2.1' } as const;
  for (let number = 0; number < 50; number++) refusals.noteMalformed({ clientId: `${number}`, ...request });
  t.equal(waiting.length, 10);
  for (const [number, answer] of waiting.entries()) answer(number === 0 ? known('0') : undefined);
  await refusals.flush();
  t.match(written, [{ aggregate: { id: '0' }, payload: { reason: 'requestMalformed', count: 1 } }]);
  t.equal(written.length, 1, 'only applications that exist');
  await refusals.close();
  const { refusals: away, written: none } = open({ find: () => Promise.reject(new Error('away')) });
  away.noteMalformed({ clientId: 'a', ...request });
  await t.resolves(away.close());
  t.same(none, []);
});

t.test('an API that asks about tokens of others costs one look-up in a minute', async (t) => {
  let lookUps = 0;
  const { refusals, written, advance } = open({
    find: async (id) => {
      lookUps++;
      return known(id);
    },
  });
  const ask = (clientId: string) =>
    refusals.noteToken({
      client: { kind: 'application', application: known('api') },
      token: { clientId, audience: ['another'], org: 'org', sub: 'person' },
      ...{ reason: 'tokenNotForClient', address: '192.0.2.1' },
    });
  const found = () => new Promise((resolve) => setImmediate(resolve));
  ask('first');
  await found();
  t.match(written, [{ aggregate: { id: 'api' }, payload: { count: 1, clientId: 'first' } }]);
  for (let number = 0; number < 30; number++) ask('second');
  await found();
  t.equal(lookUps, 1);
  advance(61);
  ask('third');
  await found();
  t.match(written.slice(1), [
    { payload: { count: 30, clientId: 'first' } },
    { payload: { count: 1, clientId: 'third' } },
  ]);
  t.equal(lookUps, 2);
  await refusals.close();
});
