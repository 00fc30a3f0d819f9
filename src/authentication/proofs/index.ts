export {
  type FactorPage,
  isEnough,
  nextFactor,
  nextStep,
  type SignInDemands,
  type SignInPage,
  type SignInStep,
} from './next-step.js';
export {
  joinProofs,
  type Proof,
  proofsOfMethods,
  provedSince,
  type TimedProof,
} from './proof.js';
export { type SignInRules, type SignInRulesDeps, signInRules } from './sign-in-rules.js';
export { acrOf, amrOf } from './strength.js';
