import type { MappingGuess } from './guess/guess-mapping.js';
import type { ConversionLoss } from './losses.js';
import type { Explained } from './reading/explain.js';
import type { Problems } from './reading/problems.js';
import type { MadeNames } from './values/person-names.js';

/** The result of a conversion. */
export interface ConversionReport {
  readonly users: number;
  /** The users who can sign in with a password at once. */
  readonly withPassword: number;
  readonly groups: number;
  readonly memberships: number;
  /** Links of people to accounts at identity providers. */
  readonly identityLinks: number;
  /** Passkeys and security keys. */
  readonly webauthnCredentials: number;
  /** Absent if every name is as the source has it. */
  readonly madeNames?: MadeNames | undefined;
  /** How many people have a second factor that sign-ins here do not ask for. */
  readonly lostFactors?: number;
  readonly problems: Problems;
  /** The values that reached nothing. Absent if the conversion does not look for them. */
  readonly losses?: readonly ConversionLoss[];
  /** The first records before and after, without their secrets. */
  readonly explained?: readonly Explained[];
  /** The mapping that was guessed. Absent if the caller gave one, or the system has its own. */
  readonly guess?: MappingGuess;
  /** Whether the output was written. Without `skipInvalid`, one error prevents it. */
  readonly written: boolean;
}
