import type { Account } from '#src/accounts/index.js';
import type { MultiValue } from '#src/directory/index.js';
import { comparedAttributes } from '#src/people/users/index.js';
import { laterOf, statedDates } from '../../shared/imported-dates.js';
import type { HumanUserInput } from '../read/human-user-input.js';
import { type CompareDeps, hasHash, hasSecret } from './user-differences.js';

/**
 * What a digest has of the record of a person. A password in plain text, a required change of the password and recovery codes are left
 * out: the first could be guessed, and a sign-in changes the others.
 */
export function givenContent({ profile, hash, totpSecret, dates }: HumanUserInput, now: Date): object {
  return {
    profile: comparedAttributes(profile),
    hash,
    otp: totpSecret?.toString('base64'),
    ...statedDates(dates, now),
  };
}

/**
 * What a digest has of the stored person, in the form of {@link givenContent}. Credentials and dates that the record does not state are
 * left out. Three things that a person changes by using the account count as the record has them: a verified address, a newer form of the
 * same password's hash, and the date of the last change. So do a later date of the record, and who chose the language, if the record does
 * not say it.
 * @param of `isTouched`: `lastModified` is that of such a change
 */
export function storedContent(
  deps: CompareDeps,
  of: { readonly known: Account; readonly input: HumanUserInput; readonly isTouched: boolean },
  now: Date,
): object {
  const { known, input, isTouched } = of;
  const { user, password, totp } = known;
  const { profile, hash, totpSecret, languageGiven } = input;
  const stated = statedDates(input.dates, now);
  const phoneNumbers = user.phoneNumbers && verifiedAsGiven(user.phoneNumbers, profile.phoneNumbers ?? []);
  return {
    profile: {
      ...comparedAttributes(user),
      emails: verifiedAsGiven(user.emails, profile.emails),
      ...(phoneNumbers && { phoneNumbers }),
      // Digests and comparisons leave undefined properties out.
      ...(languageGiven === undefined && { preferredLanguageGiven: undefined }),
    },
    ...(hash !== undefined && { hash: hasHash(deps, known, hash) ? hash : password?.hash }),
    ...(totpSecret !== undefined && {
      otp: hasSecret(deps, known, totpSecret) ? totpSecret.toString('base64') : totp?.sealed,
    }),
    ...(stated.created && { created: user.created }),
    ...(stated.lastModified && {
      lastModified: isTouched ? stated.lastModified : laterOf(user.lastModified, stated.lastModified),
    }),
  };
}

/** Whether the stored person differs only because it was used since the import: its last change is later, and changed no attribute. */
export function isTouchedSince(
  { user: { created, imported = created, lastModified } }: Pick<Account, 'user'>,
  names: readonly string[],
): boolean {
  return names.length === 1 && names[0] === 'lastModified' && lastModified > imported;
}

/** The stored values with `verified` as the record has it, unless the record says that they are verified. */
function verifiedAsGiven(stored: readonly MultiValue[], given: readonly MultiValue[]): MultiValue[] {
  return stored.map((value, at) => {
    const twin = given[at];
    if (twin === undefined || twin.verified === true || twin.value !== value.value) return value;
    const { verified: _stored, ...rest } = value;
    return twin.verified === undefined ? rest : { ...rest, verified: twin.verified };
  });
}
