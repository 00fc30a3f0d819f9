import { foldCase, nameSearchKey } from '#src/directory/index.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { documentUpgrade, type Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import type { Group } from './group.js';

/** The values that MongoDB compares and sorts, as in documents of users. */
interface GroupSearch {
  displayName: string;
  /** The name as a person searches it. Documents of the first version lack it until `muster upgrade`. */
  loose?: string;
}

/** A group as MongoDB stores it. */
export interface GroupDocument extends Omit<Group, 'id'> {
  _id: string;
  search: GroupSearch;
  /** An import gave the group its dates. Nothing but imports has changed the group since. */
  isDated?: boolean;
  /** Number of locks that transactions took. */
  locked?: number;
  schemaVersion: 1 | 2;
}

/** Returns the document of a group. */
export function toGroupDocument(orgId: string, { id, ...fields }: Group): GroupDocument {
  return {
    _id: id,
    ...fields,
    orgId,
    search: searchOf(fields.displayName),
    schemaVersion: 2,
  };
}

function searchOf(displayName: string): Required<GroupSearch> {
  return { displayName: foldCase(displayName), loose: nameSearchKey(displayName) };
}

/** Gives groups of the first version the name by which a person finds them. */
export function groupNamesUpgrade(mongo: Mongo): Upgrade {
  return documentUpgrade<GroupDocument>(mongo, {
    name: 'groups-loose-name',
    collection: 'groups',
    from: 1,
    change: ({ displayName }) => ({ search: searchOf(displayName) }),
  });
}

/** Returns the group of a document. */
export function toGroup({
  _id,
  search: _search,
  isDated: _isDated,
  locked: _locked,
  schemaVersion: _version,
  ...fields
}: GroupDocument): Group {
  return { id: _id, ...fields };
}
