/** Keys that an element of `orgs` may have beside the organization's own; all others are left alone. */
export const sectionKeys = [
  'domains',
  'projects',
  'projectRoles',
  'oidcApps',
  'apiApps',
  'humanUsers',
  'machineUsers',
  'userMetadata',
  'orgMembers',
  'projectMembers',
  'userGrants',
] as const;
