import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** Compares passwords with the bcrypt hashes of imported users, outside of the event loop. */
export interface BcryptThreads {
  /** Whether the password has this hash. False for a malformed hash. */
  compare(password: string, hash: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  busy: number;
  readonly waiting: Map<number, { resolve(matches: boolean): void; reject(error: Error): void }>;
}

const bcryptModule = createRequire(import.meta.url).resolve('bcryptjs');

/**
 * The source of a thread. It takes `[id, password, hash]` and sends `[id, matches]`. It is plain JavaScript,
 * so that it needs no loader.
 */
const threadSource = `
  const { parentPort, workerData } = require('node:worker_threads');
  const bcrypt = require(workerData);
  parentPort.on('message', ([id, password, hash]) => {
    let matches = false;
    try {
      matches = bcrypt.compareSync(password, hash);
    } catch {
      // A malformed hash matches nothing.
    }
    parentPort.postMessage([id, matches]);
  });`;

/** Threads start with the first comparisons. They do not keep the process alive. */
export function createBcryptThreads(size: number): BcryptThreads {
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
    worker.on('exit', () => fail(new Error('A bcrypt thread ended')));
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
  return new Worker(threadSource, { eval: true, workerData: bcryptModule, execArgv: [] });
}
