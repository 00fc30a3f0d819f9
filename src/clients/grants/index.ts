export { type ApplicationGrant, applicationGrantKey } from './application-grant.js';
export {
  type ApplicationGrantsStore,
  applicationGrantIndexes,
  createApplicationGrantsStore,
} from './application-grants.store.js';
export {
  addApplicationGrant,
  applicationGrantEvent,
  removeApplicationGrant,
} from './change-application-grants.js';
