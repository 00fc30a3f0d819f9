import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { changeFeatures } from './features.js';
import { giveRole, removeRole, removeRolePage, sayOwner } from './instance-roles.js';
import { servicePage } from './service-page.js';
import { removeKey, removeKeyPage, rotateKeys } from './signing-keys.js';

/** `/console/service`: the service itself, for its owners. */
export function serviceRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'instance');
    const base = '/console/service';
    pages.get(base, (visit) => servicePage(visit));
    pages.post(`${base}/keys/rotate`, rotateKeys, { shownAt: base, returns: 'everything' });
    const keyRemoval = `${base}/keys/:kid/remove`;
    pages.get(keyRemoval, (visit) => removeKeyPage(visit), { asksFirst: 'removeSigningKey' });
    pages.post(keyRemoval, removeKey, { shownAt: keyRemoval, returns: 'nothing' });
    pages.post(`${base}/features`, changeFeatures, { shownAt: base, returns: 'everything' });
    pages.post(`${base}/roles`, giveRole, { shownAt: base, returns: 'everything', says: sayOwner });
    const roleRemoval = `${base}/roles/:id/remove`;
    pages.get(roleRemoval, (visit) => removeRolePage(visit), { asksFirst: 'removeInstanceMembership' });
    pages.post(roleRemoval, removeRole, { shownAt: roleRemoval, returns: 'nothing' });
  };
}
