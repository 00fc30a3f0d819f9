import type { Account } from './account.js';

/**
 * What an import gave a person to sign in with. A later import that updates the person replaces only what nobody has changed since. It is
 * kept when the person changes or loses a credential, so that the import does not bring the old one back.
 */
export interface ImportedCredentials {
  /** `changed` of the password that the import gave. */
  readonly password?: Date;
  /**
   * Fingerprint of the password hash in the file (`keys/fingerprints.ts`). It tells whether the hash of a later file is another one, although
   * a sign-in has replaced the stored hash. Absent if the file had the password itself.
   */
  readonly passwordHash?: string;
  /** `enrolled` of the second factor that the import gave. */
  readonly totp?: Date;
}

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
