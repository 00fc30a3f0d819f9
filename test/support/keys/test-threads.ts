import { createThreadPool, type ThreadLimits } from '#src/keys/thread-pool.js';

/** Threads for a test without a container. Nobody waits for a sign-in there. */
export function testThreads(limits: Partial<ThreadLimits> = {}) {
  return createThreadPool({ threads: 4, concurrency: 2, reserved: 0, queue: 500, ...limits });
}
