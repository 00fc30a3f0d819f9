import { foldCase } from '#src/directory/index.js';
import type { Group } from './group.js';

/** The values that MongoDB compares and sorts, as in documents of users. */
interface GroupSearch {
  displayName: string;
}

/** A group as MongoDB stores it. */
export interface GroupDocument extends Omit<Group, 'id'> {
  _id: string;
  search: GroupSearch;
  /** An import gave the group its dates. Nothing but imports has changed the group since. */
  isDated?: boolean;
  /** Number of locks that transactions took. */
  locked?: number;
  schemaVersion: 1;
}

/** Returns the document of a group. */
export function toGroupDocument(orgId: string, { id, ...fields }: Group): GroupDocument {
  const name = foldCase(fields.displayName);
  return {
    _id: id,
    ...fields,
    orgId,
    search: { displayName: name },
    schemaVersion: 1,
  };
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
