export { addApplication } from './add-application.js';
export type {
  Application,
  ApplicationSettings,
  ApplicationType,
  GivenSettings,
  ResponseType,
} from './application.js';
export {
  requireApplicationSettings,
  settingsOf,
  takesSecretBy,
  usesSecret,
  withDefaults,
} from './application-rules.js';
export {
  applicationSettings,
  applicationTypes,
  authMethods,
  defaultedSettings,
  methodsOf,
  removableSettings,
  requiredSettings,
  type SettingsWith,
  type SignInSetting,
  settingNamed,
  settingNames,
  signInSettings,
  tokenExchangeType,
} from './application-settings.js';
export type { ApplicationsStore } from './applications.store.js';
export { applicationNamesUpgrade, type SortedApplication } from './applications.store.js';
export { approveApplication, markForAdministration } from './approve-application.js';
export { type ApplicationChange, changeApplication } from './change-application.js';
export { consoleCallbackPath, consoleClientId } from './console-application.js';
export { algorithmChoice, publishChosen } from './id-token-algorithm.js';
export { asciiForm, hasPrivateScheme } from './redirect-uris.js';
export type { AnySetting, ApplicationSettingName, SettingValue } from './setting.js';
export { forgetOrigins, type WriteApplicationDeps } from './write-application.js';
