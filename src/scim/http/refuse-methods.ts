import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Answers 405 to every method that is not allowed, with the allowed ones in `Allow` (RFC 9110 section 15.5.6). */
export function refuseOtherMethods(scope: FastifyInstance, url: string, allowed: readonly string[]): void {
  scope.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
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
    method: methods,
    url: '/Me',
    schema: { hide: true },
    // Before the body is read, so that its faults do not hide that nothing is served here.
    onRequest: (_request, _reply, done) => done(new AppError(scimErrors.meNotImplemented)),
    handler: () => undefined,
  });
}
