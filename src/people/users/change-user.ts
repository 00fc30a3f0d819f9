import {
  type ImportedCredentials,
  type OneTimeLinksStore,
  type PasswordCredential,
  type RevokeUserTokensDeps,
  requireGoodPassword,
  requirePasswordsAllowed,
} from '#src/accounts/index.js';
import type { Editor, Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import {
  compareAndSwap,
  directoryErrors,
  type Organization,
  primaryEmail,
  receivesMail,
  type User,
  type UserProfile,
  type UserProfileInput,
} from '#src/directory/index.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { BatchChangedUser } from './batch-changed-users.js';
import { changedUser } from './changed-user.js';
import { rememberSame } from './display-name.js';
import { keepVerified, verifyEmail } from './keep-verified.js';
import { normalizeProfile } from './normalize-profile.js';
import { requireFreeExternalId, requireFreeValues, takenError } from './unique-values.js';
import type { UserReplacement } from './user-writes.store.js';
import type { UsersStore } from './users.store.js';
import { writeChangedUsers } from './write-changed-users.js';
import { writeUser } from './write-user.js';

/** The change of the current user. An absent `password` stays as it is. Null removes it. */
interface UserChange {
  readonly profile: UserProfileInput;
  readonly password?: string | null;
  /** The password as it is stored, instead of `password`. The password policy was not asked. */
  readonly credential?: PasswordCredential;
  /** What is noted about credentials from elsewhere. An absent note stays as it is. */
  readonly importedCredentials?: ImportedCredentials;
  /** An address whose mail the user has proved to read. */
  readonly provenEmail?: string;
}

export interface ChangeUserDeps extends RevokeUserTokensDeps {
  readonly mongo: Mongo;
  readonly users: UsersStore;
  readonly batchChangedUser: BatchChangedUser;
  readonly oneTimeLinks: Pick<OneTimeLinksStore, 'removeAllOf'>;
  readonly events: EventsStore;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

export interface ChangeUserRequest {
  readonly organization: Organization;
  readonly id: string;
  readonly editor: Editor;
  /** Pure. If another caller changes the user meanwhile, it runs again with the newer user. */
  readonly change: (current: User) => UserChange;
  /** Called before any change is written. Throws if the caller may not make it. */
  readonly beforeChange?: () => Promise<void>;
  /**
   * Called with the user that the change replaces, also if nothing differs. Throws if the caller expects another one. No other
   * change comes between this and the write.
   */
  readonly precondition?: ((current: User) => void) | undefined;
  /**
   * Called before a change of the password, or of the address that receives links. Throws if the caller may not make
   * it.
   */
  readonly beforeCredentials?: () => Promise<void>;
  /** Called before the user becomes active or gets another login name. Throws if the caller may not change who signs in. */
  readonly beforeSignInChange?: () => void;
  /**
   * Called before the user is deactivated, loses the password, or has no address any more that may sign in by mail. If it returns a function, that runs in the transaction, after the write,
   * and throws if the user must be able to sign in.
   */
  readonly beforeLoss?: () => Promise<((transaction: Transaction) => Promise<void>) | undefined>;
  /** Makes further writes in the same transaction. */
  readonly alongside?: (transaction: Transaction, user: User) => Promise<void>;
}

/**
 * Reads a user, computes the change and writes it with its events, as one compare-and-swap on the version. If nothing
 * differs, nothing is written and `lastModified` stays. If a client gives a name that equals the one it saw, only that is
 * remembered. Deactivation of the user, and a change of its password, also
 * revoke its tokens and end its sessions. Activation does not restore them. A change of the password also removes the
 * one-time links.
 * @throws AppError `directory.userNotFound`, `directory.userNameTaken`, `directory.valueTaken`, `directory.changing` and the errors of the
 * rules for values and passwords
 */
export async function changeUser(deps: ChangeUserDeps, request: ChangeUserRequest): Promise<User> {
  const { organization, id, editor } = request;
  let hashed: Hashed | undefined;
  for (;;) {
    const done = await compareAndSwap(['user', id, editor.userId], () => attempt(deps, request, hashed));
    if (!(done instanceof Unhashed)) return done;
    // A hash may wait for seconds. Other changes of the user must not wait for it, such as a deactivation.
    const { password } = done;
    hashed = { password, credential: await newCredential(deps, organization, password) };
  }
}

/** A password, and how it is stored. */
interface Hashed {
  readonly password: string;
  readonly credential: PasswordCredential;
}

/** The change is permitted, and needs the hash of this password. Nothing was written. */
class Unhashed {
  readonly password: string;

  constructor(password: string) {
    this.password = password;
  }
}

/** One attempt of {@link changeUser}. Returns undefined if another caller changed the user. */
async function attempt(
  deps: ChangeUserDeps,
  request: ChangeUserRequest,
  hashed: Hashed | undefined,
): Promise<User | Unhashed | undefined> {
  const { organization, id, alongside: also } = request;
  const current = await deps.users.find(organization.id, id);
  if (current === undefined) throw new AppError(directoryErrors.userNotFound);
  const change = request.change(current);
  const normalized = keepVerified(current, normalizeProfile(change.profile, organization, current));
  const profile = change.provenEmail === undefined ? normalized : verifyEmail(normalized, change.provenEmail);
  const { importedCredentials } = change;
  const given = change.credential ?? change.password;
  if (given !== undefined && given !== null)
    requirePasswordsAllowed(organization, { now: deps.clock.now(), userId: id });
  if (given !== undefined || mailAddress(profile) !== mailAddress(current)) {
    await request.beforeCredentials?.();
  }
  const { user, events } = changedUser(current, profile, {
    credentials: given === undefined ? [] : ['user.human.password.changed'],
    // The password is the one that the person has elsewhere.
    isUntold: change.credential !== undefined,
    now: deps.clock.now(),
    editor: request.editor,
  });
  const isSame = events.length === 0 && rememberSame(current, user);
  if (!isSame) await request.beforeChange?.();
  const activates = user.active && !current.active;
  if (activates || user.userName !== current.userName) request.beforeSignInChange?.();
  await requireFreeExternalId(deps.users, user, current);
  request.precondition?.(current);
  if (isSame && also === undefined) return current;
  let password: PasswordCredential | null | undefined;
  if (typeof given !== 'string') password = given;
  else if (given === hashed?.password) password = hashed.credential;
  else {
    if (user.userName !== current.userName) await requireFreeValues(deps.users, organization, user, id);
    return new Unhashed(given);
  }
  const credentials = {
    ...(password !== undefined && { password }),
    ...(importedCredentials && { importedCredentials }),
  };
  const losesMail = receivesMail(current) && !receivesMail(user);
  const isLost = (current.active && !user.active) || given === null || losesMail;
  const mayLose = isLost ? await request.beforeLoss?.() : undefined;
  const alongside = mayLose === undefined ? also : afterBoth(also, mayLose);
  const written = { organization, current, user, events, ...credentials, alongside };
  return (await write(deps, written)) ? user : undefined;
}

/** Makes the writes of the caller, and then checks what the user loses. */
function afterBoth(
  also: ChangeUserRequest['alongside'],
  mayLose: (transaction: Transaction) => Promise<void>,
): NonNullable<ChangeUserRequest['alongside']> {
  return async (transaction, user) => {
    await also?.(transaction, user);
    await mayLose(transaction);
  };
}

/** Returns the address that receives a link for a new password. */
function mailAddress(profile: UserProfile): string | undefined {
  return primaryEmail(profile)?.value;
}

async function newCredential(
  { passwords, clock }: ChangeUserDeps,
  organization: Organization,
  password: string,
): Promise<PasswordCredential> {
  requireGoodPassword(password, organization.passwordPolicy);
  const hash = await passwords.hash(password, { purpose: 'other', orgId: organization.id });
  return { hash, changed: clock.now() };
}

async function write(
  deps: ChangeUserDeps,
  {
    alongside,
    ...change
  }: Omit<UserReplacement, 'totp'> & {
    organization: Organization;
    events: Event[];
    alongside: ChangeUserRequest['alongside'];
  },
): Promise<boolean> {
  const { organization, ...changed } = change;
  const { current, user, events } = changed;
  try {
    if (alongside === undefined) return await deps.batchChangedUser(changed);
    const isSame = events.length === 0 && rememberSame(current, user);
    return await writeUser(deps, user, (transaction) =>
      writeChangedUsers(deps, user.orgId, isSame ? [] : [changed], transaction, () =>
        alongside(transaction, user),
      ),
    );
  } catch (error) {
    if (isDuplicateKey(error)) throw await takenError(deps.users, user, organization.extensionSchemas);
    throw error;
  }
}
