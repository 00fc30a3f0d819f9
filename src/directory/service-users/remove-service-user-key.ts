import type { Editor } from '#src/audit/event.js';
import { withoutKey } from '../credentials/client-key.js';
import { type WriteServiceUserDeps, writeServiceUser } from './write-service-user.js';

/**
 * Takes a public key of a service user away: what it signed is not accepted any more.
 * @throws AppError `directory.keyNotFound` and what {@link writeServiceUser} throws
 */
export async function removeServiceUserKey(
  deps: WriteServiceUserDeps,
  target: { orgId: string; id: string; editor: Editor },
  kid: string,
): Promise<void> {
  await writeServiceUser(deps, {
    ...target,
    step: (current) => ({
      user: { ...current, keys: withoutKey(current.keys, kid) },
      happened: [['user.machine.key.removed', { kid }]],
    }),
  });
}
