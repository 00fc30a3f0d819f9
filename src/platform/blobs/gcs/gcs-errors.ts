import { AppError } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';

/** An error of the library. It has the status of the response, or the code of a failed connection. */
interface LibraryError extends Error {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly response?: { readonly status?: unknown; readonly data?: unknown };
}

/** The status of the response that an error of the library reports. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, status, response } = error as LibraryError;
  const [found] = [code, status, response?.status].map(Number).filter((number) => number >= 100);
  return found;
}

/** Whether the same request may succeed later: the connection broke, or the response says so. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AppError || isUnknownHost(error)) return false;
  const status = statusOf(error);
  return status === undefined ? !isRefusedToken(error) : status === 408 || status === 429 || status >= 500;
}

/**
 * The error that the client sees. It contains nothing of the library's error, which may have requests with
 * their headers.
 */
export function toBlobError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnknownHost(error)) return new AppError(blobErrors.hostUnknown);
  const status = statusOf(error);
  if (isRefusedToken(error) || status === 401) return new AppError(blobErrors.credentialsRefused);
  if (status === 403) return new AppError(blobErrors.permissionMissing);
  if (status === 404) {
    const bucket = error instanceof Error && /bucket does not exist/i.test(error.message);
    return new AppError(bucket ? blobErrors.bucketMissing : blobErrors.objectMissing);
  }
  if (status !== undefined && status >= 300 && status < 400) return new AppError(blobErrors.redirected);
  const detail =
    status === undefined ? 'The connection to the storage broke' : `The storage answers ${status}`;
  return new AppError(blobErrors.transferFailed, { detail });
}

/** The name servers say that the host has no address. The library wraps the error of a connection. */
function isUnknownHost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause, error: wrapped } = error as { cause?: unknown; error?: unknown };
  return [error, cause, wrapped].some((one) => (one as LibraryError | undefined)?.code === 'ENOTFOUND');
}

/** RFC 6749 section 5.2: the token endpoint does not know the account or its key. */
function isRefusedToken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { response } = error as LibraryError;
  const text = `${error.message} ${JSON.stringify(response?.data ?? '')}`;
  return /invalid_grant|invalid_client|account_not_found|DECODER routines/i.test(text);
}
