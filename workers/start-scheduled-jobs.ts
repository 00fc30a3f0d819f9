import { type ConnectionOptions, Queue, Worker } from 'bullmq';
import { type ScheduledJobKind, scheduledJobs } from '#src/jobs/catalogue.js';
import { queuePrefix } from '#src/jobs/job-queue.js';
import type { Logger } from '#src/platform/logger.js';
import { connectRedis } from '#src/platform/redis/redis.js';
import type { WorkerRooms } from '#src/rooms.js';
import { connectionEndingsWorker } from './connection-endings.worker.js';
import { domainProofsWorker } from './domain-proofs.worker.js';
import { groupMembersWorker } from './group-members.worker.js';
import { noticesWorker } from './notices.worker.js';
import { samlMetadataWorker } from './saml-metadata.worker.js';
import { signingKeysWorker } from './signing-keys.worker.js';
import { userTotalsWorker } from './user-totals.worker.js';

/** Does the work that is due. It may be called again after a crash. */
type ScheduledHandler = (logger: Logger) => Promise<void>;

const handlers: Record<ScheduledJobKind, (deps: WorkerRooms) => ScheduledHandler> = {
  'signing-keys': signingKeysWorker,
  notices: noticesWorker,
  'domain-proofs': domainProofsWorker,
  'group-members': groupMembersWorker,
  'user-totals': userTotalsWorker,
  'saml-metadata': samlMetadataWorker,
  'connection-endings': connectionEndingsWorker,
};

/** All scheduled jobs share one queue. */
const queueName = 'scheduled';
/** The schedule is written again after this time, because Redis may lose it or a wrong clock may spoil it. */
const rescheduleMs = 60_000;

/**
 * Runs the scheduled jobs. All worker processes share one schedule in Redis, so that one of them does the work each time.
 * A failure is logged. The work is tried again at the next scheduled time.
 */
export function startScheduledJobs(deps: WorkerRooms): { close(): Promise<void> } {
  const { config, logger, clock } = deps;
  const warn = (error: Error) => logger.warn({ err: error }, 'scheduled jobs: connection failed');
  const connection = connectRedis(config.redisUrl, 'patient');
  connection.on('error', warn);
  const options = { connection: connection as ConnectionOptions, prefix: queuePrefix(config.redisPrefix) };
  const queue = new Queue(queueName, { ...options, streams: { events: { maxLen: 100 } } });
  const worker = new Worker(queueName, (job) => run(job.name as ScheduledJobKind), options);
  queue.on('error', warn);
  worker.on('error', warn);

  async function run(kind: ScheduledJobKind): Promise<void> {
    const log = logger.child({ job: kind });
    try {
      // Redis may still hold the schedule of another version of the program.
      await handlers[kind]?.(deps)(log);
    } catch (error) {
      log.error({ err: error }, 'scheduled job failed');
    }
  }

  async function schedule(): Promise<void> {
    for (const [kind, { everyMs }] of Object.entries(scheduledJobs)) {
      const { next = 0 } = (await queue.getJobScheduler(kind)) ?? {};
      // A process whose clock was ahead has delayed the next run.
      if (next > clock.now().getTime() + 2 * everyMs) await queue.removeJobScheduler(kind);
      const opts = { removeOnComplete: true, removeOnFail: true };
      await queue.upsertJobScheduler(kind, { every: everyMs }, { name: kind, opts });
    }
  }
  const upsert = () => {
    schedule().catch(warn);
  };
  upsert();
  const timer = setInterval(upsert, rescheduleMs);
  timer.unref();

  return {
    async close() {
      clearInterval(timer);
      await Promise.allSettled([worker.close(), queue.close()]);
      connection.disconnect();
    },
  };
}
