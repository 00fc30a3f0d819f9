import type { Problems } from './problems.js';

/** What a conversion came to. */
export interface ConversionReport {
  readonly users: number;
  /** Users who can sign in with a password at once. */
  readonly withPassword: number;
  readonly problems: Problems;
  /** Whether the output was written: not when there are errors that nobody wanted skipped. */
  readonly written: boolean;
}
