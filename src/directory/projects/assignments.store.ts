import { insertAll, pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Assignment } from './project.js';

/** Identifies an assignment by its project and its user. */
export interface AssignmentName {
  readonly projectId: string;
  readonly userId: string;
}

/** Stores the roles of users in projects. Grants and members each have their own store. */
export interface AssignmentsStore {
  find(orgId: string, name: AssignmentName): Promise<Assignment | undefined>;
  /** Returns the named assignments that exist, in no order. */
  findMany(orgId: string, names: readonly AssignmentName[], transaction?: Transaction): Promise<Assignment[]>;
  /** Returns all assignments of one user of the organization, in no order. */
  ofUser(orgId: string, userId: string): Promise<Assignment[]>;
  /** Returns the assignments of one project in the order of the user identifiers, after the given one. */
  page(orgId: string, query: { projectId: string; after?: string; limit: number }): Promise<Assignment[]>;
  /** Returns whether a user has a role in the project: the named role, or any role. */
  anyOf(
    orgId: string,
    wanted: { projectId: string; role?: string },
    transaction: Transaction,
  ): Promise<boolean>;
  /** @throws the duplicate-key error of MongoDB if the user has an assignment in the project */
  insert(orgId: string, assignments: readonly Assignment[], transaction: Transaction): Promise<void>;
  /** Writes the assignment if its version is `expectedVersion`. Returns whether it wrote the assignment. */
  replace(
    orgId: string,
    change: { assignment: Assignment; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes the assignment if its version is the expected one. @returns whether it removed the assignment */
  remove(
    orgId: string,
    target: AssignmentName & { expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes all assignments of a user, or all of a project. Returns the removed ones. */
  removeAll(
    orgId: string,
    of: { userId: string } | { projectId: string },
    transaction: Transaction,
  ): Promise<Assignment[]>;
}

type AssignmentDocument = Assignment & { _id: string; schemaVersion: 1 };

const indexes = [
  { key: { orgId: 1, _id: 1 } },
  { key: { orgId: 1, projectId: 1, _id: 1 } },
  { key: { orgId: 1, userId: 1 } },
] as const;

export const userGrantIndexes: CollectionIndexes = { collection: 'userGrants', indexes: [...indexes] };
export const projectMemberIndexes: CollectionIndexes = {
  collection: 'projectMembers',
  indexes: [...indexes],
};

export function createAssignmentsStore(
  mongo: Mongo,
  collection: 'userGrants' | 'projectMembers',
): AssignmentsStore {
  const assignments = mongo.collection<AssignmentDocument>(collection);
  return {
    async find(orgId, name) {
      const document = await assignments.findOne({ _id: keyOf(name), orgId });
      return document === null ? undefined : toAssignment(document);
    },
    async findMany(orgId, names, transaction) {
      const filter = { _id: { $in: names.map(keyOf) }, orgId };
      const options = transaction && { session: transaction };
      return (await assignments.find(filter, options).toArray()).map(toAssignment);
    },
    async ofUser(orgId, userId) {
      return (await assignments.find({ orgId, userId }).limit(10_000).toArray()).map(toAssignment);
    },
    async page(orgId, { projectId, after, limit }) {
      const documents = await pageById(
        assignments,
        { orgId, projectId },
        { after: after && keyOf({ projectId, userId: after }), limit },
      );
      return documents.map(toAssignment);
    },
    async anyOf(orgId, { projectId, role }, transaction) {
      const filter = { orgId, projectId, ...(role !== undefined && { roles: role }) };
      const options = { session: transaction, projection: { _id: 1 } };
      return (await assignments.findOne(filter, options)) !== null;
    },
    async insert(orgId, added, transaction) {
      const documents = added.map((assignment) => toDocument(orgId, assignment));
      await insertAll(assignments, documents, transaction);
    },
    async replace(orgId, { assignment, expectedVersion }, transaction) {
      const { _id, ...document } = toDocument(orgId, assignment);
      const filter = { _id, orgId, version: expectedVersion };
      return (await assignments.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
    async remove(orgId, { expectedVersion, ...name }, transaction) {
      const filter = { _id: keyOf(name), orgId, version: expectedVersion };
      return (await assignments.deleteOne(filter, { session: transaction })).deletedCount === 1;
    },
    async removeAll(orgId, of, transaction) {
      const documents = await assignments.find({ orgId, ...of }, { session: transaction }).toArray();
      if (documents.length > 0) await assignments.deleteMany({ orgId, ...of }, { session: transaction });
      return documents.map(toAssignment);
    },
  };
}

/** Neither part contains a space. */
function keyOf({ projectId, userId }: AssignmentName): string {
  return `${projectId} ${userId}`;
}

function toDocument(orgId: string, assignment: Assignment): AssignmentDocument {
  return { ...assignment, _id: keyOf(assignment), orgId, schemaVersion: 1 };
}

function toAssignment({ _id, schemaVersion: _, ...assignment }: AssignmentDocument): Assignment {
  return assignment;
}
