import { directoryErrors, type Organization, passwordsAreOff, policyOf } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

/**
 * Requires that passwords sign in to the organization. Where none does, nobody gets one either, so that none comes alive with another policy.
 * @param person `userId`: absent for somebody new
 * @throws AppError `directory.passwordsOff`
 */
export function requirePasswordsAllowed(
  { signInPolicy }: Pick<Organization, 'signInPolicy'>,
  { now, userId }: { readonly now: Date; readonly userId?: string },
): void {
  const policy = userId === undefined ? signInPolicy : policyOf(signInPolicy, userId);
  if (passwordsAreOff(policy, now)) throw new AppError(directoryErrors.passwordsOff);
}
