export { addClientKey, removeClientKey } from './client-keys.js';
export { addClientSecret, removeClientSecret } from './client-secrets.js';
export { addFederatedCredential, removeFederatedCredential } from './federated-credentials.js';
export type { ClientTarget } from './write-client.js';
