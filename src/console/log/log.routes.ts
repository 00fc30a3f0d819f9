import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import { segmentOf } from '../http/segments.js';
import type { PageDeps } from '../http/serve-page.js';
import { param } from '../http/visit.js';
import { logPage } from './log-page.js';

/** `/console/log` and `/console/orgs/:orgId/log`: what happened, in words. */
export function logRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const instance = consolePages(app, deps, 'instance');
    instance.get('/console/log', (visit) => logPage(visit));

    const organization = consolePages(app, deps, 'organization');
    organization.get('/console/orgs/:orgId/log', async (visit) => {
      const path = `/admin/v1/orgs/${segmentOf(param(visit, 'orgId'))}`;
      return logPage(visit, await visit.api.get<{ id: string; name: string }>(path));
    });
  };
}
