/** How workers run one kind of job. The queue carries only the job's identifier. Its input is staged. */
export interface JobDefinition {
  /** The number of tries, including the first. */
  readonly attempts: number;
  /** The first pause between attempts in milliseconds. Each following pause is twice as long. */
  readonly backoffMs: number;
  /** The number of jobs that one worker process runs at once, if it is not MUSTER_WORKER_CONCURRENCY. */
  readonly concurrency?: number;
  /**
   * An attempt may return before the job has ended, to give its place to other jobs. An open job is then queued again.
   * An attempt that can do nothing more must therefore end the job.
   */
  readonly givesWay?: boolean;
  /**
   * The job fails when workers have lost it twice without recording anything: it probably keeps their event loop, or kills
   * them. For kinds whose record shows the progress.
   */
  readonly failsWhenStuck?: boolean;
  /**
   * The number of jobs of which an organization has three in a round, if it had no such job waiting. Beside one other organization it
   * then gets three quarters of the places of the workers, and a small import ends soon.
   */
  readonly headStart?: number;
  /** How long the record is kept after the job was created, in seconds. */
  readonly retentionSeconds: number;
}

/** Every kind of job. The types demand exactly one handler for each of them. */
export const jobCatalogue = {
  'scim-bulk': { attempts: 5, backoffMs: 250, failsWhenStuck: true, retentionSeconds: 24 * 3600 },
  // An attempt mostly waits for parts, as long as the import takes. Workers that restart may lose it often without harm, so it does
  // not fail by that. Its deadline ends it.
  import: { attempts: 5, backoffMs: 500, givesWay: true, retentionSeconds: 7 * 24 * 3600 },
  // Like an import, it waits for its parts, and ends at its deadline.
  verify: { attempts: 5, backoffMs: 500, givesWay: true, retentionSeconds: 7 * 24 * 3600 },
  // A part has no record. Its import queues it again until it has ended. A part that is stuck is imported record by record.
  // Parts keep the processor busy, so only few run at once.
  // With the head start, an import of some thousand users takes about twice its time beside a giant one (bench/results.md).
  'import-part': { attempts: 2, backoffMs: 500, concurrency: 3, headStart: 24, retentionSeconds: 0 },
  // An export may hold password hashes, so it is kept for a day only.
  export: {
    attempts: 5,
    backoffMs: 500,
    concurrency: 2,
    failsWhenStuck: true,
    retentionSeconds: 24 * 3600,
  },
  // It waits for requests that were inside, and removes any number of users. It never fails by losses, because nothing of the
  // organization may stay.
  'organization-removal': {
    attempts: 5,
    backoffMs: 1_000,
    concurrency: 2,
    givesWay: true,
    retentionSeconds: 7 * 24 * 3600,
  },
  // It gives its place to others after some seconds, so that a large one delays nobody.
  'user-actions': {
    attempts: 5,
    backoffMs: 500,
    givesWay: true,
    failsWhenStuck: true,
    retentionSeconds: 7 * 24 * 3600,
  },
  // It only reads, some thousand users in a second, and gives its place to others after some seconds.
  'policy-trial': {
    attempts: 5,
    backoffMs: 500,
    concurrency: 1,
    givesWay: true,
    failsWhenStuck: true,
    retentionSeconds: 24 * 3600,
  },
} as const satisfies Record<string, JobDefinition>;

/** Work that recurs on a schedule. It has no record: it asks the stores what is due. */
interface ScheduledJobDefinition {
  readonly everyMs: number;
}

/** Every scheduled job. Each time, one of the worker processes runs it. */
export const scheduledJobs = {
  'signing-keys': { everyMs: 300_000 },
  // Without notices that are due, it reads one index entry.
  notices: { everyMs: 30_000 },
  // Without domains that are due, it reads one index entry. Each domain is due once a day.
  'domain-proofs': { everyMs: 3_600_000 },
  // It reads an index entry of every membership of a group, and of its user.
  'group-members': { everyMs: 24 * 3_600_000 },
  // It reads every user.
  'user-totals': { everyMs: 24 * 3_600_000 },
  // It reads every connection, and the metadata of those by SAML that name an address.
  'saml-metadata': { everyMs: 24 * 3_600_000 },
  // It reads an index entry of every connection that ends within 30 days.
  'connection-endings': { everyMs: 24 * 3_600_000 },
} as const satisfies Record<string, ScheduledJobDefinition>;

export type ScheduledJobKind = keyof typeof scheduledJobs;

export type JobKind = keyof typeof jobCatalogue;
