import { upserted } from '#src/platform/mongo/duplicate-key.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** What is revoked: one token, a refresh family, a session, or all tokens that a user got until a time. */
export type RevocationKind = 'token' | 'family' | 'session' | 'user';

export interface Revocation {
  readonly kind: RevocationKind;
  /** The identifier of the token, family, session or user. */
  readonly id: string;
  /** The user whose tokens are revoked. It decides the bucket. */
  readonly sub: string;
  /**
   * Tokens issued until then are revoked, in seconds since 1970 with milliseconds. Only used for the kind
   * `user`.
   */
  readonly issuedUntil: number;
  /** When the last affected token has expired. */
  readonly expires: Date;
}

/** The lasting record of revocations. MongoDB removes them when they have expired. */
export interface RevocationsStore {
  put(bucket: number, revocation: Revocation, transaction?: Transaction): Promise<void>;
  /** {@link put} for several revocations with their buckets. */
  putAll(
    revocations: readonly { readonly bucket: number; readonly revocation: Revocation }[],
    transaction: Transaction,
  ): Promise<void>;
  /** The revocations under these keys; see {@link revocationKey}. */
  find(keys: readonly string[]): Promise<Revocation[]>;
  ofBucket(bucket: number): AsyncIterable<Revocation>;
}

/** The name of a revocation in both stores. */
export function revocationKey(kind: RevocationKind, id: string): string {
  return `${kind}:${id}`;
}

type RevocationDocument = Revocation & { _id: string; bucket: number };

export const revocationIndexes: CollectionIndexes = {
  collection: 'revocations',
  indexes: [{ key: { bucket: 1 } }, { key: { expires: 1 }, expireAfterSeconds: 0 }],
};

export function createRevocationsStore(mongo: Mongo): RevocationsStore {
  const revocations = mongo.collection<RevocationDocument>('revocations');
  return {
    async put(bucket, revocation, transaction) {
      const { filter, update } = toWrite(bucket, revocation);
      const write = () =>
        revocations.updateOne(filter, update, {
          upsert: true,
          ...(transaction && { session: transaction }),
        });
      await (transaction === undefined ? upserted(write) : write());
    },
    async putAll(all, transaction) {
      if (all.length === 0) return;
      const writes = all.map(({ bucket, revocation }) => ({
        updateOne: { ...toWrite(bucket, revocation), upsert: true },
      }));
      await revocations.bulkWrite(writes, { session: transaction });
    },
    find: (keys) => revocations.find({ _id: { $in: [...keys] } }).toArray(),
    ofBucket: (bucket) => revocations.find({ bucket }),
  };
}

/** Clocks differ. The later time stays, whichever is written last. */
function toWrite(bucket: number, { issuedUntil, expires, ...revocation }: Revocation) {
  return {
    filter: { _id: revocationKey(revocation.kind, revocation.id) },
    update: { $set: { ...revocation, bucket }, $max: { issuedUntil, expires } },
  };
}
