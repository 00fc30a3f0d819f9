import { percentile } from '../load.js';
import { markdownTable } from '../markdown.js';
import { type RequestKind, requestKinds } from './bystander.js';
import type { Felt } from './measure.js';
import { allowedRatio, ratioOf } from './round.js';

/** The memory limit of the pod in k8s/base/api.yaml, in MiB. */
const allowedMib = 1024;

interface Compared {
  readonly kind: RequestKind;
  readonly quiet: readonly number[];
  readonly attacked: readonly number[];
  readonly failures: readonly string[];
  /** See {@link ratioOf}. */
  readonly ratio: number;
}

function compare({ rounds }: Felt): Compared[] {
  return requestKinds.map((kind) => {
    const all = (phase: 'quiet' | 'attacked') => rounds.flatMap((round) => round[phase].get(kind) ?? []);
    const [quiet, attacked] = [all('quiet'), all('attacked')];
    return {
      kind,
      quiet: quiet.flatMap(({ latencies }) => latencies),
      attacked: attacked.flatMap(({ latencies }) => latencies),
      failures: [...quiet, ...attacked].flatMap(({ failures }) => failures),
      ratio: ratioOf(rounds, kind),
    };
  });
}

/** The quiet 95th percentile of a kind of request may be so many times the least of the run. Above it, something else used the cores. */
const allowedNoise = 2;

/** The least quiet 95th percentile of each kind of request in the run. */
function leastQuiet(felt: readonly Felt[]): ReadonlyMap<RequestKind, number> {
  const least = new Map<RequestKind, number>();
  for (const { kind, quiet } of felt.flatMap(compare)) {
    if (quiet.length === 0) continue;
    least.set(kind, Math.min(least.get(kind) ?? Number.POSITIVE_INFINITY, percentile(quiet, 0.95)));
  }
  return least;
}

/** The reasons why the run failed. Empty if it succeeded. */
export function failuresOf(felt: readonly Felt[]): string[] {
  const least = leastQuiet(felt);
  return felt.flatMap((one) => {
    const { attack, counts, memory, examples, slowestMs } = one;
    const missing = attack.reached.filter((what) => (counts[what] ?? 0) === 0);
    const known = [...attack.reached, ...(attack.possible ?? [])];
    const strange = Object.keys(counts).filter((what) => !known.includes(what));
    const reasons: [boolean, string][] = [
      ...compare(one).flatMap(({ kind, quiet, ratio, failures }): [boolean, string][] => [
        [
          percentile(quiet, 0.95) > allowedNoise * (least.get(kind) ?? 0),
          `not measured, because the machine was not quiet: the quiet p95 of ${kind} is ${ms(percentile(quiet, 0.95))} ms, and ${ms(least.get(kind) ?? 0)} ms in another attack`,
        ],
        [
          !(ratio <= allowedRatio),
          `the p95 of ${kind} is ${ratio.toFixed(2)} times the quiet one, not at most ${allowedRatio}`,
        ],
        [failures.length > 0, `${failures.length} of ${kind} failed: ${failures[0]}`],
      ]),
      [missing.length > 0, `it did not get ${missing.join(', ')}, so it did not reach what it attacks`],
      [
        strange.length > 0,
        `it got ${strange.map((what) => `${counts[what]} × ${what} ${examples[what] ?? ''}`.trim()).join(', ')}`,
      ],
      [
        attack.slowestMs !== undefined && slowestMs > attack.slowestMs,
        `its slowest response took ${ms(slowestMs)} ms, not at most ${attack.slowestMs}`,
      ],
      [
        !(memory.most <= allowedMib),
        `an API process took ${memory.most.toFixed(0)} MiB, not at most ${allowedMib}`,
      ],
    ];
    return reasons.filter(([isSo]) => isSo).map(([, reason]) => `${attack.name}: ${reason}`);
  });
}

const ms = (value: number) => (Number.isNaN(value) ? 'none' : value.toFixed(value < 10 ? 1 : 0));
const both = (values: readonly number[]) =>
  `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.95))}`;

/** The tables of a run, in Markdown. */
export function hostileTables(felt: readonly Felt[]): string {
  const heads = requestKinds.flatMap((kind) => [`${kind} quiet`, 'under attack', 'ratio']);
  const latencies = markdownTable([
    ['attack', 'rounds', ...heads],
    ...felt.map((one) => [
      one.attack.name,
      String(one.rounds.length),
      ...compare(one).flatMap(({ quiet, attacked, ratio }) => [
        both(quiet),
        both(attacked),
        ratio.toFixed(2),
      ]),
    ]),
  ]);
  const counts = (of: Felt['counts']) =>
    Object.entries(of)
      .map(([what, count]) => `${count} × ${what}`)
      .join(', ');
  const sums = markdownTable([
    [
      'attack',
      'the attacker sends',
      'and gets',
      'slowest',
      'memory before, most, after',
      'samples quiet and under attack',
    ],
    ...felt.map((one) => [
      one.attack.name,
      one.attack.sends,
      counts(one.counts),
      `${ms(one.slowestMs)} ms`,
      `${[one.memory.before, one.memory.most, one.memory.after].map((mib) => mib.toFixed(0)).join(', ')} MiB`,
      compare(one)
        .map(({ kind, quiet, attacked }) => `${kind} ${quiet.length}, ${attacked.length}`)
        .join('; '),
    ]),
  ]);
  return `${latencies}\n\n${sums}`;
}
