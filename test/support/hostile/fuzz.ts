import { randomInt } from 'node:crypto';

/**
 * The seed and the size of a run of random requests. The seed is random, and a failure prints it. `FUZZ_SEED` repeats a
 * run, `FUZZ_ROUNDS` prolongs it. A run ends after a minute, a prolonged one after fifteen.
 */
export function fuzzing(usualRuns: number) {
  return {
    seed: Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31)),
    numRuns: Number(process.env['FUZZ_ROUNDS'] ?? usualRuns),
    interruptAfterTimeLimit: process.env['FUZZ_ROUNDS'] === undefined ? 60_000 : 900_000,
  };
}
