import { foldCase } from '#src/directory/index.js';
import { insertAll, lockDocument, pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { expiringWithin, expiryIndexes, type Span } from '../credentials/expiring.js';
import type { ServiceUser } from './service-user.js';

/** Stores service users. Methods that serve one organization take its identifier first. */
export interface ServiceUsersStore {
  find(orgId: string, id: string): Promise<ServiceUser | undefined>;
  /** Returns service users in the order of their identifiers, after the given one. */
  page(orgId: string, query: { after?: string; limit: number }): Promise<ServiceUser[]>;
  /**
   * Finds the service user with this client_id (its id or its userName) and this secret. Several organizations may have
   * the same userName, so the hash of the secret is part of the look-up.
   */
  findByCredentials(clientId: string, secretHash: string): Promise<ServiceUser | undefined>;
  /** Finds a service user in any organization. Tokens contain only their subject. */
  findById(id: string): Promise<ServiceUser | undefined>;
  /** Returns the organizations of these service users, by service user. Unknown ones are left out. */
  organizationsOf(ids: readonly string[]): Promise<Map<string, string>>;
  /**
   * Returns service users of any organization with one of these identifiers, and service users of this organization
   * with one of these userNames.
   */
  findTaken(
    orgId: string,
    wanted: { ids: readonly string[]; userNames: readonly string[] },
  ): Promise<ServiceUser[]>;
  /** Returns whether one of these exists and is active, as the transaction sees it. */
  anyActive(ids: readonly string[], transaction: Transaction): Promise<boolean>;
  /** Returns the number of them in the organization. */
  count(orgId: string): Promise<number>;
  /** Those with a secret or key that expires within the span, in one organization or in all of them. In no order. */
  expiring(orgId: string | undefined, span: Span & { limit: number }): Promise<ServiceUser[]>;
  /** @throws the duplicate-key error of MongoDB if a userName is taken */
  insert(orgId: string, added: readonly ServiceUser[], transaction: Transaction): Promise<void>;
  /** Returns whether the service user exists, and locks it like `UsersStore.lock`. */
  lock(orgId: string, id: string, transaction: Transaction): Promise<boolean>;
  /** Writes the service user if its version is `expectedVersion`. Returns whether it wrote the service user. */
  replace(
    orgId: string,
    change: { user: ServiceUser; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
}

type ServiceUserDocument = Omit<ServiceUser, 'id'> & {
  _id: string;
  userNameKey: string;
  /** Number of locks that transactions took. */
  locked?: number;
  schemaVersion: 1;
};

export const serviceUserIndexes: CollectionIndexes = {
  collection: 'serviceUsers',
  indexes: [
    { key: { orgId: 1, userNameKey: 1 }, unique: true },
    { key: { orgId: 1, _id: 1 } },
    { key: { userNameKey: 1 } },
    ...expiryIndexes,
  ],
};

export function createServiceUsersStore(mongo: Mongo): ServiceUsersStore {
  const users = mongo.collection<ServiceUserDocument>('serviceUsers');
  return {
    async find(orgId, id) {
      return toServiceUser(await users.findOne({ _id: id, orgId }));
    },
    async expiring(orgId, { limit, ...span }) {
      const filter = { ...(orgId !== undefined && { orgId }), ...expiringWithin(span) };
      const found = await users.find(filter).limit(limit).toArray();
      return found.map((document) => toServiceUser(document) as ServiceUser);
    },
    async findById(id) {
      return toServiceUser(await users.findOne({ _id: id }));
    },
    async organizationsOf(ids) {
      if (ids.length === 0) return new Map();
      const filter = { _id: { $in: [...ids] } };
      const found = await users.find(filter, { projection: { orgId: 1 } }).toArray();
      return new Map(found.map(({ _id, orgId }) => [_id, orgId]));
    },
    async findTaken(orgId, { ids, userNames }) {
      const [byId, byName] = await Promise.all([
        users.find({ _id: { $in: [...ids] } }).toArray(),
        users.find({ orgId, userNameKey: { $in: userNames.map(foldCase) } }).toArray(),
      ]);
      const found = new Map([...byId, ...byName].map((document) => [document._id, document]));
      return [...found.values()].map((document) => toServiceUser(document) as ServiceUser);
    },
    async page(orgId, { after, limit }) {
      const documents = await pageById(users, { orgId }, { after, limit });
      return documents.map((document) => toServiceUser(document) as ServiceUser);
    },
    async findByCredentials(clientId, secretHash) {
      const byId = await users.findOne({ _id: clientId, 'secrets.hash': secretHash });
      return toServiceUser(
        byId ?? (await users.findOne({ userNameKey: foldCase(clientId), 'secrets.hash': secretHash })),
      );
    },
    async anyActive(ids, transaction) {
      const filter = { _id: { $in: [...ids] }, active: true };
      return (await users.findOne(filter, { session: transaction, projection: { _id: 1 } })) !== null;
    },
    count: (orgId) => users.countDocuments({ orgId }),
    async insert(orgId, added, transaction) {
      const documents = added.map((user) => toDocument(orgId, user));
      await insertAll(users, documents, transaction);
    },
    lock: (orgId, id, transaction) => lockDocument(users, { _id: id, orgId }, transaction),
    async replace(orgId, { user, expectedVersion }, transaction) {
      const { _id, ...document } = toDocument(orgId, user);
      const filter = { _id, orgId, version: expectedVersion };
      return (await users.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
    async remove(orgId, { id, expectedVersion }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion };
      return (await users.deleteOne(filter, { session: transaction })).deletedCount === 1;
    },
  };
}

function toDocument(orgId: string, { id, ...fields }: ServiceUser): ServiceUserDocument {
  return { _id: id, ...fields, orgId, userNameKey: foldCase(fields.userName), schemaVersion: 1 };
}

function toServiceUser(document: ServiceUserDocument | null): ServiceUser | undefined {
  if (document === null) return undefined;
  const { _id, userNameKey: _key, locked: _locked, schemaVersion: _version, ...fields } = document;
  // Documents of earlier versions have no keys.
  return { id: _id, ...fields, keys: fields.keys ?? [] };
}
