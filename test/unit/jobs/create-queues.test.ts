import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { createQueues } from '#src/jobs/create-queues.js';

function setUp() {
  const state = { works: false, openings: 0, closings: 0 };
  const failures: unknown[] = [];
  const queues = createQueues(
    async (kind) => {
      state.openings++;
      if (!state.works) throw new Error(`no ${kind}`);
      return { kind, close: async () => state.closings++ };
    },
    (kind, error) => failures.push([kind, (error as Error).message]),
  );
  return { state, failures, queues };
}

t.test('a queue that could not be opened fails until it is open, and is reported once', async (t) => {
  const { state, failures, queues } = setUp();
  await queues.reopenFailed();
  t.equal(state.openings, 0, 'a queue that nobody asked for is not opened');
  await t.rejects(queues.of('import'), { message: 'no import' });
  await t.rejects(queues.reopenFailed(), { message: 'no import' });
  t.same(failures, [['import', 'no import']]);
  state.works = true;
  await queues.reopenFailed();
  t.match(await queues.of('import'), { kind: 'import' });
  t.equal(state.openings, 3);
  await queues.reopenFailed();
  t.equal(state.openings, 3, 'an open queue is not opened again');
});

t.test('a call that failed leaves no opening behind, whose failure the next call would get', async (t) => {
  let works = false;
  let openings = 0;
  const queues = createQueues(
    async (kind) => {
      // A refusal that was answered late.
      const refused = !works;
      if (++openings > 2 && kind === 'verify') await pause(50);
      if (refused) throw new Error(`no ${kind}`);
      return { kind, close: async () => undefined };
    },
    () => undefined,
  );
  for (const kind of ['import', 'verify'] as const) await t.rejects(queues.of(kind));
  const first = queues.reopenFailed().catch((error: Error) => error.message);
  t.equal(await first, 'no import');
  works = true;
  await queues.reopenFailed();
  t.match(await queues.of('verify'), { kind: 'verify' });
});

t.test('calls at the same time open a queue once', async (t) => {
  const { state, queues } = setUp();
  state.works = true;
  const [one, other] = await Promise.all([queues.of('import'), queues.of('import')]);
  t.equal(one, other);
  t.equal(state.openings, 1);
});

t.test('no queue is opened after the end, and nothing is reported', async (t) => {
  const { state, failures, queues } = setUp();
  await t.rejects(queues.of('import'), { message: 'no import' });
  state.works = true;
  await queues.of('verify');
  await queues.close();
  t.equal(state.closings, 1);
  await t.rejects(queues.of('import'), { message: 'The queues are closed' });
  await t.rejects(queues.reopenFailed(), { message: 'The queues are closed' });
  t.equal(state.openings, 2);
  t.equal(failures.length, 1);
});
