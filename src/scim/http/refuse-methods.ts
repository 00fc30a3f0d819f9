import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers 405 to every method but the allowed ones, and says which those are (RFC 9110 section 15.5.6). */
export function refuseOtherMethods(scope: FastifyInstance, url: string, allowed: readonly string[]): void {
  scope.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    // Before the body is read: whatever it is, the method is what is wrong.
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
