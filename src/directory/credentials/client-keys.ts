import { type GivenKey, type NewClientKey, newClientKey, withKey, withoutKey } from './client-key.js';
import { type ClientTarget, type WriteClientDeps, writeClient } from './write-client.js';

/**
 * Adds a public key to an application or a service user. If the service makes the pair, the result has its private
 * part. The service does not store the private part.
 * @throws AppError `directory.keyExists`, `directory.keyLimit`, `directory.valueInvalid` and the errors of {@link
 * writeClient}
 */
export async function addClientKey(
  deps: WriteClientDeps,
  target: ClientTarget,
  given: GivenKey,
): Promise<NewClientKey> {
  const added = await newClientKey(given, deps.clock.now());
  await writeClient(deps, target, ({ keys }) => ({
    changed: { keys: withKey(keys, added.key) },
    happened: 'key.added',
    payload: { kid: added.key.kid },
  }));
  return added;
}

/**
 * Removes a public key. From then on, the service refuses what the client signs with the key.
 * @throws AppError `directory.keyNotFound` and the errors of {@link writeClient}
 */
export function removeClientKey(deps: WriteClientDeps, target: ClientTarget, kid: string): Promise<void> {
  return writeClient(deps, target, ({ keys }) => ({
    changed: { keys: withoutKey(keys, kid) },
    happened: 'key.removed',
    payload: { kid },
  }));
}
