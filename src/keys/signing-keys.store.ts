import { Binary } from 'mongodb';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import { isDuplicateKey, type Mongo, type Transaction } from '#src/platform/mongo/mongo.js';
import type { StoredSigningKey } from './signing-key.js';

/** A rotation: the active key retires, the next key becomes active, and a new key is next. */
export interface SigningKeyTurn {
  readonly retire: string;
  /** When the last token of the retired key has expired. */
  readonly expires: Date;
  readonly activate: string;
  readonly at: Date;
  readonly next: StoredSigningKey;
}

export interface SigningKeysStore {
  /** In the order of their creation. */
  all(): Promise<StoredSigningKey[]>;
  /**
   * Adds an active or next key.
   * @returns false when there is one already
   */
  insert(key: StoredSigningKey): Promise<boolean>;
  /**
   * Rotates, if the keys are still in the expected states.
   * @returns whether they were; if not, abort the transaction
   */
  turn(turn: SigningKeyTurn, transaction: Transaction): Promise<boolean>;
  /** Replaces a sealed private key by the same key, sealed anew. */
  reseal(kid: string, change: { from: Buffer; to: Buffer }): Promise<void>;
  /** Removes a key that never signed. */
  removeNext(kid: string): Promise<void>;
  /**
   * Removes a retired key.
   * @returns whether it was there
   */
  removeRetired(kid: string, transaction: Transaction): Promise<boolean>;
  /**
   * Removes retired keys without live tokens.
   * @returns how many
   */
  removeExpired(now: Date): Promise<number>;
}

type KeyDocument = Omit<StoredSigningKey, 'kid' | 'sealedPrivateJwk'> & {
  _id: string;
  sealedPrivateJwk: Binary;
};

export const signingKeyIndexes: CollectionIndexes = {
  collection: 'signingKeys',
  // One active and one next key at most, whichever processes create them. Two indexes on one field must
  // differ in direction.
  indexes: [
    { key: { state: 1 }, unique: true, partialFilterExpression: { state: 'active' } },
    { key: { state: -1 }, unique: true, partialFilterExpression: { state: 'next' } },
  ],
};

export function createSigningKeysStore(mongo: Mongo): SigningKeysStore {
  const keys = mongo.collection<KeyDocument>('signingKeys');
  return {
    async all() {
      const documents = await keys.find().sort({ _id: 1 }).toArray();
      return documents.map(({ _id, sealedPrivateJwk, ...fields }) => ({
        kid: _id,
        ...fields,
        sealedPrivateJwk: Buffer.from(sealedPrivateJwk.buffer),
      }));
    },
    async insert(key) {
      try {
        await keys.insertOne(toDocument(key));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async turn({ retire, expires, activate, at, next }, session) {
      const retired = await keys.updateOne(
        { _id: retire, state: 'active' },
        { $set: { state: 'retired', expires } },
        { session },
      );
      if (retired.matchedCount === 0) return false;
      const activated = await keys.updateOne(
        { _id: activate, state: 'next' },
        { $set: { state: 'active', activated: at } },
        { session },
      );
      if (activated.matchedCount === 0) return false;
      await keys.insertOne(toDocument(next), { session });
      return true;
    },
    async reseal(kid, { from, to }) {
      await keys.updateOne(
        { _id: kid, sealedPrivateJwk: new Binary(from) },
        { $set: { sealedPrivateJwk: new Binary(to) } },
      );
    },
    async removeNext(kid) {
      await keys.deleteOne({ _id: kid, state: 'next' });
    },
    async removeRetired(kid, session) {
      return (await keys.deleteOne({ _id: kid, state: 'retired' }, { session })).deletedCount > 0;
    },
    async removeExpired(now) {
      return (await keys.deleteMany({ state: 'retired', expires: { $lte: now } })).deletedCount;
    },
  };
}

function toDocument({ kid, sealedPrivateJwk, ...fields }: StoredSigningKey): KeyDocument {
  return { _id: kid, ...fields, sealedPrivateJwk: new Binary(sealedPrivateJwk) };
}
