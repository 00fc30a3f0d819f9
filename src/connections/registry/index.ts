export { addConnection } from './add-connection.js';
export { type ConnectionChange, changeConnection } from './change-connection.js';
export {
  type Connection,
  type ConnectionSettings,
  grantedStrengths,
  longestClaimName,
  longestProviderText,
  longestSecret,
  mappedAttributes,
  mostAcrs,
  mostConnectionDomains,
  mostConnections,
  mostScopes,
  providerAuthMethods,
  usualClaims,
} from './connection.js';
export { removeConnection } from './remove-connection.js';
