import type { MultiValue, UserProfile } from './user.js';

/**
 * Carries over what is known of addresses and numbers: whether they are verified is not for those who write profiles to
 * say, and stays as it is for every value that stays.
 */
export function keepVerified(before: UserProfile, after: UserProfile): UserProfile {
  return {
    ...after,
    emails: carryOver(before.emails, after.emails),
    ...(after.phoneNumbers && { phoneNumbers: carryOver(before.phoneNumbers ?? [], after.phoneNumbers) }),
  };
}

function carryOver(before: readonly MultiValue[], after: readonly MultiValue[]): MultiValue[] {
  return after.map(({ verified: _said, ...value }) => {
    const known = before.find((candidate) => candidate.value === value.value)?.verified;
    return known === undefined ? value : { ...value, verified: known };
  });
}

/** Takes an address that the person has shown to own for verified, where it is still the person's. */
export function verifyEmail(profile: UserProfile, address: string): UserProfile {
  const emails = profile.emails.map((email) =>
    email.value === address ? { ...email, verified: true } : email,
  );
  return { ...profile, emails };
}
