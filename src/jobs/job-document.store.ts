import type { Binary, Collection } from 'mongodb';
import type { Clock } from '#src/platform/clock.js';
import { type Job, type JobState, openStates } from './job.js';

/** A job as MongoDB stores it, without its body. */
export interface JobDocument extends Omit<Job, 'id' | 'queuedUnder'> {
  _id: string;
  /** `queuedUnder`, under its older name. Absent if it is `orgId`. */
  turnOf?: string;
  attemptId?: string;
  deadline?: Date;
  downloads?: number;
  /** How often the job stalled, and its progress then. The name is an older one, and stored. */
  losses?: { last: string; count: number; processed: number };
  /** No body is stored, so its end need not remove one. */
  bodiless?: true;
  /** The sealed input of a job that keeps something. It goes when the job ends. */
  held?: Binary;
  expires: Date;
}

/** The sealed input of a job. */
export interface JobBodyDocument {
  _id: string;
  body: Binary;
  expires: Date;
}

/** The collections of the jobs store. */
export interface JobCollections {
  readonly jobs: Collection<JobDocument>;
  readonly bodies: Collection<JobBodyDocument>;
}

/** The condition of jobs that have not ended. */
export const whereOpen = { state: { $in: [...openStates] as JobState[] } };

/** The condition of jobs that workers may work on: open ones whose deadline has not passed. */
export function whereDoable(clock: Clock) {
  return { ...whereOpen, deadline: { $not: { $lte: clock.now() } } };
}

/** Returns the job of a document; undefined without a document. */
export function toJob(document: JobDocument | null): Job | undefined {
  if (document === null) return undefined;
  const {
    _id,
    attemptId: _attempt,
    deadline: _deadline,
    downloads: _downloads,
    losses: _losses,
    bodiless: _bodiless,
    held: _held,
    expires: _expires,
    turnOf,
    ...fields
  } = document;
  return { id: _id, ...fields, queuedUnder: turnOf ?? fields.orgId };
}
