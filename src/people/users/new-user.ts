import { requireGoodPassword, requirePasswordsAllowed } from '#src/accounts/index.js';
import type { Organization, User, UserProfile, UserProfileInput } from '#src/directory/index.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import { Refusals } from '#src/platform/check-each.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import { normalizeProfile } from './normalize-profile.js';
import { type FindTaken, requireFreeValues } from './unique-values.js';
import type { NewUser } from './user-writes.store.js';

/** The user that a client wants to add. */
export interface UserDraft {
  readonly profile: UserProfileInput;
  readonly password?: string;
}

/**
 * Makes the user of a draft. It checks the values and hashes the password. It writes nothing. If a value is taken, no password is hashed.
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing`, `directory.passwordWeak`, `directory.passwordsOff`,
 * `directory.userNameTaken`, `directory.valueTaken`, `keys.hashPoolSaturated`
 */
export async function newUser(
  { users, passwords, clock }: { users: FindTaken; passwords: PasswordHasher; clock: Clock },
  organization: Organization,
  draft: UserDraft,
): Promise<NewUser> {
  const { password } = draft;
  if (password !== undefined) requirePasswordsAllowed(organization, { now: clock.now() });
  const profile = checkedDraft(draft, organization);
  let hash: string | undefined;
  if (password !== undefined) {
    await requireFreeValues(users, organization, profile);
    hash = await passwords.hash(password, { purpose: 'other', orgId: organization.id });
  }
  const now = clock.now();
  const user: User = {
    ...profile,
    id: newId(),
    orgId: organization.id,
    version: 1,
    created: now,
    lastModified: now,
  };
  return hash === undefined ? { user } : { user, password: { hash, changed: now } };
}

/** Returns the profile to store. @throws AppError with what is wrong with the profile and with the password */
function checkedDraft({ profile, password }: UserDraft, organization: Organization) {
  const refusals = new Refusals();
  const checked = refusals.try(() => normalizeProfile(profile, organization));
  if (password !== undefined) refusals.try(() => requireGoodPassword(password, organization.passwordPolicy));
  refusals.throwIfAny();
  return checked as UserProfile;
}
