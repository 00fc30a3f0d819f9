import { directoryErrors, refusedValue } from '#src/directory/index.js';
import { hashSecret, sameSecretHash } from '#src/keys/secret-hash.js';
import { requireName } from '#src/organizations/index.js';
import { checkEach } from '#src/platform/check-each.js';
import { AppError } from '#src/platform/errors.js';
import { newId, newSecret } from '#src/platform/ids.js';

/** A client secret as it is stored: the SHA-256 of 256 random bits. */
export interface ClientSecret {
  readonly id: string;
  readonly hash: string;
  readonly created: Date;
  /** What people call it. Absent if it has no label. */
  readonly label?: string;
  /** From then on it is refused. Absent if it does not expire. */
  readonly expires?: Date;
}

/** What an administrator says about a secret. */
export interface ClientSecretSettings {
  readonly label?: string | undefined;
  readonly expires?: Date | undefined;
}

/** A secret as it is stored, and its text. The text is not stored. */
export interface NewClientSecret {
  readonly secret: ClientSecret;
  readonly clientSecret: string;
}

/** Several, so that each system that acts as the client has its own, and each can be replaced while it is in use. */
export const maxSecrets = 5;

/**
 * Makes a secret.
 * @throws AppError `directory.valueInvalid` for a label with control characters, or an expiry that is not in the future
 */
export function newClientSecret(
  now: Date,
  { label = '', expires }: ClientSecretSettings = {},
): NewClientSecret {
  const clientSecret = newSecret();
  const { name } = checkEach({
    expires: () => requireFuture(expires, now),
    name: () => label.trim() !== '' && { label: requireName('label', label) },
  });
  const secret: ClientSecret = {
    id: newId(),
    hash: hashSecret(clientSecret),
    created: now,
    ...name,
    ...(expires && { expires }),
  };
  return { secret, clientSecret };
}

function requireFuture(expires: Date | undefined, now: Date): void {
  if (expires !== undefined && expires <= now)
    throw refusedValue('expires', 'notFuture', 'The secret would expire in the past');
}

/** The secret with this hash that has not expired, compared in constant time. `isExpired` if it has. */
export function findSecret(
  secrets: readonly ClientSecret[],
  hash: string,
  now: Date,
): { readonly secret?: ClientSecret; readonly isExpired: boolean } {
  let isExpired = false;
  for (const secret of secrets) {
    if (!sameSecretHash(hash, secret.hash)) continue;
    if (secret.expires === undefined || secret.expires > now) return { secret, isExpired: false };
    isExpired = true;
  }
  return { isExpired };
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
