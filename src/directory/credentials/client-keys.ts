import { type GivenKey, type NewClientKey, newClientKey, withKey, withoutKey } from './client-key.js';
import { type ClientTarget, type WriteClientDeps, writeClient } from './write-client.js';

/**
 * Gives an application or a service user a public key. The answer has the private part of a pair that is made here:
 * it is kept nowhere.
 * @throws AppError `directory.keyExists`, `directory.keyLimit`, `directory.valueInvalid` and what {@link writeClient}
 * throws
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
 * Takes a public key away. What the client signed with it is refused from then on.
 * @throws AppError `directory.keyNotFound` and what {@link writeClient} throws
 */
export function removeClientKey(deps: WriteClientDeps, target: ClientTarget, kid: string): Promise<void> {
  return writeClient(deps, target, ({ keys }) => ({
    changed: { keys: withoutKey(keys, kid) },
    happened: 'key.removed',
    payload: { kid },
  }));
}
