import type { Problems } from './problems.js';

/** The result of a conversion. */
export interface ConversionReport {
  readonly users: number;
  /** The users who can sign in with a password at once. */
  readonly withPassword: number;
  readonly groups: number;
  readonly memberships: number;
  readonly problems: Problems;
  /** Whether the output was written. Without `skipInvalid`, one error prevents it. */
  readonly written: boolean;
}
