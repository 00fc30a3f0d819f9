import type { Organization, SignInPolicy } from '#src/directory/index.js';

/** The rules of an organization for a sign-in. */
export interface SignInRules {
  readonly policy?: SignInPolicy | undefined;
  /** Whether a person whose address nobody proved must prove it. */
  readonly verifyEmail?: boolean | undefined;
}

/** Returns the rules for people of an organization. Undefined if it is gone. */
export function signInRules(organization: Organization | undefined): SignInRules {
  return { policy: organization?.signInPolicy, verifyEmail: organization?.login.verifyEmail };
}
