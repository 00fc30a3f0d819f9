import type { Container } from '#src/container.js';
import { maintainSigningKeys } from '#src/keys/maintain-signing-keys.js';
import type { ScheduledHandler } from './start-scheduled-jobs.js';

/** Rotates the signing keys when they are due: see maintain-signing-keys.ts. */
export function signingKeysWorker({ signingKeyRotation, config }: Container): ScheduledHandler {
  return async (logger) => {
    const done = await maintainSigningKeys(signingKeyRotation, config.signingKeyRotationSeconds);
    if (done.removed > 0 || done.renewedNext || done.rotated) logger.info(done, 'signing keys changed');
  };
}
