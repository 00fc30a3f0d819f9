export { type FactorGuard, guardFactors } from './factor-guard.js';
export {
  isEnough,
  levelForRules,
  nextFactor,
  nextStep,
  type SignInDemands,
  type SignInMarks,
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
export { signInRefusedBy } from './sign-in-refused-by.js';
export { demandFacts, type SignInRules, type SignInRulesDeps, signInRules } from './sign-in-rules.js';
export {
  type EnrolStep,
  type FactorPage,
  isDemandedEnrolment,
  type SignInPage,
  type SignInStep,
  type WayPage,
} from './sign-in-step.js';
export { stepsAhead } from './steps-ahead.js';
export { acrOf, amrOf } from './strength.js';
