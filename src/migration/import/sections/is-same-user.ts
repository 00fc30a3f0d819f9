import type { Account } from '#src/directory/sign-in/account.js';
import { unsealTotpSecret } from '#src/directory/sign-in/totp.js';
import type { MultiValue, UserProfile } from '#src/directory/users/user.js';
import { changedAttributes } from '#src/directory/users/user-events.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { HumanUserInput } from './human-user-input.js';

/**
 * Whether a stored user has the content of a record, so that an import can be sent again. It ignores what a login can
 * change: a verified address, a used one-time code, a password change that was required, and the algorithm or cost of
 * the password hash. It ignores credentials that the record does not have.
 */
export async function isSameUser(
  deps: { passwords: Pick<PasswordHasher, 'verify'>; totpSealer: Sealer },
  known: Account,
  input: HumanUserInput,
): Promise<boolean> {
  if (changedAttributes(known.user, withVerified(known.user, input.profile)).length > 0) return false;
  if (input.hash !== undefined && !isSameHash(known.password?.hash, input.hash)) return false;
  if (input.totpSecret !== undefined && !hasSecret(deps.totpSealer, known, input.totpSecret)) return false;
  if (input.password === undefined) return true;
  const place = { purpose: 'other', orgId: known.user.orgId } as const;
  return known.password !== undefined && deps.passwords.verify(known.password.hash, input.password, place);
}

/** The profile of the record, with addresses and numbers verified where the stored ones are. */
function withVerified(known: UserProfile, profile: UserProfile): UserProfile {
  return {
    ...profile,
    emails: verifiedAs(known.emails, profile.emails),
    ...(profile.phoneNumbers && {
      phoneNumbers: verifiedAs(known.phoneNumbers ?? [], profile.phoneNumbers),
    }),
  };
}

function verifiedAs(known: readonly MultiValue[], values: readonly MultiValue[]): MultiValue[] {
  return values.map((value) => {
    if (value.verified !== false) return value;
    const twin = known.find((candidate) => candidate.value === value.value);
    if (twin === undefined || twin.verified === false) return value;
    const { verified: _unverified, ...rest } = value;
    return twin.verified === undefined ? rest : { ...rest, verified: twin.verified };
  });
}

/** Whether the hashes are the same, or a login has replaced the given one with a hash of this service. */
function isSameHash(known: string | undefined, given: string): boolean {
  if (known === given) return true;
  return known?.startsWith('$argon2id$') === true && costOf(known) !== costOf(given);
}

/** The algorithm and the cost of argon2: the part of the hash before the salt. */
function costOf(hash: string): string {
  return hash.split('$').slice(0, 4).join('$');
}

function hasSecret(sealer: Sealer, { user, totp }: Account, secret: Buffer): boolean {
  return totp !== undefined && unsealTotpSecret(sealer, user.id, totp.sealed)?.equals(secret) === true;
}
