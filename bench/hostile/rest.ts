import { setTimeout as pause } from 'node:timers/promises';
import type { Running } from '../processes.js';

const windowMs = 250;
/** A process that uses less of a core than this has nothing to do. */
const idlePart = 0.2;

/**
 * Waits until every process is idle. After an attack they may still work for clients that are gone, and the next phase would feel it.
 * @returns whether they are idle within this time
 */
export async function comeToRest(
  processes: readonly Pick<Running, 'processorTime'>[],
  withinMs: number,
): Promise<boolean> {
  const end = performance.now() + withinMs;
  const used = () => Promise.all(processes.map((one) => one.processorTime()));
  for (let before = await used(); performance.now() < end; ) {
    const started = performance.now();
    await pause(windowMs);
    const after = await used();
    const most = idlePart * (performance.now() - started);
    // The time is NaN if the process has ended.
    if (after.every((time, n) => time - (before[n] ?? 0) < most)) return true;
    before = after;
  }
  return withinMs === 0;
}
