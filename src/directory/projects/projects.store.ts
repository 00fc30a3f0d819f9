import { lockDocument, pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Project } from './project.js';

/** To whom an identifier of a project belongs, also after the project was removed. */
export interface ProjectClaim {
  readonly orgId: string;
  readonly removed: boolean;
  readonly version: number;
}

/** Projects. Methods that serve an organization take it first. */
export interface ProjectsStore {
  find(orgId: string, id: string): Promise<Project | undefined>;
  findMany(orgId: string, ids: readonly string[]): Promise<Map<string, Project>>;
  /** Of each of these identifiers that somebody has or had, whose it is. */
  claimsOf(ids: readonly string[]): Promise<Map<string, ProjectClaim>>;
  /** In the order of their identifiers, after the given one. */
  page(orgId: string, query: { after?: string; limit: number }): Promise<Project[]>;
  /**
   * Whose identifier this is. It stays its organization's for good: else another one could take it over, and read
   * what tokens say that are meant for the project.
   */
  claimOf(id: string, transaction?: Transaction): Promise<ProjectClaim | undefined>;
  /**
   * Whether the project is there. Asking is a write, so that of two transactions, one of which removes it, one is
   * repeated.
   */
  lock(orgId: string, id: string, transaction: Transaction): Promise<boolean>;
  /** @throws the engine's duplicate-key error when the identifier is taken */
  insert(orgId: string, project: Project, transaction: Transaction): Promise<void>;
  /** Writes the project where its version is still `expectedVersion`; whether it was. */
  replace(
    orgId: string,
    change: { project: Project; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Counts the version up, for roles that are added to the project; the project afterwards. */
  advance(
    orgId: string,
    target: { id: string; by: number; date: Date },
    transaction: Transaction,
  ): Promise<Project | undefined>;
  /** Removes the project, and keeps its identifier for the organization; whether the version was the expected. */
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number; date: Date },
    transaction: Transaction,
  ): Promise<boolean>;
}

/** Of a removed project the identifier is left, and the version, from which a new one of that identifier goes on. */
type ProjectDocument = Partial<Omit<Project, 'id' | 'orgId'>> & {
  _id: string;
  orgId: string;
  removed?: Date;
  /** Times that somebody locked it. */
  locked?: number;
  schemaVersion: 1;
};

export const projectIndexes: CollectionIndexes = {
  collection: 'projects',
  indexes: [{ key: { orgId: 1, _id: 1 } }],
};

const present = { removed: { $exists: false } };

export function createProjectsStore(mongo: Mongo): ProjectsStore {
  const projects = mongo.collection<ProjectDocument>('projects');
  return {
    async find(orgId, id) {
      const document = await projects.findOne({ _id: id, orgId, ...present });
      return document === null ? undefined : toProject(document);
    },
    async findMany(orgId, ids) {
      const found = await projects.find({ _id: { $in: [...ids] }, orgId, ...present }).toArray();
      return new Map(found.map((document) => [document._id, toProject(document)]));
    },
    async page(orgId, { after, limit }) {
      const documents = await pageById(projects, { orgId, ...present }, { after, limit });
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
    lock: (orgId, id, transaction) => lockDocument(projects, { _id: id, orgId, ...present }, transaction),
    async insert(orgId, project, transaction) {
      const { _id, ...document } = toDocument(orgId, project);
      const again = { _id, orgId, removed: { $exists: true } };
      const options = { session: transaction };
      if ((await projects.replaceOne(again, document, options)).matchedCount === 0) {
        await projects.insertOne({ _id, ...document }, options);
      }
    },
    async replace(orgId, { project, expectedVersion }, transaction) {
      const { _id, ...document } = toDocument(orgId, project);
      const filter = { _id, orgId, ...atVersion(expectedVersion), ...present };
      return (await projects.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
    async advance(orgId, { id, by, date }, transaction) {
      const document = await projects.findOneAndUpdate(
        { _id: id, orgId, ...present },
        { $inc: { version: by }, $set: { lastModified: date } },
        { session: transaction, returnDocument: 'after' },
      );
      return document === null ? undefined : toProject(document);
    },
    async remove(orgId, { id, expectedVersion, date }, transaction) {
      const filter = { _id: id, orgId, ...atVersion(expectedVersion), ...present };
      const left = { orgId, version: expectedVersion + 1, removed: date, schemaVersion: 1 as const };
      return (await projects.replaceOne(filter, left, { session: transaction })).matchedCount === 1;
    },
  };
}

function toClaim({ orgId, removed, version = 0 }: ProjectDocument): ProjectClaim {
  return { orgId, removed: removed !== undefined, version };
}

/** Those that were written when a project was an identifier alone have no version. */
function atVersion(version: number) {
  return version === 0 ? { version: { $exists: false } } : { version };
}

function toDocument(orgId: string, { id, ...fields }: Project): ProjectDocument {
  return { _id: id, ...fields, orgId, schemaVersion: 1 };
}

/** Those that were written when a project was an identifier alone are called by it. */
function toProject({
  _id,
  orgId,
  name = _id,
  version = 0,
  created = new Date(0),
  ...fields
}: ProjectDocument): Project {
  return { id: _id, orgId, name, version, created, lastModified: fields.lastModified ?? created };
}
