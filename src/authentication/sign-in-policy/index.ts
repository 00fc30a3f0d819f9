export { type PutSignInPolicyDeps, putSignInPolicy } from './put-sign-in-policy.js';
