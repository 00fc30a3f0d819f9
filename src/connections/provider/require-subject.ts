import { ProviderFailure, type ProviderProblem } from './provider-failure.js';

/** The longest subject, in characters. OpenID Connect Core section 2 allows 255. */
const longestSubject = 255;

/**
 * Returns what identifies a person at a provider, if it is a text that can be stored and shown.
 * @param from what it comes from, for the owner of the connection
 * @throws ProviderFailure `problem`
 */
export function requireSubject(
  subject: unknown,
  { problem, from }: { problem: ProviderProblem; from: string },
): string {
  const isUsable =
    typeof subject === 'string' &&
    subject !== '' &&
    subject.length <= longestSubject &&
    subject === subject.trim() &&
    !/[\p{Cc}\p{Cs}]/u.test(subject);
  if (isUsable) return subject;
  throw new ProviderFailure(
    problem,
    `${from} is no text of 1 to ${longestSubject} characters without white space at its ends`,
  );
}
