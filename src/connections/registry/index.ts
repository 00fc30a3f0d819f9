export { addConnection } from './add-connection.js';
export { type ConnectionChange, changeConnection } from './change-connection.js';
export {
  type Connection,
  type ConnectionSettings,
  canShowFreshness,
  grantedStrengths,
  longestClaimName,
  longestProviderText,
  longestSecret,
  mostAcrs,
  mostConnectionDomains,
  mostConnections,
  mostScopes,
  type OidcConnection,
  providerAuthMethods,
  type SamlConnection,
  subjectSpaceOf,
  usualClaims,
} from './connection.js';
export { requireClaimNames, requireConnection, requireMapping } from './connection-rules.js';
export type { ConnectionsStore } from './connections.store.js';
export { credentialEndsOf } from './credential-ends.js';
export { writeImportedConnections } from './imported-connections.js';
export {
  longestClaimValue,
  mappedAttributes,
  mostMappedClaims,
  mostMappedGroups,
  noClaimMapping,
} from './mapping.js';
export { removeConnection } from './remove-connection.js';
export { samlAddresses } from './saml-addresses.js';
export {
  longestCertificate,
  longestMetadata,
  mostCertificates,
  nameIdFormats,
  type SamlProvider,
  samlBindings,
  signedParts,
  usualSamlProvider,
} from './saml-provider.js';
export { tellEndings } from './tell-endings.js';
