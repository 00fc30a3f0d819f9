import type { Role } from '#src/directory/index.js';

/** A group of users of one organization (RFC 7643 section 4.2). Its members are documents of their own. */
export interface Group {
  /** UUIDv7, or the identifier from an import. */
  readonly id: string;
  readonly orgId: string;
  /** Unique in the organization. Letter case does not matter. */
  readonly displayName: string;
  readonly externalId?: string;
  /** The roles in the organization that every member has. Absent if there are none. */
  readonly roles?: readonly Role[];
  /** Increments by one with every event. It is also the sequence of that event. */
  readonly version: number;
  readonly created: Date;
  /** When an import added the group, if its file gives the group another date of creation. */
  readonly imported?: Date;
  /** The last change of the group or of its members. */
  readonly lastModified: Date;
}

/**
 * The state of the groups of an organization, without their members. It is another object after each change of names or roles, and
 * after each group that was added or removed.
 */
export interface GroupGeneration {
  /** Most organizations have none. Nothing is then read for their users. */
  readonly hasGroups: boolean;
}

/** The attributes of a group that a client may set, besides its members. */
export type GroupProfile = Pick<Group, 'displayName' | 'externalId'>;

/**
 * A change of the members of a group, whoever they are now. `from: nobody` first removes all members. No user is in both
 * sets.
 */
export interface MemberDelta {
  readonly from: 'current' | 'nobody';
  readonly added: ReadonlySet<string>;
  /** Users who are no members are skipped. Empty if the delta starts from nobody. */
  readonly removed: ReadonlySet<string>;
}

/** Whether the delta can change anything. */
export function changesMembers({ from, added, removed }: MemberDelta): boolean {
  return from === 'nobody' || added.size > 0 || removed.size > 0;
}

/** A user as a member of a group. */
export interface GroupMember {
  readonly groupId: string;
  readonly userId: string;
}

/** Returns these users as members of the group. */
export function membersOf(groupId: string, userIds: readonly string[]): GroupMember[] {
  return userIds.map((userId) => ({ groupId, userId }));
}

/** Whether the delta names users to add or to remove. */
export function namesMembers({ added, removed }: MemberDelta): boolean {
  return added.size + removed.size > 0;
}
