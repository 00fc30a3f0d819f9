import { Binary } from 'mongodb';
import { insertEach } from '#src/platform/mongo/insert-each.js';
import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { gatherReads, gatherWrites } from '#src/platform/redis/gather.js';
import type { Actor, TokenOrigin } from './access-token.js';

/** Everything that began with one sign-in and goes on by refreshing (RFC 9700 section 4.14.2): one document. */
export interface RefreshFamily {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly orgId: string;
  /** Space-delimited: what was granted, whatever less a refresh asks for. */
  readonly scope: string;
  readonly audience: readonly string[];
  /** The session that the ID tokens name. */
  readonly sessionId?: string;
  readonly authTime?: Date;
  readonly amr: readonly string[];
  readonly act?: Actor;
  /** Who acts for the user: identifiers of every actor of `act`. */
  readonly actors: readonly string[];
  /** The tokens that were exchanged for it: it ends with each of them. */
  readonly origins?: readonly TokenOrigin[];
  /** When the first of them expires: no token of the family may outlive it. */
  readonly notAfter?: Date;
  readonly currentHash: string;
  /** The token before the current one. */
  readonly previousHash?: string;
  /** The current token, sealed, so that a client that lost it gets the same again. */
  readonly successor?: Buffer;
  /** When the current token took the place of the previous one. */
  readonly rotated: Date;
  /** When it ends unless it is used again. */
  readonly idleEnd: Date;
  /** When it ends in any case. */
  readonly absoluteEnd: Date;
}

/** What a rotation changes. */
export type Rotation = Required<
  Pick<RefreshFamily, 'currentHash' | 'previousHash' | 'successor' | 'rotated' | 'idleEnd'>
>;

/** Refresh families: they last, as Redis does not. */
export interface RefreshTokensStore {
  insert(family: RefreshFamily): Promise<void>;
  find(id: string): Promise<RefreshFamily | undefined>;
  /** Identifiers of the user's families: those that began in the session, or all. */
  idsOf(userId: string, sessionId?: string): Promise<string[]>;
  /** Puts the next token in the place of the current one, where that is still `previousHash`; whether it was. */
  rotate(id: string, rotation: Rotation): Promise<boolean>;
  remove(id: string, transaction?: Transaction): Promise<void>;
  /** Removes every family of the user, and those in which the user acts for somebody. */
  removeAllOf(userId: string, transaction?: Transaction): Promise<void>;
}

type FamilyDocument = Omit<RefreshFamily, 'id' | 'successor'> & {
  _id: string;
  successor?: Binary;
  schemaVersion: 1;
};

export const refreshTokenIndexes: CollectionIndexes = {
  collection: 'refreshFamilies',
  indexes: [
    { key: { userId: 1 } },
    { key: { actors: 1 }, partialFilterExpression: { actors: { $exists: true } } },
    { key: { idleEnd: 1 }, expireAfterSeconds: 0 },
  ],
};

export function createRefreshTokensStore(mongo: Mongo): RefreshTokensStore {
  const families = mongo.collection<FamilyDocument>('refreshFamilies');
  const findDocument = gatherReads(async (ids: readonly string[]) => {
    const found = await families
      .find({ _id: ids.length === 1 ? (ids[0] as string) : { $in: [...ids] } })
      .limit(ids.length)
      .batchSize(ids.length + 1)
      .toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    return (id) => byId.get(id);
  });
  const insertDocument = gatherWrites(async (documents: readonly FamilyDocument[]) => {
    const errors = await insertEach(families, documents);
    return (_document, index) => {
      const error = errors.get(index);
      if (error !== undefined) throw error;
    };
  });

  const rotateDocument = gatherWrites(async (asked: readonly { id: string; rotation: Rotation }[]) => {
    const { matchedCount } = await families.bulkWrite(
      asked.map(({ id, rotation: { successor, ...rotation } }) => ({
        updateOne: {
          filter: { _id: id, currentHash: rotation.previousHash },
          update: { $set: { ...rotation, successor: new Binary(successor) } },
        },
      })),
      { ordered: false },
    );
    if (matchedCount === asked.length) return () => true;
    // Who came second may have got the new token by grace and used it by now: it is the previous one then.
    const ids = asked.map(({ id }) => id);
    const projection = { currentHash: 1, previousHash: 1 };
    const found = await families.find({ _id: { $in: ids } }, { projection }).toArray();
    const latest = new Map(
      found.map(({ _id, currentHash, previousHash }) => [_id, [currentHash, previousHash]]),
    );
    return ({ id, rotation }) => latest.get(id)?.includes(rotation.currentHash) === true;
  });

  const inside = (transaction?: Transaction) => (transaction ? { session: transaction } : {});
  return {
    async insert({ id, successor, actors, ...fields }) {
      await insertDocument({
        _id: id,
        ...fields,
        ...(actors.length > 0 && { actors }),
        ...(successor && { successor: new Binary(successor) }),
        schemaVersion: 1,
      } as FamilyDocument);
    },
    async find(id) {
      const document = await findDocument(id);
      return document && toFamily(document);
    },
    async idsOf(userId, sessionId) {
      const chosen = { userId, ...(sessionId !== undefined && { sessionId }) };
      const found = await families.find(chosen, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },
    rotate: (id, rotation) => rotateDocument({ id, rotation }),
    async remove(id, transaction) {
      await families.deleteOne({ _id: id }, inside(transaction));
    },
    async removeAllOf(userId, transaction) {
      await families.deleteMany({ $or: [{ userId }, { actors: userId }] }, inside(transaction));
    },
  };
}

function toFamily({ _id, schemaVersion: _, successor, actors, ...fields }: FamilyDocument): RefreshFamily {
  return {
    id: _id,
    ...fields,
    actors: actors ?? [],
    ...(successor && { successor: Buffer.from(successor.buffer) }),
  };
}
