import type { FastifyRequest } from 'fastify';
import { addressOf } from '#src/http/limits/caller-address.js';
import { AppError } from '#src/platform/errors.js';
import type { LoginNeeds } from '../needs/needs.js';
import { loginErrors } from './errors.js';

/** Forms that an address may send only so often. Each has a count of its own. */
type CountedForm = 'mail-address' | 'member-mail-address' | 'register-address';

/**
 * Counts a form of the caller's address.
 * @returns the subject under which it counts, for a caller that takes it back
 * @throws AppError `login.tooManyAttempts`, and the errors of `LoginAttempts.begin`
 */
export async function countAttempt(
  { loginAttempts, config }: Pick<LoginNeeds, 'loginAttempts' | 'config'>,
  request: FastifyRequest,
  form: CountedForm,
): Promise<string> {
  const subject = `${form}:${addressOf(request)}`;
  const { allowed, retryAfterSeconds } = await loginAttempts.begin(
    subject,
    config.loginMaxFailuresPerAddress,
  );
  if (!allowed) throw new AppError(loginErrors.tooManyAttempts, { retryAfterSeconds });
  return subject;
}
