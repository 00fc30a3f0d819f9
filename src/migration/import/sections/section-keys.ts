/** The organization itself is the record of a section too: `{ orgId, org }` for each element of `orgs`. */
export const organizationKey = 'org';

/**
 * Keys that an element of `orgs` may have beside the organization's own. Other lists are named in an error, other values
 * are left alone.
 */
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
