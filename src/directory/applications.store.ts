import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo.js';
import type { Application } from './application.js';

/** Applications. Methods that serve an organization take it first. */
export interface ApplicationsStore {
  find(orgId: string, id: string): Promise<Application | undefined>;
  /** Whatever its organization: for the OpenID endpoints, where a client names itself alone. */
  findById(id: string): Promise<Application | undefined>;
  /** In the order of their identifiers, after the given one. */
  page(orgId: string, query: { after?: string; limit: number }): Promise<Application[]>;
  insert(orgId: string, application: Application, transaction: Transaction): Promise<void>;
  /** Writes the application where its version is still `expectedVersion`; whether it was. */
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
  /**
   * Makes the project one of this organization for good; whether it is. Else an application of another organization
   * could join a project and read what tokens say that are meant for the project.
   * @throws the engine's duplicate-key error when two claim it at once
   */
  claimProject(orgId: string, projectId: string, transaction: Transaction): Promise<boolean>;
}

type ApplicationDocument = Omit<Application, 'id'> & { _id: string; schemaVersion: 1 };

interface ProjectDocument {
  _id: string;
  orgId: string;
}

export const applicationIndexes: CollectionIndexes = {
  collection: 'applications',
  indexes: [{ key: { orgId: 1, _id: 1 } }],
};

export const projectIndexes: CollectionIndexes = { collection: 'projects', indexes: [] };

export function createApplicationsStore(mongo: Mongo): ApplicationsStore {
  const applications = mongo.collection<ApplicationDocument>('applications');
  const projects = mongo.collection<ProjectDocument>('projects');
  return {
    async find(orgId, id) {
      return toApplication(await applications.findOne({ _id: id, orgId }));
    },
    async findById(id) {
      return toApplication(await applications.findOne({ _id: id }));
    },
    async page(orgId, { after, limit }) {
      const documents = await applications
        .find({ orgId, ...(after !== undefined && { _id: { $gt: after } }) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return documents.map((document) => toApplication(document) as Application);
    },
    async insert(orgId, application, transaction) {
      await applications.insertOne(toDocument(orgId, application), { session: transaction });
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
    async claimProject(orgId, projectId, transaction) {
      const known = await projects.findOne({ _id: projectId }, { session: transaction });
      if (known !== null) return known.orgId === orgId;
      await projects.insertOne({ _id: projectId, orgId }, { session: transaction });
      return true;
    },
  };
}

function toDocument(orgId: string, { id, ...fields }: Application): ApplicationDocument {
  return { _id: id, ...fields, orgId, schemaVersion: 1 };
}

function toApplication(document: ApplicationDocument | null): Application | undefined {
  if (document === null) return undefined;
  const { _id, schemaVersion: _version, ...fields } = document;
  return { id: _id, ...fields };
}
