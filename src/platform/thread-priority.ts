import { readlink } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';

/** So often are the threads asked for their identifiers. Each time, a thread that sleeps may miss its turn. */
const mostTries = 100;

/** The lowest priority of Linux. */
const lowestPriority = 19;

/**
 * Gives the threads of libuv, which hash passwords and sign tokens, a lower priority than the thread of the event loop. Where both want the
 * same core, a request that takes a millisecond does not wait for a hash that takes fifty. Only Linux has a priority for each thread.
 * Elsewhere, and where `/proc` is missing, nothing changes.
 * @param threads the number of threads: `UV_THREADPOOL_SIZE`
 * @param niceness what is added to the priority of the process, as `nice` counts it. With 5, a thread gets a third of the processor time of
 * the event loop where both want all of a core
 * @returns the number of threads whose priority was changed
 */
export async function lowerThreadPriority(threads: number, niceness: number): Promise<number> {
  const lowered = new Set<number>();
  const priority = Math.min(lowestPriority, getPriority() + niceness);
  try {
    for (let tries = 0; tries < mostTries && lowered.size < threads; tries++) {
      // The link names the thread that reads it. That is one of libuv.
      const links = Array.from({ length: 4 * threads }, () => readlink('/proc/thread-self'));
      for (const link of await Promise.all(links)) {
        const thread = Number(link.split('/').at(-1));
        if (!lowered.has(thread)) setPriority(thread, priority);
        lowered.add(thread);
      }
    }
  } catch {
    // A system without this link, or one that forbids to change priorities.
  }
  return lowered.size;
}
