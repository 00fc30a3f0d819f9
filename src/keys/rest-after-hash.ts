import { setTimeout as pause } from 'node:timers/promises';

/** A crowd of hashes: more than a client waits for that sends one user after the other, over several connections. */
const crowd = 8;
/** Three times as long as the hash, so that a crowd takes a quarter of the time of its slots. */
const restPerHash = 3;
const longestRestMs = 1_000;

/**
 * Lets the slot of a hash rest while a crowd waits for it. Requests and sign-ins of everybody else use the processor meanwhile.
 * Without this, one organization that creates many users with passwords at once would keep all cores busy.
 * @param ended the time of the hash in milliseconds, and how many hashes wait for which nobody signs in
 * @returns the rest. Undefined if no crowd waits
 */
export function restAfterHash(ended: { tookMs: number; waiting: number }): Promise<void> | undefined {
  if (ended.waiting < crowd) return undefined;
  return pause(Math.min(longestRestMs, restPerHash * ended.tookMs));
}
