import type { Filter } from 'mongodb';
import { nameSearchKey } from '#src/directory/index.js';
import { type SigningAlgorithm, signingAlgorithms } from '#src/keys/signing-key.js';
import { insertAll, pageById, portionsById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { pacedBy } from '#src/platform/mongo/paced-reads.js';
import { prefixRange } from '#src/platform/mongo/prefix-range.js';
import { readSortedPortions, type SortPosition } from '#src/platform/mongo/read-sorted.js';
import { documentUpgrade, type Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import { expiringWithin, expiryIndexes, type Span } from '../credentials/expiring.js';
import type { Application } from './application.js';
import { withLaterSettings } from './application-rules.js';

/** What all applications of a narrowed list have. */
interface NarrowedApplications extends Partial<Pick<Application, 'type' | 'projectId' | 'active'>> {
  /** The beginning of the name, however it is written. Empty for all names. */
  readonly text?: string;
}

/** An order that an index has. That of `nameKey` is the order of the names. */
interface ApplicationOrder {
  readonly field: 'nameKey' | 'created';
  readonly direction: 1 | -1;
}

/** An application of a sorted list, with what it is sorted by. */
export interface SortedApplication extends Application {
  readonly sortValue: SortPosition['value'];
}

/** Stores applications. Methods that serve one organization take its identifier first. */
export interface ApplicationsStore {
  find(orgId: string, id: string): Promise<Application | undefined>;
  /**
   * Finds an application in any organization. The OpenID endpoints use it, because a client sends only its client_id.
   */
  findById(id: string): Promise<Application | undefined>;
  /** Returns the applications of any organization with one of these identifiers, in no order. */
  findMany(ids: readonly string[]): Promise<Application[]>;
  /** Returns the algorithms that applications of any organization chose for their ID tokens. */
  chosenAlgorithms(): Promise<SigningAlgorithm[]>;
  /** Returns whether an active application of any organization has a redirect URI of this http or https origin. */
  hasOrigin(origin: string): Promise<boolean>;
  /** Returns applications in the order of their identifiers, after the given one. */
  page(orgId: string, query: { after?: string; limit: number }): Promise<Application[]>;
  /** {@link page} in portions. They are parsed while they are taken. */
  portions(
    orgId: string,
    query: { after?: string; limit: number; only?: NarrowedApplications },
  ): AsyncIterable<Application[]>;
  /** The applications in another order, in portions. */
  sortedPortions(
    orgId: string,
    query: {
      after?: SortPosition | undefined;
      limit: number;
      sort: ApplicationOrder;
      only?: NarrowedApplications;
    },
  ): AsyncIterable<SortedApplication[]>;
  /** Returns the number of them in the organization. */
  count(orgId: string, only?: NarrowedApplications): Promise<number>;
  /** Those with a secret or key that expires within the span, in one organization or in all of them. In no order. */
  expiring(orgId: string | undefined, span: Span & { limit: number }): Promise<Application[]>;
  insert(orgId: string, added: readonly Application[], transaction: Transaction): Promise<void>;
  /** Writes the application if its version is `expectedVersion`. Returns whether it wrote the application. */
  replace(
    orgId: string,
    change: { application: Application; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Returns whether an application belongs to the project, as the transaction sees it. */
  anyOfProject(orgId: string, projectId: string, transaction: Transaction): Promise<boolean>;
}

type ApplicationDocument = Omit<Application, 'id'> & {
  _id: string;
  /** The name as a person searches it. Documents of the first version lack it until `muster upgrade`. */
  nameKey?: string;
  schemaVersion: 1 | 2;
};

export const applicationIndexes: CollectionIndexes = {
  collection: 'applications',
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { orgId: 1, type: 1, _id: 1 } },
    { key: { orgId: 1, nameKey: 1, _id: 1 } },
    { key: { orgId: 1, created: 1, _id: 1 } },
    { key: { redirectUris: 1 } },
    ...expiryIndexes,
    {
      key: { idTokenSignedResponseAlg: 1 },
      partialFilterExpression: { idTokenSignedResponseAlg: { $exists: true } },
    },
    {
      key: { orgId: 1, projectId: 1 },
      partialFilterExpression: { projectId: { $exists: true } },
    },
  ],
};

/** Gives applications of the first version the name by which a person finds them. */
export function applicationNamesUpgrade(mongo: Mongo): Upgrade {
  return documentUpgrade<ApplicationDocument>(mongo, {
    name: 'applications-name-key',
    collection: 'applications',
    from: 1,
    change: ({ name }) => ({ nameKey: nameSearchKey(name) }),
  });
}

export function createApplicationsStore(mongo: Mongo): ApplicationsStore {
  const applications = mongo.collection<ApplicationDocument>('applications');
  return {
    async find(orgId, id) {
      return toApplication(await applications.findOne({ _id: id, orgId }));
    },
    async findById(id) {
      return toApplication(await applications.findOne({ _id: id }));
    },
    async findMany(ids) {
      if (ids.length === 0) return [];
      const found = await applications.find({ _id: { $in: [...ids] } }).toArray();
      return found.map((document) => toApplication(document) as Application);
    },
    async chosenAlgorithms() {
      // One look-up of the index for each.
      const found = await Promise.all(
        signingAlgorithms.map((alg) =>
          applications.findOne({ idTokenSignedResponseAlg: alg }, { projection: { _id: 1 } }),
        ),
      );
      return signingAlgorithms.filter((_alg, index) => found[index] !== null);
    },
    async hasOrigin(origin) {
      // The address is the origin, or goes on with a slash. '0' is the character after the slash.
      const within = { $elemMatch: { $gte: `${origin}/`, $lt: `${origin}0` } };
      const filter = { active: true, $or: [{ redirectUris: origin }, { redirectUris: within }] };
      return (await applications.findOne(filter, { projection: { _id: 1 } })) !== null;
    },
    async page(orgId, { after, limit }) {
      const documents = await pageById(applications, { orgId }, { after, limit });
      return documents.map((document) => toApplication(document) as Application);
    },
    async *portions(orgId, { only, ...query }) {
      for await (const documents of portionsById(applications, { orgId, ...narrowedTo(only) }, query))
        yield documents.map((document) => toApplication(document) as Application);
    },
    async *sortedPortions(orgId, { only, ...query }) {
      const index = `orgId_1_${query.sort.field}_1__id_1`;
      const of = { orgId, filter: narrowedTo(only) };
      for await (const documents of readSortedPortions(applications, of, { ...query, index }, pacedBy(orgId)))
        yield documents.map((document) => ({
          ...(toApplication(document) as Application),
          sortValue: document[query.sort.field] ?? null,
        }));
    },
    async expiring(orgId, { limit, ...span }) {
      const filter = { ...(orgId !== undefined && { orgId }), ...expiringWithin(span) };
      const found = await applications.find(filter).limit(limit).toArray();
      return found.map((document) => toApplication(document) as Application);
    },
    count: (orgId, only) => applications.countDocuments({ orgId, ...narrowedTo(only) }),
    async insert(orgId, added, transaction) {
      const documents = added.map((application) => toDocument(orgId, application));
      await insertAll(applications, documents, transaction);
    },
    async replace(orgId, { application, expectedVersion }, transaction) {
      const { _id, ...document } = toDocument(orgId, application);
      const filter = { _id, orgId, version: expectedVersion };
      return (await applications.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
    async remove(orgId, { id, expectedVersion }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion };
      return (await applications.deleteOne(filter, { session: transaction })).deletedCount === 1;
    },
    async anyOfProject(orgId, projectId, transaction) {
      const options = { session: transaction, projection: { _id: 1 } };
      return (await applications.findOne({ orgId, projectId }, options)) !== null;
    },
  };
}

function narrowedTo({ text = '', ...only }: NarrowedApplications = {}): Filter<ApplicationDocument> {
  const key = nameSearchKey(text);
  return { ...only, ...(key !== '' && { nameKey: prefixRange(key) }) };
}

function toDocument(orgId: string, { id, ...fields }: Application): ApplicationDocument {
  return { _id: id, ...fields, orgId, nameKey: nameSearchKey(fields.name), schemaVersion: 2 };
}

function toApplication(document: ApplicationDocument | null): Application | undefined {
  if (document === null) return undefined;
  const { _id, nameKey: _key, schemaVersion: _version, ...fields } = document;
  return withLaterSettings({ id: _id, ...fields });
}
