import type { FastifyPluginAsync } from 'fastify';
import { addCredentialPages } from '../credentials/credential-pages.js';
import { addFederated } from '../credentials/federated.js';
import { addKey } from '../credentials/keys.js';
import { addSecret } from '../credentials/secrets.js';
import { addToken } from '../credentials/tokens.js';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { addServiceUser, addServiceUserPage } from './add-service-user.js';
import { changeServiceUser, setServiceUserActive } from './change-service-user.js';
import { removeServiceUser, removeServiceUserPage } from './remove-service-user.js';
import { serviceUserPage } from './service-user-page.js';
import { serviceUsersPage } from './service-users-page.js';

/** `/console/orgs/:orgId/service-users`: the programs that call SCIM and the admin API. */
export function serviceUsersRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const list = '/console/orgs/:orgId/service-users';
    const one = `${list}/:id`;
    pages.get(list, serviceUsersPage);
    // The form gives a role, so nothing of it would come back. The sign-in that it needs comes first.
    pages.get(`${list}/new`, async (visit) => addServiceUserPage(visit), {
      asksFirst: 'addOrganizationMembership',
    });
    pages.post(`${list}/new`, addServiceUser, { shownAt: `${list}/new`, returns: 'everything' });
    pages.get(one, async (visit) => serviceUserPage(visit));
    pages.post(one, changeServiceUser, { shownAt: one, returns: 'everything' });
    pages.post(`${one}/active`, setServiceUserActive, { shownAt: one, returns: 'nothing' });
    pages.get(`${one}/remove`, async (visit) => removeServiceUserPage(visit), {
      asksFirst: 'removeServiceUser',
    });
    pages.post(`${one}/remove`, removeServiceUser, { shownAt: `${one}/remove`, returns: 'nothing' });
    addCredentialPages(pages, one, {
      client: 'service-users',
      add: {
        secrets: (visit) => addSecret(visit, 'service-users'),
        keys: (visit) => addKey(visit, 'service-users'),
        tokens: addToken,
        'federated-credentials': addFederated,
      },
      page: serviceUserPage,
    });
  };
}
