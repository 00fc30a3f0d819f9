import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import { newId, newSecret } from '#src/platform/ids.js';
import { directoryErrors } from '../errors.js';

/** A client secret as it is stored: the SHA-256 of 256 random bits. */
export interface ClientSecret {
  readonly id: string;
  readonly hash: string;
  readonly created: Date;
}

/** A secret as it is stored, and its text. The text is not stored. */
export interface NewClientSecret {
  readonly secret: ClientSecret;
  readonly clientSecret: string;
}

/** Two, so that a client can replace a secret while the other one is in use. */
const maxSecrets = 2;

export function newClientSecret(now: Date): NewClientSecret {
  const clientSecret = newSecret();
  return { secret: { id: newId(), hash: hashSecret(clientSecret), created: now }, clientSecret };
}

/** @throws AppError `directory.secretLimit` */
export function withSecret(secrets: readonly ClientSecret[], added: ClientSecret): ClientSecret[] {
  if (secrets.length >= maxSecrets) throw new AppError(directoryErrors.secretLimit);
  return [...secrets, added];
}

/** @throws AppError `directory.secretNotFound` */
export function withoutSecret(secrets: readonly ClientSecret[], removed: string): ClientSecret[] {
  const left = secrets.filter(({ id }) => id !== removed);
  if (left.length === secrets.length) throw new AppError(directoryErrors.secretNotFound);
  return left;
}
