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

/** What is known of some identifiers. */
interface KnownIdentifiers {
  /** The owner of each identifier that is reserved. */
  readonly owners: ReadonlyMap<string, IdentifierOwner>;
  readonly holders: readonly IdentifierHolder[];
}

/** An object that has an identifier, whether the identifier is reserved or not. */
interface IdentifierHolder {
  readonly id: string;
  /** The organization of a project that was removed. Such a project keeps its identifier. */
  readonly removedIn?: string;
}

/**
 * Reserves the identifiers that callers choose. An identifier stays with its kind forever, so that an old token never names an
 * object of another kind. Identifiers that the service makes are random and need no reservation.
 */
export interface IdentifiersStore {
  /** Looks up the owners of reservations, and the objects that have the identifiers, in all organizations. It is one command. */
  lookUp(ids: readonly string[]): Promise<KnownIdentifiers>;
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

/** The collections of the objects for which callers choose identifiers. */
const holding = ['organizations', 'users', 'serviceUsers', 'applications', 'groups', 'projects'];

/** A document of {@link IdentifiersStore.lookUp}. `kind` is that of a reservation; an object has none. */
interface LookedUp {
  readonly _id: string;
  readonly kind?: IdentifierKind;
  readonly orgId?: string;
  readonly removed?: Date;
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
    async lookUp(ids) {
      const owners = new Map<string, IdentifierOwner>();
      const holders: IdentifierHolder[] = [];
      if (ids.length === 0) return { owners, holders };
      const wanted = { $match: { _id: { $in: [...ids] } } };
      const ofObjects = [wanted, { $project: { orgId: 1, removed: 1 } }];
      const stages = [wanted, ...holding.map((coll) => ({ $unionWith: { coll, pipeline: ofObjects } }))];
      // Each identifier has at most one reservation and, in practice, one object.
      const found = identifiers.aggregate<LookedUp>(stages, { batchSize: 2 * ids.length + 1 });
      for (const { _id: id, kind, orgId = '', removed } of await found.toArray()) {
        if (kind !== undefined) owners.set(id, { kind, orgId });
        else holders.push({ id, ...(removed !== undefined && { removedIn: orgId }) });
      }
      return { owners, holders };
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
