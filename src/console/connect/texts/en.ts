/** English. */
export const en = {
  connect: 'Connect',
  framework: 'Framework',
  test: 'Test sign-in',
  settings: 'Settings',
  addresses: 'Where the program runs',
  allowed: 'The application allows this redirect URI.',
  notAllowed: 'The program uses these addresses. The application does not allow them yet.',
  allow: 'Allow them',
  saveAs: 'Save this as {file}',
  addTo: 'Add this at the end of {file}',
  run: 'Run this',
  secretHint:
    'Put the client secret in its place. If nobody has it any more, add another one to the application.',
  otherProof:
    'This program proves itself by {code}, but the application by {application}. Change one of the two, or the program is refused.',
  afterwards: 'Then',
  open: 'Open {address} and sign in.',
  openPrinted: 'Open the address that the program prints, and sign in.',
  callIt: 'The page of the API has requests to call it with.',
  programPrints: 'It prints what this service says of the program. The guide shows how it calls an API.',
  guide: 'The guide explains each step (in English)',
  mobile: 'Guide for Android and iOS (in English)',
  allGuides: 'All guides (in English)',
  another: 'Something else?',
  noProject: 'The API belongs to no project, so no token can be for it.',
  toApi: 'To the API',
  program: 'Program without a person',
  aboutProgram: 'Calls APIs in its own name, by night for example. Nobody signs in.',
  addProgram: 'Add a program',
  programNameHint: 'Administrators see it in the log.',
  programAdded: 'The program was added.',
};

export type ConnectTexts = { readonly [Key in keyof typeof en]: string };
