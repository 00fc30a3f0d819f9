import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import { type NewClientSecret, newClientSecret, withoutSecret, withSecret } from './client-secret.js';
import { type ClientTarget, type WriteClientDeps, writeClient } from './write-client.js';

/**
 * Gives an application or a service user a client secret. The answer has its text; only the hash is kept.
 * @throws AppError `directory.secretLimit`, `directory.secretUnused` and what {@link writeClient} throws
 */
export async function addClientSecret(deps: WriteClientDeps, target: ClientTarget): Promise<NewClientSecret> {
  const added = newClientSecret(deps.clock.now());
  await writeClient(deps, target, ({ secrets, usesSecret }) => {
    if (!usesSecret) throw new AppError(directoryErrors.secretUnused);
    return {
      changed: { secrets: withSecret(secrets, added.secret) },
      happened: 'secret.set',
      payload: { secretId: added.secret.id },
    };
  });
  return added;
}

/**
 * Takes a client secret away. No token is issued for it from then on. Tokens that were issued keep their life.
 * @throws AppError `directory.secretNotFound` and what {@link writeClient} throws
 */
export function removeClientSecret(
  deps: WriteClientDeps,
  target: ClientTarget,
  secretId: string,
): Promise<void> {
  return writeClient(deps, target, ({ secrets }) => ({
    changed: { secrets: withoutSecret(secrets, secretId) },
    happened: 'secret.removed',
    payload: { secretId },
  }));
}
