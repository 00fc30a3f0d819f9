import { AppError, type ErrorDefinition } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';
import { toResponseFault } from '../transfer/response-faults.js';
import { TransientFault } from '../transfer/storage-faults.js';
import { toConnectionFault } from '../transfer/storage-transport.js';
import { undescribed } from '../transfer/tagged-object.js';

/** An error of the library. It has the status and the code of the response. */
interface LibraryError extends Error {
  readonly statusCode?: unknown;
  readonly code?: unknown;
}

/** The codes of Azure Blob Storage. */
const codes = {
  definitions: new Map<string, ErrorDefinition>([
    ['ContainerNotFound', blobErrors.bucketMissing],
    ['ContainerBeingDeleted', blobErrors.bucketMissing],
    ['BlobNotFound', blobErrors.objectMissing],
    ['ConditionNotMet', blobErrors.objectChanged],
    ['InvalidRange', blobErrors.objectChanged],
    ['AuthenticationFailed', blobErrors.credentialsRefused],
    ['InvalidAuthenticationInfo', blobErrors.credentialsRefused],
    ['NoAuthenticationInformation', blobErrors.credentialsRefused],
    ['AccountIsDisabled', blobErrors.credentialsRefused],
  ]),
};

/** Reads what the library throws. */
export function toAzureFault(error: unknown): AppError | TransientFault {
  // What the library throws if a response to a download lacks a header.
  if (error instanceof RangeError) return undescribed();
  const { statusCode, code } = (error ?? {}) as LibraryError;
  const status = Number(statusCode);
  const isOwn = error instanceof AppError || error instanceof TransientFault;
  if (isOwn || Number.isNaN(status)) return toConnectionFault(error);
  return toResponseFault({ status, code }, codes);
}
