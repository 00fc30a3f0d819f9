import {
  clientExternalIdKeys,
  clientExternalIdPrefix,
  directoryErrors,
  type ExtensionSchemas,
  foldCase,
  type Organization,
  typedKey,
  type User,
  type UserProfile,
  uniqueValueKeys,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

/** Text that names one value which only one user of an organization may have. */
export type UniqueKey = string;

const userName = 'userName';
const externalId = 'externalId';

/** Returns the key of a userName, in any letter case. */
export function userNameKey(name: string): UniqueKey {
  return typedKey(userName, foldCase(name));
}

/** Returns the keys of the values of a user that no other user of its organization may have. */
export function uniqueKeysOf(profile: UserProfile): UniqueKey[] {
  return [userNameKey(profile.userName), ...uniqueValueKeys(profile)];
}

/** Returns the values of keys of one kind: folded userNames, or externalIds. */
export function valuesOfKeys(kind: 'userName' | 'externalId', keys: readonly UniqueKey[]): string[] {
  const start = typedKey(kind, '');
  return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
}

/** Returns the key of an externalId, if the organization wants them unique. Letter case counts. */
export function externalIdKey(id: string): UniqueKey {
  return typedKey(externalId, id);
}

/** Returns the error for a user with a value that another user has. Undefined if none of its values is taken. */
export function conflictOf(
  profile: UserProfile,
  taken: ReadonlySet<UniqueKey>,
  registered?: ExtensionSchemas,
): AppError | undefined {
  const key = uniqueKeysOf(profile).find((one) => taken.has(one));
  return key === undefined ? undefined : conflictOfKey(key, registered);
}

function conflictOfKey(key: UniqueKey, registered: ExtensionSchemas = { schemas: [], lastKey: 0 }): AppError {
  const kind = key.slice(0, key.indexOf(typedKey('', '')));
  if (kind === userName) return new AppError(directoryErrors.userNameTaken);
  const named = registered.schemas.flatMap(({ id, attributes }) =>
    attributes.flatMap((attribute) => (attribute.key === kind ? `${id}:${attribute.name}` : [])),
  );
  const attribute = named[0] ?? (kind.startsWith(clientExternalIdPrefix) ? externalId : kind);
  const detail = `Another user of the organization has this ${attribute}`;
  const violations = [{ path: [attribute], id: directoryErrors.valueTaken.id, detail }];
  return new AppError(directoryErrors.valueTaken, { detail, violations });
}

/** Looks up which values are taken. */
export interface FindTaken {
  /** Returns those of the keys that users of the organization have, other than the given user. */
  takenKeys(orgId: string, keys: readonly UniqueKey[], exceptId?: string): Promise<Set<UniqueKey>>;
}

/** Returns the error for a write that a unique index refused. */
export async function takenError(
  users: FindTaken,
  user: User,
  registered: ExtensionSchemas | undefined,
): Promise<AppError> {
  const keys = uniqueKeysOf(user);
  const taken = keys.length === 1 ? new Set(keys) : await users.takenKeys(user.orgId, keys, user.id);
  return conflictOf(user, taken, registered) ?? new AppError(directoryErrors.userNameTaken);
}

/**
 * Refuses a profile with a value that another user has, before costly work. The unique index decides at the write.
 * @param userId the user who gets the profile. Absent for a new one
 * @throws AppError `directory.userNameTaken`, `directory.valueTaken`
 */
export async function requireFreeValues(
  users: FindTaken,
  { id: orgId, extensionSchemas }: Pick<Organization, 'id' | 'extensionSchemas'>,
  profile: UserProfile,
  userId?: string,
): Promise<void> {
  const taken = await users.takenKeys(orgId, uniqueKeysOf(profile), userId);
  const conflict = conflictOf(profile, taken, extensionSchemas);
  if (conflict !== undefined) throw conflict;
}

/**
 * Refuses an externalId that another user has, the shared one or that of a client. The unique index does not know users that were written
 * before the organization wanted unique ones.
 * @param current the user before a change. What it had already is not checked again
 * @throws AppError `directory.valueTaken`
 */
export async function requireFreeExternalId(users: FindTaken, user: User, current?: User): Promise<void> {
  if (!user.externalIdUnique) return;
  const known = new Set(current && externalIdKeysOf(current));
  const keys = externalIdKeysOf(user).filter((key) => !known.has(key));
  if (keys.length === 0) return;
  const taken = await users.takenKeys(user.orgId, keys, user.id);
  const key = keys.find((one) => taken.has(one));
  if (key !== undefined) throw conflictOfKey(key);
}

function externalIdKeysOf(user: User): UniqueKey[] {
  const shared = user.externalId === undefined ? [] : [externalIdKey(user.externalId)];
  return [...shared, ...clientExternalIdKeys(user)];
}
