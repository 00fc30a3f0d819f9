import type { Account } from '#src/directory/sign-in/account.js';

/**
 * Returns whether the password is the one that the latest import gave, or there is none and no import gave one. A person of an earlier
 * version has no note about its import. Its password is unchanged if it is as old as the person here.
 */
export function hasImportedPassword({ user, password, importedCredentials }: Account): boolean {
  const given = importedCredentials?.password;
  if (password === undefined) return given === undefined;
  return password.changed.getTime() === (given ?? user.imported ?? user.created).getTime();
}

/** {@link hasImportedPassword} for the second factor. */
export function hasImportedTotp({ user, totp, importedCredentials }: Account): boolean {
  const given = importedCredentials?.totp;
  if (totp === undefined) return given === undefined;
  return totp.enrolled.getTime() === (given ?? user.imported ?? user.created).getTime();
}
