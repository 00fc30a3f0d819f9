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
  signInCode: (host) =>
    `Enter this code on the page where you sign in at ${host} to confirm this e-mail address:`,
  factor: {
    subject: 'Your code to sign in',
    text: (host) => `Enter this code on the page where you sign in at ${host}:`,
    valid: 'The code works once, for 15 minutes, and only in the browser that asked for it.',
    ignore:
      'If you did not ask for it, somebody may know your password. Change it at once. Do not give the code to anyone.',
  },
  signInLink: {
    subject: 'Your link to sign in',
    text: (host) => `Open this link to sign in to your account at ${host}:`,
    button: 'Sign in',
    valid: 'The link works once, for 15 minutes, and only in the browser that asked for it.',
    ignore: 'If you did not ask for it, ignore this mail. Do not give the link to anyone.',
  },
  notice: {
    subject: 'Security notice about your account',
    text: (host) => `This happened to your account at ${host}:`,
    kinds: {
      passwordChanged: 'You changed your password.',
      addressChanged: 'You changed your e-mail address. Mail about your account goes to the new one.',
      secondFactorAdded: 'You set up a second factor.',
      secondFactorRemoved: 'You removed your second factor.',
      passkeyAdded: 'You added a passkey. It signs in to your account.',
      passkeyRemoved: 'You removed a passkey.',
      identityLinked: 'You linked an account of another service, with which you can now sign in.',
      identityUnlinked: 'You removed an account of another service from your sign-in.',
      recoveryCodesMade: 'You got new recovery codes. The former ones no longer work.',
      recoveryCodeUsed: 'A recovery code was used to sign in.',
      passwordSet: 'An administrator set or removed your password.',
      passwordChangeRequired: 'An administrator asks you for a new password at your next sign-in.',
      linkMade: 'An administrator made a link that sets your password.',
      addressReplaced:
        'An administrator changed your e-mail address. Mail about your account goes to the new one.',
      secondFactorGiven: 'An administrator set up a second factor for you.',
      secondFactorTaken: 'An administrator removed your second factor.',
      passkeyTaken: 'An administrator removed one of your passkeys.',
      identityTaken: 'An administrator removed an account of another service from your sign-in.',
      domainFailing:
        'The DNS record that proves a domain of an organization that you own is missing. If it is still missing in a week, the domain counts no more.',
      domainLapsed:
        'A domain of an organization that you own counts no more, because its DNS record was missing for a week.',
      recoveryCodesReplaced: 'An administrator made new recovery codes for you.',
      accessRecovered: 'The operator of the service made a link that gives back access to your account.',
      sessionsEnded: 'An administrator signed you out.',
      deactivated: 'An administrator turned your account off.',
      reactivated: 'An administrator turned your account on.',
      connectionEnds:
        'The secret or the certificate of a connection of your organization ends within 30 days. Renew it at the provider, and then in the console under Connections.',
    },
    newBrowser: (browser, system) =>
      `Somebody signed in at a browser that is new to your account: ${browser}, ${system}.`,
    unknownBrowser: 'an unknown browser',
    unknownSystem: 'an unknown system',
    address: (address) => `Network address: ${address}`,
    times: (count) => `${count} times, the last time:`,
    more: (count) => `And ${count} more sign-ins at new browsers.`,
    button: 'Open your account',
    warning: 'If you did not do or expect this, change your password at once and tell your administrator.',
  },
};
