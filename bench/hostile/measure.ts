import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../dev/until.js';
import type { Attack } from './attack.js';
import type { Attacker } from './attacker.js';
import { type Bystander, keepSending, type RequestKind, type Samples } from './bystander.js';
import type { Health } from './health.js';
import { missingOf } from './reached.js';
import { areAllowed, type Phase, type Round } from './round.js';

export interface HostilePace {
  /** Each round has a phase under attack, and a quiet phase before it or its control after it. */
  readonly rounds: number;
  /** If a ratio is above its bound after these rounds, so many rounds follow, and all of them count. */
  readonly moreRounds: number;
  /** The least time of a phase, in milliseconds. */
  readonly phaseMs: number;
  /** A phase ends after this time, whatever is missing. */
  readonly longestPhaseMs: number;
  /** The time between the end of an attack and the next phase. */
  readonly settleMs: number;
  /** How long the processes may work after that for clients that are gone. 0 if it does not matter. */
  readonly longestRestMs: number;
  /** How often a phase looks whether it is over, and at the memory, in milliseconds. */
  readonly watchEveryMs: number;
  /** The part of the samples that the bystander usually takes at least. */
  readonly samples: number;
}

export const fullHostilePace: HostilePace = {
  rounds: 3,
  moreRounds: 4,
  phaseMs: 5_000,
  longestPhaseMs: 60_000,
  settleMs: 1_000,
  longestRestMs: 60_000,
  watchEveryMs: 250,
  samples: 1,
};

/** What the bystander and the processes felt of one attack. */
export interface Felt {
  readonly attack: Attack;
  /** The quiet phases. An attack with a control has one of them, and it is before the first round. */
  readonly quiet: readonly Phase[];
  readonly rounds: readonly Round[];
  /** See {@link Attacker}. */
  readonly counts: Readonly<Record<string, number>>;
  readonly controlCounts: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  readonly examples: Readonly<Record<string, string>>;
  /** Memory of the largest API process in MiB: before the attack, the most during the attack, and after it. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number };
  /** The health of the API processes under attack. */
  readonly health: Health;
  /** How often an API process has ended by itself. */
  readonly deaths: number;
  /** After so many phases the processes were not idle in time. */
  readonly restless: number;
}

export interface Field {
  readonly bystanders: readonly Bystander[];
  startAttacker(attack: Attack): Promise<Attacker>;
  /** Memory of the largest API process, in MiB. */
  memory(): Promise<number>;
  /** Begins to probe the API processes. @returns ends this */
  watchHealth(): () => Promise<Health>;
  /** How often an API process has ended by itself. It is then started again. */
  deaths(): number;
  /** Waits until every API process runs and all processes are idle. @returns whether they are within this time */
  settled(withinMs: number): Promise<boolean>;
}

/** Lets the bystander warm the processes, so that the first attack is measured as the others are. */
export async function warmUp(field: Pick<Field, 'bystanders'>, pace: HostilePace): Promise<void> {
  await phase(field, pace, () => true);
}

/** Measures the bystander with and without an attack, in turns. */
export async function measureAttack(attack: Attack, field: Field, pace: HostilePace): Promise<Felt> {
  const attacker = await field.startAttacker(attack);
  try {
    const quiet: Phase[] = [];
    const rounds: Round[] = [];
    const phasePace = { ...pace, phaseMs: pace.phaseMs * (attack.longer ?? 1) };
    const before = await field.memory();
    const deathsBefore = field.deaths();
    let most = before;
    let health: Health = { slowestMs: 0, failed: 0 };
    let restless = 0;
    const settle = async () => {
      await pause(pace.settleMs);
      if (!(await field.settled(pace.longestRestMs))) restless++;
    };
    const beQuiet = async () => {
      const felt = await phase(field, pace, () => true);
      quiet.push(felt);
      return felt;
    };
    const underAttack = async () => {
      attacker.begin();
      const endHealth = field.watchHealth();
      const isReached = () => missingOf(attack, attacker.counts()).length === 0;
      const felt = await phase(field, phasePace, isReached, async () => {
        most = Math.max(most, await field.memory());
      });
      const { slowestMs, failed } = await endHealth();
      health = { slowestMs: Math.max(health.slowestMs, slowestMs), failed: health.failed + failed };
      await attacker.end();
      await settle();
      return felt;
    };
    const underControl = async () => {
      attacker.beginControl();
      const felt = await phase(field, pace, () => true);
      await attacker.end();
      await settle();
      return felt;
    };
    const isOver = () =>
      rounds.length >= pace.rounds + pace.moreRounds || (rounds.length === pace.rounds && areAllowed(rounds));
    if (attack.control !== undefined) await beQuiet();
    while (!isOver()) {
      if (attack.control === undefined) {
        const compared = await beQuiet();
        rounds.push({ compared, attacked: await underAttack() });
      } else {
        // The attack comes first, because the control has its rate.
        const attacked = await underAttack();
        rounds.push({ compared: await underControl(), attacked });
      }
    }
    const after = await field.memory();
    return {
      attack,
      quiet,
      rounds,
      counts: attacker.counts(),
      controlCounts: attacker.controlCounts(),
      slowestMs: attacker.slowestMs(),
      examples: attacker.examples(),
      memory: { before, most, after },
      health,
      deaths: field.deaths() - deathsBefore,
      restless,
    };
  } finally {
    attacker.close();
  }
}

/** A phase lasts until it is long enough, every client has enough samples, and the attack reaches what it attacks. */
async function phase(
  { bystanders }: Pick<Field, 'bystanders'>,
  { phaseMs, longestPhaseMs, watchEveryMs, samples: part }: HostilePace,
  isReached: () => boolean,
  watch: () => Promise<void> = async () => undefined,
): Promise<Phase> {
  const samples = new Map<RequestKind, Samples>();
  const ended = new AbortController();
  const started = performance.now();
  const clients = bystanders.map((one) => {
    const into: Samples = { latencies: [], failures: [] };
    samples.set(one.kind, into);
    const isDone = () => into.latencies.length + into.failures.length >= one.atLeast * part;
    return { isDone, sending: keepSending(one, into, ended.signal) };
  });
  const isOver = async () => {
    await watch();
    const took = performance.now() - started;
    return (
      took > longestPhaseMs || (took >= phaseMs && isReached() && clients.every(({ isDone }) => isDone()))
    );
  };
  try {
    await until(isOver, { within: 2 * longestPhaseMs, every: watchEveryMs });
  } finally {
    ended.abort();
    await Promise.all(clients.map(({ sending }) => sending));
  }
  return samples;
}
