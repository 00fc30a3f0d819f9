import { defineErrors } from '#src/platform/errors.js';

export const consoleErrors = defineErrors('console', {
  formExpired: {
    kind: 'forbidden',
    message: 'The form is out of date, or another site sent it; open the page again',
  },
  uploadMalformed: { kind: 'invalid', message: 'The form with the file is malformed or broke off' },
  tooManyPages: {
    kind: 'rateLimited',
    message: 'More than 100 pages for people of the organization wait, or this one has waited for 10 seconds',
  },
  signInFailed: { kind: 'invalid', message: 'The sign-in to the console did not end as it began' },
});
