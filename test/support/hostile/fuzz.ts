import { randomInt } from 'node:crypto';

/**
 * Where random requests begin: another place each time, which a failure names. `FUZZ_SEED` repeats a run,
 * `FUZZ_ROUNDS` prolongs it. A property that fails gets a minute to find the smallest request that does.
 */
export function fuzzing(usualRuns: number) {
  return {
    seed: Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31)),
    numRuns: Number(process.env['FUZZ_ROUNDS'] ?? usualRuns),
    interruptAfterTimeLimit: 60_000,
  };
}
