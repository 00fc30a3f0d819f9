import t from 'tap';
import { possibleClauses } from '../../bench/hostile/attacks/scim.js';
import { attacks } from '../../bench/hostile/attacks.js';
import { openField } from '../../bench/hostile/field.js';
import { type HostilePace, measureAttack } from '../../bench/hostile/measure.js';
import { failuresOf } from '../../bench/hostile/report.js';
import { notRun } from '../../dev/not-run.js';
import { findProgram } from '../../dev/programs.js';

/** Equal creates add some more, which the limit of searches leaves room for. */
const people = 600;

/** A phase ends as soon as every client of the bystander and the attack got what they wait for. */
const pace: HostilePace = {
  rounds: 1,
  moreRounds: 0,
  phaseMs: 0,
  longestPhaseMs: 20_000,
  settleMs: 0,
  longestRestMs: 0,
  watchEveryMs: 20,
  samples: 0.02,
};

/** What a time says of, which other tests on the same cores change. */
const times = / times (the quiet one|that of the control)| slowest (response|of \w+|\/healthz) /;

/**
 * `make bench-hostile` in small: every attack and every control reach what they send to, no request of the bystander fails, no
 * process ends, and none takes more memory than the attack permits. How long they take says nothing here, because other tests use the
 * same cores.
 */
t.test('attacks on two processes behind nginx', { timeout: 500_000 }, async (t) => {
  for (const program of ['nginx', 'python3'] as const)
    if ((await findProgram(program)) === undefined) return notRun(t, `${program} is not installed`);
  const settings = {
    MUSTER_SCIM_SCAN_LIMIT: String(people * (possibleClauses + 1) - 1),
    MUSTER_RATE_LIMIT_REFUSED: '20',
    MUSTER_BODY_MEMORY_MIB: '8',
    LOG_LEVEL: 'warn',
  };
  const field = await openField({ people, part: 0.1, settings, log: (message) => t.comment(message) });
  t.teardown(() => field.close());
  for (const attack of attacks) {
    const began = performance.now();
    const felt = await measureAttack(attack, field, pace);
    t.same(
      failuresOf([felt]).filter((reason) => !times.test(reason)),
      [],
      `${attack.name}: ${JSON.stringify(felt.counts)} in ${Math.round(performance.now() - began)} ms`,
    );
  }
});
