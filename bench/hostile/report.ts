import { median, percentile } from '../load.js';
import { markdownTable } from '../markdown.js';
import { type RequestKind, requestKinds, type Samples } from './bystander.js';
import { controlGets } from './clients.js';
import type { Felt } from './measure.js';
import { missingOf } from './reached.js';
import { allowedRatio, type Phase, ratioOf } from './round.js';

/** The memory limit of the pod in k8s/base/api.yaml, in MiB. */
const allowedMib = 1024;

/** The latencies of one kind of request in milliseconds, and the failures. */
interface Compared {
  readonly kind: RequestKind;
  readonly quiet: readonly number[];
  /** Empty for an attack without a control. */
  readonly control: readonly number[];
  readonly attacked: readonly number[];
  readonly failures: readonly string[];
  /** See {@link ratioOf}. */
  readonly ratio: number;
}

function compare({ attack, quiet, rounds }: Felt): Compared[] {
  return requestKinds.map((kind) => {
    const all = (phases: readonly Phase[]) => phases.flatMap((phase) => phase.get(kind) ?? []);
    const latenciesOf = (samples: readonly Samples[]) => samples.flatMap(({ latencies }) => latencies);
    const ofQuiet = all(quiet);
    const ofControl = attack.control === undefined ? [] : all(rounds.map(({ compared }) => compared));
    const ofAttack = all(rounds.map(({ attacked }) => attacked));
    return {
      kind,
      quiet: latenciesOf(ofQuiet),
      control: latenciesOf(ofControl),
      attacked: latenciesOf(ofAttack),
      failures: [...ofQuiet, ...ofControl, ...ofAttack].flatMap(({ failures }) => failures),
      ratio: ratioOf(rounds, kind),
    };
  });
}

/**
 * The quiet 95th percentile of a kind of request may be so many times the usual one of the run. Above it, something else used the cores. The
 * least of many short phases would be lower than what a quiet machine needs.
 */
const allowedNoise = 2;

/** Whether the quiet phases have enough samples to tell noise. An attack with a control has one quiet phase, with 20 sign-ins. */
const tellsNoise = ({ attack }: Felt, kind: RequestKind) => attack.control === undefined || kind !== 'login';

/** The median of the quiet 95th percentiles of each kind of request in the run. */
function usualQuiet(felt: readonly Felt[]): ReadonlyMap<RequestKind, number> {
  const quiets = new Map<RequestKind, number[]>(requestKinds.map((kind) => [kind, []]));
  for (const one of felt)
    for (const { kind, quiet } of compare(one))
      if (quiet.length > 0 && tellsNoise(one, kind)) quiets.get(kind)?.push(percentile(quiet, 0.95));
  return new Map([...quiets].map(([kind, all]) => [kind, median(all)]));
}

/** The reasons why the run failed. Empty if it succeeded. */
export function failuresOf(felt: readonly Felt[]): string[] {
  const usual = usualQuiet(felt);
  return felt.flatMap((one) => {
    const reasons = [...bystanderReasons(one, usual), ...attackerReasons(one), ...processReasons(one)];
    return reasons.filter(([isSo]) => isSo).map(([, reason]) => `${one.attack.name}: ${reason}`);
  });
}

/**
 * The longest that the bystander may wait for a response under attack. Its clients wait for one response before they send the next
 * request, so a long wait is a single sample, which no percentile shows.
 */
const allowedSlowestMs = 10_000;

const slowest = (latencies: readonly number[]) => latencies.reduce((most, one) => Math.max(most, one), 0);

type Reason = [isSo: boolean, reason: string];

/** What the bystander felt. */
function bystanderReasons(felt: Felt, usual: ReadonlyMap<RequestKind, number>): Reason[] {
  const other = felt.attack.control === undefined ? 'the quiet one' : 'that of the control';
  return compare(felt).flatMap(({ kind, quiet, attacked, ratio, failures }): Reason[] => [
    [
      tellsNoise(felt, kind) && percentile(quiet, 0.95) > allowedNoise * (usual.get(kind) ?? 0),
      `not measured, because the machine was not quiet: the quiet p95 of ${kind} is ${ms(percentile(quiet, 0.95))} ms, and usually ${ms(usual.get(kind) ?? 0)} ms`,
    ],
    [
      !(ratio <= allowedRatio),
      `the p95 of ${kind} is ${ratio.toFixed(2)} times ${other}, not at most ${allowedRatio}`,
    ],
    [failures.length > 0, `${failures.length} of ${kind} failed: ${failures[0]}`],
    [
      slowest(attacked) > allowedSlowestMs,
      `the slowest of ${kind} took ${ms(slowest(attacked))} ms, not at most ${allowedSlowestMs}`,
    ],
  ]);
}

