/** How one kind of job is run. The payload of every job is its identifier alone: what it works on is staged. */
export interface JobDefinition {
  /** Times it is tried, the first included. */
  readonly attempts: number;
  /** First pause between attempts in milliseconds; each next one is twice as long. */
  readonly backoffMs: number;
  /** Jobs that one worker process runs at once, where it is another number than MUSTER_WORKER_CONCURRENCY. */
  readonly concurrency?: number;
  /**
   * An attempt may end before the job does, so that others that wait get its place: the job is offered again as long as
   * it is open. So an attempt that can do nothing more has to close it.
   */
  readonly givesWay?: boolean;
  /** How long its record can be read after it ended, in seconds. */
  readonly retentionSeconds: number;
}

/** Every kind of job, once. A worker process refuses to start unless each has exactly one handler. */
export const jobCatalogue = {
  'scim-bulk': { attempts: 5, backoffMs: 250, retentionSeconds: 24 * 3600 },
  // Its attempts do little but wait for parts, for as long as the import takes.
  import: { attempts: 5, backoffMs: 500, givesWay: true, retentionSeconds: 7 * 24 * 3600 },
  // It has no record of its own: its import offers it again until it is done. Few at once, for they are work for the
  // processor, and leave room for everything else.
  'import-part': { attempts: 2, backoffMs: 500, concurrency: 3, retentionSeconds: 0 },
  // What it holds may be hashes of passwords: it is kept for a day.
  export: { attempts: 5, backoffMs: 500, concurrency: 2, retentionSeconds: 24 * 3600 },
} as const satisfies Record<string, JobDefinition>;

/** Work that comes round by itself: it has no record, and asks the stores what is due. */
export interface ScheduledJobDefinition {
  readonly everyMs: number;
}

/** Every scheduled job, once. One of the worker processes does it each time. */
export const scheduledJobs = {
  'signing-keys': { everyMs: 300_000 },
} as const satisfies Record<string, ScheduledJobDefinition>;

export type ScheduledJobKind = keyof typeof scheduledJobs;

export type JobKind = keyof typeof jobCatalogue;
