import Type, { type Static } from 'typebox';
import { identifier, roleNames } from './values.js';

/** `orgs[].userGrants[]`: the roles of a project that a user has. */
export const userGrantRecord = Type.Object({
  userId: identifier,
  projectId: identifier,
  roleKeys: roleNames,
});

/** `orgs[].orgMembers[]`: who manages the organization. Roles of the instance are not part of the file. */
export const orgMemberRecord = Type.Object({ userId: identifier, roles: roleNames });

/** `orgs[].projectMembers[]`: who manages a project. */
export const projectMemberRecord = Type.Object({
  projectId: identifier,
  userId: identifier,
  roles: roleNames,
});

export type UserGrantRecord = Static<typeof userGrantRecord>;
export type OrgMemberRecord = Static<typeof orgMemberRecord>;
export type ProjectMemberRecord = Static<typeof projectMemberRecord>;
