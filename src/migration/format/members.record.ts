import Type, { type Static } from 'typebox';
import { identifier, roleNames } from './values.js';

/** `orgs[].userGrants[]`: the roles of a project that a user has. */
export const userGrantRecord = Type.Object({
  userId: identifier,
  projectId: identifier,
  roleKeys: roleNames,
});

/** `orgs[].groupGrants[]`: the roles of a project that every member of a group has. */
export const groupGrantRecord = Type.Object({
  groupId: identifier,
  projectId: identifier,
  roleKeys: roleNames,
});

/** `orgs[].orgMembers[]`: the users who manage the organization. The file has no roles of the instance. */
export const orgMemberRecord = Type.Object({ userId: identifier, roles: roleNames });

/** `orgs[].projectMembers[]`: the users who manage a project. */
export const projectMemberRecord = Type.Object({
  projectId: identifier,
  userId: identifier,
  roles: roleNames,
});

export type UserGrantRecord = Static<typeof userGrantRecord>;
export type GroupGrantRecord = Static<typeof groupGrantRecord>;
export type OrgMemberRecord = Static<typeof orgMemberRecord>;
export type ProjectMemberRecord = Static<typeof projectMemberRecord>;
