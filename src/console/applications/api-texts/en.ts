/** English. */
export const en = {
  addApi: 'Add an API',
  about: 'An API takes access tokens and asks this service whether they are valid, and for it.',
  nameHint: 'Administrators see it, and the developers of the applications that call it.',
  project: 'Project',
  ownProject: 'A project of its own',
  projectHint:
    'The applications and APIs of one project share roles and tokens. If in doubt, choose its own.',
  whoCalls: 'Who calls it?',
  callersHint:
    'A chosen application that has no project joins that of the API. Every token of it is for the API from the next sign-in on. Another one asks for the scope of the API.',
  noCallers: 'No application yet. One that you add later can call the API too.',
  callersCut: 'Only the first applications are shown. Others call it by the scope.',
  program: 'A program without a person',
  programHint: 'Its name. A service user with a secret is added for it. Empty: none.',
  added: 'The API was added.',
  programSecret: 'Secret of the program',
  callApi: 'Call an API',
  callThis: 'Call this API',
  callsOf: (application: string) => `${application} calls an API`,
  chooseApi: 'Which API?',
  choose: 'Choose',
  scope: 'Scope for it',
  noProject: 'No token can be for this API yet, because it belongs to no project.',
  giveProject: 'Give it a project of its own',
  ready: 'Every token of this application is for the API. It need not ask for a scope.',
  readyFrom: 'This holds from the next sign-in on.',
  asksForScope: 'The application asks for the scope of the API when a person signs in:',
  join: 'Make every token be for the API',
  joinHint:
    'The application then joins the project of the API. It need not ask for the scope, and gets the roles of that project.',
  otherProject: 'The application belongs to another project, so it asks for the scope.',
  joined: 'its tokens are for the API',
  asks: 'asks for the scope',
  failed: 'could not join',
  tokenOfPerson: 'An application asks for the scope',
  tokenOfPersonHint: 'Applications of the same project need not ask for it. Their tokens are for this API.',
  tokenOfProgram: 'A program without a person gets a token',
  tokenOfProgramHint: 'PROGRAM_ID and PROGRAM_SECRET are those of a service user with a secret.',
  sendToken: 'The application calls the API',
  checkToken: 'The API asks whether the token is valid, and for it',
  answers: 'What it is answered',
  forIt: 'A token for it',
  notForIt: 'A token that is not for it, has expired or was revoked',
  whyNot: 'The log says why, if a valid token is not for this API.',
  log: 'To the log',
  callers: 'Applications of the same project',
};

/** The texts of the pages about APIs and those that call them. */
export type ApiTexts = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : (typeof en)[Key];
};
