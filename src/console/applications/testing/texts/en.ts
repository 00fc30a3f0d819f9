/** English. */
export const en = {
  test: 'Test sign-in',
  hint: 'You sign in to this application. The console then shows every claim that the application would get, and where it comes from. The tokens of the test are revoked at once, and nobody sees them.',
  scopes: 'Scopes that the application asks for, besides openid',
  begin: 'Begin the sign-in',
  allowAndBegin: 'Allow the address, and begin',
  needsCode: 'Only applications with the response type code can be tested here.',
  needsUri:
    'A sign-in ends only at a redirect URI of the application. The test adds this one, which is a page of the console:',
  end: 'After the test',
  forbid: 'Remove the address',
  forbidHint: 'The application does not need this redirect URI:',
  result: 'Result of the test',
  worked: 'The sign-in works.',
  failed: 'The sign-in did not succeed',
  failedHint: 'Correct the application and test again.',
  notMine: 'This session did not begin the test. Begin it again from the page of the application.',
  noTokens:
    'The sign-in worked, but the application would get no tokens for it. Each code works once, so a page that is loaded again shows this too.',
  again: 'Test again',
  claim: 'Claim',
  value: 'Value',
  from: 'Comes from',
  byScope: 'by the scope',
  idToken: 'ID token',
  idTokenHint: 'Tells the application who signed in.',
  userinfo: 'Userinfo',
  userinfoHint: 'What the application reads with the access token.',
  accessToken: 'Access token',
  opaque: 'opaque',
  opaqueHint: 'Nobody can read an opaque token. An API asks by introspection.',
  inJwt: 'Content of the JWT',
  introspection: 'What introspection answers to an API for which the token is',
  elsewhere: 'What an API is answered for which the token is not',
  elsewhereWhy:
    'The token is for {audience}. An API that is not among them learns nothing else. The log of its organization has the reason {reason}.',
  sources: {
    protocol: 'protocol',
    application: 'setting of the application',
    person: 'identifier of the person',
    profile: 'profile',
    attribute: 'own attribute',
    group: 'group',
    role: 'role in a project',
    organization: 'organization',
  },
};

/** The texts of the test sign-in. */
export type TestTexts = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string
    ? string
    : { readonly [Name in keyof (typeof en)[Key]]: string };
};
