export { addApplication } from './add-application.js';
export type { Application, ResponseType } from './application.js';
export {
  type ApplicationSettings,
  applicationTypes,
  authMethods,
  grantTypes,
  groupsClaims,
  methodsOf,
  requireApplicationSettings,
  responseTypes,
  takesSecretBy,
  tokenExchangeType,
  usesSecret,
  withDefaults,
} from './application-rules.js';
export type { ApplicationsStore } from './applications.store.js';
export { approveApplication, markForAdministration } from './approve-application.js';
export { changeApplication } from './change-application.js';
export { consoleCallbackPath, consoleClientId } from './console-application.js';
export { forgetOrigins, type WriteApplicationDeps } from './write-application.js';
