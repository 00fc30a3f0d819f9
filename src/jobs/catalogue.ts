/** How one kind of job is run. The payload of every job is its identifier alone: what it works on is staged. */
export interface JobDefinition {
  /** Times it is tried, the first included. */
  readonly attempts: number;
  /** First pause between attempts in milliseconds; each next one is twice as long. */
  readonly backoffMs: number;
  /** How long its record can be read after it ended, in seconds. */
  readonly retentionSeconds: number;
}

/** Every kind of job, once. A worker process refuses to start unless each has exactly one handler. */
export const jobCatalogue = {
  'scim-bulk': { attempts: 5, backoffMs: 250, retentionSeconds: 24 * 3600 },
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
