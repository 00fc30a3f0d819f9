import t from 'tap';
import { createLogger } from '#src/platform/logger.js';
import type { LogEntry } from '#src/provisioning-log/entry.js';
import { createProvisioningLog } from '#src/provisioning-log/provisioning-log.js';
import type { StoredEntry } from '#src/provisioning-log/provisioning-log.store.js';

const entry = (given: Partial<LogEntry> = {}): LogEntry => ({
  orgId: 'acme',
  at: new Date(),
  kind: 'failure',
  method: 'GET',
  path: '/Users',
  status: 400,
  duration: 1,
  ...given,
});

function opened(days = 7) {
  const written: (readonly StoredEntry[])[] = [];
  const state = { fails: false };
  const log = createProvisioningLog({
    store: {
      async add(entries) {
        if (state.fails) throw new Error('away');
        written.push(entries);
      },
    },
    organizations: { takenIds: async (ids) => new Set(ids.filter((id) => id === 'acme')) },
    days,
    logger: createLogger({ level: 'silent', processName: 'test' }),
  });
  const note = (given: Partial<LogEntry> = {}) => {
    const { orgId, kind, ...rest } = entry(given);
    log.note({ orgId, kind }, () => rest);
  };
  return { log, note, written, state };
}

t.test('the requests of a second are written together', async (t) => {
  const { log, note, written } = opened();
  note();
  note({ kind: 'success', status: 200 });
  t.same(written, [], 'nothing is written while the request waits');
  await log.flush();
  t.equal(written.length, 1);
  t.equal(written[0]?.length, 2);
  await log.close();
});

t.test('a flood is dropped, by organization and in all', async (t) => {
  const { log, note, written } = opened();
  for (let i = 0; i < 500; i++) {
    for (const kind of ['success', 'failure', 'refused'] as const) note({ kind });
  }
  await log.flush();
  const count = (kind: string) => written.flat().filter((one) => one.kind === kind).length;
  t.same([count('success'), count('failure'), count('refused')], [5, 50, 2]);
  for (let i = 0; i < 2_000; i++) note({ orgId: `org-${i}` });
  await log.flush();
  t.equal(written[1]?.length, 1_000);
  await log.close();
});

t.test('a request without a valid token for an organization that does not exist is dropped', async (t) => {
  const { log, note, written } = opened();
  note({ kind: 'refused', orgId: 'nobody' });
  note({ kind: 'refused' });
  await log.flush();
  t.same(
    written.flat().map(({ orgId }) => orgId),
    ['acme'],
  );
  await log.close();
});

t.test('a store that is away costs entries and nothing else', async (t) => {
  const { log, note, written, state } = opened();
  state.fails = true;
  note();
  await log.flush();
  state.fails = false;
  note();
  await log.flush();
  t.equal(written.flat().length, 1);
  await log.close();
});

t.test('0 days keep nothing', async (t) => {
  const { log, note, written } = opened(0);
  note();
  await log.close();
  t.same(written, []);
});
