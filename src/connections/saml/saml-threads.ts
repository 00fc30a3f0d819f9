import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createThreads, threadEnded } from '#src/platform/threads.js';
import { createFairLanes } from '#src/platform/work/fair-lanes.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { ProviderFailure } from '../provider/provider-failure.js';
import type { SamlAnswer, SamlQuestion, SamlTasks } from './saml-tasks.js';

/** Reads and makes documents of SAML outside of the event loop. The library of SAML is loaded in its threads alone. */
export interface SamlThreads {
  /**
   * @param orgId the organization of the connection. It has one thread at a time
   * @throws ProviderFailure why a document is refused. `tooCostly` if a thread gave up, or too much work waits
   */
  run<Task extends keyof SamlTasks>(
    orgId: string,
    task: Task,
    question: SamlTasks[Task]['question'],
  ): Promise<SamlTasks[Task]['answer']>;
  close(): Promise<void>;
}

/** One organization cannot take both. */
const size = 2;
/** The longest time of one task, in milliseconds. The first one waits for its thread to start too. */
const longestMs = 10_000;
/** The tasks that may wait: those of all organizations, and those of one. */
const waiting = { all: 200, organization: 50 };
/** Logout requests come from anybody and run one at a time, so a sign-in waits for one of them at most. The others wait here. */
const waitingLogouts = 5;
/** Enough for a response of 256 KiB, and too little for one that grows. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** Threads start with the first task. An instance without connections by SAML starts none. */
export function createSamlThreads(options: { start?: () => Worker; longestMs?: number } = {}): SamlThreads {
  const threads = createThreads<SamlQuestion, SamlAnswer>({
    size,
    start: startWorker,
    longestMs,
    ...options,
  });
  const refuse = () => new ProviderFailure('tooCostly', 'Too many documents of SAML wait', 'busy');
  const turns = createKeyedSemaphore({
    ...{ atOnce: 1, waiting: waiting.organization, longestWaitMs: longestMs, refuse },
  });
  const logouts = createKeyedSemaphore({
    ...{ atOnce: 1, waiting: waitingLogouts, longestWaitMs: longestMs, refuse },
  });
  const lanes = createFairLanes({ task: { atOnce: size, waiting: waiting.all, refuse } });
  return {
    async run(orgId, task, question) {
      const asked = { task, question } as SamlQuestion;
      const inTurn = () =>
        turns.run(orgId, () => lanes.run('task', orgId, () => threads.ask(asked).catch(gaveUp)));
      const found = await (task === 'verifyLogoutRequest' ? logouts.run(orgId, inTurn) : inTurn());
      if ('problem' in found) throw new ProviderFailure(found.problem, found.detail, found.fault);
      return found.answer as never;
    },
    close: threads.close,
  };
}

/** A thread ends when its time or its memory is over. @throws the error of a thread that could not work at all */
function gaveUp(error: Error & { code?: string }): SamlAnswer {
  const isOver = error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error.message === threadEnded;
  if (!isOver) throw error;
  return { problem: 'tooCostly', detail: 'The document could not be read in time' };
}

function startWorker(): Worker {
  // A bundle has this function in another file, so the path beside it would be wrong.
  const thread = createRequire(import.meta.url).resolve('#src/connections/saml/saml-thread.js');
  return new Worker(thread, { resourceLimits });
}
