import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import { newId, newSecret } from '#src/platform/ids.js';
import { usesSecret } from '../applications/application-rules.js';
import {
  type ApplicationTarget,
  type WriteApplicationDeps,
  writeApplication,
} from '../applications/write-application.js';
import { directoryErrors } from '../errors.js';
import type { ClientSecret } from '../service-users/service-user.js';

/** Two, so that a secret can be replaced while the old one still serves. */
const maxSecrets = 2;

/**
 * Gives an application a further secret. The text is returned this once; only its hash is kept.
 * @throws AppError `directory.secretLimit`, `directory.secretUnused` and what {@link writeApplication} throws
 */
export async function addApplicationSecret(
  deps: WriteApplicationDeps,
  target: ApplicationTarget,
): Promise<{ secret: ClientSecret; clientSecret: string }> {
  const clientSecret = newSecret();
  const secret = { id: newId(), hash: hashSecret(clientSecret), created: deps.clock.now() };
  await writeApplication(deps, target, (current) => {
    if (!usesSecret(current.authMethod)) throw new AppError(directoryErrors.secretUnused);
    if (current.secrets.length >= maxSecrets) throw new AppError(directoryErrors.secretLimit);
    return {
      application: { ...current, secrets: [...current.secrets, secret] },
      happened: [['application.secret.set', { secretId: secret.id }]],
    };
  });
  return { secret, clientSecret };
}
