import { StartError } from '#src/platform/start-failure.js';
import type { RotateSigningKeysDeps } from './rotate-signing-keys.js';

/**
 * Looks whether the master keys open the keys that sign now and next. A process that started without them would be
 * ready and answer 500, and take the place of one that works.
 * @throws StartError when they do not
 */
export async function checkMasterKeys({
  store,
  sealer,
}: Pick<RotateSigningKeysDeps, 'store' | 'sealer'>): Promise<void> {
  const closed = (await store.all()).find(
    ({ state, sealedPrivateJwk }) => state !== 'retired' && sealer.unseal(sealedPrivateJwk) === undefined,
  );
  if (closed === undefined) return;
  throw new StartError(
    `None of MUSTER_MASTER_KEYS opens the signing key ${closed.kid} of this database. Add the key that sealed it.`,
  );
}
