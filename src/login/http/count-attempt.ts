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
  const subject = subjectOf(request, form);
  const { allowed, retryAfterSeconds } = await loginAttempts.begin(
    subject,
    config.loginMaxFailuresPerAddress,
  );
  return allowed ? { subject } : { locked: answerLocked(reply, language, { retryAfterSeconds }) };
}

const passkeyForm = 'passkey';

function subjectOf(request: HttpExchange['request'], form: CountedForm | typeof passkeyForm): string {
  return `${form}:${addressOf(request)}`;
}

/**
 * Returns for how many seconds the address may send no passkey, because it sent too many wrong ones. Nobody can guess a signature. So only failures
 * count, after they happened, and an attempt that succeeds writes nothing.
 */
export async function passkeyLock(
  { loginAttempts, config }: Pick<LoginNeeds, 'loginAttempts' | 'config'>,
  request: HttpExchange['request'],
): Promise<{ readonly retryAfterSeconds: number } | undefined> {
  const subject = subjectOf(request, passkeyForm);
  const { lockedMs } = await loginAttempts.standing(subject, config.loginMaxFailuresPerAddress);
  return lockedMs === 0 ? undefined : { retryAfterSeconds: Math.max(1, Math.ceil(lockedMs / 1000)) };
}

/** Counts a wrong passkey of the address. Returns false if there were too many before it. Requests at the same time pass {@link passkeyLock} together. */
export async function countWrongPasskey(
  { loginAttempts, config }: Pick<LoginNeeds, 'loginAttempts' | 'config'>,
  request: HttpExchange['request'],
): Promise<boolean> {
  const subject = subjectOf(request, passkeyForm);
  return (await loginAttempts.begin(subject, config.loginMaxFailuresPerAddress)).allowed;
}