/** What the attack and its control got. */
function attackerReasons({ attack, counts, controlCounts, examples, slowestMs }: Felt): Reason[] {
  const missing = missingOf(attack, counts);
  const known = [...attack.reached, ...(attack.possible ?? [])].flat();
  const strange = Object.keys(counts).filter((what) => !known.includes(what));
  const strangeControl = Object.keys(controlCounts).filter((what) => !controlGets.includes(what));
  const list = (of: Felt['counts'], kinds: readonly string[]) =>
    kinds.map((what) => `${of[what]} × ${what} ${examples[what] ?? ''}`.trim()).join(', ');
  return [
    [missing.length > 0, `it did not get ${missing.join(', ')}, so it did not reach what it attacks`],
    [strange.length > 0, `it got ${list(counts, strange)}`],
    [strangeControl.length > 0, `its control got ${list(controlCounts, strangeControl)}`],
    [
      attack.control !== undefined && Object.keys(controlCounts).length === 0,
      'its control sent nothing, so it shows nothing',
    ],
    [
      attack.slowestMs !== undefined && slowestMs > attack.slowestMs,
      `its slowest response took ${ms(slowestMs)} ms, not at most ${attack.slowestMs}`,
    ],
  ];
}

/** What the API processes felt. */
function processReasons({ attack, memory, health, deaths, restless }: Felt): Reason[] {
  const { mostMib = allowedMib, slowestHealthMs } = attack;
  return [
    [!(memory.most <= mostMib), `an API process took ${memory.most.toFixed(0)} MiB, not at most ${mostMib}`],
    [deaths > 0, `API processes ended ${deaths} times`],
    [
      restless > 0 && attack.leavesWork !== true,
      `after ${restless} phases the processes still worked for clients that were gone`,
    ],
    [
      slowestHealthMs !== undefined && health.slowestMs > slowestHealthMs,
      `the slowest /healthz took ${ms(health.slowestMs)} ms, not at most ${slowestHealthMs}`,
    ],
    [slowestHealthMs !== undefined && health.failed > 0, `${health.failed} of /healthz failed`],
  ];
}

const ms = (value: number) => (Number.isNaN(value) ? 'none' : value.toFixed(value < 10 ? 1 : 0));
const both = (values: readonly number[]) =>
  values.length === 0 ? '' : `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.95))}`;

/** The tables of a run, in Markdown. */
export function hostileTables(felt: readonly Felt[]): string {
  const heads = requestKinds.flatMap((kind) => [`${kind} quiet`, 'control', 'under attack', 'ratio']);
  const latencies = markdownTable([
    ['attack', 'rounds', ...heads],
    ...felt.map((one) => [
      one.attack.name,
      String(one.rounds.length),
      ...compare(one).flatMap(({ quiet, control, attacked, ratio }) => [
        both(quiet),
        both(control),
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
      'the control gets',
      'slowest',
      'memory before, most, after',
      'ended',
      'slowest /healthz',
      'samples quiet, of the control and under attack',
    ],
    ...felt.map((one) => [
      one.attack.name,
      one.attack.sends,
      counts(one.counts),
      counts(one.controlCounts),
      one.slowestMs === 0 ? '' : `${ms(one.slowestMs)} ms`,
      `${[one.memory.before, one.memory.most, one.memory.after].map((mib) => mib.toFixed(0)).join(', ')} MiB`,
      String(one.deaths),
      `${ms(one.health.slowestMs)} ms${one.health.failed > 0 ? `, ${one.health.failed} failed` : ''}`,
      compare(one)
        .map(({ kind, quiet, control, attacked }) =>
          [`${kind} ${quiet.length}`, ...(control.length > 0 ? [control.length] : []), attacked.length].join(
            ', ',
          ),
        )
        .join('; '),
    ]),
  ]);
  return `${latencies}\n\n${sums}`;
}
