import { maintainSigningKeys } from '#src/keys/maintain-signing-keys.js';
import type { Logger } from '#src/platform/logger.js';
import type { WorkerRooms } from '#src/rooms.js';

/** Adds missing signing keys, and rotates those that are due: see maintain-signing-keys.ts. */
export function signingKeysWorker({
  signingKeyRotation,
  config,
}: Pick<WorkerRooms, 'config' | 'signingKeyRotation'>) {
  return async (logger: Logger): Promise<void> => {
    const done = await maintainSigningKeys(signingKeyRotation, config.signingKeyRotationSeconds);
    if (done.removed > 0 || done.added > 0 || done.rotated.length > 0)
      logger.info(done, 'signing keys changed');
  };
}
