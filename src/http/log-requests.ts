import type { FastifyInstance } from 'fastify';
import type { Logger } from '#src/platform/logger.js';

/** Writes one log line per response, for a probe that succeeds only at the level debug, and puts the request id into a header so that the caller can name it. */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  // The serializers of `req` and `res` pass no secret, so these lines need no redaction. Redaction would take
  // as long as a sixth of a token request.
  const answers = logger.child({}, { redact: [] });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { config, method, url } = request.routeOptions;
    // A balancer asks every few seconds. A probe that fails is worth a line.
    const level = config.probe && reply.statusCode < 400 ? 'debug' : 'info';
    if (answers.isLevelEnabled(level)) {
      const route = url === undefined ? undefined : `${method} ${url}`;
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      answers[level]({ reqId: request.id, req: request, res: reply, route, ms }, 'answered');
    }
    done();
  });
}
