import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { actionJobPage } from './action-job-page.js';
import { beginAction, questionPage } from './question-page.js';

/** `/console/orgs/:orgId/users/actions`: one action with several users. */
export function userActionsRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const actions = '/console/orgs/:orgId/users/actions';
    // The action needs a fresh sign-in, and a form with several users does not come back after it. So the sign-in comes first.
    pages.get(actions, (visit) => questionPage(visit), { asksFirst: 'actOnUsers' });
    pages.post(actions, beginAction, { shownAt: actions, returns: 'nothing' });
    pages.get(`${actions}/jobs/:jobId`, actionJobPage);
  };
}
