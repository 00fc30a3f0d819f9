import { median, percentile } from '../load.js';
import { type RequestKind, requestKinds, type Samples } from './bystander.js';

/** The samples of a quiet phase, or of a phase under attack. */
export type Phase = ReadonlyMap<RequestKind, Samples>;

/** A quiet phase, and the phase under attack after it. */
export interface Round {
  readonly quiet: Phase;
  readonly attacked: Phase;
}

/** The largest ratio of the 95th percentile under attack to the quiet one. */
export const allowedRatio = 2;

/** The median over the rounds of the 95th percentile under attack by the quiet one. NaN if a phase has no sample. */
export function ratioOf(rounds: readonly Round[], kind: RequestKind): number {
  const p95 = (phase: Phase) => percentile(phase.get(kind)?.latencies ?? [], 0.95);
  return median(rounds.map(({ quiet, attacked }) => p95(attacked) / p95(quiet)));
}

/** Whether the ratio of each kind of request is allowed. */
export const areAllowed = (rounds: readonly Round[]) =>
  requestKinds.every((kind) => ratioOf(rounds, kind) <= allowedRatio);
