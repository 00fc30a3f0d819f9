export {
  hasServingLink,
  identityLinks,
  linksByKey,
  longestLinkText,
  mostIdentityLinks,
} from './identity-link.js';
export {
  type PersonList,
  type PersonListKind,
  personListEvent,
  requireFewItems,
} from './person-list.js';
export type {
  IdentityLinksStore,
  PersonListsStore,
  WebauthnCredentialsStore,
} from './person-lists.store.js';
export {
  credentialsById,
  mostPasskeys,
  type WebauthnCredential,
  webauthnCredentials,
} from './webauthn-credential.js';
