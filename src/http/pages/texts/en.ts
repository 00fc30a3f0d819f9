import type { ErrorTexts } from './shape.js';

/** English. */
export const en: ErrorTexts = {
  kinds: {
    signIn: {
      title: 'This sign-in request is invalid.',
      text: 'Go back to the application and start again. If it happens again, contact support.',
    },
    signOut: {
      title: 'This sign-out request is invalid.',
      text: 'You can sign out on your account page.',
    },
    request: {
      title: 'This request is invalid.',
      text: 'Go back and start again. If it happens again, contact support.',
    },
    notFound: { title: 'Nothing here', text: 'There is no page at this address.' },
    tooMany: { title: 'Too many attempts', text: 'Wait a moment, then try again.' },
    unavailable: { title: 'Not available', text: 'We cannot answer right now. Try again in a moment.' },
    fault: { title: 'Something went wrong.', text: 'If it happens again, contact support.' },
  },
  developer: 'For the developer of the application',
  guide: 'The guide: when a sign-in fails',
  problem: 'Problem',
  account: 'Go to your account',
  again: 'Try again',
};
