import type { FastifyRequest } from 'fastify';
import { isCsrfToken } from '#src/http/auth/csrf.js';
import { AppError } from '#src/platform/errors.js';
import { withoutQuery } from './api.js';
import type { ConsoleSession } from './console-session.js';
import { consoleErrors } from './errors.js';

/**
 * Browsers name the origin of a page with each form. Forms of other sites are refused, with and without a session.
 * @throws AppError `console.formExpired`
 */
export function requireSameOrigin(baseUrl: string, { headers }: FastifyRequest): void {
  if (headers.origin !== new URL(baseUrl).origin) throw new AppError(consoleErrors.formExpired);
}

/** Checks a form as {@link hasFormToken} does. @throws AppError `console.formExpired` */
export function requireFormToken(...given: Parameters<typeof hasFormToken>): void {
  if (!hasFormToken(...given)) throw new AppError(consoleErrors.formExpired);
}

/**
 * Whether a page of this session made the form, for the address of the request.
 * @param fields of the form, as far as it was read
 */
export function hasFormToken(request: FastifyRequest, { secret }: ConsoleSession, fields: unknown): boolean {
  const { csrf } = (fields ?? {}) as { csrf?: unknown };
  return isCsrfToken(csrf, { secret, hash: '' }, `console ${withoutQuery(request.url)}`);
}
