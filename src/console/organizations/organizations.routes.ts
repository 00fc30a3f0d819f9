import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { consolePages } from '../http/pages.js';
import { addOrganization, addOrganizationPage } from './add-organization.js';
import { organizationsPage } from './organizations-page.js';
import { removalPage } from './removal-page.js';
import { removeOrganization, removeOrganizationPage } from './remove-organization.js';

/** `/console/orgs`: the organizations of the instance. */
export function organizationsRoutes(container: Container): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, container, 'instance');
    pages.get('/console/orgs', organizationsPage);
    pages.get('/console/orgs/new', async (visit) => addOrganizationPage(visit));
    pages.post('/console/orgs/new', addOrganization);
    pages.get('/console/removals/:jobId', removalPage);
    pages.get('/console/orgs/:orgId/remove', async (visit) => removeOrganizationPage(visit));
    pages.post('/console/orgs/:orgId/remove', removeOrganization);
  };
}
