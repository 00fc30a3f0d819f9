export { type PutSignInPolicyDeps, putSignInPolicy } from './put-sign-in-policy.js';
export { type PolicyTrial, type TrySignInPolicyDeps, trySignInPolicy } from './try-sign-in-policy.js';
