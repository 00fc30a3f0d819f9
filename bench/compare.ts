import { fire, type Load, median, percentile } from './load.js';

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

type Value = (measured: { rate: number; latencies: readonly number[] }) => number;

/** Requests per second of both sides. */
export function compareRates(ours: Load, peer: Load, pace: Pace): Promise<Comparison> {
  return compare({ ours, peer }, pace, ({ rate }) => rate);
}

/** 95th percentiles of the latency of both sides, in milliseconds. */
export function compareP95(ours: Load, peer: Load, pace: Pace): Promise<Comparison> {
  return compare({ ours, peer }, pace, ({ latencies }) => percentile(latencies, 0.95));
}

async function compare(sides: { ours: Load; peer: Load }, pace: Pace, value: Value): Promise<Comparison> {
  await fire(sides.ours, pace.warmUpSeconds);
  await fire(sides.peer, pace.warmUpSeconds);
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    ours.push(value(await fire(sides.ours, pace.seconds)));
    peer.push(value(await fire(sides.peer, pace.seconds)));
  }
  const ratios = ours.map((one, round) => one / (peer[round] ?? Number.NaN));
  return { ours: median(ours), peer: median(peer), ratio: median(ratios) };
}
