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
   * Rotates the keys of several algorithms, if all are still in the expected states.
   * @returns whether they were; if not, abort the transaction
   */
  turn(turns: readonly SigningKeyTurn[], transaction: Transaction): Promise<boolean>;
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
        state: stateOf({ state, ...(slot !== undefined && { slot }) }),
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
    async turn(turns, session) {
      const ids = turns.flatMap(({ retire, activate }) => [retire, activate]);
      const projection = { state: 1, slot: 1, alg: 1 };
      const found = await keys.find({ _id: { $in: ids } }, { session, projection }).toArray();
      const isIn = (kid: string, state: SigningKeyState) =>
        found.some((key) => key._id === kid && stateOf(key) === state);
      if (!turns.every(({ retire, activate }) => isIn(retire, 'active') && isIn(activate, 'next')))
        return false;
      const isBeside = (kid: string) => found.some((key) => key._id === kid && key.state === 'beside');
      // Few round trips: on a busy process each takes as long as the event loop is late.
      await keys.bulkWrite(
        [
          ...turns.flatMap((turn) => updatesOf(turn, isBeside(turn.retire) ? 'beside' : 'only')),
          ...turns.map(({ activate, next }) => ({
            insertOne: { document: toDocument(next, isBeside(activate) ? 'beside' : 'only') },
          })),
        ],
        { session },
      );
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

/** @param place that of the active key. The next key takes it, so that the place of the only active key is never empty */
function updatesOf({ retire, expires, activate, at, next: { alg } }: SigningKeyTurn, place: SigningKeyPlace) {
  const { state, slot } = fieldsIn(place, 'active', alg);
  const retired = { $set: { state: 'retired' as const, expires }, $unset: { slot: '' as const } };
  const activated = {
    $set: { state, activated: at, ...(slot !== undefined && { slot }) },
    ...(slot === undefined && { $unset: { slot: '' as const } }),
  };
  return [
    { updateOne: { filter: { _id: retire }, update: retired } },
    { updateOne: { filter: { _id: activate }, update: activated } },
  ];
}

function stateOf({ state, slot }: Pick<KeyDocument, 'state' | 'slot'>): SigningKeyState {
  return state === 'beside' ? (slot?.split(' ', 1)[0] as SigningKeyState) : state;
}

/** The fields of an active or next key in this place. */
function fieldsIn(
  place: SigningKeyPlace,
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
    ...fieldsIn(place, state, fields.alg),
    sealedPrivateJwk: new Binary(sealedPrivateJwk),
  };
}
