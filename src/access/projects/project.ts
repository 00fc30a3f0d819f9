/** A group of applications of one organization. They share their audience and their roles. */
export interface Project {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  /** Other organizations whose clients may ask for the audience of the project. */
  readonly audienceOrgIds: readonly string[];
  /** Increments with every change of the project and of its roles. It is also the sequence of their events. */
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

/** A role that the applications of a project know. */
export interface ProjectRole {
  readonly orgId: string;
  readonly projectId: string;
  readonly key: string;
  readonly displayName: string;
  readonly group?: string;
  readonly created: Date;
  readonly lastModified: Date;
}

/**
 * A grant gives a user roles for the applications of the project. A group grant gives them to every member of a group. A member has
 * authority over the project itself.
 */
export type AssignmentKind = 'grant' | 'groupGrant' | 'member';

/** The property that names the holder in requests, events and documents. */
export const holderFields = {
  grant: 'userId',
  groupGrant: 'groupId',
  member: 'userId',
} as const satisfies Record<AssignmentKind, string>;

export type HolderField = (typeof holderFields)[AssignmentKind];

/** All roles that one holder has in a project. */
export interface Assignment {
  /** Identifies the assignment in its events. */
  readonly id: string;
  readonly orgId: string;
  readonly projectId: string;
  /** A user or a service user. Of a group grant: a group. */
  readonly holderId: string;
  /** Sorted. In grants these are keys of project roles, for a member {@link projectMemberRoles}. */
  readonly roles: readonly string[];
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

export const projectMemberRoles = ['PROJECT_OWNER', 'PROJECT_OWNER_VIEWER'] as const;
