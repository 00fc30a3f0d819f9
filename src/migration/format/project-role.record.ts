import Type, { type Static } from 'typebox';
import { identifier, text } from './values.js';

/** `orgs[].projectRoles[]`. Without `displayName`, the service shows the key of the role. */
export const projectRoleRecord = Type.Object({
  projectId: identifier,
  roleKey: text,
  displayName: Type.Optional(text),
  group: Type.Optional(text),
});

export type ProjectRoleRecord = Static<typeof projectRoleRecord>;
