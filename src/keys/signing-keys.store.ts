import { Binary } from 'mongodb';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { SigningKeyState, StoredSigningKey } from './signing-key.js';

/** A rotation: the active key of an algorithm retires, its next key becomes active, and a new key is next. */
interface SigningKeyTurn {
  readonly retire: string;
  /** When the last token of the retired key has expired. */
  readonly expires: Date;
  readonly activate: string;
  readonly at: Date;
  readonly next: StoredSigningKey;
}

/**
 * How a key is stored. Earlier versions had one active and one next key, `only`. Those of further algorithms are stored `beside`
 * them, so that processes of an earlier version sign with the keys that they know, and publish the others.
 */
type SigningKeyPlace = 'only' | 'beside';

export interface SigningKeysStore {
  /** In the order of their creation. */
  all(): Promise<StoredSigningKey[]>;
  /**
   * Adds an active or next key.
   * @returns false when the place is taken: there is one `only` active key, and one `beside` for each algorithm
   */
  insert(key: StoredSigningKey, place: SigningKeyPlace): Promise<boolean>;
  /**
   * Rotates, if the keys are still in the expected states.
   * @returns whether they were; if not, abort the transaction
   */
  turn(turn: SigningKeyTurn, transaction: Transaction): Promise<boolean>;
  /** Replaces a sealed private key by the same key, sealed anew. */
  reseal(kid: string, change: { from: Buffer; to: Buffer }): Promise<void>;
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

type KeyDocument = Omit<StoredSigningKey, 'kid' | 'state' | 'sealedPrivateJwk'> & {
  _id: string;
  state: SigningKeyState | 'beside';
  /** State and algorithm of a key that is stored beside others, such as `active ES256`. */
  slot?: string;
  sealedPrivateJwk: Binary;
};

export const signingKeyIndexes: CollectionIndexes = {
  collection: 'signingKeys',
  // One key at most in each place, whichever processes create them. Two indexes on one field must differ in direction.
  indexes: [
    { key: { state: 1 }, unique: true, partialFilterExpression: { state: 'active' } },
    { key: { state: -1 }, unique: true, partialFilterExpression: { state: 'next' } },
    { key: { slot: 1 }, unique: true, partialFilterExpression: { slot: { $exists: true } } },
  ],
};

export function createSigningKeysStore(mongo: Mongo): SigningKeysStore {
  const keys = mongo.collection<KeyDocument>('signingKeys');
  return {
    async all() {
      const documents = await keys.find().sort({ _id: 1 }).toArray();
      return documents.map(({ _id, state, slot, sealedPrivateJwk, ...fields }) => ({
        kid: _id,
        ...fields,
        state: state === 'beside' ? (slot?.split(' ', 1)[0] as SigningKeyState) : state,
        sealedPrivateJwk: Buffer.from(sealedPrivateJwk.buffer),
      }));
    },
    async insert(key, place) {
      try {
        await keys.insertOne(toDocument(key, place));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async turn({ retire, expires, activate, at, next }, session) {
      const active = await keys.findOne({ _id: retire }, { session });
      const coming = await keys.findOne({ _id: activate }, { session });
      if (active === null || coming === null) return false;
      const retired = await keys.updateOne(
        { _id: retire, ...fieldsIn(active.state, 'active', active.alg) },
        { $set: { state: 'retired', expires }, $unset: { slot: '' } },
        { session },
      );
      if (retired.matchedCount === 0) return false;
      // The active key keeps its place, and so does the next one. So the place of the only active key is never empty.
      const { state, slot } = fieldsIn(active.state, 'active', coming.alg);
      const activated = await keys.updateOne(
        { _id: activate, ...fieldsIn(coming.state, 'next', coming.alg) },
        {
          $set: { state, activated: at, ...(slot !== undefined && { slot }) },
          ...(slot === undefined && { $unset: { slot: '' } }),
        },
        { session },
      );
      if (activated.matchedCount === 0) return false;
      await keys.insertOne(toDocument(next, coming.state === 'beside' ? 'beside' : 'only'), { session });
      return true;
    },
    async reseal(kid, { from, to }) {
      await keys.updateOne(
        { _id: kid, sealedPrivateJwk: new Binary(from) },
        { $set: { sealedPrivateJwk: new Binary(to) } },
      );
    },
    async removeRetired(kid, session) {
      return (await keys.deleteOne({ _id: kid, state: 'retired' }, { session })).deletedCount > 0;
    },
    async removeExpired(now) {
      return (await keys.deleteMany({ state: 'retired', expires: { $lte: now } })).deletedCount;
    },
  };
}

/** The fields of an active or next key, in the place of a stored key with this state. */
function fieldsIn(
  place: KeyDocument['state'],
  state: SigningKeyState,
  alg: string,
): Pick<KeyDocument, 'state' | 'slot'> {
  return place === 'beside' ? { state: 'beside', slot: `${state} ${alg}` } : { state };
}

function toDocument(
  { kid, state, sealedPrivateJwk, ...fields }: StoredSigningKey,
  place: SigningKeyPlace,
): KeyDocument {
  return {
    _id: kid,
    ...fields,
    ...fieldsIn(place === 'beside' ? 'beside' : state, state, fields.alg),
    sealedPrivateJwk: new Binary(sealedPrivateJwk),
  };
}
