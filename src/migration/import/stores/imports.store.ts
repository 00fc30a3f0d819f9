import type { Credential } from '#src/access/authority/index.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Verified } from '../../digest/verified.js';
import type { CredentialRules, ImportForm } from '../lists/section/section.js';
import type { ImportCounts } from './import-parts.store.js';

/** What is stored of an import beside its job. It contains no secret. */
export interface ImportDetails extends CredentialRules {
  readonly jobId: string;
  /** The organization whose owner imports into it, and into no other. Absent: the requester is an owner of the instance. */
  readonly orgId?: string;
  readonly form: ImportForm;
  readonly dryRun: boolean;
  /** Whether a record with values that reach nothing fails. */
  readonly strict?: boolean;
  /** Whether objects that exist take over the values of their records. */
  readonly update?: boolean;
  /** The attributes that the source says of every person. An update empties them where a record has none. */
  readonly statedAttributes?: readonly string[];
  /** Only of a verification, which is also a dry run. `listExtra`: whether it names what the file does not have. */
  readonly verify?: { readonly listExtra: boolean };
  /** What the verification found, once it is done. */
  readonly verified?: Verified;
  readonly requestedBy: string;
  /** The credential of the request. */
  readonly credential?: Credential;
  readonly created: Date;
  readonly deadline: Date;
  readonly expires: Date;
  /** The identifier of the staged text; absent until the object of a bucket was read. */
  readonly stagingId?: string;
  /** Why the import failed. */
  readonly failure?: string;
  /** When the import ended. */
  readonly ended?: Date;
  /** The sums over its parts when it ended. Absent in imports of the version before. */
  readonly counts?: ImportCounts;
}

export interface ImportsStore {
  insert(details: ImportDetails, transaction: Transaction): Promise<void>;
  find(jobId: string): Promise<ImportDetails | undefined>;
  /** Names the staged text. False if another attempt has named one or the import has ended. */
  setStaging(jobId: string, stagingId: string, transaction: Transaction): Promise<boolean>;
  setVerified(jobId: string, verified: Verified): Promise<void>;
  setFailure(jobId: string, failure: string): Promise<void>;
  /** Ends an import. False if it had ended before. */
  end(
    jobId: string,
    ended: { readonly at: Date; readonly counts: ImportCounts },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Jobs of imports from before this time that have not ended. The oldest come first. */
  openBefore(before: Date, limit: number): Promise<string[]>;
}

interface ImportDocument extends Omit<ImportDetails, 'jobId' | 'ended'> {
  _id: string;
  /** Present until the import ends, so that an index can hold open imports alone. */
  open?: true;
  /** `ended`, under its older name. */
  concluded?: Date;
}

export const importIndexes: CollectionIndexes = {
  collection: 'imports',
  indexes: [
    { key: { open: 1, created: 1 }, partialFilterExpression: { open: { $exists: true } } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

export function createImportsStore(mongo: Mongo): ImportsStore {
  const imports = mongo.collection<ImportDocument>('imports');
  return {
    async insert({ jobId, ended: _ended, ...fields }, transaction) {
      await imports.insertOne({ _id: jobId, ...fields, open: true }, { session: transaction });
    },
    async find(jobId) {
      const found = await imports.findOne({ _id: jobId });
      if (found === null) return undefined;
      const { _id, open: _open, concluded, ...fields } = found;
      return { jobId: _id, ...fields, ...(concluded && { ended: concluded }) };
    },
    async setStaging(jobId, stagingId, transaction) {
      const filter = { _id: jobId, open: true as const, stagingId: { $exists: false } };
      const options = { session: transaction };
      return (await imports.updateOne(filter, { $set: { stagingId } }, options)).matchedCount === 1;
    },
    async setVerified(jobId, verified) {
      await imports.updateOne({ _id: jobId }, { $set: { verified } });
    },
    async setFailure(jobId, failure) {
      await imports.updateOne({ _id: jobId }, { $set: { failure } });
    },
    async end(jobId, { at, counts }, transaction) {
      const update = { $set: { concluded: at, counts }, $unset: { open: '' as const } };
      const options = { session: transaction };
      return (await imports.updateOne({ _id: jobId, open: true }, update, options)).matchedCount === 1;
    },
    async openBefore(before, limit) {
      const found = await imports
        .find({ open: true, created: { $lt: before } }, { projection: { _id: 1 } })
        .sort({ created: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
