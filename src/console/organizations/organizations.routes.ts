import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { addOrganization, addOrganizationPage } from './add-organization.js';
import { organizationsPage } from './organizations-page.js';
import { removalPage } from './removal-page.js';
import { removeOrganization, removeOrganizationPage } from './remove-organization.js';

/** `/console/orgs`: the organizations of the instance. */
export function organizationsRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'instance');
    pages.get('/console/orgs', organizationsPage);
    // The form gives a role and a link, so nothing of it would come back. The sign-in that it needs comes first.
    pages.get('/console/orgs/new', async (visit) => addOrganizationPage(visit), {
      asksFirst: 'addOrganization',
    });
    pages.post('/console/orgs/new', addOrganization, { shownAt: '/console/orgs/new', returns: 'everything' });
    pages.get('/console/removals/:jobId', removalPage);
    const removal = '/console/orgs/:orgId/remove';
    pages.get(removal, async (visit) => removeOrganizationPage(visit), { asksFirst: 'removeOrganization' });
    pages.post(removal, removeOrganization, { shownAt: removal, returns: 'nothing' });
  };
}
