import type { Clock } from '#src/platform/clock.js';
import { createLru } from '#src/platform/lru.js';

/** Stops calls to a service of somebody else that fails again and again. */
export interface Circuits {
  /** Whether a call may be made. After a pause, one call is a trial. */
  mayCall(name: string): boolean;
  succeeded(name: string): void;
  /** Returns whether this failure stopped further calls. */
  failed(name: string): boolean;
}

interface Circuit {
  failures: number;
  /** No call before this time, in milliseconds. */
  closedUntil: number;
}

/** @param limits `failures`: as many in a row stop calls for `pauseMs` */
export function createCircuits(
  clock: Clock,
  { failures: most, pauseMs }: { failures: number; pauseMs: number },
): Circuits {
  const circuits = createLru<Circuit>({ max: 1_000 });
  return {
    mayCall(name) {
      const circuit = circuits.get(name);
      if (circuit === undefined || circuit.failures < most) return true;
      const now = clock.now().getTime();
      if (now < circuit.closedUntil) return false;
      circuit.closedUntil = now + pauseMs;
      return true;
    },
    succeeded(name) {
      circuits.delete(name);
    },
    failed(name) {
      const circuit = circuits.get(name) ?? { failures: 0, closedUntil: 0 };
      circuit.failures++;
      const stops = circuit.failures >= most;
      if (stops) circuit.closedUntil = clock.now().getTime() + pauseMs;
      circuits.set(name, circuit);
      return stops;
    },
  };
}
