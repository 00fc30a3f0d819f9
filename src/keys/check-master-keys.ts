import { StartError } from '#src/platform/start-failure.js';
import type { RotateSigningKeysDeps } from './rotate-signing-keys.js';

/**
 * Checks that the master keys open the active and the next signing keys. A process without them would be ready
 * but answer with 500, and replace a process that works.
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
