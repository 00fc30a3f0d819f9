import type { Clock } from '#src/platform/clock.js';
import { createLru } from '#src/platform/lru.js';

/** Stops calls to a service of somebody else that fails again and again. */
interface CircuitBreakers {
  /**
   * Admits a call unless the circuit is open. After the pause it admits one call as a trial, and no other until the trial has
   * succeeded or another pause is over.
   */
  admit(name: string): boolean;
  succeeded(name: string): void;
  /** Returns whether this failure opened the circuit. */
  failed(name: string): boolean;
}

interface Circuit {
  failures: number;
  /** The circuit is open, and admits no call, before this time in milliseconds. */
  openUntil: number;
}

/** @param limits `failures`: as many in a row open the circuit for `pauseMs` */
export function createCircuitBreakers(
  clock: Clock,
  { failures: most, pauseMs }: { failures: number; pauseMs: number },
): CircuitBreakers {
  const circuits = createLru<Circuit>({ max: 1_000 });
  return {
    admit(name) {
      const circuit = circuits.get(name);
      if (circuit === undefined || circuit.failures < most) return true;
      const now = clock.now().getTime();
      if (now < circuit.openUntil) return false;
      circuit.openUntil = now + pauseMs;
      return true;
    },
    succeeded(name) {
      circuits.delete(name);
    },
    failed(name) {
      const circuit = circuits.get(name) ?? { failures: 0, openUntil: 0 };
      circuit.failures++;
      const opens = circuit.failures >= most;
      if (opens) circuit.openUntil = clock.now().getTime() + pauseMs;
      circuits.set(name, circuit);
      return opens;
    },
  };
}
