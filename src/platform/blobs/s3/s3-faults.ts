import { AppError, type ErrorDefinition } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';
import { toResponseFault } from '../transfer/response-faults.js';
import { TransientFault } from '../transfer/storage-faults.js';
import { toConnectionFault } from '../transfer/storage-transport.js';

/** An error of the library. Its name is the code of the response. */
interface LibraryError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: unknown };
}

/** The codes of Amazon S3. */
const codes = {
  definitions: new Map<string, ErrorDefinition>([
    ['NoSuchBucket', blobErrors.bucketMissing],
    ['NoSuchKey', blobErrors.objectMissing],
    ['PreconditionFailed', blobErrors.objectChanged],
    ['InvalidRange', blobErrors.objectChanged],
    ['NoSuchUpload', blobErrors.transferFailed],
    ['InvalidAccessKeyId', blobErrors.credentialsRefused],
    ['SignatureDoesNotMatch', blobErrors.credentialsRefused],
    ['ExpiredToken', blobErrors.credentialsRefused],
    ['InvalidToken', blobErrors.credentialsRefused],
    ['AuthorizationHeaderMalformed', blobErrors.redirected],
    ['IllegalLocationConstraintException', blobErrors.redirected],
  ]),
  transient: new Set(['RequestTimeout']),
  unnamed: new Set(['Error', 'Unknown', 'UnknownError']),
};

/** Reads what the library throws. */
export function toS3Fault(error: unknown): AppError | TransientFault {
  const status = Number((error as LibraryError | undefined)?.$metadata?.httpStatusCode);
  const isOwn = error instanceof AppError || error instanceof TransientFault;
  if (!(error instanceof Error) || isOwn || Number.isNaN(status)) return toConnectionFault(error);
  // The next request has the clock of the storage.
  if (error.name === 'RequestTimeTooSkewed')
    return new TransientFault(new AppError(blobErrors.credentialsRefused));
  return toResponseFault({ status, code: error.name }, codes);
}
