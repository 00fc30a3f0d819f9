import { lockDocument, pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Project } from './project.js';

/**
 * The organization that owns the identifier of a project. It owns the identifier even after the project was removed.
 */
export interface ProjectClaim {
  readonly orgId: string;
  /** See {@link Project}. */
  readonly audienceOrgIds: readonly string[];
  readonly removed: boolean;
  readonly version: number;
}

/** Stores projects. Methods that serve one organization take its identifier first. */
export interface ProjectsStore {
  find(orgId: string, id: string): Promise<Project | undefined>;
  findMany(orgId: string, ids: readonly string[]): Promise<Map<string, Project>>;
  /** Returns the owner of each of these identifiers that a project has or had. */
  claimsOf(ids: readonly string[]): Promise<Map<string, ProjectClaim>>;
  /** Returns projects in the order of their identifiers, after the given one. */
  page(orgId: string, query: { after?: string; limit: number }): Promise<Project[]>;
  /**
   * Returns the owner of this identifier. The owner never changes. Otherwise another organization could take the
   * identifier over and read tokens that are meant for the project.
   */
  claimOf(id: string, transaction?: Transaction): Promise<ProjectClaim | undefined>;
  /**
   * Returns whether the project exists. The call writes to the document. If another transaction removes the project at
   * the same time, MongoDB aborts one of the two, and that one runs again.
   */
  lock(orgId: string, id: string, transaction: Transaction): Promise<boolean>;
  /** Returns the number of projects of the organization. */
  count(orgId: string): Promise<number>;
  /** @throws the duplicate-key error of MongoDB if the identifier is taken */
  insert(orgId: string, project: Project, transaction: Transaction): Promise<void>;
  /** Writes the project if its version is `expectedVersion`. Returns whether it wrote the project. */
  replace(
    orgId: string,
    change: { project: Project; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Increments the version when roles are added to the project. Returns the project afterwards. */
  advance(
    orgId: string,
    target: { id: string; by: number; date: Date },
    transaction: Transaction,
  ): Promise<Project | undefined>;
  /**
   * Removes the project if its version is the expected one, and reserves its identifier for the organization. Returns
   * whether it removed the project.
   */
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number; date: Date },
    transaction: Transaction,
  ): Promise<boolean>;
}

/**
 * After a removal, the document has the identifier and the version. A new project with the same identifier continues
 * from that version.
 */
type ProjectDocument = Partial<Omit<Project, 'id' | 'orgId'>> & {
  _id: string;
  orgId: string;
  removed?: Date;
  /** Number of locks that transactions took. */
  locked?: number;
  schemaVersion: 1;
};

export const projectIndexes: CollectionIndexes = {
  collection: 'projects',
  indexes: [{ key: { orgId: 1, _id: 1 } }],
};

const notRemoved = { removed: { $exists: false } };

export function createProjectsStore(mongo: Mongo): ProjectsStore {
  const projects = mongo.collection<ProjectDocument>('projects');
  return {
    async find(orgId, id) {
      const document = await projects.findOne({ _id: id, orgId, ...notRemoved });
      return document === null ? undefined : toProject(document);
    },
    async findMany(orgId, ids) {
      const found = await projects.find({ _id: { $in: [...ids] }, orgId, ...notRemoved }).toArray();
      return new Map(found.map((document) => [document._id, toProject(document)]));
    },
    async page(orgId, { after, limit }) {
      const documents = await pageById(projects, { orgId, ...notRemoved }, { after, limit });
      return documents.map(toProject);
    },
    async claimOf(id, transaction) {
      const document = await projects.findOne({ _id: id }, transaction && { session: transaction });
      return document === null ? undefined : toClaim(document);
    },
    async claimsOf(ids) {
      if (ids.length === 0) return new Map();
      const found = await projects.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((document) => [document._id, toClaim(document)]));
    },
    lock: (orgId, id, transaction) => lockDocument(projects, { _id: id, orgId, ...notRemoved }, transaction),
    count: (orgId) => projects.countDocuments({ orgId, ...notRemoved }),
    async insert(orgId, project, transaction) {
      const { _id, ...document } = toDocument(orgId, project);
      const removedBefore = { _id, orgId, removed: { $exists: true } };
      const options = { session: transaction };
      if ((await projects.replaceOne(removedBefore, document, options)).matchedCount === 0) {
        await projects.insertOne({ _id, ...document }, options);
      }
    },
    async replace(orgId, { project, expectedVersion }, transaction) {
      const { _id, ...document } = toDocument(orgId, project);
      const filter = { _id, orgId, ...atVersion(expectedVersion), ...notRemoved };
      return (await projects.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
    async advance(orgId, { id, by, date }, transaction) {
      const document = await projects.findOneAndUpdate(
        { _id: id, orgId, ...notRemoved },
        { $inc: { version: by }, $set: { lastModified: date } },
        { session: transaction, returnDocument: 'after' },
      );
      return document === null ? undefined : toProject(document);
    },
    async remove(orgId, { id, expectedVersion, date }, transaction) {
      const filter = { _id: id, orgId, ...atVersion(expectedVersion), ...notRemoved };
      const left = { orgId, version: expectedVersion + 1, removed: date, schemaVersion: 1 as const };
      return (await projects.replaceOne(filter, left, { session: transaction })).matchedCount === 1;
    },
  };
}

function toClaim({ orgId, removed, version = 0, audienceOrgIds = [] }: ProjectDocument): ProjectClaim {
  return { orgId, audienceOrgIds, removed: removed !== undefined, version };
}

/** Documents of earlier versions, in which a project was only an identifier, have no version. */
function atVersion(version: number) {
  return version === 0 ? { version: { $exists: false } } : { version };
}

function toDocument(orgId: string, { id, ...fields }: Project): ProjectDocument {
  return { _id: id, ...fields, orgId, schemaVersion: 1 };
}

/** Documents of earlier versions, in which a project was only an identifier, use it as the name. */
function toProject({
  _id,
  orgId,
  name = _id,
  version = 0,
  audienceOrgIds = [],
  created = new Date(0),
  ...fields
}: ProjectDocument): Project {
  return {
    id: _id,
    orgId,
    name,
    audienceOrgIds,
    version,
    created,
    lastModified: fields.lastModified ?? created,
  };
}
