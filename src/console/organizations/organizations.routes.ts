import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { addOrganization, addOrganizationPage } from './add-organization.js';
import { organizationsPage } from './organizations-page.js';
import { removalPage } from './removal-page.js';
import { removeOrganization, removeOrganizationPage } from './remove-organization.js';

/** `/console/orgs`: the organizations of the instance. */
export function organizationsRoutes(
  deps: Pick<ConsoleNeeds, 'clock' | 'config' | 'consoleDrafts' | 'refusedPages' | 'consoleSealer'>,
): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'instance');
    pages.get('/console/orgs', organizationsPage);
    // The form gives a role and a link, so nothing of it would come back. The sign-in that it needs comes first.
    pages.get('/console/orgs/new', async (visit) => addOrganizationPage(visit), { asksFirst: true });
    pages.post('/console/orgs/new', addOrganization, { shownAt: '/console/orgs/new', returns: 'nothing' });
    pages.get('/console/removals/:jobId', removalPage);
    const removal = '/console/orgs/:orgId/remove';
    pages.get(removal, async (visit) => removeOrganizationPage(visit));
    pages.post(removal, removeOrganization, { shownAt: removal, returns: 'nothing' });
  };
}
