import { insertAll } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** What an identifier names. Tokens and roles name an object by its identifier alone. */
export type IdentifierKind = 'organization' | 'user' | 'serviceUser' | 'application' | 'project' | 'group';

/** The kind and the organization of the object for which a caller chose an identifier. The object may be removed. */
interface IdentifierOwner {
  readonly kind: IdentifierKind;
  /** `*` for organizations. */
  readonly orgId: string;
}

/**
 * Reserves the identifiers that callers choose. An identifier stays with its kind forever, so that an old token never names an
 * object of another kind. Identifiers that the service makes are random and need no reservation.
 */
export interface IdentifiersStore {
  /** Returns the owner of each of these identifiers that is reserved, in any organization. */
  ownersOf(ids: readonly string[]): Promise<Map<string, IdentifierOwner>>;
  /** @throws the duplicate-key error of MongoDB if one of the identifiers is reserved */
  insert(
    orgId: string,
    reserved: { kind: IdentifierKind; ids: readonly string[] },
    transaction: Transaction,
  ): Promise<void>;
  /**
   * Gives a reserved identifier to this organization. Its object in the other organization was removed.
   * @returns false if it is not reserved for this kind in the organization `from`
   */
  move(
    orgId: string,
    moved: { kind: IdentifierKind; id: string; from: string },
    transaction: Transaction,
  ): Promise<boolean>;
}

interface IdentifierDocument extends IdentifierOwner {
  _id: string;
}

export const identifierIndexes: CollectionIndexes = {
  collection: 'identifiers',
  indexes: [{ key: { orgId: 1 } }],
};

export function createIdentifiersStore(mongo: Mongo): IdentifiersStore {
  const identifiers = mongo.collection<IdentifierDocument>('identifiers');
  return {
    async ownersOf(ids) {
      if (ids.length === 0) return new Map();
      const found = await identifiers.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map(({ _id, kind, orgId }) => [_id, { kind, orgId }]));
    },
    async insert(orgId, { kind, ids }, transaction) {
      const documents = ids.map((id) => ({ _id: id, kind, orgId }));
      await insertAll(identifiers, documents, transaction);
    },
    async move(orgId, { kind, id, from }, transaction) {
      const filter = { _id: id, kind, orgId: from };
      const moved = await identifiers.updateOne(filter, { $set: { orgId } }, { session: transaction });
      return moved.matchedCount === 1;
    },
  };
}
