/** The key of the section of the organizations themselves. Its records are `{ orgId, org }`, one for each element of `orgs`. */
export const organizationKey = 'org';

/**
 * The keys of the lists that an element of `orgs` may have. An error names other lists. Other values are ignored.
 */
export const sectionKeys = [
  'domains',
  'projects',
  'projectRoles',
  'oidcApps',
  'apiApps',
  'humanUsers',
  'groups',
  'groupMembers',
  'machineUsers',
  'userMetadata',
  'identityLinks',
  'webauthnCredentials',
  'orgMembers',
  'projectMembers',
  'userGrants',
  'groupGrants',
  'applicationGrants',
  'connections',
] as const;
