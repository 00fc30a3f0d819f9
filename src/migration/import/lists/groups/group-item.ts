import { type Group, groupRoles, normalizeGroup } from '#src/people/groups/index.js';
import { groupRecord } from '../../../format/group.record.js';
import { RecordFailure } from '../section/record-failure.js';
import { type ImportedDates, importedDates } from '../shared/imported-dates.js';
import { mentions } from '../shared/mentions.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { createRecordReader } from '../shared/record-reader.js';

/** A record of `groups`. */
export type GroupItem = RecordItem<GroupContent> & {
  readonly dates: ImportedDates;
  readonly record: unknown;
};

/** What a record says of a group. */
export type GroupContent = Pick<Group, 'displayName' | 'externalId' | 'roles'>;

const read = createRecordReader(groupRecord);

/** Reads a record of `groups`. @throws RecordFailure, and AppError of the directory's rules */
export function readGroup(record: unknown, now: Date): GroupItem {
  const { groupId, group } = read(record);
  const content = { ...normalizeGroup(group), ...requireRoles(group.roles) };
  return { id: groupId, key: groupId, content, dates: importedDates(group, now), record };
}

/** The roles in the order in which groups store them. @throws RecordFailure `VALUE-INVALID` */
function requireRoles(given: readonly string[] = []): Pick<Group, 'roles'> {
  if (given.some((name) => !groupRoles.some((role) => role === name))) {
    throw new RecordFailure('VALUE-INVALID', `roles must be of ${groupRoles.join(', ')}`);
  }
  const roles = groupRoles.filter((role) => given.includes(role));
  return roles.length > 0 ? { roles } : {};
}

/** The content of a stored group, in the form of a record. */
export function groupContent({ displayName, externalId, roles }: Group): GroupContent {
  return { displayName, ...(externalId !== undefined && { externalId }), ...(roles && { roles }) };
}

/** The stored content with the attributes that the record mentions. Of these, an unassigned one is removed. */
export function mergedGroup({ record, content }: GroupItem, stored: GroupContent): GroupContent {
  const { displayName } = content;
  const { externalId } = mentions(record, 'group', 'externalId') ? content : stored;
  const { roles } = mentions(record, 'group', 'roles') ? content : stored;
  return { displayName, ...(externalId !== undefined && { externalId }), ...(roles && { roles }) };
}
