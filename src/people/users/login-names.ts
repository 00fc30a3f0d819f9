import {
  foldCase,
  type LoginNamesSince,
  loginAddress,
  type User,
  type UserProfile,
} from '#src/directory/index.js';

type Names = Pick<UserProfile, 'userName' | 'emails'>;
type Claims = Names & Pick<User, 'created' | 'loginNamesSince'>;

/** Returns whether the user has proved to own the address that is this login name. */
export function hasProved(user: Names, name: string): boolean {
  const address = loginAddress(user);
  return address?.verified === true && foldCase(address.value) === name;
}

/** Returns the time since which the user has the folded login name. Undefined if the user does not have it. */
export function loginNameSince(user: Claims, name: string): Date | undefined {
  const { created, loginNamesSince: since = {} } = user;
  const address = loginAddress(user);
  const times = [
    ...(foldCase(user.userName) === name ? [since.userName ?? created] : []),
    ...(address !== undefined && foldCase(address.value) === name ? [since.email ?? created] : []),
  ];
  return times.sort((a, b) => a.getTime() - b.getTime())[0];
}

/** Returns the times for a user who is added now, although it was created earlier elsewhere. */
export function loginNamesFrom(user: Names, now: Date): LoginNamesSince {
  return { userName: now, ...(loginAddress(user) && { email: now }) };
}

/**
 * Returns the times for a user whose names change now. A name that stays keeps its time. Undefined if the user has all
 * names since its creation.
 */
export function loginNamesSinceChange(
  current: Claims,
  changed: Names,
  now: Date,
): LoginNamesSince | undefined {
  const sinceOf = (text: string) => {
    const since = loginNameSince(current, foldCase(text)) ?? now;
    return since.getTime() === current.created.getTime() ? undefined : since;
  };
  const userName = sinceOf(changed.userName);
  const address = loginAddress(changed);
  const email = address && sinceOf(address.value);
  if (userName === undefined && email === undefined) return undefined;
  return { ...(userName && { userName }), ...(email && { email }) };
}
