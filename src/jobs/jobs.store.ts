import { Binary } from 'mongodb';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { type JobKind, jobCatalogue } from './catalogue.js';
import { type Job, type JobState, type JobSummary, type KeptInJob, openStates } from './job.js';
import { createJobAttempts, type JobAttempts } from './job-attempts.store.js';
import {
  type JobBodyDocument,
  type JobCollections,
  type JobDocument,
  toJob,
  whereDoable,
  whereOpen,
} from './job-document.store.js';
import { UnreadableJob } from './unreadable-job.js';

export type { JobAttempt, StartedJob } from './job-attempts.store.js';

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
  /** The job and its body become one document, which this is a part of. Only for a short body. */
  readonly kept?: KeptInJob;
}

/** The jobs that a caller may see. Jobs of several organizations have the organization `*`. */
interface VisibleJobs {
  readonly requestedBy: string;
  readonly requestedIn: readonly string[];
  readonly of: readonly string[];
}

/** Finds jobs. */
interface JobFinds {
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
  /** The open jobs of this kind in the organization. It counts to `most`. */
  countOpenOf(orgId: string, of: { readonly kind: JobKind; readonly most: number }): Promise<number>;
  /** The input of an open job. Undefined if it is empty. @throws UnreadableJob if it cannot be unsealed */
  body(id: string): Promise<Buffer | undefined>;
  /** Open jobs from before this time whose deadline has not passed. The oldest come first. */
  openBefore(before: Date, limit: number): Promise<Job[]>;
  /** For each kind with jobs in the state `queued`, when the oldest of them was created. */
  oldestQueued(): Promise<{ kind: JobKind; created: Date }[]>;
}

