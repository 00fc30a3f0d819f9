import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { isDuplicateKey, type Transaction } from '#src/platform/mongo/mongo.js';
import { directoryErrors } from '../errors.js';
import type { Organization } from '../organizations/organization.js';
import { requireGoodPassword } from '../sign-in/password-policy.js';
import { normalizeProfile } from './normalize-profile.js';
import type { User, UserProfileInput } from './user.js';
import { userAdded } from './user-events.js';
import type { NewUser, UsersStore } from './users.store.js';
import type { InsertUser } from './write-new-users.js';

/** A user as a client wants it added. */
export interface UserDraft {
  readonly profile: UserProfileInput;
  readonly password?: string;
}

/**
 * Checks a draft and hashes its password: all that adding a user needs outside the transaction.
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing`, `directory.passwordWeak`, `keys.hashPoolSaturated`
 */
export async function prepareUser(
  { passwords, clock }: { passwords: PasswordHasher; clock: Clock },
  organization: Organization,
  draft: UserDraft,
): Promise<NewUser> {
  const profile = normalizeProfile(draft.profile);
  if (draft.password !== undefined) requireGoodPassword(draft.password, organization.passwordPolicy);
  const hash = draft.password === undefined ? undefined : await passwords.hash(draft.password);
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

/** Writes prepared users and their `user.human.added` events. Conflicts are for the caller to look up before. */
export async function insertUsers(
  { users, events }: { users: UsersStore; events: EventsStore },
  { orgId, added, editor }: { orgId: string; added: readonly NewUser[]; editor: Editor },
  transaction: Transaction,
): Promise<void> {
  await users.insert(orgId, added, transaction);
  await events.append(
    added.map(({ user }) => userAdded(user, editor)),
    transaction,
  );
}

/**
 * Adds one user to an organization.
 * @throws AppError `directory.userNameTaken` and what {@link prepareUser} throws
 */
export async function addUser(
  deps: { insertUser: InsertUser; passwords: PasswordHasher; clock: Clock },
  { organization, draft, editor }: { organization: Organization; draft: UserDraft; editor: Editor },
): Promise<User> {
  const added = await prepareUser(deps, organization, draft);
  try {
    await deps.insertUser({ orgId: organization.id, added, editor });
  } catch (error) {
    if (isDuplicateKey(error)) throw new AppError(directoryErrors.userNameTaken);
    throw error;
  }
  return added.user;
}
