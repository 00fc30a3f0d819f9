import type { ConnectionOptions, Queue, QueueEvents } from 'bullmq';
import { inTime } from '#src/platform/in-time.js';
import type { Logger } from '#src/platform/logger.js';
import { connectRedis, whenReady } from '#src/platform/redis/redis.js';
import type { Tracing } from '#src/platform/tracing.js';
import { type JobKind, jobCatalogue } from './catalogue.js';
import { createQueues } from './create-queues.js';
import { createFairQueue, type QueueEntry } from './fair-queue.js';
import { createJobWaits } from './job-waits.js';
import type { openQueue } from './open-queue.js';

/** Hands jobs to the workers and reports their ends. */
export interface JobQueue {
  /** Adds a job in the order of the fair queue. Does nothing if the queue has the job already. */
  enqueue(job: QueueEntry): Promise<void>;
  /**
   * Waits until a worker reports the job's end, `timeoutMs` has passed or the signal aborts, whichever comes first.
   * A report can be lost, so callers read the record and wait again. The process listens to the reports of a kind from the first call on.
   */
  waitForEnd(job: Pick<QueueEntry, 'id' | 'kind'>, timeoutMs: number, signal?: AbortSignal): Promise<void>;
  /** The number of jobs of each kind in each state of the queue: `waiting`, `active`, `delayed`. */
  counts(): Promise<{ kind: JobKind; state: string; count: number }[]>;
  /** When the oldest waiting job of this kind was queued. Looks at the 100 that begin next. */
  oldestWaiting(kind: JobKind): Promise<Date | undefined>;
  /** Opens queues anew that could not be opened. @throws while Redis does not answer, or a queue cannot be opened */
  ping(): Promise<void>;
  /** Opens all queues, so that the first job of each kind need not wait for that. Logs an error for a queue that cannot be opened, and `ping` then fails. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

const kinds = Object.keys(jobCatalogue) as JobKind[];
/** The longest time that `enqueue` may take, in milliseconds. BullMQ itself would wait longer for Redis. */
const enqueueLimitMs = 5_000;
/** The number of waiting jobs among which the oldest is sought. */
const sought = 100;
/** The longest time that connections get to close. A connection that is reconnecting never reports its end. */
const closeLimitMs = 2_000;

/** The beginning of the keys of all queues. BullMQ makes keys of it: `{prefix:queue}:kind:...`. */
export function queuePrefix(prefix: string): string {
  // The braces are a hash tag. It keeps all keys of all queues in one slot of a Cluster.
  return `{${prefix}:queue}`;
}

/**
 * Connects to Redis. The queue of a kind is opened when it is first used, because BullMQ takes long to load.
 * @throws StartFailure if Redis does not answer
 */
export async function openJobQueue(deps: {
  redisUrl: string;
  prefix: string;
  logger: Logger;
  tracing?: Tracing | undefined;
}): Promise<JobQueue> {
  const prefix = queuePrefix(deps.prefix);
  const producer = connectRedis(deps.redisUrl, 'failFast');
  const listener = connectRedis(deps.redisUrl, 'patient');
  const warn = (error: Error) => deps.logger.warn({ err: error }, 'job queue connection failed');
  for (const connection of [producer, listener]) connection.on('error', warn);
  // BullMQ asks Redis for its version when it makes a queue. A connection that fails fast must be ready for that.
  await whenReady(producer, 5_000);

  const fairQueue = createFairQueue(producer, prefix);
  const queueOptions = {
    connection: producer as ConnectionOptions,
    prefix,
    skipWaitingForReady: true,
    streams: { events: { maxLen: 1_000 } },
  };
  const queues = createQueues(
    (kind) => loadAndOpen(kind, queueOptions, warn),
    (kind, error) => deps.logger.error({ err: error, kind }, 'job queue cannot be opened'),
  );
  const ends = createEnds({ connection: listener as ConnectionOptions, prefix }, warn);

  return {
    async enqueue(job) {
      const { id: jobId, kind } = job;
      const { attempts, backoffMs } = jobCatalogue[kind];
      const priority = await fairQueue.nextRound(job);
      if (priority === undefined) return;
      const traceparent = deps.tracing?.current();
      const added = async () =>
        (await queues.of(kind)).add(
          kind,
          { jobId, ...(traceparent !== undefined && { traceparent }) },
          {
            jobId,
            priority,
            attempts,
            backoff: { type: 'exponential', delay: backoffMs },
            removeOnComplete: true,
            removeOnFail: true,
          },
        );
      await inTime(added(), enqueueLimitMs);
    },

    waitForEnd: ends.wait,

    async counts() {
      const counted = await Promise.all(
        kinds.map(async (kind) => {
          const queue = await queues.of(kind);
          const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed');
          const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
          const byState = { waiting: waiting + prioritized, active, delayed };
          return Object.entries(byState).map(([state, count]) => ({ kind, state, count }));
        }),
      );
      return counted.flat();
    },

    async oldestWaiting(kind) {
      // An organization's jobs begin in the order in which they came, so the oldest of all is among these.
      const next = await (await queues.of(kind)).getPrioritized(0, sought - 1);
      const times = next.flatMap((job) => job?.timestamp ?? []);
      return times.length === 0 ? undefined : new Date(Math.min(...times));
    },

    async ping() {
      await producer.ping();
      await queues.reopenFailed();
    },

    async warmUp() {
      await Promise.allSettled(kinds.map(queues.of));
    },

    async close() {
      const closed = Promise.allSettled([ends.close(), queues.close()]);
      await inTime(closed, closeLimitMs).catch(() => undefined);
      producer.disconnect();
      listener.disconnect();
    },
  };
}

async function loadAndOpen(...given: Parameters<typeof openQueue>): Promise<Queue> {
  const { openQueue: open } = await import('./open-queue.js');
  return open(...given);
}

/**
 * Waits for the ends of jobs. It listens to a kind from the first wait on: a worker hears of parts alone, and a process that nobody asks for a
 * job hears of none. Each kind takes a connection.
 */
function createEnds(
  options: { connection: ConnectionOptions; prefix: string },
  warn: (error: Error) => void,
): { wait: JobQueue['waitForEnd']; close(): Promise<unknown> } {
  const waits = createJobWaits();
  let closed = false;
  const listeners = new Map<JobKind, Promise<QueueEvents>>();
  return {
    wait({ id, kind }, timeoutMs, signal) {
      // While the process ends, a wait ends by its time or its signal.
      if (!closed && !listeners.has(kind)) {
        const listening = listenForEnds(kind, options, { wake: waits.wake, warn });
        listeners.set(kind, listening);
        listening.catch((error: Error) => {
          listeners.delete(kind);
          warn(error);
        });
      }
      return waits.wait(id, timeoutMs, signal);
    },
    close() {
      closed = true;
      return Promise.all([...listeners.values()].map(async (listener) => (await listener).close()));
    },
  };
}

/** Calls `wake` with each job of this kind that workers report as ended. */
async function listenForEnds(
  kind: JobKind,
  options: { connection: ConnectionOptions; prefix: string },
  { wake, warn }: { wake: (jobId: string) => void; warn: (error: Error) => void },
): Promise<QueueEvents> {
  const { openQueueEvents } = await import('./open-queue.js');
  // From the oldest report on, so that none is missed until the connection is there. Those of jobs that nobody waits for wake nobody.
  const events = openQueueEvents(kind, options);
  const ended = ({ jobId }: { jobId: string }) => wake(jobId);
  events.on('completed', ended);
  events.on('failed', ended);
  events.on('error', warn);
  return events;
}
