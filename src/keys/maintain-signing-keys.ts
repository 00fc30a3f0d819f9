import { type RotateSigningKeysDeps, rotateSigningKeys } from './rotate-signing-keys.js';
import { type SigningAlgorithm, type StoredSigningKey, signingAlgorithms, spreadMs } from './signing-key.js';

/** What was done, for the log. */
interface SigningKeyMaintenance {
  readonly removed: number;
  /** Keys that were missing, such as those of a further algorithm after an upgrade. */
  readonly added: number;
  readonly rotated: readonly SigningAlgorithm[];
}

/**
 * Does what is due for the signing keys. It removes keys without live tokens. It adds the keys of algorithms that lack them. It
 * rotates each active key that is too old, once the next key of its algorithm was published long enough. It may run at any time,
 * in several processes, and again after a crash.
 * @param rotationSeconds the greatest age of an active key; 0 means no limit
 */
export async function maintainSigningKeys(
  deps: RotateSigningKeysDeps,
  rotationSeconds: number,
): Promise<SigningKeyMaintenance> {
  const { store, signingKeys, clock } = deps;
  const added = await signingKeys.complete();
  const now = clock.now();
  const removed = await store.removeExpired(now);
  const keys = await store.all();
  const rotated = signingAlgorithms.filter((alg) => {
    const active = keys.find((key) => key.alg === alg && key.state === 'active');
    const next = keys.find((key) => key.alg === alg && key.state === 'next');
    if (active === undefined || next === undefined) return false;
    return isOld(active, rotationSeconds, now) && now.getTime() >= next.created.getTime() + spreadMs;
  });
  const editor = { userId: 'muster', service: 'schedule' };
  if (rotated.length > 0) await rotateSigningKeys(deps, { editor, algorithms: rotated });
  else if (removed > 0) await signingKeys.changed();
  return { removed, added, rotated };
}

function isOld({ activated, created }: StoredSigningKey, rotationSeconds: number, now: Date): boolean {
  if (rotationSeconds === 0) return false;
  return now.getTime() - (activated ?? created).getTime() >= rotationSeconds * 1000;
}
