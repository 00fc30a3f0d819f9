import type { FastifyError } from 'fastify';
import { AppError, type ErrorKind } from '#src/platform/errors.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { httpErrors } from './errors.js';

const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  tooLarge: 413,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
};

/** The HTTP status of a kind of error, the same in every protocol unless the protocol says otherwise. */
export function statusOf(kind: ErrorKind): number {
  return statuses[kind];
}

/** Whatever was thrown, as one of our errors: Fastify's own, a store that is away, or a fault of ours. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isStoreUnavailable(error)) {
    return new AppError(httpErrors.storeUnavailable, { retryAfterSeconds: 2, cause: error });
  }
  const { code, statusCode, message, validation } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError(httpErrors.bodyTooLarge);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError(httpErrors.mediaTypeUnsupported);
  if (statusCode === 429) return new AppError(httpErrors.rateLimited, { retryAfterSeconds: 60 });
  if (validation !== undefined || (statusCode !== undefined && statusCode >= 400 && statusCode < 500)) {
    return new AppError(httpErrors.bodyMalformed, { ...(message !== undefined && { detail: message }) });
  }
  return new AppError(httpErrors.internal, { cause: error });
}
