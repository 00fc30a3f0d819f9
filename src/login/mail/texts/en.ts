import type { MailTexts } from './shape.js';

/** English. */
export const en: MailTexts = {
  hello: 'Hello,',
  orOpen: 'Or open this address:',
  sentBy: (host) => `Sent by ${host}`,
  reset: {
    subject: 'Reset your password',
    text: (organization) =>
      `Somebody asked for a link to set a new password for your account at ${organization}.`,
    button: 'Set a new password',
    valid: 'The link works once, within 24 hours.',
    ignore: 'If you did not ask for it, ignore this mail. Your password stays as it is.',
  },
  confirm: {
    subject: 'Confirm your e-mail address',
    text: (host) => `Enter this code on your account page at ${host} to confirm this e-mail address:`,
    valid: 'The code works for 15 minutes.',
    ignore: 'If you did not ask for it, ignore this mail. Do not give the code to anyone.',
  },
  changed: {
    subject: 'Your e-mail address was changed',
    text: (organization) =>
      `Your account at ${organization} has another e-mail address now. You will get no more mail about it at this address.`,
    warning: 'If it was not you, tell your administrator at once.',
  },
};