/** What jobs keep in their records: see {@link KeptInJob}. */
interface JobKeeps {
  /** Ends an open job as completed, with its results and what it keeps from now on. @returns false if it had ended or its deadline has passed */
  completeKept(
    id: string,
    end: { readonly kept: KeptInJob; readonly results: readonly unknown[] },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Changes what a job keeps, if that is open. @returns whether it was */
  replaceKept(id: string, kept: KeptInJob, transaction: Transaction): Promise<boolean>;
  /**
   * Takes away what an open job keeps, and its input, if that is open.
   * @throws UnreadableJob if its input cannot be unsealed. The transaction must then end without effect
   */
  takeKept(id: string, transaction: Transaction): Promise<{ kept: KeptInJob; held: Buffer } | undefined>;
  /** Jobs that have ended, and keep something that is open. The oldest come first. */
  endedWithOpen(limit: number): Promise<string[]>;
}

type EndState = Exclude<JobState, 'queued' | 'running'>;

/** Stores jobs, and ends them. */
interface JobWrites {
  insert(job: NewJob, transaction?: Transaction): Promise<void>;
  /** Changes the organization under which the job queues, from the next `enqueue` on. */
  setQueuedUnder(id: string, queuedUnder: string, transaction: Transaction): Promise<void>;
  /** Ends an open job and removes its body. @returns the ended job without its results; undefined if the job had ended before */
  end(id: string, state: EndState, transaction?: Transaction): Promise<JobSummary | undefined>;
  /** Ends open jobs whose deadline has passed. The process that waited for them has died. @returns their number */
  endLate(limit: number): Promise<number>;
  /** Counts a download of the job's result, in the transaction of its event. @returns its number, from 1 */
  countDownload(id: string, transaction: Transaction): Promise<number>;
}

/** The records of jobs: the request, the progress and the results. README.md defines the words of its methods. */
export interface JobsStore extends JobFinds, JobAttempts, JobWrites, JobKeeps {}

export const jobIndexes: CollectionIndexes = {
  collection: 'jobs',
  indexes: [
    { key: { state: 1, created: 1 } },
    { key: { kind: 1, _id: 1 } },
    { key: { state: 1, _id: 1 } },
    { key: { state: 1, turnOf: 1, orgId: 1 } },
    { key: { requestedBy: 1, _id: 1 } },
    { key: { orgId: 1, _id: 1 } },
    { key: { 'kept.open': 1, created: 1 }, partialFilterExpression: { 'kept.open': { $exists: true } } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

export const jobBodyIndexes: CollectionIndexes = {
  collection: 'jobBodies',
  indexes: [{ key: { expires: 1 }, expireAfterSeconds: 0 }],
};

export function createJobsStore(mongo: Mongo, sealer: Sealer, clock: Clock): JobsStore {
  const collections: JobCollections = {
    jobs: mongo.collection<JobDocument>('jobs'),
    bodies: mongo.collection<JobBodyDocument>('jobBodies'),
  };
  return {
    ...jobFinds(collections, sealer, clock),
    ...createJobAttempts(collections, sealer, clock),
    ...jobWrites(collections, sealer, clock),
    ...jobKeeps(collections, sealer, clock),
  };
}

function jobFinds({ jobs, bodies }: JobCollections, sealer: Sealer, clock: Clock): JobFinds {
  return {
    async find(id) {
      return toJob(await jobs.findOne({ _id: id }, { projection: { held: 0 } }));
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
        .find(filter, { projection: { parts: 0, held: 0 } })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
      return documents.map((document) => toJob(document) as JobSummary);
    },

    async countOpen(orgId) {
      const [unmoved, moved] = await Promise.all([
        jobs.countDocuments({ ...whereOpen, turnOf: { $exists: false }, orgId }),
        jobs.countDocuments({ ...whereOpen, turnOf: orgId }),
      ]);
      return unmoved + moved;
    },

    countOpenOf: (orgId, { kind, most: limit }) =>
      jobs.countDocuments({ orgId, kind, ...whereOpen }, { limit }),

    async openOf(orgId) {
      const documents = await jobs
        .find({ ...whereOpen, orgId }, { projection: { _id: 1 } })
        .limit(100)
        .toArray();
      return documents.map(({ _id }) => ({ id: _id }));
    },

    async body(id) {
      const document = await bodies.findOne({ _id: id });
      if (document === null) return undefined;
      const body = sealer.unseal(Buffer.from(document.body.buffer));
      if (body === undefined) throw new UnreadableJob(id);
      return body;
    },

    async openBefore(before, limit) {
      const documents = await jobs
        .find({ ...whereDoable(clock), created: { $lt: before } }, { projection: { held: 0 } })
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

function jobWrites({ jobs, bodies }: JobCollections, sealer: Sealer, clock: Clock): JobWrites {
  const end: JobWrites['end'] = async (id, state, transaction) => {
    const options = transaction === undefined ? {} : { session: transaction };
    const ended = await jobs.findOneAndUpdate(
      { _id: id, ...whereOpen },
      { $set: { state, finished: clock.now() }, $unset: { held: '' } },
      { returnDocument: 'after', projection: { parts: 0 }, ...options },
    );
    if (ended !== null && !ended.bodiless) await bodies.deleteOne({ _id: id }, options);
    return toJob(ended);
  };

  return {
    async insert({ id, body, total, created, kind, queuedUnder, kept, ...fields }, transaction) {
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
        ...((body.length === 0 || kept !== undefined) && { bodiless: true }),
        ...(kept && { kept, held: new Binary(sealer.seal(body)) }),
        expires,
      };
      if (body.length > 0 && kept === undefined) {
        await bodies.insertOne({ _id: id, body: new Binary(sealer.seal(body)), expires }, options);
      }
      await jobs.insertOne(job, options);
    },

    async setQueuedUnder(id, queuedUnder, transaction) {
      await jobs.updateOne({ _id: id }, { $set: { turnOf: queuedUnder } }, { session: transaction });
    },

    end,

    async endLate(limit) {
      const late = await jobs
        .find({ ...whereOpen, deadline: { $lte: clock.now() } }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      for (const { _id } of late) await end(_id, 'expired');
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
  };
}

function jobKeeps({ jobs }: JobCollections, sealer: Sealer, clock: Clock): JobKeeps {
  const open = { 'kept.open': true as const };
  return {
    async completeKept(id, { kept, results }, transaction) {
      const filter = { _id: id, ...open, ...whereDoable(clock) };
      const set = { state: 'completed' as const, finished: clock.now(), kept, parts: { ...results } };
      const update = { $set: set, $unset: { held: '' as const } };
      return (await jobs.updateOne(filter, update, { session: transaction })).matchedCount === 1;
    },

    async replaceKept(id, kept, transaction) {
      const options = { session: transaction };
      return (await jobs.updateOne({ _id: id, ...open }, { $set: { kept } }, options)).matchedCount === 1;
    },

    async takeKept(id, transaction) {
      const found = await jobs.findOneAndUpdate(
        { _id: id, ...open, ...whereOpen },
        { $unset: { kept: '', held: '' } },
        { projection: { kept: 1, held: 1 }, session: transaction },
      );
      if (found?.kept === undefined) return undefined;
      const held = found.held && sealer.unseal(Buffer.from(found.held.buffer));
      if (held === undefined) throw new UnreadableJob(id);
      return { kept: found.kept, held };
    },

    async endedWithOpen(limit) {
      const found = await jobs
        .find({ ...open, state: { $nin: [...openStates] } }, { projection: { _id: 1 } })
        .sort({ created: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
