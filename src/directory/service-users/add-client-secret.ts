import type { Editor } from '#src/audit/event.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import { newId, newSecret } from '#src/platform/ids.js';
import { directoryErrors } from '../errors.js';
import type { ClientSecret } from './service-user.js';
import { type WriteServiceUserDeps, writeServiceUser } from './write-service-user.js';

/** Two, so that a secret can be replaced while the old one still serves. */
const maxSecrets = 2;

/**
 * Gives a service user a client secret. The text is returned this once; only its hash is kept.
 * @throws AppError `directory.secretLimit` and what {@link writeServiceUser} throws
 */
export async function addClientSecret(
  deps: WriteServiceUserDeps,
  { orgId, userId, editor }: { orgId: string; userId: string; editor: Editor },
): Promise<{ secret: ClientSecret; clientId: string; clientSecret: string }> {
  const clientSecret = newSecret();
  const secret = { id: newId(), hash: hashSecret(clientSecret), created: deps.clock.now() };
  const user = await writeServiceUser(deps, {
    orgId,
    id: userId,
    editor,
    step: (current) => {
      if (current.secrets.length >= maxSecrets) throw new AppError(directoryErrors.secretLimit);
      return {
        user: { ...current, secrets: [...current.secrets, secret] },
        happened: [['user.machine.secret.set', { secretId: secret.id }]],
      };
    },
  });
  return { secret, clientId: user.id, clientSecret };
}
