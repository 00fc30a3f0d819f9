import { directoryErrors, type Organization, passwordsAreOff } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

/**
 * Requires that passwords sign in to the organization. Where none does, nobody gets one either, so that none comes alive with another policy.
 * @throws AppError `directory.passwordsOff`
 */
export function requirePasswordsAllowed(
  { signInPolicy }: Pick<Organization, 'signInPolicy'>,
  now: Date,
): void {
  if (passwordsAreOff(signInPolicy, now)) throw new AppError(directoryErrors.passwordsOff);
}
