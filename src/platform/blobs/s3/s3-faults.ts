import { AppError, type ErrorDefinition } from '../../errors.js';
import { blobErrors } from '../blob-errors.js';
import { TransientFault } from '../storage-faults.js';
import { toConnectionFault } from '../storage-transport.js';

/** An error of the library. Its name is the code of the response. */
interface LibraryError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: unknown };
}

/** Codes of Amazon S3 that say more than their status. */
const definitions = new Map<string, ErrorDefinition>([
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
]);

const definitionOfStatus = new Map<number, ErrorDefinition>([
  [401, blobErrors.credentialsRefused],
  [403, blobErrors.permissionMissing],
  [404, blobErrors.objectMissing],
  [412, blobErrors.objectChanged],
]);

/** Reads what the library throws. The result contains nothing of it but a status and a code, because a server chose the rest. */
export function toS3Fault(error: unknown): AppError | TransientFault {
  const status = Number((error as LibraryError | undefined)?.$metadata?.httpStatusCode);
  if (!(error instanceof Error) || error instanceof AppError || error instanceof TransientFault) {
    return toConnectionFault(error);
  }
  if (Number.isNaN(status)) return toConnectionFault(error);
  const code = plainCode(error.name);
  const detail = `The storage answers ${status}${code && ` ${code}`}`;
  // The next request has the clock of the storage.
  if (code === 'RequestTimeTooSkewed') return new TransientFault(new AppError(blobErrors.credentialsRefused));
  const definition = definitions.get(code);
  if (definition !== undefined) return new AppError(definition);
  const isTransient = status === 408 || status === 429 || status >= 500 || code === 'RequestTimeout';
  // A response that cannot be read is one of a proxy, or was cut.
  if (isTransient || status < 300)
    return new TransientFault(new AppError(blobErrors.transferFailed, { detail }));
  const known = definitionOfStatus.get(status);
  return known === undefined ? new AppError(blobErrors.refused, { detail }) : new AppError(known);
}

/** Names that the library gives if the response has no code. */
const unnamed = new Set(['Error', 'Unknown', 'UnknownError']);

function plainCode(name: string): string {
  return /^[A-Za-z]{1,60}$/.test(name) && !unnamed.has(name) ? name : '';
}
