export type { Account, ImportedCredentials, PasswordCredential } from './account.js';
export { type AccountsStore, type AccountVersion, createAccountsStore } from './accounts.store.js';
export {
  createOneTimeLinksStore,
  type OneTimeLink,
  type OneTimeLinksStore,
  oneTimeLinkIndexes,
} from './one-time-links.store.js';
export { brokenPasswordRules, passwordFaults, requireGoodPassword } from './password-policy.js';
export { type RevokeUserTokensDeps, revokeUserTokens } from './revoke-user-tokens.js';
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
