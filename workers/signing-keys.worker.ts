import { maintainSigningKeys } from '#src/keys/maintain-signing-keys.js';
import type { Logger } from '#src/platform/logger.js';
import type { WorkerRooms } from '#src/rooms.js';

/** Adds, publishes, withholds and rotates the signing keys for which that is due: see maintain-signing-keys.ts. */
export function signingKeysWorker({
  signingKeyRotation,
  applications,
  config,
}: Pick<WorkerRooms, 'applications' | 'config' | 'signingKeyRotation'>) {
  return async (logger: Logger): Promise<void> => {
    const done = await maintainSigningKeys(signingKeyRotation, {
      rotationSeconds: config.signingKeyRotationSeconds,
      chosen: await applications.chosenAlgorithms(),
    });
    if (done.removed > 0 || done.added > 0 || done.rotated.length > 0 || done.withheld.length > 0)
      logger.info(done, 'signing keys changed');
  };
}
