import type { FastifyInstance } from 'fastify';

/**
 * Lets each request wait until what had arrived with it on other connections is read. A client that saw the answer to a
 * change may be quicker here than the message that a cache is stale, although that lies ready in its socket: after
 * this turn of the event loop it has been read.
 */
export function readMessagesFirst(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    setImmediate(done);
  });
}
