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

/** A grant gives roles for the applications of the project. A member has authority over the project itself. */
export type AssignmentKind = 'grant' | 'member';

/** All roles of one user in a project. */
export interface Assignment {
  /** Identifies the assignment in its events. */
  readonly id: string;
  readonly orgId: string;
  readonly projectId: string;
  readonly userId: string;
  /** Sorted. In a grant these are keys of project roles, for a member {@link projectMemberRoles}. */
  readonly roles: readonly string[];
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

export const projectMemberRoles = ['PROJECT_OWNER', 'PROJECT_OWNER_VIEWER'] as const;

export type ProjectMemberRole = (typeof projectMemberRoles)[number];
