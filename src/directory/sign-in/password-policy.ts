import { AppError } from '#src/platform/errors.js';
import { isLongerThan } from '../characters.js';
import { directoryErrors } from '../errors.js';
import type { PasswordPolicy } from '../organizations/organization.js';

/** Longest password in characters, for every policy. */
export const maxPasswordLength = 200;

/** The rules of a policy. */
export type PasswordRule = 'minLength' | 'maxLength' | 'upper' | 'lower' | 'digit' | 'symbol';

/** Returns the rules that the password breaks. A symbol is any character except letters, digits and space. */
export function brokenPasswordRules(password: string, policy: PasswordPolicy): PasswordRule[] {
  // Nothing else is searched in a text of any length.
  if (isLongerThan(password, maxPasswordLength)) return ['maxLength'];
  const { length } = Array.from(password);
  const rules: [PasswordRule, boolean][] = [
    ['minLength', length >= policy.minLength],
    ['upper', !policy.upper || /\p{Lu}/u.test(password)],
    ['lower', !policy.lower || /\p{Ll}/u.test(password)],
    ['digit', !policy.digit || /\p{Nd}/u.test(password)],
    ['symbol', !policy.symbol || /[^\p{L}\p{N}\s]/u.test(password)],
  ];
  return rules.filter(([, fulfilled]) => !fulfilled).map(([rule]) => rule);
}

/** Returns what the password lacks, in words. Empty if the password is good. */
export function passwordShortcomings(password: string, policy: PasswordPolicy): string[] {
  const words: Record<PasswordRule, string> = {
    minLength: `at least ${policy.minLength} characters`,
    maxLength: `at most ${maxPasswordLength} characters`,
    upper: 'an upper-case letter',
    lower: 'a lower-case letter',
    digit: 'a digit',
    symbol: 'a symbol',
  };
  return brokenPasswordRules(password, policy).map((rule) => words[rule]);
}

/** @throws AppError `directory.passwordWeak`. The error names the broken rules and never contains the password. */
export function requireGoodPassword(password: string, policy: PasswordPolicy): void {
  const missing = passwordShortcomings(password, policy);
  if (missing.length > 0) {
    throw new AppError(directoryErrors.passwordWeak, { detail: `The password needs ${missing.join(', ')}` });
  }
}
