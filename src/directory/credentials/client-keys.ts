import {
  type ApplicationTarget,
  type WriteApplicationDeps,
  writeApplication,
} from '../applications/write-application.js';
import { type GivenKey, type NewClientKey, newClientKey, withKey } from './client-key.js';

/**
 * Gives an application a public key. The private part of a pair that is made here is returned this once.
 * @throws AppError `directory.keyExists`, `directory.keyLimit`, `directory.valueInvalid` and what
 * {@link writeApplication} throws
 */
export async function addApplicationKey(
  deps: WriteApplicationDeps,
  target: ApplicationTarget,
  given: GivenKey,
): Promise<NewClientKey> {
  const added = await newClientKey(given, deps.clock.now());
  await writeApplication(deps, target, (current) => ({
    application: { ...current, keys: withKey(current.keys, added.key) },
    happened: [['application.key.added', { kid: added.key.kid }]],
  }));
  return added;
}
