import type { Editor } from '#src/audit/event.js';
import { type GivenKey, type NewClientKey, newClientKey, withKey } from '../credentials/client-key.js';
import { type WriteServiceUserDeps, writeServiceUser } from './write-service-user.js';

/**
 * Gives a service user a public key, for assertions. The private part of a pair that is made here is returned this
 * once.
 * @throws AppError `directory.keyExists`, `directory.keyLimit`, `directory.valueInvalid` and what
 * {@link writeServiceUser} throws
 */
export async function addServiceUserKey(
  deps: WriteServiceUserDeps,
  target: { orgId: string; id: string; editor: Editor },
  given: GivenKey,
): Promise<NewClientKey> {
  const added = await newClientKey(given, deps.clock.now());
  await writeServiceUser(deps, {
    ...target,
    step: (current) => ({
      user: { ...current, keys: withKey(current.keys, added.key) },
      happened: [['user.machine.key.added', { kid: added.key.kid }]],
    }),
  });
  return added;
}
