import { parentPort, type Worker } from 'node:worker_threads';

/** Threads that compute answers outside of the event loop. */
export interface Threads<Question, Answer> {
  /** Rejects if the thread ends before it has answered, or takes too long, and after `close`. */
  ask(question: Question): Promise<Answer>;
  close(): Promise<void>;
}

/** The message of the error for questions whose thread ended without an error of its own, such as by its time. */
export const threadEnded = 'A thread ended';

interface Thread<Answer> {
  readonly worker: Worker;
  readonly waiting: Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>;
}

/**
 * Threads start with the first questions. They do not keep the process alive.
 * @param options `size`: the most threads. `start` starts one, whose program calls {@link answerQuestions}. `longestMs`: a thread that has
 * not answered for so long is ended, with all questions that wait for it. Absent: it may take any time
 */
export function createThreads<Question, Answer>({
  size,
  start,
  longestMs,
}: {
  readonly size: number;
  readonly start: () => Worker;
  readonly longestMs?: number;
}): Threads<Question, Answer> {
  const threads: Thread<Answer>[] = [];
  let lastId = 0;
  let isClosed = false;

  function startThread(): Thread<Answer> {
    const thread: Thread<Answer> = { worker: start(), waiting: new Map() };
    const { worker, waiting } = thread;
    worker.unref();
    worker.on('message', ([id, answer]: [number, Answer]) => {
      waiting.get(id)?.resolve(answer);
      if (waiting.delete(id) && waiting.size === 0) worker.unref();
    });
    const fail = (error: Error) => {
      threads.splice(0, threads.length, ...threads.filter((other) => other !== thread));
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error(threadEnded)));
    threads.push(thread);
    return thread;
  }

  /** Ends the thread if this question is still open when its time is over. */
  function watch({ worker, waiting }: Thread<Answer>, id: number): void {
    if (longestMs === undefined) return;
    const late = () => (waiting.has(id) ? void worker.terminate() : undefined);
    setTimeout(late, longestMs).unref();
  }

  function leastBusy(): Thread<Answer> {
    const [idlest] = [...threads].sort((a, b) => a.waiting.size - b.waiting.size);
    const isBusy = idlest !== undefined && idlest.waiting.size > 0;
    return idlest === undefined || (isBusy && threads.length < size) ? startThread() : idlest;
  }

  return {
    ask(question) {
      if (isClosed) return Promise.reject(new Error('The threads are closed'));
      const thread = leastBusy();
      const { worker, waiting } = thread;
      const id = ++lastId;
      worker.ref();
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage([id, question]);
        watch(thread, id);
      });
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

/** Answers the questions of {@link createThreads} in the thread that runs this. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  parentPort?.on('message', async ([id, question]: [number, Question]) => {
    parentPort?.postMessage([id, await answer(question)]);
  });
}
