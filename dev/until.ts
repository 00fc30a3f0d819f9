import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/**
 * The number of event loop turns in which the condition is checked first, so that a result that is nearly ready is seen
 * at once.
 */
const turns = 20;

/**
 * Waits until a condition holds. It checks in the next turns of the event loop, and then every 20 ms so that other work
 * gets the processor.
 * @param within milliseconds
 * @param every milliseconds
 * @returns the result of the condition
 * @throws Error if the condition does not hold in time
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { within = 120_000, every = 20 }: { within?: number; every?: number } = {},
): Promise<NonNullable<T>> {
  const end = performance.now() + within;
  for (let turn = 0; ; turn++) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`Not within ${within} ms: ${condition}`);
    await (turn < turns ? nextTurn() : pause(every));
  }
}
