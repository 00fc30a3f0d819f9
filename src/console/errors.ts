import { defineErrors } from '#src/platform/errors.js';

export const consoleErrors = defineErrors('console', {
  formExpired: {
    kind: 'forbidden',
    message: 'The form is out of date, or another site sent it; open the page again',
  },
  uploadMalformed: { kind: 'invalid', message: 'The form with the file is malformed or broke off' },
  draftsFull: {
    kind: 'unavailable',
    message:
      'The memory for forms of people who are not signed in is full. Sign in first, then fill in the form again',
  },
  signInFailed: { kind: 'invalid', message: 'The sign-in to the console did not end as it began' },
});
