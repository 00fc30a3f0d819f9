import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Whether an attempt succeeds that needs this process to run on time. If the event loop stalled for longer than
 * `limitMs`, a failure does not count and the attempt is repeated.
 */
export async function succeedsWithoutStalls(
  limitMs: number,
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  for (let tries = 1; tries < 20; tries++) {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const isGood = await attempt();
    delay.disable();
    if (isGood) return true;
    if (delay.max < limitMs * 1_000_000) return false;
  }
  return false;
}
