import { pino } from 'pino';
import t from 'tap';
import type { Event } from '#src/audit/event.js';
import type { Application } from '#src/directory/applications/application.js';
import { createRefusedAuthentications, type Refusal } from '#src/oidc/clients/refused-authentications.js';

const logger = pino({ level: 'silent' });

function open({ fails = false } = {}) {
  const written: Event[] = [];
  let now = new Date('2026-01-02T03:04:05Z');
  const refusals = createRefusedAuthentications({
    events: {
      async record(event) {
        if (fails) throw new Error('away');
        written.push(event);
      },
    },
    clock: { now: () => now },
    logger,
  });
  const note = (id: string, reason: Refusal['reason'] = 'secretWrong', address = '192.0.2.1') =>
    refusals.note({
      application: { id, orgId: 'org', version: 7 } as Application,
      ...{ reason, address, method: 'client_secret_basic', endpoint: 'token' },
    });
  const advance = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000);
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
  for (let number = 0; number < 5_000; number++) note(`application-${number}`);
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
