import type { FastifyInstance } from 'fastify';

/**
 * Makes each request wait one turn of the event loop, so that invalidations already in the Redis socket are
 * read before this request. Otherwise a client that has just seen the response to a change could reach a
 * process that still holds the former value.
 */
export function readMessagesFirst(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    setImmediate(done);
  });
}
