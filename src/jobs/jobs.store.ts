import { Binary } from 'mongodb';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { type JobKind, jobCatalogue } from './catalogue.js';
import { type Job, type JobState, type JobSummary, openStates } from './job.js';

/** A job to be done. */
export interface NewJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly orgId: string;
  /** Organization whose turns it takes, where that is not `orgId`. */
  readonly turnOf?: string;
  readonly requestedBy: string;
  readonly total: number;
  readonly created: Date;
  /** Nothing is done from then on, also when nobody is left who could close the job. */
  readonly deadline?: Date;
  /** What to work on; sealed at rest, since it may hold passwords. */
  readonly body: Buffer;
}

/** The holder of a job. A later attempt takes the job over; the earlier one can then record nothing more. */
export interface JobAttempt {
  readonly jobId: string;
  readonly attemptId: string;
}

/** Records of jobs: what was asked, how far it is, what came of it. */
export interface JobsStore {
  insert(job: NewJob, transaction?: Transaction): Promise<void>;
  find(id: string): Promise<Job | undefined>;
  /** Those that somebody asked for or that work in these organizations, or all; the newest first. */
  page(
    visible: { requestedBy: string; orgIds: readonly string[] } | undefined,
    query: { after?: string; limit: number },
  ): Promise<JobSummary[]>;
  body(id: string): Promise<Buffer | undefined>;
  /** Changes whose turns it takes, from the next time on that it is handed to the queue. */
  setTurnOf(id: string, turnOf: string, transaction: Transaction): Promise<void>;
  /** Takes an open job over; undefined when it is closed or its deadline has passed. */
  start(attempt: JobAttempt): Promise<Job | undefined>;
  /**
   * Records what some parts came to, in the transaction that did them, so that a part is done once whatever
   * crashes. False when the job was closed, taken over or its deadline has passed: then the transaction must be given up.
   */
  recordParts(
    attempt: JobAttempt,
    parts: { results: ReadonlyMap<number, unknown>; errors: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Tells how far an attempt is; false when the job was closed, taken over or its deadline has passed. */
  advance(attempt: JobAttempt, progress: Job['progress']): Promise<boolean>;
  /**
   * Ends a job with its one result, as {@link recordParts} records: the result becomes part 0. False when the job was
   * closed, taken over or its deadline has passed: then the transaction must be given up.
   */
  finish(
    attempt: JobAttempt,
    end: { state: 'completed' | 'failed'; result: unknown; progress: Job['progress']; finished: Date },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Ends an open job for whoever comes first; the body is dropped. The job as it is then. */
  close(id: string, state: JobState, finished: Date): Promise<Job | undefined>;
  /** Ends an open job in the transaction that tells who cancelled it; undefined when it was closed before. */
  cancel(id: string, finished: Date, transaction: Transaction): Promise<Job | undefined>;
  /** Counts a download of what the job wrote, in the transaction that tells it: the its number, from 1. */
  countDownload(id: string, transaction: Transaction): Promise<number>;
  /** Open jobs created before `before` that may still be done, the oldest first: the queue may have lost them. */
  openSince(before: Date, limit: number): Promise<Job[]>;
  /** Of each kind of which jobs wait to be begun, since when the first of them has. */
  oldestQueued(): Promise<{ kind: JobKind; created: Date }[]>;
  /** Closes open jobs whose deadline has passed: who waited for them is gone. Their number. */
  expire(limit: number): Promise<number>;
}

interface JobDocument extends Omit<Job, 'id' | 'turnOf'> {
  _id: string;
  turnOf?: string;
  attemptId?: string;
  deadline?: Date;
  downloads?: number;
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

  async function closeOpen(
    id: string,
    end: { state: JobState; finished: Date },
    transaction?: Transaction,
  ): Promise<Job | undefined> {
    const options = transaction === undefined ? {} : { session: transaction };
    const closed = await jobs.findOneAndUpdate(
      { _id: id, ...open },
      { $set: end },
      { returnDocument: 'after', ...options },
    );
    if (closed !== null) await bodies.deleteOne({ _id: id }, options);
    return toJob(closed);
  }

  return {
    async insert({ id, body, total, created, kind, ...fields }, transaction) {
      const options = transaction === undefined ? {} : { session: transaction };
      const expires = new Date(created.getTime() + jobCatalogue[kind].retentionSeconds * 1000);
      const job: JobDocument = {
        _id: id,
        ...fields,
        kind,
        state: 'queued',
        progress: { processed: 0, total, errors: 0 },
        parts: {},
        created,
        expires,
      };
      await bodies.insertOne({ _id: id, body: new Binary(sealer.seal(body)), expires }, options);
      await jobs.insertOne(job, options);
    },

    async find(id) {
      return toJob(await jobs.findOne({ _id: id }));
    },

    async page(visible, { after, limit }) {
      const filter = {
        ...(visible && {
          $or: [{ requestedBy: visible.requestedBy }, { orgId: { $in: [...visible.orgIds] } }],
        }),
        ...(after !== undefined && { _id: { $lt: after } }),
      };
      const documents = await jobs
        .find(filter, { projection: { parts: 0 } })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
      return documents.map((document) => toJob(document) as JobSummary);
    },

    async body(id) {
      const document = await bodies.findOne({ _id: id });
      return document === null ? undefined : sealer.unseal(Buffer.from(document.body.buffer));
    },

    async setTurnOf(id, turnOf, transaction) {
      await jobs.updateOne({ _id: id }, { $set: { turnOf } }, { session: transaction });
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

    async advance({ jobId, attemptId }, progress) {
      const filter = { _id: jobId, attemptId, ...doable() };
      return (await jobs.updateOne(filter, { $set: { progress } })).matchedCount === 1;
    },

    async finish({ jobId, attemptId }, { result, ...end }, transaction) {
      const updated = await jobs.updateOne(
        { _id: jobId, attemptId, ...doable() },
        { $set: { ...end, 'parts.0': result } },
        { session: transaction },
      );
      if (updated.matchedCount === 0) return false;
      await bodies.deleteOne({ _id: jobId }, { session: transaction });
      return true;
    },

    async close(id, state, finished) {
      return (await closeOpen(id, { state, finished })) ?? toJob(await jobs.findOne({ _id: id }));
    },

    async cancel(id, finished, transaction) {
      return closeOpen(id, { state: 'cancelled', finished }, transaction);
    },

    async countDownload(id, transaction) {
      const counted = await jobs.findOneAndUpdate(
        { _id: id },
        { $inc: { downloads: 1 } },
        { session: transaction, returnDocument: 'after', projection: { downloads: 1 } },
      );
      return counted?.downloads ?? 1;
    },

    async openSince(before, limit) {
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

    async expire(limit) {
      const now = clock.now();
      const late = await jobs
        .find({ ...open, deadline: { $lte: now } }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      for (const { _id } of late) await this.close(_id, 'expired', now);
      return late.length;
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
    expires: _expires,
    ...fields
  } = document;
  return { id: _id, ...fields, turnOf: fields.turnOf ?? fields.orgId };
}
