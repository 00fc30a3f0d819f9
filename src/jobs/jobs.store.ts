import { Binary } from 'mongodb';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { type JobKind, jobCatalogue } from './catalogue.js';
import { type Job, type JobState, type JobSummary, openStates } from './job.js';

/** A job that is not stored yet. */
export interface NewJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly orgId: string;
  /** The organization under which it queues, if that is not `orgId`. */
  readonly queuedUnder?: string;
  readonly requestedBy: string;
  readonly total: number;
  readonly created: Date;
  /** Workers apply nothing from this time on, even if no process is left that could end the job. */
  readonly deadline?: Date;
  /** The input of the job. It is sealed at rest, because it may hold passwords. An empty one is not stored. */
  readonly body: Buffer;
}

/** One run of a job by a worker. A later attempt takes the job over. The earlier one can then record nothing more. */
export interface JobAttempt {
  readonly jobId: string;
  readonly attemptId: string;
}

/** The jobs that a caller may see. Jobs of several organizations have the organization `*`. */
interface VisibleJobs {
  readonly requestedBy: string;
  readonly requestedIn: readonly string[];
  readonly of: readonly string[];
}

/**
 * The records of jobs: the request, the progress and the results. README.md defines the words of its methods.
 * The methods that take an attempt answer false if the job has ended, another attempt has taken it over or its deadline
 * has passed. The caller must then abort its transaction.
 */
