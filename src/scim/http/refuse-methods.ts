import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';

/** The methods that Fastify can route. {@link errorOfUnknown} answers all others that Node.js reads. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];

/** Answers 405 to every method that is not allowed, with the allowed ones in `Allow` (RFC 9110 section 15.5.6). */
export function refuseOtherMethods(scope: FastifyInstance, url: string, allowed: readonly string[]): void {
  scope.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    config: { refusing: true },
    // Before the body is read, so that its faults do not hide that the method is wrong.
    onRequest: (_request, reply, done) => {
      reply.header(
        'allow',
        allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', '),
      );
      done(new AppError(scimErrors.methodNotAllowed));
    },
    handler: () => undefined,
  });
}

/** Answers 501 to every method of `/Me`, which is optional (RFC 7644 section 3.11). */
export function refuseMe(scope: FastifyInstance): void {
  scope.route({
    method: [...methods],
    url: '/Me',
    schema: { hide: true },
    config: { refusing: true },
    // Before the body is read, so that its faults do not hide that nothing is served here.
    onRequest: (_request, _reply, done) => done(new AppError(scimErrors.meNotImplemented)),
    handler: () => undefined,
  });
}

/**
 * Returns the error for a request that no route takes: 501 for `/Me`, 405 if the address has other methods, else 404. Sets
 * `Allow` for 405.
 * @param allowed the methods that the address has
 */
export function errorOfUnknown(
  { url }: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): AppError {
  if (/^\/scim\/v2\/[^/]*\/Me(?:\?|$)/.test(url)) return new AppError(scimErrors.meNotImplemented);
  if (allowed.length === 0) return new AppError(scimErrors.urlNotFound);
  reply.header('allow', allowed.join(', '));
  return new AppError(scimErrors.methodNotAllowed);
}
