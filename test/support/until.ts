import { setImmediate } from 'node:timers/promises';

/** Waits until something that happens soon has happened. */
export async function until(condition: () => Promise<boolean>, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not happen in time');
    await setImmediate();
  }
}