export interface JobsStore {
  insert(job: NewJob, transaction?: Transaction): Promise<void>;
  find(id: string): Promise<Job | undefined>;
  /**
   * All jobs, or those of the organizations `of`, and those that this user requested in the organizations `requestedIn`. The
   * newest come first.
   */
  page(
    visible: VisibleJobs | undefined,
    query: { after?: string; limit: number; kinds?: readonly JobKind[]; states?: readonly JobState[] },
  ): Promise<JobSummary[]>;
  /** At most 100 open jobs of the organization. */
  openOf(orgId: string): Promise<Pick<Job, 'id'>[]>;
  /** The number of open jobs that queue under this organization. */
  countOpen(orgId: string): Promise<number>;
  /** The input of an open job. Undefined if it is empty. */
  body(id: string): Promise<Buffer | undefined>;
  /** Changes the organization under which the job queues, from the next `enqueue` on. */
  setQueuedUnder(id: string, queuedUnder: string, transaction: Transaction): Promise<void>;
  /** Takes an open job over. Undefined if the job has ended or its deadline has passed. */
  start(attempt: JobAttempt): Promise<Job | undefined>;
  /** Records results in the transaction that applied the parts, so that each part is applied once, even after a crash. */
  recordParts(
    attempt: JobAttempt,
    parts: { results: ReadonlyMap<number, unknown>; errors: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Records the progress of an attempt. @param result what the job has come to so far, as part 0 */
  advance(attempt: JobAttempt, progress: Job['progress'], result?: unknown): Promise<boolean>;
  /**
   * Counts that the job has stalled: its worker did not renew its lock.
   * @param stall differs for each time, so that none is counted twice
   * @returns how often the job has stalled since something was last recorded
   */
  countStall(id: string, stall: string): Promise<number>;
  /** Ends the job of an attempt with its only result, which becomes part 0. */
  endWithResult(
    attempt: JobAttempt,
    end: { state: 'completed' | 'failed'; result: unknown; progress: Job['progress'] },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Ends an open job and removes its body. @returns the ended job without its results; undefined if the job had ended before */
  end(id: string, state: EndState, transaction?: Transaction): Promise<JobSummary | undefined>;
  /** Ends open jobs whose deadline has passed. The process that waited for them has died. @returns their number */
  endLate(limit: number): Promise<number>;
  /** Open jobs from before this time whose deadline has not passed. The oldest come first. */
  openBefore(before: Date, limit: number): Promise<Job[]>;
  /** For each kind with jobs in the state `queued`, when the oldest of them was created. */
  oldestQueued(): Promise<{ kind: JobKind; created: Date }[]>;
  /** Counts a download of the job's result, in the transaction of its event. @returns its number, from 1 */
  countDownload(id: string, transaction: Transaction): Promise<number>;
}

type EndState = Exclude<JobState, 'queued' | 'running'>;

interface JobDocument extends Omit<Job, 'id' | 'queuedUnder'> {
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
  expires: Date;
}

interface JobBodyDocument {
  _id: string;
  body: Binary;
  expires: Date;
}

export const jobIndexes: CollectionIndexes = {
  collection: 'jobs',
  indexes: [
    { key: { state: 1, created: 1 } },
    { key: { kind: 1, _id: 1 } },
    { key: { state: 1, _id: 1 } },
    { key: { state: 1, turnOf: 1, orgId: 1 } },
    { key: { requestedBy: 1, _id: 1 } },
    { key: { orgId: 1, _id: 1 } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

export const jobBodyIndexes: CollectionIndexes = {
  collection: 'jobBodies',
  indexes: [{ key: { expires: 1 }, expireAfterSeconds: 0 }],
};

export function createJobsStore(mongo: Mongo, sealer: Sealer, clock: Clock): JobsStore {
  const jobs = mongo.collection<JobDocument>('jobs');
  const bodies = mongo.collection<JobBodyDocument>('jobBodies');
  const open = { state: { $in: [...openStates] as JobState[] } };
  const doable = () => ({ ...open, deadline: { $not: { $lte: clock.now() } } });

  return {
    async insert({ id, body, total, created, kind, queuedUnder, ...fields }, transaction) {
      const options = transaction === undefined ? {} : { session: transaction };
      const expires = new Date(created.getTime() + jobCatalogue[kind].retentionSeconds * 1000);
      const job: JobDocument = {
        _id: id,
        ...fields,
        kind,
        ...(queuedUnder !== undefined && { turnOf: queuedUnder }),
        state: 'queued',
        progress: { processed: 0, total, errors: 0 },
        parts: {},
        created,
        ...(body.length === 0 && { bodiless: true }),
        expires,
      };
      if (body.length > 0) {
        await bodies.insertOne({ _id: id, body: new Binary(sealer.seal(body)), expires }, options);
      }
      await jobs.insertOne(job, options);
    },

    async find(id) {
      return toJob(await jobs.findOne({ _id: id }));
    },

    async page(visible, { after, limit, kinds, states }) {
      const filter = {
        ...(visible && {
          $or: [
            { requestedBy: visible.requestedBy, orgId: { $in: [...visible.requestedIn] } },
            { orgId: { $in: [...visible.of] } },
          ],
        }),
        ...(after !== undefined && { _id: { $lt: after } }),
        ...(kinds && { kind: { $in: [...kinds] } }),
        ...(states && { state: { $in: [...states] } }),
      };
      const documents = await jobs
        .find(filter, { projection: { parts: 0 } })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
      return documents.map((document) => toJob(document) as JobSummary);
    },

    async countOpen(orgId) {
      const [own, moved] = await Promise.all([
        jobs.countDocuments({ ...open, turnOf: { $exists: false }, orgId }),
        jobs.countDocuments({ ...open, turnOf: orgId }),
      ]);
      return own + moved;
    },

    async openOf(orgId) {
      const documents = await jobs
        .find({ ...open, orgId }, { projection: { _id: 1 } })
        .limit(100)
        .toArray();
      return documents.map(({ _id }) => ({ id: _id }));
    },

    async body(id) {
      const document = await bodies.findOne({ _id: id });
      return document === null ? undefined : sealer.unseal(Buffer.from(document.body.buffer));
    },

    async setQueuedUnder(id, queuedUnder, transaction) {
      await jobs.updateOne({ _id: id }, { $set: { turnOf: queuedUnder } }, { session: transaction });
    },

    async start({ jobId, attemptId }) {
      const update = { $set: { attemptId, state: 'running' as const } };
      return toJob(
        await jobs.findOneAndUpdate({ _id: jobId, ...doable() }, update, { returnDocument: 'after' }),
      );
    },

    async recordParts({ jobId, attemptId }, { results, errors }, transaction) {
      const parts = Object.fromEntries([...results].map(([index, result]) => [`parts.${index}`, result]));
      const updated = await jobs.updateOne(
        { _id: jobId, attemptId, ...doable() },
        { $set: parts, $inc: { 'progress.processed': results.size, 'progress.errors': errors } },
        { session: transaction },
      );
      return updated.matchedCount === 1;
    },

    async advance({ jobId, attemptId }, progress, result) {
      const filter = { _id: jobId, attemptId, ...doable() };
      const set = { progress, ...(result !== undefined && { 'parts.0': result }) };
      return (await jobs.updateOne(filter, { $set: set })).matchedCount === 1;
    },

    async countStall(id, stall) {
      const job = await jobs.findOne({ _id: id, ...open }, { projection: { progress: 1, losses: 1 } });
      if (job === null) return 0;
      const { progress, losses: stalls } = job;
      const inARow = stalls?.processed === progress.processed ? stalls.count : 0;
      if (stalls?.last === stall) return inARow;
      const { processed } = progress;
      await jobs.updateOne({ _id: id }, { $set: { losses: { last: stall, count: inARow + 1, processed } } });
      return inARow + 1;
    },

    async endWithResult({ jobId, attemptId }, { result, ...end }, transaction) {
      const updated = await jobs.updateOne(
        { _id: jobId, attemptId, ...doable() },
        { $set: { ...end, finished: clock.now(), 'parts.0': result } },
        { session: transaction },
      );
      if (updated.matchedCount === 0) return false;
      await bodies.deleteOne({ _id: jobId }, { session: transaction });
      return true;
    },

    async end(id, state, transaction) {
      const options = transaction === undefined ? {} : { session: transaction };
      const ended = await jobs.findOneAndUpdate(
        { _id: id, ...open },
        { $set: { state, finished: clock.now() } },
        { returnDocument: 'after', projection: { parts: 0 }, ...options },
      );
      if (ended !== null && !ended.bodiless) await bodies.deleteOne({ _id: id }, options);
      return toJob(ended);
    },

    async endLate(limit) {
      const late = await jobs
        .find({ ...open, deadline: { $lte: clock.now() } }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      for (const { _id } of late) await this.end(_id, 'expired');
      return late.length;
    },

    async countDownload(id, transaction) {
      const counted = await jobs.findOneAndUpdate(
        { _id: id },
        { $inc: { downloads: 1 } },
        { session: transaction, returnDocument: 'after', projection: { downloads: 1 } },
      );
      return counted?.downloads ?? 1;
    },

    async openBefore(before, limit) {
      const documents = await jobs
        .find({ ...doable(), created: { $lt: before } })
        .sort({ created: 1 })
        .limit(limit)
        .toArray();
      return documents.map((document) => toJob(document) as Job);
    },

    async oldestQueued() {
      const stages = [
        { $match: { state: 'queued' } },
        { $group: { _id: '$kind', created: { $min: '$created' } } },
      ];
      const found = await jobs.aggregate<{ _id: JobKind; created: Date }>(stages).toArray();
      return found.map(({ _id, created }) => ({ kind: _id, created }));
    },
  };
}

function toJob(document: JobDocument | null): Job | undefined {
  if (document === null) return undefined;
  const {
    _id,
    attemptId: _attempt,
    deadline: _deadline,
    downloads: _downloads,
    losses: _losses,
    bodiless: _bodiless,
    expires: _expires,
    turnOf,
    ...fields
  } = document;
  return { id: _id, ...fields, queuedUnder: turnOf ?? fields.orgId };
}
