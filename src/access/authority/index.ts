export { freshnessOf, freshnessSentence } from './fresh-acts.js';
export { type AuthorityDeps, type Purpose, requireAuthority } from './over-user.js';
export { type Credential, isStillPermitted, type Requester, type RequesterDeps } from './requester.js';
