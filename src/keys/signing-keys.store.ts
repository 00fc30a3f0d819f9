import type { JWK } from 'jose';
import { Binary } from 'mongodb';
import { type CollectionIndexes, isDuplicateKey, type Mongo } from '#src/platform/mongo.js';

/** A key pair as it is kept: the private part is sealed. */
export interface StoredSigningKey {
  readonly kid: string;
  readonly alg: string;
  /** `active` signs; `retired` only verifies. */
  readonly state: 'active' | 'retired';
  readonly publicJwk: JWK;
  readonly sealedPrivateJwk: Buffer;
  readonly created: Date;
}

export interface SigningKeysStore {
  all(): Promise<StoredSigningKey[]>;
  /** Adds the active key; false when another process has just added one. */
  insertActive(key: StoredSigningKey): Promise<boolean>;
}

type KeyDocument = Omit<StoredSigningKey, 'kid' | 'sealedPrivateJwk'> & {
  _id: string;
  sealedPrivateJwk: Binary;
};

export const signingKeyIndexes: CollectionIndexes = {
  collection: 'signingKeys',
  indexes: [{ key: { state: 1 }, unique: true, partialFilterExpression: { state: 'active' } }],
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
    async insertActive({ kid, sealedPrivateJwk, ...fields }) {
      try {
        await keys.insertOne({ _id: kid, ...fields, sealedPrivateJwk: new Binary(sealedPrivateJwk) });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}
