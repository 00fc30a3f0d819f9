export { type Acr, acrValues, includesAcr } from './acr.js';
export { administersFor, adminScope, instanceOwned, mayRequestAdministration } from './administration.js';
export {
  hasInvisibleCharacters,
  hasUnusableCharacters,
  isLongerThan,
  unusableCharacters,
} from './characters.js';
export { compareAndSwap } from './compare-and-swap.js';
export { orConflict, orTryAgain } from './duplicates.js';
export { directoryErrors } from './errors.js';
export {
  type ExtensionAttribute,
  type ExtensionAttributeSettings,
  type ExtensionSchema,
  type ExtensionSchemaSettings,
  type ExtensionSchemas,
  type ExtensionType,
  type ExtensionValue,
  type ExtensionValues,
  extensionTypes,
  findAttribute,
  findSchema,
  newKey,
} from './extension-schema.js';
export {
  type FactorChange,
  type FactorClass,
  factorChange,
  factorClassOf,
  factorsOfClass,
  type UserFactors,
} from './factor-class.js';
export { type Changed, inLine } from './lines.js';
export { hookTimeouts, type MigrationHook, requireHookUrl } from './migration-hook.js';
export {
  defaultLoginSettings,
  defaultPasswordPolicy,
  type LoginSettings,
  type LoginSwitch,
  leastPasswordLength,
  loginSwitches,
  maxPasswordLength,
  maxTypedPassword,
  type Organization,
  type PasswordPolicy,
  raisedPolicy,
  shownSwitches,
} from './organization.js';
export { maxPepperLength, type PasswordPepper, requirePepper } from './password-pepper.js';
export { isRefusedScheme } from './private-schemes.js';
export { type QuotaConfig, type QuotaKind, type QuotaLimits, quotaKinds, quotaLimits } from './quota.js';
export {
  refusedValue,
  ruleId,
  rulesOfValues,
  type ValueRule,
  violation,
} from './refused-value.js';
export { requireVersion } from './require-version.js';
export {
  covers,
  isInstanceRole,
  isPermitted,
  type Membership,
  mayAdminister,
  type Permission,
  permissionsIn,
  permissionsOf,
  permittedOnInstance,
  type Role,
  roles,
} from './roles.js';
export {
  compareFolded,
  type EmploymentField,
  type EndingField,
  employmentKey,
  endingKey,
  extensionKey,
  foldCase,
  type LooseName,
  loginAddress,
  looseKey,
  nameSearchKey,
  type SearchKeys,
  searchKeys,
  searchKeysVersion,
  typedKey,
  uniqueValueKeys,
} from './search-keys.js';
export {
  allowedFirstFactors,
  allowedSecondFactors,
  type DemandFacts,
  demandedLevels,
  demandOn,
  demandScopes,
  type FactorDemand,
  type FirstFactor,
  factsAskedBy,
  firstFactors,
  isMadeOf,
  lastPolicyMoment,
  mostDemandGroups,
  mostDemands,
  noDemand,
  type OwnedFactors,
  type PersonalDemand,
  type PolicyDay,
  passwordsAreOff,
  policySettingNamed,
  reachableAcr,
  type SecondFactor,
  type SignInPolicy,
  type SignInPolicySettingName,
  signInPolicySettingNames,
  startOfDay,
} from './sign-in-policy.js';
export {
  type Address,
  type LoginNamesSince,
  type MultiValue,
  type PersonName,
  primaryEmail,
  receivesMail,
  type User,
  type UserProfile,
  type UserProfileInput,
} from './user.js';
export {
  attributeRules,
  preferredTag,
  requireEmail,
  requirePreferredLanguage,
  requireText,
  requireUrl,
  requireUserName,
  ruledAttributes,
  toPhoneNumber,
  withoutPhoneSeparators,
} from './value-rules.js';
export {
  base64Text,
  birthdate,
  descriptionText,
  domainNameText,
  emailAddress,
  hookAddress,
  issuerAddress,
  keyText,
  languageTag,
  loginName,
  longText,
  nativeRedirectAddress,
  objectName,
  orEmpty,
  organizationId,
  pageColor,
  personName,
  pictureAddress,
  policyDay,
  preferredLanguages,
  privateRedirectAddress,
  projectId,
  redirectAddress,
  roleKey,
  usableText,
  usualPassword,
  type ValueShape,
  visibleText,
  webAddress,
} from './value-shapes.js';
export { type Kept, type Step, type Target, type WriteStepDeps, writeStep } from './write-step.js';
