import { insertAll, pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { ProjectRole } from './project.js';

interface RoleName {
  readonly projectId: string;
  readonly key: string;
}

/** Stores the roles of projects. Each change of a role also increments the version of its project. */
export interface ProjectRolesStore {
  find(orgId: string, name: RoleName, transaction?: Transaction): Promise<ProjectRole | undefined>;
  /** Returns the named roles that exist, in no order. */
  findMany(orgId: string, names: readonly RoleName[], transaction?: Transaction): Promise<ProjectRole[]>;
  /** Returns the roles of one project in the order of their keys, after the given one. */
  page(orgId: string, query: { projectId: string; after?: string; limit: number }): Promise<ProjectRole[]>;
  /** @throws the duplicate-key error of MongoDB if a key is taken */
  insert(orgId: string, roles: readonly ProjectRole[], transaction: Transaction): Promise<void>;
  replace(orgId: string, role: ProjectRole, transaction: Transaction): Promise<void>;
  remove(orgId: string, name: RoleName, transaction: Transaction): Promise<void>;
  removeAll(orgId: string, projectId: string, transaction: Transaction): Promise<void>;
}

type RoleDocument = ProjectRole & { _id: string; schemaVersion: 1 };

export const projectRoleIndexes: CollectionIndexes = {
  collection: 'projectRoles',
  indexes: [{ key: { orgId: 1, _id: 1 } }, { key: { orgId: 1, projectId: 1, _id: 1 } }],
};

export function createProjectRolesStore(mongo: Mongo): ProjectRolesStore {
  const roles = mongo.collection<RoleDocument>('projectRoles');
  return {
    async find(orgId, name, transaction) {
      const document = await roles.findOne(
        { _id: keyOf(name), orgId },
        transaction && { session: transaction },
      );
      return document === null ? undefined : toRole(document);
    },
    async findMany(orgId, names, transaction) {
      const filter = { _id: { $in: names.map(keyOf) }, orgId };
      return (await roles.find(filter, transaction && { session: transaction }).toArray()).map(toRole);
    },
    async page(orgId, { projectId, after, limit }) {
      const documents = await pageById(
        roles,
        { orgId, projectId },
        { after: after && keyOf({ projectId, key: after }), limit },
      );
      return documents.map(toRole);
    },
    async insert(orgId, added, transaction) {
      const documents = added.map((role) => toDocument(orgId, role));
      await insertAll(roles, documents, transaction);
    },
    async replace(orgId, role, transaction) {
      const { _id, ...document } = toDocument(orgId, role);
      await roles.replaceOne({ _id, orgId }, document, { session: transaction });
    },
    async remove(orgId, name, transaction) {
      await roles.deleteOne({ _id: keyOf(name), orgId }, { session: transaction });
    },
    async removeAll(orgId, projectId, transaction) {
      await roles.deleteMany({ orgId, projectId }, { session: transaction });
    },
  };
}

/** Neither part contains a space. */
function keyOf({ projectId, key }: RoleName): string {
  return `${projectId} ${key}`;
}

function toDocument(orgId: string, role: ProjectRole): RoleDocument {
  return { ...role, _id: keyOf(role), orgId, schemaVersion: 1 };
}

function toRole({ _id, schemaVersion: _, ...role }: RoleDocument): ProjectRole {
  return role;
}
