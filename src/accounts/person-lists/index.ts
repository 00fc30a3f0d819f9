export { identityLinks, linksByKey, longestLinkText } from './identity-link.js';
export {
  mostPersonItems,
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
export { credentialsById, type WebauthnCredential, webauthnCredentials } from './webauthn-credential.js';
