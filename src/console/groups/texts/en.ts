import type { GroupsTexts } from './shape.js';

/** English. */
export const en: GroupsTexts = {
  about: 'Applications learn the groups of a user. A group can also give its members roles.',
  add: 'Add a group',
  searchLabel: 'The name begins with',
  none: 'No group yet. Add one here, or let a provisioning client create them.',
  noMatch: 'No group begins with this.',
  rename: 'Rename',
  remove: 'Delete',
  removeText: 'The group is destroyed. Its members stay, but lose the roles that the group gives.',
  memberCount: (count) => `Members: ${count}`,
  moreThan: (count) => `more than ${count}`,
  members: 'Members',
  noMembers: 'The group has no members yet. Search a user to add one.',
  addMember: 'Add a member',
  removeMember: 'Remove',
  noUserFound: 'Nobody is found.',
  roles: 'Roles of the members',
  rolesHint: 'Every member has these roles in this organization.',
  saveRoles: 'Set the roles',
  conflict: (name) =>
    `The group was changed while you had the form open. Nothing was saved. Its name is now: ${name}`,
  done: {
    added: 'The group was added.',
    renamed: 'The group has the new name.',
    deleted: 'The group was deleted.',
    memberAdded: 'The member was added.',
    memberRemoved: 'The member was removed.',
    rolesSet: 'The roles are set.',
  },
};
