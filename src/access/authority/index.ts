export { type FreshOperation, freshnessOf, freshnessSentence } from './fresh-acts.js';
export { mayNameNewProject, onlyStopsApplication, requireOverApplication } from './over-application.js';
export { requireGroupAuthority } from './over-group.js';
export { keepsSignIns, requireMayVerify, requireOverOrganization } from './over-organization.js';
export { memberMay, requireMayChooseProjectId } from './over-project.js';
export { keepsProofs, requireOverServiceUser } from './over-service-user.js';
export { type AuthorityDeps, type Purpose, requireAuthority } from './over-user.js';
export {
  type Credential,
  cachedRequester,
  isStillPermitted,
  type Requester,
  type RequesterCaches,
  type RequesterDeps,
} from './requester.js';
