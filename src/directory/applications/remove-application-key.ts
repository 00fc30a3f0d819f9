import { withoutKey } from '../credentials/client-key.js';
import { type ApplicationTarget, type WriteApplicationDeps, writeApplication } from './write-application.js';

/**
 * Takes a public key of an application away: what it signed is not accepted any more.
 * @throws AppError `directory.keyNotFound` and what {@link writeApplication} throws
 */
export async function removeApplicationKey(
  deps: WriteApplicationDeps,
  target: ApplicationTarget,
  kid: string,
): Promise<void> {
  await writeApplication(deps, target, (current) => ({
    application: { ...current, keys: withoutKey(current.keys, kid) },
    happened: [['application.key.removed', { kid }]],
  }));
}
