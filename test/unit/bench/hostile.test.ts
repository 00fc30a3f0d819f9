import t from 'tap';
import type { Attack } from '../../../bench/hostile/attack.js';
import type { Attacker } from '../../../bench/hostile/attacker.js';
import { attacks } from '../../../bench/hostile/attacks.js';
import { type Bystander, requestKinds } from '../../../bench/hostile/bystander.js';
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
}

/** Clients and an attacker that only say what they are told to say. */
function fakeField({
  attackedMs = 20,
  laterMs = attackedMs,
  counts = { 200: 1 },
  fails = false,
  mib = 300,
  slowestMs = 7,
  quietMs = 10,
}: Faked) {
  let isAttacked = false;
  const phases: boolean[] = [];
  const attacker: Attacker = {
    begin() {
      isAttacked = true;
      phases.push(true);
    },
    async end() {
      isAttacked = false;
      phases.push(false);
    },
    counts: () => counts,
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
        if (fails && isAttacked) throw new Error('answers 503');
        return isAttacked ? (phases.length > 4 ? laterMs : attackedMs) : quietMs;
      },
    }),
  );
  const field: Field = { bystanders, startAttacker: async () => attacker, memory: async () => mib };
  return { field, phases };
}

const pace = {
  rounds: 2,
  moreRounds: 3,
  phaseMs: 0,
  longestPhaseMs: 200,
  settleMs: 0,
  watchEveryMs: 5,
  samples: 1,
};

async function feel(faked: Faked) {
  return measureAttack(attack, fakeField(faked).field, pace);
}

async function run(faked: Faked) {
  const { field, phases } = fakeField(faked);
  const felt = [await measureAttack(attack, field, pace)];
  return { failures: failuresOf(felt), table: hostileTables(felt).replaceAll(/ +/g, ' '), phases };
}

t.test('a bystander that takes twice as long at most', async (t) => {
  const { failures, table, phases } = await run({});
  t.same(failures, []);
  t.same(phases, [true, false, true, false], 'quiet and under attack take turns');
  t.match(table, /^\| A0 nothing \| 2 \|( 10 \/ 10 \| 20 \/ 20 \| 2\.00 \|){4}$/m);
  t.match(table, /^\| A0 nothing \| nothing \| 1 × 200 \| 7\.0 ms \| 300, 300, 300 MiB \| GET \d\d/m);
});

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
  t.match(table, /^\| A0 nothing \| 5 \|( 10 \/ 10 \| 21 \/ 21 \| 2\.10 \|){4}$/m);
  const later = await run({ attackedMs: 21, laterMs: 15 });
  // How many requests a phase has depends on the machine, and so does the 50th percentile of all of them.
  t.match(later.table, /^\| A0 nothing \| 5 \|( 10 \/ 10 \| (15|21) \/ 21 \| 1\.50 \|){4}$/m);
  t.same(later.failures, []);
});

t.test('an attack whose quiet phases were not quiet counts as not measured', async (t) => {
  const [quiet, noisy] = [await feel({}), await feel({ quietMs: 21, attackedMs: 30 })];
  const failures = failuresOf([noisy, quiet]);
  t.equal(failures.length, requestKinds.length);
  for (const [index, kind] of requestKinds.entries()) {
    const reason = `A0 nothing: not measured, .* the quiet p95 of ${kind} is 21 ms, and 10 ms in another attack`;
    t.match(failures[index], new RegExp(reason));
  }
  t.same(failuresOf([quiet, await feel({ quietMs: 20, attackedMs: 30 })]), [], 'twice the least is quiet');
});

t.test('attacks have names that tell them apart', async (t) => {
  t.equal(new Set(attacks.map(({ name }) => name)).size, attacks.length);
  t.same(new Set(attacks.map(({ name }) => name.slice(0, 2))), new Set(['A1', 'A2', 'A3', 'A4', 'A5', 'A6']));
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
