import type { ThreadPool } from '#src/keys/thread-pool.js';
import {
  type GivenKey,
  type NewClientKey,
  newClientKey,
  requireRoomForKey,
  withKey,
  withoutKey,
} from './client-key.js';
import { type ClientTarget, type WriteClientDeps, writeClient } from './write-client.js';

/**
 * Adds a public key to an application or a service user. If the service makes the pair, the result has its private
 * part. The service does not store the private part. A pair is made only when the client exists and can have one more key. Other
 * changes of the client wait meanwhile, so no two requests make a pair for the last place.
 * @throws AppError `directory.keyExists`, `directory.keyLimit`, `directory.valueInvalid`, `keys.keyPairsSaturated` and the errors of
 * {@link writeClient}
 */
export async function addClientKey(
  deps: WriteClientDeps & { readonly threads: ThreadPool },
  target: ClientTarget,
  given: GivenKey,
): Promise<NewClientKey> {
  const { threads, clock } = deps;
  let added: Promise<NewClientKey> | undefined;
  const make = () => {
    added ??= newClientKey({ threads, holder: target.orgId }, given, clock.now());
    return added;
  };
  // Only a pair costs much.
  if (given.jwk !== undefined) await make();
  await writeClient(deps, target, async ({ keys }) => {
    requireRoomForKey(keys);
    const { key } = await make();
    return {
      changed: { keys: withKey(keys, key) },
      happened: 'key.added',
      payload: { kid: key.kid },
    };
  });
  return make();
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
