import { Binary } from 'mongodb';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import { insertEach } from '#src/platform/mongo/insert-each.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { batchReads, batchWrites } from '#src/platform/work/batcher.js';
import type { Actor, TokenOrigin } from './access-token-claims.js';

/** Everything that one sign-in began and refreshing continues (RFC 9700 section 4.14.2), as one document. */
export interface RefreshFamily {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly orgId: string;
  /** Space-delimited. The granted scope, even if a refresh asks for less. */
  readonly scope: string;
  /** Single claims that the application asked for: see `RequestedClaims` of `authorization`. */
  readonly claims?: {
    readonly userinfo?: readonly string[];
    readonly idToken?: readonly string[];
    readonly acrs?: readonly string[];
  };
  readonly audience: readonly string[];
  /** The session that the ID tokens name. */
  readonly sessionId?: string;
  readonly authTime?: Date;
  readonly amr: readonly string[];
  /** What the person proved in the sign-in: see `Proof` of `authentication`. Absent in families of earlier versions and of exchanged tokens. */
  readonly proofs?: readonly { readonly kind: string }[];
  /** The level of the sign-in that counted for the policy of the organization. Processes of an earlier version read it. */
  readonly policyAcr?: string;
  /** The connections by which the person signed in. Absent if there is none. */
  readonly connectionIds?: readonly string[];
  readonly act?: Actor;
  /** The identifiers of all actors in `act`. */
  readonly actors: readonly string[];
  /** The tokens that were exchanged for it. It ends with each of them. */
  readonly origins?: readonly TokenOrigin[];
  /** When the first of those expires. No token of the family may live longer. */
  readonly notAfter?: Date;
  readonly currentHash: string;
  /** The hash of the token before the current one. */
  readonly previousHash?: string;
  /** The current token, sealed, so that a client that lost it gets the same one again. */
  readonly successor?: Buffer;
  /** When the current token replaced the previous one. */
  readonly rotated: Date;
  /** Absent in families of earlier versions. */
  readonly begun?: Date;
  /** When the family ends, unless it is used again. */
  readonly idleEnd: Date;
  /** When the family ends at the latest. */
  readonly absoluteEnd: Date;
}

/** The fields that a rotation changes. */
type Rotation = Required<
  Pick<RefreshFamily, 'currentHash' | 'previousHash' | 'successor' | 'rotated' | 'idleEnd'>
>;

/** Chooses the families that began in a session, for a client, or by a connection. */
export type FamilyBeginning =
  | { readonly sessionId?: string }
  | { readonly clientId: string }
  /** By the connection. */
  | { readonly connectionIds: string };

/** Chooses families by what they belong to. */
type SessionsOf =
  | ({ readonly userId: string } & FamilyBeginning)
  | { readonly orgId: string; readonly connectionIds: string };

/** A session in which a family began. It may have ended. */
interface FormerSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** Refresh families, in MongoDB, since Redis may lose its data. */
export interface RefreshTokensStore {
  insert(family: RefreshFamily): Promise<void>;
  find(id: string): Promise<RefreshFamily | undefined>;
  /** The identifiers of the user's families: those that began in the session or for the client, or all. */
  idsOf(userId: string, begun?: FamilyBeginning): Promise<string[]>;
  /** The families of an organization that began by a connection. It reads all families of the organization. */
  ofConnection(orgId: string, connectionId: string): Promise<Pick<RefreshFamily, 'id' | 'userId'>[]>;
  /** The sessions in which families began, each once: those of a user, or those of an organization by a connection. */
  sessionsBehind(of: SessionsOf): Promise<FormerSession[]>;
  /**
   * Replaces the current token, if its hash is still `previousHash`.
   * @returns whether it was replaced
   */
  rotate(id: string, rotation: Rotation): Promise<boolean>;
  remove(id: string, transaction?: Transaction): Promise<void>;
  /** Removes all families of these users, and those in which they act for others. */
  removeAllOf(userIds: readonly string[], transaction?: Transaction): Promise<void>;
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
    { key: { orgId: 1 } },
    { key: { actors: 1 }, partialFilterExpression: { actors: { $exists: true } } },
    { key: { idleEnd: 1 }, expireAfterSeconds: 0 },
  ],
};

export function createRefreshTokensStore(mongo: Mongo): RefreshTokensStore {
  const families = mongo.collection<FamilyDocument>('refreshFamilies');
  const findDocument = batchReads(async (ids: readonly string[]) => {
    const found = await families
      .find({ _id: ids.length === 1 ? (ids[0] as string) : { $in: [...ids] } })
      .limit(ids.length)
      .batchSize(ids.length + 1)
      .toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    return (id) => byId.get(id);
  });
  const insertDocument = batchWrites(async (documents: readonly FamilyDocument[]) => {
    const errors = await insertEach(families, documents);
    return (_document, index) => {
      const error = errors.get(index);
      if (error !== undefined) throw error;
    };
  });

  const rotateDocument = batchWrites(async (asked: readonly { id: string; rotation: Rotation }[]) => {
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
    // Another use may have got the new token within the grace time, and rotated it. The token is then the
    // previous one.
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
    async idsOf(userId, begun = {}) {
      const chosen = { userId, ...begun };
      const found = await families.find(chosen, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },
    async ofConnection(orgId, connectionId) {
      const found = await families
        .find({ orgId, connectionIds: connectionId }, { projection: { userId: 1 } })
        .toArray();
      return found.map(({ _id: id, userId }) => ({ id, userId }));
    },
    async sessionsBehind(of) {
      const found = await families.find(of, { projection: { userId: 1, sessionId: 1 } }).toArray();
      const named = found.flatMap(({ userId, sessionId }) =>
        sessionId === undefined ? [] : [[sessionId, { userId, sessionId }] as const],
      );
      return [...new Map(named).values()];
    },
    rotate: (id, rotation) => rotateDocument({ id, rotation }),
    async remove(id, transaction) {
      await families.deleteOne({ _id: id }, inside(transaction));
    },
    async removeAllOf(userIds, transaction) {
      const ofUsers = { $in: [...userIds] };
      await families.deleteMany({ $or: [{ userId: ofUsers }, { actors: ofUsers }] }, inside(transaction));
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
