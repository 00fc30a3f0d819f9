import type { User } from '../users/user.js';
import type { ImportedCredentials } from './imported-credentials.js';
import type { TotpCredential } from './totp.js';

/** The password of a user, as it is stored. */
export interface PasswordCredential {
  /** Encoded argon2id or bcrypt hash. */
  readonly hash: string;
  readonly changed: Date;
  /** Set until the user has chosen another password. The next login asks for one. */
  readonly changeRequired?: true;
}

/** A user with its credentials. It never leaves the process. */
export interface Account {
  readonly user: User;
  readonly password?: PasswordCredential;
  readonly totp?: TotpCredential;
  readonly importedCredentials?: ImportedCredentials;
}
