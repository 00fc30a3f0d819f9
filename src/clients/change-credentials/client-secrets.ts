import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import {
  type ClientSecretSettings,
  type NewClientSecret,
  newClientSecret,
  withoutSecret,
  withSecret,
} from '../credentials/client-secret.js';
import { type ClientTarget, type WriteClientDeps, writeClient } from './write-client.js';

/**
 * Adds a client secret to an application or a service user. The result has its text. The store has only its hash.
 * @throws AppError `directory.secretLimit`, `directory.secretUnused`, `directory.valueInvalid` and the errors of {@link writeClient}
 */
export async function addClientSecret(
  deps: WriteClientDeps,
  target: ClientTarget,
  settings?: ClientSecretSettings,
): Promise<NewClientSecret> {
  const added = newClientSecret(deps.clock.now(), settings);
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
 * Removes a client secret. From then on, no token is issued for it. Tokens that it obtained stay valid until they
 * expire.
 * @throws AppError `directory.secretNotFound` and the errors of {@link writeClient}
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
