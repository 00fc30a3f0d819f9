import { inLine } from '#src/directory/index.js';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import {
  type GivenKey,
  type NewClientKey,
  newClientKey,
  requireRoomForKey,
  withKey,
  withoutKey,
} from '../credentials/client-key.js';
import { type ClientTarget, readCredentials, type WriteClientDeps, writeClient } from './write-client.js';

/**
 * Adds a public key to an application or a service user. If the service makes the pair, the result has its private
 * part. The service does not store the private part. A pair is made only when the client exists and can have one more key.
 * @throws AppError `directory.keyExists`, `directory.keyLimit`, `directory.valueInvalid`, `keys.keyPairsSaturated` and the errors of
 * {@link writeClient}
 */
export async function addClientKey(
  deps: WriteClientDeps & { readonly threads: ThreadPool },
  target: ClientTarget,
  given: GivenKey,
): Promise<NewClientKey> {
  const { kind, id, orgId, editor } = target;
  const make = () => newClientKey({ threads: deps.threads, holder: orgId }, given, deps.clock.now());
  if (given.jwk !== undefined) return keep(deps, target, await make());
  // Requests for pairs of one client come one after another, so that only one makes a pair for the last place. Other changes of the
  // client, such as a deactivation, do not wait for a pair.
  return inLine(['keys of a client', `${kind} ${id}`, editor.userId], async () => {
    requireRoomForKey((await readCredentials(deps, target)).keys);
    return keep(deps, target, await make());
  });
}

async function keep(deps: WriteClientDeps, target: ClientTarget, added: NewClientKey): Promise<NewClientKey> {
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
