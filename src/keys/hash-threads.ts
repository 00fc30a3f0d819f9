import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** Compares passwords with imported hashes, outside of the event loop. */
export interface HashThreads {
  /** Whether the password has this hash, which `readPasswordHash` can read and which is not of argon2. */
  compare(password: string, hash: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  busy: number;
  readonly waiting: Map<number, { resolve(matches: boolean): void; reject(error: Error): void }>;
}

/** Threads start with the first comparisons. They do not keep the process alive. */
export function createHashThreads(size: number): HashThreads {
  const threads: Thread[] = [];
  let lastId = 0;

  function start(): Thread {
    const thread: Thread = { worker: startWorker(), busy: 0, waiting: new Map() };
    const { worker, waiting } = thread;
    worker.unref();
    worker.on('message', ([id, matches]: [number, boolean]) => {
      thread.busy--;
      waiting.get(id)?.resolve(matches);
      if (waiting.delete(id) && waiting.size === 0) worker.unref();
    });
    const fail = (error: Error) => {
      threads.splice(0, threads.length, ...threads.filter((other) => other !== thread));
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('A thread of password hashes ended')));
    threads.push(thread);
    return thread;
  }

  function leastBusy(): Thread {
    const [idlest] = [...threads].sort((a, b) => a.busy - b.busy);
    return idlest === undefined || (idlest.busy > 0 && threads.length < size) ? start() : idlest;
  }

  return {
    compare(password, hash) {
      const thread = leastBusy();
      const id = ++lastId;
      thread.busy++;
      thread.worker.ref();
      return new Promise((resolve, reject) => {
        thread.waiting.set(id, { resolve, reject });
        thread.worker.postMessage([id, password, hash]);
      });
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function startWorker(): Worker {
  // A bundle has this function in another file, so the path beside it would be wrong.
  return new Worker(createRequire(import.meta.url).resolve('#src/keys/hash-thread.js'));
}
