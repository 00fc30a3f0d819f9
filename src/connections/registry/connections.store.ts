import { pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Connection, OidcConnection, SamlConnection } from './connection.js';
import { credentialEndsOf } from './credential-ends.js';
import { noClaimMapping } from './mapping.js';

/** Where a connection has a sealed secret. */
type SealedPlace = 'sealedSecret' | 'ownKey.sealedPrivateJwk';

/** Stores the connections of organizations. */
export interface ConnectionsStore {
  find(orgId: string, id: string): Promise<Connection | undefined>;
  /** Returns all connections of the organization, in the order of their identifiers. */
  ofOrganization(orgId: string, transaction?: Transaction): Promise<Connection[]>;
  /** Whether a connection of any organization is switched on and has a domain. */
  anyWithDomain(): Promise<boolean>;
  count(orgId: string, transaction?: Transaction): Promise<number>;
  insert(orgId: string, connection: Connection, transaction: Transaction): Promise<void>;
  /** Writes the connection if its version is `expectedVersion`. Returns whether it did. */
  replace(
    orgId: string,
    change: { connection: Connection; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes the connection if its version is the expected one. Returns whether it did. */
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Returns connections of all organizations in the order of their identifiers, after the given one, to seal their secrets anew. */
  pageOfAll(query: { after?: string | undefined; limit: number }): Promise<Connection[]>;
  /** Returns connections whose secret or certificate ends within the time, the first end first. @param orgId absent for all organizations */
  ending(orgId: string | undefined, span: EndingSpan): Promise<EndingConnection[]>;
  /** Returns those of all organizations of whose end nobody was told. */
  endingUntold(span: EndingSpan): Promise<EndingConnection[]>;
  /** Notes that the owners were told of this end. The version stays. */
  markTold(orgId: string, told: { id: string; ends: Date }): Promise<void>;
  /** Replaces a sealed secret with a new seal of it, if it is the one that was read. The version stays. */
  reseal(orgId: string, change: { id: string; place: SealedPlace; from: string; to: string }): Promise<void>;
}

interface EndingSpan {
  readonly from: Date;
  readonly until: Date;
  readonly limit: number;
}

/** A connection whose secret or certificate ends. */
type EndingConnection = Pick<Connection, 'id' | 'orgId' | 'name'> & { readonly ends: Date };

/** Connections of the first version have no mapping, and do not say whether people link identities themselves. */
type Stored<C extends Connection> = Omit<C, 'id' | 'linking' | 'mapping'> & {
  linking: Omit<C['linking'], 'byPerson'> & Partial<C['linking']>;
  mapping?: C['mapping'];
};

type ConnectionDocument = (Stored<OidcConnection> | Stored<SamlConnection>) & {
  _id: string;
  schemaVersion: 1;
  /** When its secret or certificate ends: see credential-ends.ts. */
  ends?: Date;
};

export const connectionIndexes: CollectionIndexes = {
  collection: 'connections',
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { enabled: 1, domains: 1 } },
    { key: { ends: 1 }, partialFilterExpression: { ends: { $exists: true } } },
  ],
};

/** A bound for a read, above the number of connections that an organization can have. */
const mostRead = 100;

export function createConnectionsStore(mongo: Mongo): ConnectionsStore {
  const connections = mongo.collection<ConnectionDocument>('connections');
  return {
    async find(orgId, id) {
      const document = await connections.findOne({ _id: id, orgId });
      return document === null ? undefined : toConnection(document);
    },
    async ofOrganization(orgId, session) {
      const found = connections.find({ orgId }, session && { session });
      const documents = await found.sort({ _id: 1 }).limit(mostRead).toArray();
      return documents.map(toConnection);
    },
    async anyWithDomain() {
      const filter = { enabled: true, domains: { $gt: '' } };
      return (await connections.findOne(filter as object, { projection: { _id: 1 } })) !== null;
    },
    count: (orgId, session) => connections.countDocuments({ orgId }, session && { session }),
    async insert(orgId, connection, session) {
      await connections.insertOne(toDocument(orgId, connection), { session });
    },
    async replace(orgId, { connection, expectedVersion }, session) {
      const { _id, ...document } = toDocument(orgId, connection);
      const filter = { _id, orgId, version: expectedVersion };
      return (await connections.replaceOne(filter, document, { session })).matchedCount === 1;
    },
    async remove(orgId, { id, expectedVersion }, session) {
      const filter = { _id: id, orgId, version: expectedVersion };
      return (await connections.deleteOne(filter, { session })).deletedCount === 1;
    },
    async pageOfAll(page) {
      return (await pageById(connections, {}, page)).map(toConnection);
    },
    async ending(orgId, { from, until, limit }) {
      const filter = { ...(orgId !== undefined && { orgId }), ends: { $gt: from, $lte: until } };
      return (await connections.find(filter).sort({ ends: 1 }).limit(limit).toArray()).flatMap(toEnding);
    },
    async endingUntold({ from, until, limit }) {
      const filter = { ends: { $gt: from, $lte: until }, $expr: { $ne: ['$endTold', '$ends'] } };
      return (await connections.find(filter).sort({ ends: 1 }).limit(limit).toArray()).flatMap(toEnding);
    },
    async markTold(orgId, { id, ends }) {
      await connections.updateOne({ _id: id, orgId, ends }, { $set: { endTold: ends } } as object);
    },
    async reseal(orgId, { id, place, from, to }) {
      await connections.updateOne({ _id: id, orgId, [place]: from }, { $set: { [place]: to } } as object);
    },
  };
}

function toDocument(orgId: string, { id, ...connection }: Connection): ConnectionDocument {
  const ends = credentialEndsOf({ id, ...connection } as Connection);
  return { ...connection, _id: id, orgId, schemaVersion: 1, ...(ends && { ends }) };
}

function toEnding({ _id: id, orgId, name, ends }: ConnectionDocument): EndingConnection[] {
  return ends === undefined ? [] : [{ id, orgId, name, ends }];
}

/** Connections of the first version have no mapping, and do not say whether people link identities themselves. */
function toConnection({
  _id,
  schemaVersion: _schemaVersion,
  ends: _ends,
  linking,
  mapping = noClaimMapping,
  ...connection
}: ConnectionDocument): Connection {
  return { id: _id, ...connection, linking: { ...linking, byPerson: linking.byPerson ?? false }, mapping };
}
