import type { HttpExchange } from '#src/http/base/http-exchange.js';
import type { Language } from '#src/http/base/language.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import type { LoginNeeds } from '../needs/needs.js';
import { answerLocked } from './locked.js';

/** Forms that an address may send only so often. Each has a count of its own. */
type CountedForm = 'mail-address' | 'member-mail-address' | 'register-address';

/**
 * Counts a form of the caller's address. If there were too many, it sets the status and the header of a lock.
 * @returns the subject under which it counts, for a caller that takes it back, or the sentence about the lock
 * @throws the errors of `LoginAttempts.begin`
 */
export async function countAttempt(
  { loginAttempts, config }: Pick<LoginNeeds, 'loginAttempts' | 'config'>,
  { request, reply }: HttpExchange,
  { form, language }: { form: CountedForm; language: Language },
): Promise<{ readonly subject: string } | { readonly locked: string }> {
  const subject = `${form}:${addressOf(request)}`;
  const { allowed, retryAfterSeconds } = await loginAttempts.begin(
    subject,
    config.loginMaxFailuresPerAddress,
  );
  return allowed ? { subject } : { locked: answerLocked(reply, language, { retryAfterSeconds }) };
}
