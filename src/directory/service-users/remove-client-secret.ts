import type { Editor } from '#src/audit/event.js';
import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import { type WriteServiceUserDeps, writeServiceUser } from './write-service-user.js';

/**
 * Takes a client secret away: no token is issued for it any more. Tokens that were issued keep their life.
 * @throws AppError `directory.secretNotFound` and what {@link writeServiceUser} throws
 */
export async function removeClientSecret(
  deps: WriteServiceUserDeps,
  { orgId, userId, id, editor }: { orgId: string; userId: string; id: string; editor: Editor },
): Promise<void> {
  await writeServiceUser(deps, {
    orgId,
    id: userId,
    editor,
    step: (current) => {
      const secrets = current.secrets.filter((secret) => secret.id !== id);
      if (secrets.length === current.secrets.length) throw new AppError(directoryErrors.secretNotFound);
      return {
        user: { ...current, secrets },
        happened: [['user.machine.secret.removed', { secretId: id }]],
      };
    },
  });
}
