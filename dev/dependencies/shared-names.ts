/**
 * Names that several files of src export. Most name one thing on two sides of a request: the console's page `addUser` sends what
 * the use case `addUser` does. The list may only become shorter.
 */
export const sharedNames: readonly string[] = `
  Features Field FormOptions NameHolders PatchOperation SignInState addApplication addDomain
  addGroup addOrganization addServiceUser addUser adminUserPath applicationTypes authMethods cancelJob
  changeApplication changeDomain changeFeatures changeServiceUser consentRoutes deleteGroup
  deleteUser downloadExport field form giveRole groupsRoutes iconPath isOpen logPage membersOf
  newUser noCounts pathOf problemOf putMigrationHook readSignInState removeApplication
  removeDomain removeMigrationHook removeServiceUser requireUser requireVersion respond
  samplePasswords schemaPage schemasPage serviceRoutes startExport stylesheet stylesheetPath table text
  textOf tokenTypes userOfPath usersRoutes
`
  .trim()
  .split(/\s+/);
