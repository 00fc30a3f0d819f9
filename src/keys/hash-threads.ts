import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createThreads } from '#src/platform/threads.js';

/** Compares passwords with imported hashes, outside of the event loop. */
interface HashThreads {
  /**
   * Whether the password has this hash, which `readPasswordHash` can read and which is not of argon2.
   * @param pepper that of the organization, if the hash needs one
   */
  compare(password: string, hash: string, pepper?: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Threads start with the first comparisons. */
export function createHashThreads(size: number): HashThreads {
  const threads = createThreads<[string, string, string | undefined], boolean>({ size, start: startWorker });
  return {
    compare: (password, hash, pepper) => threads.ask([password, hash, pepper]),
    close: threads.close,
  };
}

function startWorker(): Worker {
  // A bundle has this function in another file, so the path beside it would be wrong.
  return new Worker(createRequire(import.meta.url).resolve('#src/keys/hash-thread.js'));
}
