import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Looks in consecutive turns of the event loop: what is nearly done is seen at once. */
const turns = 20;

/**
 * Waits until a condition holds. It is looked at in the next turns of the event loop and then every 20 ms, so that what
 * it waits for gets the processor.
 * @param within milliseconds
 * @param every milliseconds
 * @returns what the condition came to
 * @throws Error when it does not hold in time
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
