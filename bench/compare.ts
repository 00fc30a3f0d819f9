import { fire, type Load, type Measured, median, percentile } from './load.js';
import { ownKinds, processorTimes, spentBy } from './process-kinds.js';

/** The durations and the number of rounds of a measure. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export const fullPace: Pace = { rounds: 5, seconds: 2, warmUpSeconds: 3 };
export const quickPace: Pace = { rounds: 2, seconds: 1, warmUpSeconds: 1 };

/** Two sides that are measured in turn, A B A B, so that other load on the machine affects both. */
export interface Comparison {
  /** Medians over the rounds. */
  readonly ours: number;
  readonly peer: number;
  /** Median of the ratios of the rounds. A ratio is ours divided by the peer's. */
  readonly ratio: number;
}

type Value<M extends Measured> = (measured: M) => number;

/** Requests per second of both sides. */
export async function compareRates(ours: Load, peer: Load, pace: Pace): Promise<Comparison> {
  return comparison(await measureRounds({ ours, peer }, pace, fire), ({ rate }) => rate);
}

/** 95th percentiles of the latency of both sides, in milliseconds. */
export async function compareP95(ours: Load, peer: Load, pace: Pace): Promise<Comparison> {
  const rounds = await measureRounds({ ours, peer }, pace, fire);
  return comparison(rounds, ({ latencies }) => percentile(latencies, 0.95));
}

/** Rates, and the milliseconds of processor time that a request costs. @param spent what counts */
export async function compareCosts(
  ours: Load,
  peer: Load,
  { pace, spent = spentByAll }: { pace: Pace; spent?: Spent },
): Promise<{ rates: Comparison; costs: Comparison }> {
  const rounds = await measureRounds({ ours, peer }, pace, (load, seconds) =>
    fireAtCost(load, seconds, spent),
  );
  return { rates: comparison(rounds, ({ rate }) => rate), costs: comparison(rounds, ({ cost }) => cost) };
}

/** Begins to watch processor time. @returns what was spent since, in milliseconds */
export type Spent = () => Promise<() => Promise<number>>;

/** The processor time of all processes of Muster and of its stores. */
export const spentByAll: Spent = async () => {
  const before = await processorTimes(ownKinds);
  return async () => spentBy(Object.keys(ownKinds), { before, after: await processorTimes(ownKinds) });
};

async function fireAtCost(load: Load, seconds: number, spent: Spent): Promise<Measured & { cost: number }> {
  let sinceBegin = async () => Number.NaN;
  const measured = await fire(
    {
      ...load,
      async prepare(of) {
        await load.prepare?.(of);
        sinceBegin = await spent();
      },
    },
    seconds,
  );
  return { ...measured, cost: (await sinceBegin()) / measured.latencies.length };
}

interface Round<M> {
  readonly ours: M;
  readonly peer: M;
}

async function measureRounds<M extends Measured>(
  sides: Round<Load>,
  pace: Pace,
  measure: (load: Load, seconds: number) => Promise<M>,
): Promise<Round<M>[]> {
  await fire(sides.ours, pace.warmUpSeconds);
  await fire(sides.peer, pace.warmUpSeconds);
  const rounds: Round<M>[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const ours = await measure(sides.ours, pace.seconds);
    rounds.push({ ours, peer: await measure(sides.peer, pace.seconds) });
  }
  return rounds;
}

function comparison<M extends Measured>(rounds: readonly Round<M>[], value: Value<M>): Comparison {
  const ours = rounds.map((round) => value(round.ours));
  const peer = rounds.map((round) => value(round.peer));
  const ratios = ours.map((one, round) => one / (peer[round] ?? Number.NaN));
  return { ours: median(ours), peer: median(peer), ratio: median(ratios) };
}
