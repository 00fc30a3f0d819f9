import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from './errors.js';

/**
 * Refuses a change of an object that somebody else has changed since the caller read it. Call it inside of a compare-and-swap.
 * @param version the version that the caller read. Without one, every version is accepted
 * @throws AppError `directory.versionDiffers`
 */
export function requireVersion(current: { readonly version: number }, version: number | undefined): void {
  if (version !== undefined && version !== current.version)
    throw new AppError(directoryErrors.versionDiffers);
}
