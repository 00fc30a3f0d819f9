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
  kinds: {
    locked: 'Locked',
    failedJob: 'Failed job',
    expiring: 'A secret or token expires',
    expired: 'A secret or token has expired',
    oldKey: 'Old signing key',
  },
};
