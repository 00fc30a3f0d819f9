import type { Collection, Filter } from 'mongodb';
import { insertAll, pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { pacedBy, quickNames, readPaced } from '#src/platform/mongo/paced-reads.js';
import { batchLists } from '#src/platform/work/batch-lists.js';
import { type Assignment, type AssignmentKind, type HolderField, holderFields } from './project.js';

/** Identifies an assignment by its project and its holder. */
export interface AssignmentName {
  readonly projectId: string;
  readonly holderId: string;
}

/** Roles by project. `isCut`: there are more roles than were read. */
interface FoundRoles {
  readonly byProject: ReadonlyMap<string, ReadonlySet<string>>;
  readonly isCut: boolean;
}

/** Stores the roles of users and groups in projects. Each kind has a store of its own. */
export interface AssignmentsStore {
  find(orgId: string, name: AssignmentName): Promise<Assignment | undefined>;
  /** Returns the named assignments that exist, in no order. */
  findMany(orgId: string, names: readonly AssignmentName[], transaction?: Transaction): Promise<Assignment[]>;
  /** Returns all assignments of one holder in the organization, in no order. Simultaneous calls share one query. */
  ofHolder(orgId: string, holderId: string): Promise<Assignment[]>;
  /** Returns the roles that any of these holders has in these projects. It stops reading after 256 KiB of roles. */
  rolesOf(
    orgId: string,
    of: { holderIds: readonly string[]; projectIds: readonly string[] },
  ): Promise<FoundRoles>;
  /** Returns those of these holders who have roles in the project, in no order. */
  holdersAmong(orgId: string, of: { projectId: string; holderIds: readonly string[] }): Promise<string[]>;
  /** Returns the assignments of one project in the order of their holders, after the given one. */
  page(orgId: string, query: { projectId: string; after?: string; limit: number }): Promise<Assignment[]>;
  /** Returns whether anybody has a role in the project: the named role, or any role. */
  anyOf(
    orgId: string,
    wanted: { projectId: string; role?: string },
    transaction: Transaction,
  ): Promise<boolean>;
  /** @throws the duplicate-key error of MongoDB if the holder has an assignment in the project */
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
  /** Removes all assignments of these holders, or all of a project. Returns the removed ones. */
  removeAll(
    orgId: string,
    of: { holderIds: readonly string[] } | { projectId: string },
    transaction: Transaction,
  ): Promise<Assignment[]>;
}

type AssignmentDocument = Omit<Assignment, 'holderId'> &
  Partial<Record<HolderField, string>> & { _id: string; schemaVersion: 1 };

const collectionNames = {
  grant: 'userGrants',
  groupGrant: 'groupGrants',
  member: 'projectMembers',
} as const satisfies Record<AssignmentKind, string>;

function indexesOf(kind: AssignmentKind): CollectionIndexes {
  return {
    collection: collectionNames[kind],
    indexes: [
      { key: { orgId: 1, _id: 1 } },
      { key: { orgId: 1, projectId: 1, _id: 1 } },
      { key: { orgId: 1, [holderFields[kind]]: 1 } },
    ],
  };
}

export const assignmentIndexes = (['grant', 'groupGrant', 'member'] as const).map(indexesOf);

const mostRoleBytes = 262_144;

/** One assignment has at most 100 roles of 200 characters, so that a batch fits into 6 MiB. */
const rolesBatch = 100;

export function createAssignmentsStore(mongo: Mongo, kind: AssignmentKind): AssignmentsStore {
  const assignments = mongo.collection<AssignmentDocument>(collectionNames[kind]);
  const field = holderFields[kind];
  function toDocument(orgId: string, { holderId, ...assignment }: Assignment): AssignmentDocument {
    const _id = keyOf({ projectId: assignment.projectId, holderId });
    return { ...assignment, _id, [field]: holderId, orgId, schemaVersion: 1 };
  }
  const readOfHolder = createReadOfHolder(assignments, field);
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
    ofHolder: (orgId, holderId) => readOfHolder({ orgId, holderId }),
    async rolesOf(orgId, { holderIds, projectIds }) {
      const byProject = new Map<string, Set<string>>();
      if (holderIds.length === 0 || projectIds.length === 0) return { byProject, isCut: false };
      const found = assignments
        .find(
          { orgId, [field]: { $in: [...holderIds] }, projectId: { $in: [...projectIds] } },
          { projection: { _id: 0, projectId: 1, roles: 1 } },
        )
        .batchSize(rolesBatch);
      let bytes = 0;
      for await (const { projectId, roles } of found) {
        if (bytes > mostRoleBytes) return { byProject, isCut: true };
        const known = byProject.get(projectId) ?? new Set();
        byProject.set(projectId, known);
        for (const role of roles) {
          bytes += Buffer.byteLength(role);
          known.add(role);
        }
      }
      return { byProject, isCut: false };
    },
    async holdersAmong(orgId, { projectId, holderIds }) {
      const ids = await existing(
        assignments,
        orgId,
        holderIds.map((holderId) => keyOf({ projectId, holderId })),
      );
      return ids.map((id) => id.slice(projectId.length + 1));
    },
    async page(orgId, { projectId, after, limit }) {
      const documents = await pageById(
        assignments,
        { orgId, projectId },
        { after: after && keyOf({ projectId, holderId: after }), limit },
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
      const filter = {
        orgId,
        ...('holderIds' in of ? { [field]: { $in: [...of.holderIds] } } : { projectId: of.projectId }),
      };
      const documents = await assignments.find(filter, { session: transaction }).toArray();
      if (documents.length > 0) await assignments.deleteMany(filter, { session: transaction });
      return documents.map(toAssignment);
    },
  };
}

interface Holder {
  readonly orgId: string;
  readonly holderId: string;
}

/** Returns a function that reads the assignments of a holder. Simultaneous calls of an organization share one query. */
function createReadOfHolder(
  assignments: Collection<AssignmentDocument>,
  field: HolderField,
): (holder: Holder) => Promise<Assignment[]> {
  const read = async (where: Filter<AssignmentDocument>, limit: number) => {
    const found = assignments.find(where).limit(limit);
    return (await found.toArray()).map(toAssignment);
  };
  return batchLists<Holder, Assignment>({
    readMany(holders, limit) {
      const holderIds = holders.map(({ holderId }) => holderId);
      return read({ orgId: holders[0]?.orgId ?? '', [field]: { $in: holderIds } }, limit);
    },
    readOne: ({ orgId, holderId }) => read({ orgId, [field]: holderId }, 10_000),
    keyOf: ({ holderId }) => holderId,
    nameOf: ({ holderId }) => holderId,
    laneOf: ({ orgId }) => orgId,
  });
}

/** Returns those of these keys that assignments have. */
async function existing(
  assignments: Collection<AssignmentDocument>,
  orgId: string,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const found = await readPaced(
    (raw) =>
      assignments
        .find({ _id: { $in: [...keys] }, orgId }, { projection: { _id: 1 }, ...raw })
        .batchSize(keys.length + 1),
    pacedBy(orgId, quickNames),
  );
  return found.map(({ _id }) => _id);
}

/** Neither part contains a space. */
function keyOf({ projectId, holderId }: AssignmentName): string {
  return `${projectId} ${holderId}`;
}

function toAssignment({
  _id,
  userId: _userId,
  groupId: _groupId,
  schemaVersion: _version,
  ...assignment
}: AssignmentDocument): Assignment {
  return { ...assignment, holderId: _id.slice(assignment.projectId.length + 1) };
}
