import { type RotateSigningKeysDeps, rotateSigningKeys, spreadMs } from './rotate-signing-keys.js';
import { newSigningKey, type StoredSigningKey } from './signing-key.js';

/** What was done, for the log. */
export interface SigningKeyMaintenance {
  readonly removed: number;
  readonly renewedNext: boolean;
  readonly rotated: boolean;
}

/**
 * Does what is due for the signing keys. It removes keys without live tokens. It replaces a next key whose
 * algorithm is not the configured one. It rotates an active key that is too old or has another algorithm,
 * once the next key was published long enough. It may run at any time, in several processes, and again after
 * a crash.
 * @param rotationSeconds the greatest age of the active key; 0 means no limit
 */
export async function maintainSigningKeys(
  deps: RotateSigningKeysDeps,
  rotationSeconds: number,
): Promise<SigningKeyMaintenance> {
  const { store, signingKeys, clock, algorithm } = deps;
  await signingKeys.active();
  const now = clock.now();
  const removed = await store.removeExpired(now);
  const keys = await store.all();
  const active = keys.find(({ state }) => state === 'active');
  const next = keys.find(({ state }) => state === 'next');
  const renewedNext = next?.alg !== algorithm;
  if (renewedNext) {
    if (next !== undefined) await store.removeNext(next.kid);
    await store.insert(await newSigningKey(deps, 'next', now));
  }
  const spread = !renewedNext && now.getTime() >= next.created.getTime() + spreadMs;
  const rotated =
    active !== undefined && spread && (active.alg !== algorithm || isOld(active, rotationSeconds, now));
  if (rotated) await rotateSigningKeys(deps, { editor: { userId: 'muster', service: 'schedule' } });
  else if (removed > 0 || renewedNext) await signingKeys.changed();
  return { removed, renewedNext, rotated };
}

function isOld({ activated, created }: StoredSigningKey, rotationSeconds: number, now: Date): boolean {
  if (rotationSeconds === 0) return false;
  return now.getTime() - (activated ?? created).getTime() >= rotationSeconds * 1000;
}
