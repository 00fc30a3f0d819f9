import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import type { JobViews } from '#src/jobs/job-view.js';
import { answerWithPages } from '#src/login/http/answer-errors.js';
import { jobsPageRoutes } from './jobs.routes.js';

/** Pages for who operates the instance, in the look of the login pages. */
export function operationsRoutes(container: Container, views: JobViews): FastifyPluginAsync {
  return async (app) => {
    answerWithPages(app, container);
    app.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true };
    });
    await app.register(jobsPageRoutes(container, views));
  };
}
