import type { TotpCredential } from './totp.js';
import type { User } from './user.js';
import type { PasswordCredential } from './users.store.js';

/** A user with what it proves itself by. It never leaves the process. */
export interface Account {
  readonly user: User;
  readonly password?: PasswordCredential;
  readonly totp?: TotpCredential;
}
