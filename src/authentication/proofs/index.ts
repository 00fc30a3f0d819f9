export {
  type FactorPage,
  isEnough,
  levelForRules,
  nextFactor,
  nextStep,
  type SignInDemands,
  type SignInMarks,
  type SignInPage,
  type SignInStep,
} from './next-step.js';
export {
  ageTime,
  joinProofs,
  type Proof,
  proofsOfMethods,
  provedSince,
  type RememberedBrowserProof,
  type TimedProof,
} from './proof.js';
export { demandFacts, type SignInRules, type SignInRulesDeps, signInRules } from './sign-in-rules.js';
export { stepsAhead } from './steps-ahead.js';
export { stillMeetsPolicy } from './still-meets-policy.js';
export { acrOf, amrOf } from './strength.js';
