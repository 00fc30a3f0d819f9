import type { FastifyInstance } from 'fastify';
import type { Logger } from '#src/platform/logger.js';

/** One log line for each answer, and the request id in a header so that a caller can name it. */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  // The serializers of `req` and `res` let nothing secret through, so these lines need no search for secrets,
  // which would cost as much as a sixth of a token request.
  const answers = logger.child({}, { redact: [] });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (answers.isLevelEnabled('info')) {
      const { method, url } = request.routeOptions;
      const route = url === undefined ? undefined : `${method} ${url}`;
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      answers.info({ reqId: request.id, req: request, res: reply, route, ms }, 'answered');
    }
    done();
  });
}
