import type { Acr } from './acr.js';

/** The rules for the sign-ins of an organization's people. What is absent is as in an organization without a policy. */
export interface SignInPolicy {
  /** The level that every sign-in must reach. */
  readonly acr?: Acr;
}
