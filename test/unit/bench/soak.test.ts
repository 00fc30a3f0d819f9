import t from 'tap';
import { createErrorLines } from '../../../bench/soak/error-lines.js';
import { createExpected } from '../../../bench/soak/expected.js';
import { detailsOf, failuresOf, reportOf, type Seen } from '../../../bench/soak/report.js';
import { createTally } from '../../../bench/soak/tally.js';

/** The observations of a faultless run: some expected responses, and some that a fault prevented. */
function goodRun(): Seen {
  const tally = createTally();
  tally.count('token', 'right', true);
  tally.count('token', 'unavailable', false);
  tally.count('Bulk', 'broken', false);
  return {
    tally,
    faults: [{ name: 'a worker is killed', readyMs: 1234 }],
    leftOut: [],
    end: { expected: 10, found: 10, unanswered: 1, differences: [] },
    expected: createExpected(),
    memory: [{ process: 'API', start: 100, end: 130 }],
    errorLines: createErrorLines(),
  };
}

t.test('a run that nothing is wrong with', async (t) => {
  const run = goodRun();
  t.same(failuresOf(run), []);
  t.same(detailsOf(run), []);
  const report = reportOf(run).replaceAll(/ +/g, ' ');
  t.match(report, /^\| users \| 10 \| 10 \|$/m);
  t.match(report, /^\| all \| 3 \| 1 \| 1 \| 1 \| 0 \| 0 \| 0 \|$/m);
  t.match(report, /^\| a worker is killed \| 1\.2 s \|$/m);
  t.match(report, /^\| memory of the API, first and last minute \| 100 MiB \| 130 MiB \|$/m);
});

t.test('each thing that may be wrong fails it', async (t) => {
  const cases: Record<string, { change: (run: Seen) => Partial<Seen> | undefined; reason: RegExp }> = {
    'a wrong answer': {
      change: ({ tally }) => void tally.wrong('token', 'status 500'),
      reason: /^1 answers were wrong$/,
    },
    'unavailable while nothing is broken': {
      change: ({ tally }) => void tally.count('token', 'unavailable', true),
      reason: /^1 requests were not answered as they should/,
    },
    'a user is missing': {
      change: ({ end }) => ({ end: { ...end, found: 9 } }),
      reason: /^9 users are there, not 10$/,
    },
    'one more is stored': {
      change: ({ end }) => ({ end: { ...end, found: 11 } }),
      reason: /^11 users are there, not 10$/,
    },
    'a user differs': {
      change: ({ end }) => ({ end: { ...end, differences: ['x'] } }),
      reason: /^1 users are not as clients were told$/,
    },
    memory: {
      change: () => ({ memory: [{ process: 'worker', start: 100, end: 131 }] }),
      reason: /^the memory of the worker grew from 100 MiB to 131 MiB$/,
    },
    'memory that nobody looked at': {
      change: () => ({ memory: [{ process: 'API', start: Number.NaN, end: 1 }] }),
      reason: /^the memory of the API grew/,
    },
    'nothing was broken': { change: () => ({ faults: [] }), reason: /^nothing was broken$/ },
  };
  for (const [name, { change, reason }] of Object.entries(cases)) {
    const run = goodRun();
    const failures = failuresOf({ ...run, ...change(run) });
    t.equal(failures.length, 1, name);
    t.match(failures[0], reason);
  }
});

t.test('error lines are of a fault or of none', async (t) => {
  const lines = createErrorLines();
  let log = '{"level":30}\n';
  const add = (text: string) => {
    log += text;
  };
  lines.watch({
    pid: 1,
    exitCode: Promise.resolve(0),
    signal: () => {},
    crash: async () => {},
    log: () => log,
  });
  lines.read('unexplained');
  add('{"level":50,"msg":"in a fault"}\n{"level":60,"msg":"half of');
  lines.read('of a fault');
  t.same(lines.ofFaults, ['{"level":50,"msg":"in a fault"}']);
  t.same(lines.unexplained, []);
  add(' it"}\n{"level":40,"err":{"type":"Error"}}\nTypeError: nobody expected this\n    at here\n');
  lines.read('unexplained');
  t.same(lines.unexplained, ['{"level":60,"msg":"half of it"}', 'TypeError: nobody expected this']);
  t.match(failuresOf({ ...goodRun(), errorLines: lines }), [/^2 error lines/]);
});
