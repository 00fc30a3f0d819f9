import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from './errors.js';
import type { PasswordPolicy } from './organization.js';

const maxLength = 200;

/** What the password lacks, in words; empty when it is good. Symbols are all but letters, digits and space. */
export function passwordShortcomings(password: string, policy: PasswordPolicy): string[] {
  const length = [...password].length;
  const rules: [boolean, string][] = [
    [length >= policy.minLength, `at least ${policy.minLength} characters`],
    [length <= maxLength, `at most ${maxLength} characters`],
    [!policy.upper || /\p{Lu}/u.test(password), 'an upper-case letter'],
    [!policy.lower || /\p{Ll}/u.test(password), 'a lower-case letter'],
    [!policy.digit || /\p{Nd}/u.test(password), 'a digit'],
    [!policy.symbol || /[^\p{L}\p{N}\s]/u.test(password), 'a symbol'],
  ];
  return rules.filter(([fulfilled]) => !fulfilled).map(([, words]) => words);
}

/** @throws AppError `directory.passwordWeak` that names what is missing, never the password */
export function requireGoodPassword(password: string, policy: PasswordPolicy): void {
  const missing = passwordShortcomings(password, policy);
  if (missing.length > 0) {
    throw new AppError(directoryErrors.passwordWeak, { detail: `The password needs ${missing.join(', ')}` });
  }
}
