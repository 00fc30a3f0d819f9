import { median, percentile } from '../load.js';
import { type RequestKind, requestKinds, type Samples } from './bystander.js';

/** The samples of one phase. */
export type Phase = ReadonlyMap<RequestKind, Samples>;

/** A phase under attack, and the phase that it is compared with: its control, or a quiet phase. */
export interface Round {
  readonly compared: Phase;
  readonly attacked: Phase;
}

/** The largest ratio of the 95th percentile under attack to that of the other phase. */
export const allowedRatio = 2;

/** The median over the rounds of the 95th percentile under attack by that of the other phase. NaN if a phase has no sample. */
export function ratioOf(rounds: readonly Round[], kind: RequestKind): number {
  const p95 = (phase: Phase) => percentile(phase.get(kind)?.latencies ?? [], 0.95);
  return median(rounds.map(({ compared, attacked }) => p95(attacked) / p95(compared)));
}

/** Whether the ratio of each kind of request is allowed. */
export const areAllowed = (rounds: readonly Round[]) =>
  requestKinds.every((kind) => ratioOf(rounds, kind) <= allowedRatio);
