import type { FastifyInstance } from 'fastify';
import type { Logger } from '#src/platform/logger.js';

/** One log line for each answer, and the request id in a header so that a caller can name it. */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (logger.isLevelEnabled('info')) {
      const { method, url } = request.routeOptions;
      const route = url === undefined ? undefined : `${method} ${url}`;
      request.log.info(
        { req: request, res: reply, route, ms: Math.round(reply.elapsedTime * 10) / 10 },
        'answered',
      );
    }
    done();
  });
}
