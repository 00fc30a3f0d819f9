import type { MultiValue, UserProfile } from '#src/directory/index.js';

/**
 * Returns the new profile with the `verified` flags of the old one. A profile update cannot change `verified`. Values
 * that stay keep their flag.
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

/**
 * Marks an address as verified after the user has proved to own it. Does nothing if the profile does not have the
 * address.
 */
export function verifyEmail(profile: UserProfile, address: string): UserProfile {
  const emails = profile.emails.map((email) =>
    email.value === address ? { ...email, verified: true } : email,
  );
  return { ...profile, emails };
}
