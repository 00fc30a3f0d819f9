export { type ApplicationGrant, applicationGrantKey } from './application-grant.js';
export type { ApplicationGrantsStore } from './application-grants.store.js';
export {
  addApplicationGrant,
  applicationGrantEvent,
  removeApplicationGrant,
} from './change-application-grants.js';
