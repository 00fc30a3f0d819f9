import { performance } from 'node:perf_hooks';

/**
 * The part of the event loop that work of little urgency may take. It shrinks while the process has other work, because on a busy machine a
 * little more work makes everybody wait much longer.
 */
export interface LoopShare {
  /** The part, from 0 to 1. */
  now(): number;
  /** Tells that such work has used the event loop for so long, in milliseconds. It is not counted as other work. */
  spent(ms: number): void;
}

/** The least time over which the other work is measured, in milliseconds. */
const windowMs = 250;

/** @param bounds `most` is the part while the process has no other work. It is never less than `least` */
export function createLoopShare(bounds: { readonly most: number; readonly least: number }): LoopShare {
  let since = performance.now();
  let before = performance.eventLoopUtilization();
  let ownMs = 0;
  /** The part of the event loop that other work took. It follows new measurements by half. */
  let others = 0;

  function measure(): void {
    const ms = performance.now() - since;
    if (ms < windowMs) return;
    const after = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(after, before);
    const latest = Math.min(1, Math.max(0, utilization - ownMs / ms));
    others = (others + latest) / 2;
    since += ms;
    before = after;
    ownMs = 0;
  }

  return {
    now() {
      measure();
      return Math.max(bounds.least, bounds.most * Math.exp(-14 * others));
    },
    spent(ms) {
      ownMs += ms;
    },
  };
}
