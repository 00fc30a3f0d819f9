export type { Account, ImportedCredentials, PasskeysMark, PasswordCredential } from './account.js';
export { type ActivePerson, factorFields, factorsIn } from './account-factors.store.js';
export type { AccountVersion } from './account-writes.store.js';
export type { AccountsStore } from './accounts.store.js';
export { credentialsStamp } from './credentials-stamp.js';
export type { IdentityHolders, PasskeyHolder, PasskeyHolders } from './list-holders.store.js';
export type { OneTimeLink, OneTimeLinksStore } from './one-time-links.store.js';
export { accountCollections, type OpenedAccounts, openAccounts } from './open-accounts.js';
export {
  brokenPasswordRules,
  mayBePassword,
  passwordFaults,
  requireGoodPassword,
} from './password-policy.js';
export { requirePasswordsAllowed } from './require-passwords-allowed.js';
export { type RevokeUserTokensDeps, revokeTokensOf, revokeUserTokens } from './revoke-user-tokens.js';
export {
  fromBase32,
  matchingStep,
  newTotpSecret,
  sealTotpSecret,
  type TotpCredential,
  toBase32,
  totpAddress,
  unsealTotpSecret,
} from './totp.js';
