import type { User } from '#src/directory/index.js';
import type { TotpCredential } from './totp.js';

/** The password of a user, as it is stored. */
export interface PasswordCredential {
  /** Encoded argon2id or bcrypt hash. */
  readonly hash: string;
  readonly changed: Date;
  /** Set until the user has chosen another password. The next login asks for one. */
  readonly changeRequired?: true;
}

/**
 * What an import gave a person to sign in with, or a migration hook confirmed. A later import that updates the person replaces only what nobody has changed since. It is
 * kept when the person changes or loses a credential, so that the import does not bring the old one back.
 */
export interface ImportedCredentials {
  /** `changed` of the password that the import gave or the hook confirmed. */
  readonly password?: Date;
  /**
   * Fingerprint of the password hash in the file (`keys/fingerprints.ts`). It tells whether the hash of a later file is another one, although
   * a sign-in has replaced the stored hash. Absent if the file had the password itself, and
   * after a migration hook.
   */
  readonly passwordHash?: string;
  /** `enrolled` of the second factor that the import gave. */
  readonly totp?: Date;
}

/**
 * That a user has passkeys. The list of them is elsewhere (`person-lists/`). An account says this much, so that a sign-in of a user without
 * passkeys reads no list.
 */
export interface PasskeysMark {
  /** Those that sign in here. Imported ones of another RP ID do not. */
  readonly count: number;
  /** When a passkey was added or removed last. */
  readonly changed: Date;
}

/** A user with its credentials. It never leaves the process. */
export interface Account {
  readonly user: User;
  readonly password?: PasswordCredential;
  readonly totp?: TotpCredential;
  /** Absent without passkeys that sign in here. */
  readonly passkeys?: PasskeysMark;
  /** When a sign-in asked the person to add a passkey. It asks once. Absent: never. */
  readonly passkeyOffered?: Date;
  readonly importedCredentials?: ImportedCredentials;
}
