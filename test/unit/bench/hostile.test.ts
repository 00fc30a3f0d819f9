import t from 'tap';
import type { Attack } from '../../../bench/hostile/attack.js';
import type { Attacker } from '../../../bench/hostile/attacker.js';
import { attacks } from '../../../bench/hostile/attacks.js';
import { type Bystander, requestKinds } from '../../../bench/hostile/bystander.js';
import type { Health } from '../../../bench/hostile/health.js';
import { ingressConfiguration } from '../../../bench/hostile/ingress.js';
import { type Field, measureAttack } from '../../../bench/hostile/measure.js';
import { failuresOf, hostileTables } from '../../../bench/hostile/report.js';

const attack: Attack = {
  name: 'A0 nothing',
  sends: 'nothing',
  reached: ['200'],
  possible: ['429'],
  slowestMs: 1_000,
  start: async () => async () => undefined,
};

/** The same, judged by its control and by what the API processes feel. */
const controlled: Attack = {
  ...attack,
  mostMib: 512,
  slowestHealthMs: 1_000,
  control: async () => undefined,
};

interface Faked {
  /** Milliseconds of a request of the bystander while the attack goes on. Otherwise it takes 10 ms. */
  readonly attackedMs?: number;
  /** The same after the first two rounds. */
  readonly laterMs?: number;
  readonly counts?: Record<string, number>;
  readonly fails?: boolean;
  readonly mib?: number;
  readonly slowestMs?: number;
  /** Milliseconds of a request of the bystander in a quiet phase. */
  readonly quietMs?: number;
  /** The same in a control. */
  readonly controlMs?: number;
  readonly controlCounts?: Record<string, number>;
  readonly health?: Health;
  readonly dies?: boolean;
  readonly restless?: boolean;
}

type Turn = 'quiet' | 'control' | 'attacked';

/** Clients and an attacker that only say what they are told to say. */
function fakeField({
  attackedMs = 20,
  laterMs = attackedMs,
  counts = { 200: 1 },
  fails = false,
  mib = 300,
  slowestMs = 7,
  quietMs = 10,
  controlMs = 15,
  controlCounts = { 200: 2 },
  health = { slowestMs: 3, failed: 0 },
  dies = false,
  restless = false,
}: Faked) {
  let state: Turn = 'quiet';
  const phases: Turn[] = [];
  const turn = (to: Turn) => {
    state = to;
    phases.push(to);
  };
  const attacker: Attacker = {
    begin: () => turn('attacked'),
    beginControl: () => turn('control'),
    end: async () => turn('quiet'),
    counts: () => counts,
    controlCounts: () => controlCounts,
    slowestMs: () => slowestMs,
    examples: () => ({}),
    close: () => undefined,
  };
  const bystanders = requestKinds.map(
    (kind): Bystander => ({
      kind,
      everyMs: 1,
      atLeast: 5,
      async send() {
        if (state === 'quiet') return quietMs;
        if (state === 'control') return controlMs;
        if (fails) throw new Error('answers 503');
        return phases.length > 4 ? laterMs : attackedMs;
      },
    }),
  );
  const field: Field = {
    bystanders,
    startAttacker: async () => attacker,
    memory: async () => mib,
    watchHealth: () => async () => health,
    deaths: () => (dies ? phases.length : 0),
    settled: async () => !restless,
  };
  return { field, phases };
}

const pace = {
  rounds: 2,
  moreRounds: 3,
  phaseMs: 0,
  longestPhaseMs: 200,
  settleMs: 0,
  longestRestMs: 1_000,
  watchEveryMs: 5,
  samples: 1,
};

async function feel(faked: Faked) {
  return measureAttack(attack, fakeField(faked).field, pace);
}

async function run(faked: Faked, one = attack) {
  const { field, phases } = fakeField(faked);
  const felt = await measureAttack(one, field, pace);
  const table = hostileTables([felt]).replaceAll(/ +/g, ' ');
  return { failures: failuresOf([felt]), table, phases, quiet: felt.quiet.length };
}

t.test('a bystander that takes twice as long at most', async (t) => {
  const { failures, table, phases } = await run({});
  t.same(failures, []);
  t.same(phases, ['attacked', 'quiet', 'attacked', 'quiet'], 'quiet and under attack take turns');
  t.match(table, /^\| A0 nothing \| 2 \|( 10 \/ 10 \| \| 20 \/ 20 \| 2\.00 \|){4}$/m);
  const sums =
    /^\| A0 nothing \| nothing \| 1 × 200 \| 2 × 200 \| 7\.0 ms \| 300, 300, 300 MiB \| 0 \| 3\.0 ms \| GET \d+, \d+;/m;
  t.match(table, sums);
});

t.test('an attack with a control is compared with its control', async (t) => {
  const { failures, table, phases, quiet } = await run(
    { quietMs: 5, controlMs: 15, attackedMs: 30 },
    controlled,
  );
  t.same(failures, []);
  t.same(phases, ['attacked', 'quiet', 'control', 'quiet', 'attacked', 'quiet', 'control', 'quiet']);
  t.match(table, /^\| A0 nothing \| 2 \|( 5\.0 \/ 5\.0 \| 15 \/ 15 \| 30 \/ 30 \| 2\.00 \|){4}$/m);
  t.equal(quiet, 1, 'one quiet phase');
  t.match(table, /\| GET \d+, \d+, \d+;/);
  const { failures: waits } = await run({ controlMs: 10, attackedMs: 21 }, controlled);
  t.equal(waits.length, requestKinds.length);
  t.match(waits[0], /p95 of GET is 2\.10 times that of the control/);
});

