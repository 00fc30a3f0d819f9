import { brokenPasswordRules } from '#src/accounts/index.js';
import { maxPasswordLength, type PasswordPolicy } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import { normalizedPassword } from '#src/keys/password-forms.js';
import { texts } from '../texts/texts.js';

/** Messages about a new password and its repetition. Both are absent when the password is accepted. */
export interface NewPasswordErrors {
  readonly password?: string;
  readonly repeated?: string;
}

/** Checks a new password against the policy of the organization. */
export function newPasswordErrors(
  { password, repeated }: { password: string; repeated?: string },
  policy: PasswordPolicy,
  language: Language,
): NewPasswordErrors {
  const broken = brokenPasswordRules(password, policy);
  const t = texts[language];
  const missing = broken.filter((rule) => rule !== 'common');
  const faults = [
    ...(missing.length > 0 ? [needs(missing, policy, language)] : []),
    ...(broken.includes('common') ? [t.passwordCommon] : []),
  ];
  if (faults.length > 0) return { password: faults.join(' ') };
  // One field may have been filled by a program that types accents in another way.
  const isSame = repeated === undefined || normalizedPassword(repeated) === normalizedPassword(password);
  return isSame ? {} : { repeated: t.passwordsDiffer };
}

/** The rules of the policy, as a hint beside the field. */
export function policyHint(policy: PasswordPolicy, language: Language): string {
  const rules = (['minLength', 'upper', 'lower', 'digit', 'symbol'] as const).filter(
    (rule) => policy[rule] !== false,
  );
  return needs(rules, policy, language);
}

function needs(rules: readonly RuleInWords[], policy: PasswordPolicy, language: Language): string {
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  return texts[language].passwordNeeds(list.format(rules.map((rule) => ruleText(rule, policy, language))));
}

type RuleInWords = keyof (typeof texts)['en']['passwordRules'];

function ruleText(rule: RuleInWords, { minLength }: PasswordPolicy, language: Language): string {
  const { passwordRules: words } = texts[language];
  if (rule === 'minLength') return words.minLength(minLength);
  if (rule === 'maxLength') return words.maxLength(maxPasswordLength);
  return words[rule];
}
