import { setTimeout as pause } from 'node:timers/promises';

/** Three times as long as the hash, so that hashes for which no sign-in waits take a quarter of the time of their slots. */
const restPerHash = 3;
const longestRestMs = 1_000;

/**
 * Resolves when the slot of a hash may take the next one. Requests and sign-ins of everybody else use the processor
 * meanwhile. Without this, one organization that creates users with passwords would keep all cores busy.
 * @param tookMs the time of the hash
 */
export function restAfterHash(tookMs: number): Promise<void> {
  return pause(Math.min(longestRestMs, restPerHash * tookMs));
}
