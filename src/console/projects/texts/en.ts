/** English. */
export const en = {
  about: 'A project is a group of applications that share an audience and roles.',
  add: 'Add a project',
  none: 'No project yet.',
  tabs: {
    general: 'Overview',
    roles: 'Roles',
    grants: 'People and programs',
    'group-grants': 'Groups',
    members: 'Administrators',
  },
  type: 'Type',
  noApplications: 'No application belongs to the project.',
  applicationsHint: 'A token of an application is for its project, too. Every API of the project accepts it.',
  moreApplications: (count: number) => `Only the first ${count} are shown.`,
  organizations: 'Other organizations, one identifier a line',
  organizationsHint: 'Their applications and programs may ask for tokens for this project.',
  scope: 'Scope for a token for this project',
  noRoles: 'No role yet.',
  rolesHint: 'Applications get the roles of a person as claims.',
  addRole: 'Add a role',
  key: 'Key',
  keyHint: 'Up to 200 characters without spaces, such as editor. It stays as it is.',
  displayName: 'Shown as',
  group: 'Group of roles',
  groupHint: 'May be empty. Roles with the same text belong together.',
  removeTitle: 'Remove the project',
  removeText:
    'Its roles and administrators are removed with it. It stays as long as applications or people belong to it.',
  removeRoleTitle: 'Remove the role',
  removeRoleText: 'Applications do not get it any more. It stays as long as people or groups have it.',
  holders: { grants: 'Person or program', 'group-grants': 'Group', members: 'Person or program' },
  nobody: {
    grants: 'Nobody has a role of the project by name.',
    'group-grants': 'No group has a role of the project.',
    members: 'Nobody administers the project alone. Owners of the organization do.',
  },
  hints: {
    grants: 'Applications of the project get these roles as claims.',
    'group-grants': 'Every member of the group has these roles, also those who come later.',
    members: 'They may read or change this project with the API, and nothing else of the organization.',
  },
  memberRoles: { PROJECT_OWNER: 'Changes the project', PROJECT_OWNER_VIEWER: 'Reads the project' },
  program: 'program',
  since: 'Since',
  give: 'Give roles',
  rolesFirst: 'The project has no role yet. Add one first.',
  userNameHint: 'The login name of a person, the user name of a program, or an identifier.',
  groupNameHint: 'The name of a group, or its identifier.',
  moreRoles: 'Other roles, one key a line',
  removeAssignmentTitle: 'Take all roles away',
  removeAssignmentText: 'Applications get none of these roles from the next token on.',
};

/** The texts of the pages about projects. */
export type ProjectsTexts = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends Readonly<Record<string, string>>
    ? { readonly [Name in keyof (typeof en)[Key]]: string }
    : (typeof en)[Key] extends string
      ? string
      : (typeof en)[Key];
};
