import { type ConnectionOptions, QueueEvents } from 'bullmq';
import { inTime } from '#src/platform/in-time.js';
import type { Logger } from '#src/platform/logger.js';
import { connectRedis, whenReady } from '#src/platform/redis/redis.js';
import type { Tracing } from '#src/platform/tracing.js';
import { type JobKind, jobCatalogue } from './catalogue.js';
import { createTurns } from './fair-queue.js';
import { openQueue } from './open-queue.js';

/** Hands jobs to the workers and tells when they ended. */
export interface JobQueue {
  /**
   * Adds the job, to begin in turn with those of other organizations; one that is queued already stays as it is.
   * @param job `orgId`: whose turn it takes
   */
  enqueue(kind: JobKind, job: { jobId: string; orgId: string }): Promise<void>;
  /**
   * Waits until the workers report the job's end, `timeoutMs` has passed or the signal aborts, whichever comes
   * first. The report may be lost, so callers look at the record and wait again.
   */
  ended(jobId: string, timeoutMs: number, signal?: AbortSignal): Promise<void>;
  /** Jobs of each kind by state (`waiting`, `active`, `delayed`), as the queue has them now. */
  counts(): Promise<{ kind: JobKind; state: string; count: number }[]>;
  /** Since when the job of this kind has waited that has waited longest, of the 100 that begin next. */
  oldestWaiting(kind: JobKind): Promise<Date | undefined>;
  /** Fails when jobs cannot be handed over now. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Longest that handing a job over may take, whatever BullMQ waits for meanwhile. */
const enqueueLimitMs = 5_000;
/** Waiting jobs that are looked at to find the oldest. */
const looked = 100;
/** Longest that connections get to close: one that is about to connect again never tells that it ended. */
const closeLimitMs = 2_000;

/** One queue for each kind of job. Names and keys as BullMQ builds them: `{prefix:queue}:kind:...`. */
export function queuePrefix(prefix: string): string {
  // The braces are a hash tag: all keys of all queues stay in one slot of a Cluster.
  return `{${prefix}:queue}`;
}

export async function openJobQueue(deps: {
  redisUrl: string;
  prefix: string;
  logger: Logger;
  tracing?: Tracing | undefined;
}): Promise<JobQueue> {
  const prefix = queuePrefix(deps.prefix);
  const producer = connectRedis(deps.redisUrl, 'failFast');
  const listener = connectRedis(deps.redisUrl, 'patient');
  const kinds = Object.keys(jobCatalogue) as JobKind[];
  const waiting = new Map<string, Set<() => void>>();
  const warn = (error: Error) => deps.logger.warn({ err: error }, 'job queue connection failed');
  producer.on('error', warn);
  listener.on('error', warn);
  // BullMQ asks for the server's version when a queue is made, which a connection that fails fast must be ready for.
  await whenReady(producer, 5_000);

  const turns = createTurns(producer, prefix);
  const queueOptions = {
    connection: producer as ConnectionOptions,
    prefix,
    skipWaitingForReady: true,
    streams: { events: { maxLen: 1_000 } },
  };
  const queues = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, await openQueue(kind, queueOptions, warn)] as const)),
  );
  const events = kinds.map((kind) => {
    const queueEvents = new QueueEvents(kind, { connection: listener as ConnectionOptions, prefix });
    const ended = ({ jobId }: { jobId: string }) => {
      for (const wake of waiting.get(jobId) ?? []) wake();
    };
    queueEvents.on('completed', ended);
    queueEvents.on('failed', ended);
    queueEvents.on('error', warn);
    return queueEvents;
  });

  return {
    async enqueue(kind, { jobId, orgId }) {
      const { attempts, backoffMs } = jobCatalogue[kind];
      const priority = await turns.next(kind, { jobId, orgId });
      if (priority === undefined) return;
      const traceparent = deps.tracing?.current();
      const added = queues.get(kind)?.add(
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
      await inTime(added, enqueueLimitMs);
    },

    async ended(jobId, timeoutMs, signal) {
      if (signal?.aborted) return;
      const wakers = waiting.get(jobId) ?? new Set();
      waiting.set(jobId, wakers);
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          wakers.delete(wake);
          if (wakers.size === 0) waiting.delete(jobId);
          resolve();
        };
        const timer = setTimeout(wake, timeoutMs);
        signal?.addEventListener('abort', wake);
        wakers.add(wake);
      });
    },

    async counts() {
      const counted = await Promise.all(
        [...queues].map(async ([kind, queue]) => {
          const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed');
          const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
          const byState = { waiting: waiting + prioritized, active, delayed };
          return Object.entries(byState).map(([state, count]) => ({ kind, state, count }));
        }),
      );
      return counted.flat();
    },

    async oldestWaiting(kind) {
      // Those of an organization begin in the order of their coming: the first of all are among these.
      const next = (await queues.get(kind)?.getPrioritized(0, looked - 1)) ?? [];
      const times = next.flatMap((job) => job?.timestamp ?? []);
      return times.length === 0 ? undefined : new Date(Math.min(...times));
    },

    async ping() {
      await producer.ping();
    },

    async close() {
      const closed = Promise.allSettled([...queues.values(), ...events].map((queue) => queue.close()));
      await inTime(closed, closeLimitMs).catch(() => undefined);
      producer.disconnect();
      listener.disconnect();
    },
  };
}
