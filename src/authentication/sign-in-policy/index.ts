export { type ConcernedDeps, findConcerned } from './concerned.js';
export { type PutSignInPolicyDeps, putSignInPolicy } from './put-sign-in-policy.js';
export { newScan, type PeopleScan, type ScanPeopleDeps, scanPeople } from './scan-people.js';
export {
  type PolicyTrial,
  requireTriablePolicy,
  type TrySignInPolicyDeps,
  trySignInPolicy,
} from './try-sign-in-policy.js';
