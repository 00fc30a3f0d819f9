import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import { type ApplicationTarget, type WriteApplicationDeps, writeApplication } from './write-application.js';

/**
 * Takes a secret of an application away: it cannot authenticate with it any more.
 * @throws AppError `directory.secretNotFound` and what {@link writeApplication} throws
 */
export async function removeApplicationSecret(
  deps: WriteApplicationDeps,
  target: ApplicationTarget,
  secretId: string,
): Promise<void> {
  await writeApplication(deps, target, (current) => {
    const secrets = current.secrets.filter(({ id }) => id !== secretId);
    if (secrets.length === current.secrets.length) throw new AppError(directoryErrors.secretNotFound);
    return {
      application: { ...current, secrets },
      happened: [['application.secret.removed', { secretId }]],
    };
  });
}
