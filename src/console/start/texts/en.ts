import type { StartTexts } from './shape.js';

/** English. */
export const en: StartTexts = {
  welcome: (name) => `Hello, ${name}`,
  aboutInstance: 'What happens in this service.',
  aboutOrganization: 'What happens in your organization.',
  attention: 'Needs attention',
  nothing: 'Nothing needs your attention.',
  running: 'Running',
  nothingRuns: 'Nothing is running.',
  happened: 'What happened',
  noRole: 'You have no role here, so there is nothing to administer. Your own account has a page of its own.',
  yourUsers: 'You may see or manage the users of:',
  firstSteps: {
    title: 'First steps',
    about: 'This list disappears when everything is done.',
    done: 'done',
    people: {
      label: 'Add people',
      hint: 'By hand, from a file, or from a system that you connect under Provisioning.',
    },
    application: {
      label: 'Add an application',
      hint: 'People sign in to it. You can test the sign-in at once.',
    },
    owner: {
      label: 'Give a second person the role of an owner',
      hint: 'So nobody is locked out if you lose your password or your telephone.',
    },
    secondFactor: {
      label: 'Set up your second factor',
      hint: 'A code from your phone protects an account that may change everything.',
    },
  },
  kinds: {
    locked: 'Locked',
    failedJob: 'Failed job',
    expiring: 'A secret or token expires',
    expired: 'A secret or token has expired',
    oldKey: 'Old signing key',
  },
};
