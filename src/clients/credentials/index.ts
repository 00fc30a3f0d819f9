export {
  algorithmsOf,
  assertionAlgorithms,
  type ClientKey,
  clientKeyAlgorithms,
  maxKeys,
  movedClientKey,
} from './client-key.js';
export { type ClientSecret, findSecret, maxSecrets } from './client-secret.js';
export { firstExpiry } from './expiring.js';
export {
  type FederatedCredential,
  maxFederatedCredentials,
  maxFederatedText,
  movedFederatedCredential,
} from './federated-credential.js';
export { readKeySet } from './issuer-keys.js';
export { createPublishedKeys, type IssuerKeys } from './published-keys.js';
export type { SecretUses } from './secret-uses.js';
