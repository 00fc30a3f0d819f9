import { AppError, type ErrorDefinition } from '../../errors.js';
import { blobErrors } from '../blob-errors.js';
import { TransientFault } from '../storage-faults.js';
import { toConnectionFault } from '../storage-transport.js';
import { undescribed } from '../tagged-object.js';

/** An error of the library. It has the status and the code of the response. */
interface LibraryError extends Error {
  readonly statusCode?: unknown;
  readonly code?: unknown;
}

/** Codes of Azure Blob Storage that say more than their status. */
const definitions = new Map<string, ErrorDefinition>([
  ['ContainerNotFound', blobErrors.bucketMissing],
  ['ContainerBeingDeleted', blobErrors.bucketMissing],
  ['BlobNotFound', blobErrors.objectMissing],
  ['ConditionNotMet', blobErrors.objectChanged],
  ['InvalidRange', blobErrors.objectChanged],
  ['AuthenticationFailed', blobErrors.credentialsRefused],
  ['InvalidAuthenticationInfo', blobErrors.credentialsRefused],
  ['NoAuthenticationInformation', blobErrors.credentialsRefused],
  ['AccountIsDisabled', blobErrors.credentialsRefused],
]);

const definitionOfStatus = new Map<number, ErrorDefinition>([
  [401, blobErrors.credentialsRefused],
  [403, blobErrors.permissionMissing],
  [404, blobErrors.objectMissing],
  [412, blobErrors.objectChanged],
]);

/** Reads what the library throws. The result contains nothing of it but a status and a code, because a server chose the rest. */
export function toAzureFault(error: unknown): AppError | TransientFault {
  // What the library throws if a response to a download lacks a header.
  if (error instanceof RangeError) return undescribed();
  const { statusCode, code } = (error ?? {}) as LibraryError;
  const status = Number(statusCode);
  if (error instanceof AppError || error instanceof TransientFault || Number.isNaN(status)) {
    return toConnectionFault(error);
  }
  const name = typeof code === 'string' && /^[A-Za-z]{1,60}$/.test(code) ? code : '';
  const detail = `The storage answers ${status}${name && ` ${name}`}`;
  const definition = definitions.get(name);
  if (definition !== undefined) return new AppError(definition);
  const isTransient = status === 408 || status === 429 || status >= 500;
  // A response that cannot be read is one of a proxy, or was cut.
  if (isTransient || status < 300)
    return new TransientFault(new AppError(blobErrors.transferFailed, { detail }));
  const known = definitionOfStatus.get(status);
  return known === undefined ? new AppError(blobErrors.refused, { detail }) : new AppError(known);
}
