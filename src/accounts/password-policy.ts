import {
  directoryErrors,
  isLongerThan,
  maxPasswordLength,
  type PasswordPolicy,
  type ValueRule,
  violation,
} from '#src/directory/index.js';
import { normalizedPassword } from '#src/keys/password-forms.js';
import { AppError, type Violation } from '#src/platform/errors.js';
import { isCommonPassword } from './common-passwords.js';

/** The rules of a policy. No policy turns off `common`: the password is not a common or breached one. */
export type PasswordRule = 'minLength' | 'maxLength' | 'upper' | 'lower' | 'digit' | 'symbol' | 'common';

/**
 * Returns whether a typed text may be a password: it has at most 200 characters in the form in which passwords are hashed, or as typed, which
 * is what earlier versions counted. An empty text never is: old tables have its digest for accounts without a password.
 */
export function mayBePassword(typed: string): boolean {
  return (
    typed !== '' && [typed, normalizedPassword(typed)].some((form) => !isLongerThan(form, maxPasswordLength))
  );
}

/**
 * Returns the rules that the password breaks, in the form in which it is hashed. A symbol is any character except letters, digits and
 * space.
 */
export function brokenPasswordRules(typed: string, policy: PasswordPolicy): PasswordRule[] {
  const password = normalizedPassword(typed);
  // Nothing else is searched in a text of any length.
  if (isLongerThan(password, maxPasswordLength)) return ['maxLength'];
  const { length } = Array.from(password);
  const rules: [PasswordRule, boolean][] = [
    ['minLength', length >= policy.minLength],
    ['upper', !policy.upper || /\p{Lu}/u.test(password)],
    ['lower', !policy.lower || /\p{Ll}/u.test(password)],
    ['digit', !policy.digit || /\p{Nd}/u.test(password)],
    ['symbol', !policy.symbol || /[^\p{L}\p{N}\s]/u.test(password)],
    ['common', !isCommonPassword(password)],
  ];
  return rules.filter(([, fulfilled]) => !fulfilled).map(([rule]) => rule);
}

/** Returns what is wrong with the password, in sentences. Empty if the password is good. */
export function passwordFaults(password: string, policy: PasswordPolicy): string[] {
  const words: Record<Exclude<PasswordRule, 'common'>, string> = {
    minLength: `at least ${policy.minLength} characters`,
    maxLength: `at most ${maxPasswordLength} characters`,
    upper: 'an upper-case letter',
    lower: 'a lower-case letter',
    digit: 'a digit',
    symbol: 'a symbol',
  };
  const broken = brokenPasswordRules(password, policy);
  const missing = broken.flatMap((rule) => (rule === 'common' ? [] : [words[rule]]));
  return [
    ...(missing.length > 0 ? [`The password needs ${missing.join(', ')}`] : []),
    ...(broken.includes('common') ? [commonPassword] : []),
  ];
}

const commonPassword =
  'The password is one of those that attackers try first, or almost the same as one of them. Choose another';

/** @throws AppError `directory.passwordWeak`. The error names the broken rules and never contains the password. */
export function requireGoodPassword(password: string, policy: PasswordPolicy): void {
  const faults = passwordFaults(password, policy);
  if (faults.length === 0) return;
  const detail = faults.join('. ');
  const violations = brokenPasswordRules(password, policy).map((rule) =>
    passwordViolation(rule, policy, detail),
  );
  throw new AppError(directoryErrors.passwordWeak, { detail, violations });
}

const rulesOfPasswords: Readonly<Record<PasswordRule, ValueRule>> = {
  minLength: 'tooShort',
  maxLength: 'tooLong',
  upper: 'passwordUpper',
  lower: 'passwordLower',
  digit: 'passwordDigit',
  symbol: 'passwordSymbol',
  common: 'passwordCommon',
};

function passwordViolation(rule: PasswordRule, { minLength }: PasswordPolicy, detail: string): Violation {
  const bounds = { minLength: { least: minLength }, maxLength: { most: maxPasswordLength } };
  return violation(
    'password',
    rulesOfPasswords[rule],
    detail,
    Object.hasOwn(bounds, rule) ? bounds[rule as keyof typeof bounds] : undefined,
  );
}