t.test('what the API processes and the control feel fails the run', async (t) => {
  const cases: Record<string, { faked: Faked; reason: RegExp }> = {
    'more memory than the attack may take': { faked: { mib: 513 }, reason: /took 513 MiB, not at most 512/ },
    'a process that ends': { faked: { dies: true }, reason: /API processes ended \d times/ },
    'a process that is late to say that it is healthy': {
      faked: { health: { slowestMs: 1_001, failed: 0 } },
      reason: /the slowest \/healthz took 1001 ms, not at most 1000/,
    },
    'a process that does not say so': {
      faked: { health: { slowestMs: 3, failed: 1 } },
      reason: /2 of \/healthz failed/,
    },
    'work for clients that are gone': {
      faked: { restless: true },
      reason: /after 4 phases the processes still worked/,
    },
    'a control that sends nothing': { faked: { controlCounts: {} }, reason: /its control sent nothing/ },
    'a control that is not cheap': {
      faked: { controlCounts: { 200: 1, 503: 4 } },
      reason: /its control got 4 × 503/,
    },
  };
  for (const [name, { faked, reason }] of Object.entries(cases)) {
    const { failures } = await run(faked, controlled);
    t.equal(failures.length, 1, name);
    t.match(failures[0], reason, name);
  }
});

t.test(
  'a request of the bystander that takes very long fails the run, although it is one of many',
  async (t) => {
    const felt = await feel({});
    felt.rounds[0]?.attacked.get('login')?.latencies.push(10_001);
    const failures = failuresOf([felt]).filter((reason) => !/ times the quiet one/.test(reason));
    t.match(failures, [/the slowest of login took 10001 ms, not at most 10000/]);
  },
);

t.test(
  'an attack that may get one of several responses reached what it attacks with one of them',
  async (t) => {
    const either: Attack = { ...attack, reached: [['200', '404']] };
    t.same((await run({ counts: { 404: 1 } }, either)).failures, []);
    const { failures } = await run({ counts: { 429: 1 } }, either);
    t.match(failures, [/it did not get 200 or 404/]);
  },
);

t.test('each thing that may be wrong fails the run', async (t) => {
  const cases: Record<string, { faked: Faked; reasons: RegExp[] }> = {
    'a bystander that waits': {
      faked: { attackedMs: 21 },
      reasons: requestKinds.map((kind) => new RegExp(`p95 of ${kind} is 2\\.10 times the quiet one`)),
    },
    'a request of the bystander that fails': {
      faked: { fails: true },
      reasons: requestKinds.flatMap((kind) => [
        new RegExp(`p95 of ${kind} is NaN times`),
        new RegExp(`\\d+ of ${kind} failed: answers 503`),
      ]),
    },
    'an attack that does not reach what it attacks': {
      faked: { counts: { 429: 3 } },
      reasons: [/it did not get 200/],
    },
    'an answer that nobody expects': { faked: { counts: { 200: 1, 500: 2 } }, reasons: [/it got 2 × 500/] },
    'an answer that the attacker waits for': { faked: { slowestMs: 1_001 }, reasons: [/took 1001 ms/] },
    'more memory than the pod has': { faked: { mib: 1_025 }, reasons: [/took 1025 MiB/] },
  };
  for (const [name, { faked, reasons }] of Object.entries(cases)) {
    const { failures } = await run(faked);
    t.equal(failures.length, reasons.length, name);
    for (const [index, reason] of reasons.entries()) t.match(failures[index], reason, name);
  }
});

t.test('an attack with a ratio above its bound gets more rounds, and all of them count', async (t) => {
  const { table } = await run({ attackedMs: 21 });
  t.match(table, /^\| A0 nothing \| 5 \|( 10 \/ 10 \| \| 21 \/ 21 \| 2\.10 \|){4}$/m);
  const later = await run({ attackedMs: 21, laterMs: 15 });
  // How many requests a phase has depends on the machine, and so does the 50th percentile of all of them.
  t.match(later.table, /^\| A0 nothing \| 5 \|( 10 \/ 10 \| \| (15|21) \/ 21 \| 1\.50 \|){4}$/m);
  t.same(later.failures, []);
});

t.test('an attack whose quiet phases were not quiet counts as not measured', async (t) => {
  const [quiet, noisy] = [await feel({}), await feel({ quietMs: 21, attackedMs: 30 })];
  const failures = failuresOf([quiet, noisy, quiet]);
  t.equal(failures.length, requestKinds.length);
  for (const [index, kind] of requestKinds.entries()) {
    const reason = `A0 nothing: not measured, .* the quiet p95 of ${kind} is 21 ms, and usually 10 ms`;
    t.match(failures[index], new RegExp(reason));
  }
  const twice = await feel({ quietMs: 20, attackedMs: 30 });
  t.same(failuresOf([quiet, twice, quiet]), [], 'twice the usual time is quiet');
});

t.test('attacks have names that tell them apart', async (t) => {
  t.equal(new Set(attacks.map(({ name }) => name)).size, attacks.length);
  t.same(
    new Set(attacks.map(({ name }) => name.slice(0, 2))),
    new Set(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8']),
  );
});

t.test('nginx limits bodies as the shipped Ingress does', async (t) => {
  const folder = { folder: '/x', main: '', http: '' };
  const servers = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
  const text = ingressConfiguration(folder, { port: 3, streamingPort: 4, servers });
  t.match(text, /location \/ \{ client_max_body_size 64k; .*proxy_request_buffering on; /);
  t.match(text, /location \/scim\/v2\/ \{ client_max_body_size 1m; /);
  t.match(text, /location = \/admin\/v1\/import \{ client_max_body_size 0; proxy_request_buffering off; /);
  t.match(text, /server 127\.0\.0\.1:1 .*server 127\.0\.0\.1:2 /);
});
