import type { ExtensionSchemas } from '#src/directory/extension-schemas/extension-schema.js';
import type { Account } from '#src/directory/sign-in/account.js';
import { unsealTotpSecret } from '#src/directory/sign-in/totp.js';
import type { MultiValue, UserProfile } from '#src/directory/users/user.js';
import { changedAttributes } from '#src/directory/users/user-events.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { HumanUserInput } from '../human-user-input.js';
import { differingNames } from './other-content.js';

/**
 * Names the attributes in which a record differs from a stored user. If there are none, an import that is sent again skips the
 * record. It ignores what a login can change: a verified address, a used one-time code, a password change that was required, and
 * the algorithm or cost of the password hash. It ignores credentials that the record does not have.
 * @param compared `registered`: the attributes of the organization
 */
export async function userDifferences(
  deps: { passwords: Pick<PasswordHasher, 'verify'>; totpSealer: Sealer },
  compared: {
    readonly known: Account;
    readonly input: HumanUserInput;
    readonly registered: ExtensionSchemas | undefined;
  },
): Promise<string[]> {
  const { known, input, registered } = compared;
  const names = profileDifferences(known.user, input.profile, registered);
  if (input.hash !== undefined && !isSameHash(known.password?.hash, input.hash)) names.push('hashedPassword');
  if (input.totpSecret !== undefined && !hasSecret(deps.totpSealer, known, input.totpSecret)) {
    names.push('otpCode');
  }
  if (input.password !== undefined && !(await hasPassword(deps, known, input.password))) {
    names.push('password');
  }
  return names;
}

/** The names as clients of SCIM see them: `name.familyName`, and attributes of an extension behind the URN of their schema. */
function profileDifferences(
  known: UserProfile,
  given: UserProfile,
  registered: ExtensionSchemas | undefined,
): string[] {
  return changedAttributes(known, withVerified(known, given)).flatMap((name) => {
    if (name === 'name') return differingNames(known.name, given.name).map((part) => `name.${part}`);
    if (name !== 'extensions') return [name];
    const keys = new Set(differingNames(known.extensions ?? {}, given.extensions ?? {}));
    const named = registered?.schemas.flatMap(({ id, attributes }) =>
      attributes.filter(({ key }) => keys.has(key)).map((attribute) => `${id}:${attribute.name}`),
    );
    // Values of attributes that were removed have no name.
    return named?.length ? named : [name];
  });
}

async function hasPassword(
  { passwords }: { passwords: Pick<PasswordHasher, 'verify'> },
  { user, password }: Account,
  given: string,
): Promise<boolean> {
  const place = { purpose: 'other', orgId: user.orgId } as const;
  return password !== undefined && passwords.verify(password.hash, given, place);
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
