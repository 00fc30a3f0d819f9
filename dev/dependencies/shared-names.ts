/**
 * Names that several files of src export. Most name one thing on two sides of a request: the console's page `addUser` sends what
 * the use case `addUser` does. The list may only become shorter.
 */
export const sharedNames: readonly string[] = `
  BegunSignIn Choice Features Field FormParts Loss NameHolder NameHolders PatchOperation Progress Refusal
  Removal SignInState SigningKey Versioned addApplication addDomain addGroup addOrganization
  addServiceUser addUser adminUserPath applicationTypes authMethods cancelJob changeApplication
  changeDomain changeFeatures changeServiceUser consentRoutes datesOf deleteGroup deleteUser
  downloadExport employmentKey extensionKey field form giveRole grantTypes groupsRoutes hasSecret iconPath
  isOpen logPage membersOf moment newUser noCounts pathOf present problemOf putMigrationHook
  readSignInState removeApplication removeDomain removeMigrationHook removeServiceUser requireUser
  requireVersion respond responseTypes samplePasswords schemaPage schemasPage serviceRoutes startExport
  stylesheet stylesheetPath table targetOf text textOf tokenTypes userOfPath usersPath usersRoutes
`
  .trim()
  .split(/\s+/);
