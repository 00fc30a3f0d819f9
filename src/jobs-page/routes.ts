import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { answerWithPages } from '#src/login/http/answer-errors.js';
import { jobsPageRoutes } from './jobs.routes.js';
import type { ProgressOfKinds } from './read-jobs.js';

/** Pages for who operates the instance, in the look of the login pages. */
export function operationsRoutes(container: Container, kinds: ProgressOfKinds): FastifyPluginAsync {
  return async (app) => {
    answerWithPages(app, container);
    app.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true };
    });
    await app.register(jobsPageRoutes(container, kinds));
  };
}
