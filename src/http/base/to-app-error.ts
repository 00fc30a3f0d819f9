import type { FastifyError } from 'fastify';
import { describeOutage } from '#src/platform/describe-outage.js';
import { AppError } from '#src/platform/errors.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { httpErrors } from './errors.js';

/**
 * Turns anything thrown into an AppError: an error of Fastify, an unavailable store, or a fault of this
 * service.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isStoreUnavailable(error)) {
    const detail = describeOutage(error);
    return new AppError(httpErrors.storeUnavailable, { detail, retryAfterSeconds: 2, cause: error });
  }
  const { code, statusCode, message, validation } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError(httpErrors.bodyTooLarge);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError(httpErrors.mediaTypeUnsupported);
  if (code === 'FST_ERR_BAD_URL') return new AppError(httpErrors.urlMalformed);
  if (statusCode === 429) return new AppError(httpErrors.rateLimited, { retryAfterSeconds: 60 });
  if (validation !== undefined || (statusCode !== undefined && statusCode >= 400 && statusCode < 500)) {
    return new AppError(httpErrors.bodyMalformed, { ...(message !== undefined && { detail: message }) });
  }
  return new AppError(httpErrors.internal, { cause: error });
}
