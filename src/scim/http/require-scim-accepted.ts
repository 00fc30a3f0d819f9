import type { FastifyInstance } from 'fastify';
import { requireAccept } from '../protocol/media-type.js';

/** Refuses callers that do not accept the media type of SCIM, before anything else is read. */
export function requireScimAccepted(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    try {
      requireAccept(request.headers.accept);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}
