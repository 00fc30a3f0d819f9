/** Applications of one organization that share their audience, and the roles that people have in them. */
export interface Project {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  /** Counts up with every change of the project and of its roles; also the sequence of their events. */
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

/** What an assignment is: roles of the project's applications, or authority over the project itself. */
export type AssignmentKind = 'grant' | 'member';

/** Which roles a user has in a project, as one thing. */
export interface Assignment {
  /** For its events. */
  readonly id: string;
  readonly orgId: string;
  readonly projectId: string;
  readonly userId: string;
  /** Keys of project roles in a grant, {@link projectMemberRoles} of a member; sorted. */
  readonly roles: readonly string[];
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

export const projectMemberRoles = ['PROJECT_OWNER', 'PROJECT_OWNER_VIEWER'] as const;

export type ProjectMemberRole = (typeof projectMemberRoles)[number];
