import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { connect, connectPage } from './connect.js';
import { logPage } from './log-page.js';
import { provisioningPage } from './provisioning-page.js';
import { testConnection, testConnectionPage } from './test-connection.js';

/** `/console/orgs/:orgId/provisioning`: what connects clients of SCIM, and what they sent and got. */
export function provisioningRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const base = '/console/orgs/:orgId/provisioning';
    pages.get(base, provisioningPage);
    // The form gives a role and a secret, so nothing of it would come back. The sign-in that it needs comes first.
    pages.get(`${base}/connect`, async (visit) => connectPage(visit), { asksFirst: 'addClientSecret' });
    pages.post(`${base}/connect`, connect, { shownAt: `${base}/connect`, returns: 'everything' });
    pages.get(`${base}/test`, async (visit) => testConnectionPage(visit));
    pages.post(`${base}/test`, testConnection, { shownAt: `${base}/test`, returns: 'nothing' });
    pages.get(`${base}/log`, logPage);
  };
}
