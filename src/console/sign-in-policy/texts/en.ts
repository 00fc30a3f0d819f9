/** English. */
export const en = {
  holds: 'What holds now',
  none: 'The organization has no policy of its own. People sign in as the service lets them.',
  change: 'Change the policy',
  changeHint: 'Try it first. A trial says whom the policy would keep out, and changes nothing.',
  try: 'Try',
  identifierFirst: 'Ask for the login name alone at first',
  identifierFirstHint: 'The page after it asks for what proves who the person is.',
  firstFactors: 'A sign-in begins with',
  firstFactor: {
    password: 'a password',
    passkey: 'a passkey',
    mailLink: 'a link by mail',
    connection: 'another identity provider',
  },
  firstFactorsFrom: 'It holds from the day',
  firstFactorsFromHint:
    'Empty: at once. Until the day, a sign-in begins with a password, a passkey or another identity provider. Days begin at midnight UTC.',
  secondFactors: 'What may follow',
  secondFactor: {
    totp: 'a code of an authenticator app',
    passkey: 'a passkey',
    mailCode: 'a code by mail',
  },
  noFactor: 'nothing',
  breakGlassOwners: 'Owners with emergency access',
  breakGlassOwnersHint:
    'Their login names or identifiers, one on each line, at most five. They may sign in with a password and an authenticator app, or with a passkey, whatever begins a sign-in of the others. Each must have done so before.',
  demands: 'Demands',
  demandsHint: 'If several demands concern a person, the highest counts.',
  demand: (number: number) => `Demand ${number}`,
  of: 'Of whom',
  noDemand: 'nobody (leave it out)',
  whom: {
    everybody: 'everybody',
    roles: 'people with a role',
    groups: 'members of groups',
  },
  groups: 'Groups',
  groupsHint: 'Their names or identifiers, one on each line. Only for members of groups.',
  acr: 'What',
  levels: {
    '2': 'two factors',
    phr: 'two factors, one of which resists phishing, such as a passkey',
  },
  from: 'From the day',
  demandInWords: (day: string, level: string, whom: string) => `from ${day}: ${level}, of ${whom}`,
  groupsInWords: (groups: string) => `the members of ${groups}`,
  lives: 'Times',
  livesHint: 'Empty: as the service has it. Of two times the shorter one counts.',
  rememberedBrowserDays: 'Days for which a browser is remembered',
  rememberedBrowserDaysHint: 'It then needs no second factor. Empty or 0: never.',
  sessionSeconds: 'Longest session, in minutes',
  sessionIdleSeconds: 'Longest idle time of a session, in minutes',
  refreshTokenSeconds: 'Longest life of refresh tokens, in hours',
  refreshTokenIdleSeconds: 'Longest idle time of refresh tokens, in hours',
  freshSignInSeconds: 'How long a sign-in counts as fresh, in minutes',
  inWords: {
    rememberedBrowserDays: 'Remembered browsers',
    sessionSeconds: 'Longest session',
    sessionIdleSeconds: 'Longest idle time of a session',
    refreshTokenSeconds: 'Longest life of refresh tokens',
    refreshTokenIdleSeconds: 'Longest idle time of refresh tokens',
    freshSignInSeconds: 'A sign-in is fresh for',
  },
  never: 'never',
  guide: 'The guide explains it (in English).',
  lastOwner:
    'Under this policy no owner of the organization could sign in, so it was not saved. First let an owner set up what it demands. The trial names whom it would keep out.',
  unmet: {
    title: 'What the sign-in policy asks of this user, and the user does not have',
    look: 'The sign-in policy',
    begins: (factors: string) => `A sign-in begins only with: ${factors}.`,
    beginsFrom: (day: string, factors: string) => `From ${day} on, a sign-in begins only with: ${factors}.`,
    holds: 'Make a one-time link for the user. It leads to the page that sets up what is demanded.',
    later: (day: string) => `Until ${day}, each sign-in asks the user to set it up.`,
    byFactor: {
      password: 'Make a one-time link, with which the user sets a password.',
      passkey: 'The user adds a passkey on the account page, at a browser that is still signed in.',
      mailLink: 'The user needs a primary e-mail address that is not marked as unverified.',
      connection:
        'The user signs in with the button of the other provider, whose rules then link the account.',
    },
  },
  trial: {
    title: 'What this policy would do',
    nothingChanged: 'This was a trial. Nothing was changed.',
    meets: 'meet the policy',
    mustEnrol: 'must set up another factor by the day of a demand',
    lockedOut: 'could not sign in at once',
    administrators: 'People with roles who do not meet it',
    everyAdministratorMeets: 'Everybody with a role in the organization meets it.',
    outcome: { mustEnrol: 'must set up a factor', lockedOut: 'locked out' },
    person: 'Person',
    wouldHappen: 'What would happen',
    applications: 'Applications that people sign in to',
    serviceUsers: 'Service users that may send passwords, which would be refused',
    firstOnes: 'Only the first 100 are named.',
    takesLong:
      'So many people must be looked at one by one that it takes a while. You may leave this page and come back.',
    back: 'Back to the policy',
    notCompleted: 'The trial was not completed. Try again.',
    cancel: 'Cancel',
  },
};

type Texts<T> = {
  readonly [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends (...values: never) => string
      ? T[Key]
      : Texts<T[Key]>;
};

export type PolicyTexts = Texts<typeof en>;
