import type { UserActionTexts } from './shape.js';

/** English. */
export const en: UserActionTexts = {
  choose: 'Choose',
  all: 'All users of this list, also those on other pages',
  allFound: 'All whom this search finds, also those on other pages',
  withChosen: 'With the chosen users:',
  nobody: 'Choose users in the list first.',
  more: (count) => `and ${count} more`,
  title: {
    deactivate: 'Deactivate users',
    reactivate: 'Reactivate users',
    addToGroup: 'Add users to a group',
    sendLinks: 'Send links',
  },
  button: {
    deactivate: 'Deactivate',
    reactivate: 'Reactivate',
    addToGroup: 'Add to a group',
    sendLinks: 'Send links',
  },
  ask: {
    deactivate: (count) =>
      `Users: ${count}. Deactivate them? They cannot sign in any more, and their sessions and tokens end.`,
    reactivate: (count) => `Users: ${count}. Reactivate them? They can sign in again.`,
    addToGroup: (count) => `Users: ${count}. Add them to a group? They get the roles of the group.`,
    sendLinks: (count) =>
      `Users: ${count}. Send each a mail with a link that sets a new password? It works once, within 24 hours. Earlier links stop working.`,
  },
  group: 'Group',
  chooseGroup: 'Choose a group',
  groupHint: 'The name of the group begins with',
  noGroup: 'There is no such group.',
  back: 'Back to the users',
  done: 'Done',
  unchanged: 'Nothing to do',
  failed: 'Not possible',
  error: 'Why',
  failures: 'With these users it was not possible',
  lost: 'You lost the right to do this, so the rest was not done.',
  errors: {
    'directory.userOutranksCaller': 'This user has more rights than you.',
    'directory.userNotFound': 'The user was deleted meanwhile.',
    'directory.mailAddressMissing': 'The user is not active or has no e-mail address that may receive it.',
    'directory.mailsLimit': 'This user got several mails already.',
    'directory.mailFailed': 'The mail server did not take the mail.',
    'directory.requesterStays': 'You cannot deactivate yourself here.',
  },
  otherError: (id) => `It was refused: ${id}`,
  several: {
    withChosen: 'With the chosen ones:',
    nothing: 'Choose something in the list first.',
    left: 'This was not possible. Everything else is done.',
    confirmNumber: (count) => `Type the number to confirm: ${count}`,
    otherNumber: 'This is another number.',
    deleteGroups: {
      title: 'Delete groups',
      button: 'Delete',
      ask: (count) =>
        `Groups: ${count}. Delete them? Their members stay, but lose the roles that these groups give.`,
      done: 'The groups were deleted.',
    },
    deactivateApplications: {
      title: 'Deactivate applications',
      button: 'Deactivate',
      ask: (count) =>
        `Applications: ${count}. Deactivate them? Nobody can sign in to them any more, and their tokens end.`,
      done: 'The applications are deactivated.',
    },
    activateApplications: {
      title: 'Activate applications',
      button: 'Activate',
      ask: (count) => `Applications: ${count}. Activate them? People can sign in to them again.`,
      done: 'The applications are active.',
    },
  },
};
