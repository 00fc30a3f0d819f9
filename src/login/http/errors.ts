import { defineErrors } from '#src/platform/errors.js';

/** Errors that end a sign-in. Each has a page of its own. */
export const loginErrors = defineErrors('login', {
  flowEnded: { kind: 'invalid', message: 'The sign-in has ended or was begun in another browser' },
  factorMissing: {
    kind: 'forbidden',
    message: 'The organization demands a factor that the person does not have',
  },
  setupEnded: {
    kind: 'notFound',
    message: 'The set-up link has ended, or was opened in another browser',
  },
  formExpired: { kind: 'forbidden', message: 'The form was not made for this browser' },
});
