import type { User } from '#src/directory/index.js';
import type { Account, ImportedCredentials, PasskeysMark, PasswordCredential } from './account.js';
import type { TotpCredential } from './totp.js';

/** A user with its credentials, as MongoDB stores it. */
export type AccountDocument = Omit<User, 'id'> & {
  _id: string;
  password?: PasswordCredential;
  totp?: TotpCredential;
  passkeys?: PasskeysMark;
  passkeyOffered?: Date;
  importedCredentials?: ImportedCredentials;
};

/** Leaves out what is no part of an account. */
export const accountProjection = { search: 0, locked: 0, schemaVersion: 0 } as const;

/** Returns the account of a document. */
export function toAccount({
  _id,
  password,
  totp,
  passkeys,
  passkeyOffered,
  importedCredentials,
  ...fields
}: AccountDocument): Account {
  return {
    user: { id: _id, ...fields },
    ...(password && { password }),
    ...(totp && { totp }),
    ...(passkeys && { passkeys }),
    ...(passkeyOffered && { passkeyOffered }),
    ...(importedCredentials && { importedCredentials }),
  };
}
