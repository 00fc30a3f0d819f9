import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { answerWithProblems } from '#src/http/problem.js';

/** Everything under `/admin/v1`. */
export function adminRoutes(_container: Container): FastifyPluginAsync {
  return async (app) => {
    answerWithProblems(app);
  };
}
