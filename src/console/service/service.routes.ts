import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { changeFeatures } from './features.js';
import { giveRole, removeRole, removeRolePage } from './instance-roles.js';
import { servicePage } from './service-page.js';
import { removeKey, removeKeyPage, rotateKeys } from './signing-keys.js';

/** `/console/service`: the service itself, for its owners. */
export function serviceRoutes(
  deps: Pick<ConsoleNeeds, 'clock' | 'config' | 'consoleDrafts' | 'refusedPages' | 'consoleSealer'>,
): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'instance');
    const base = '/console/service';
    pages.get(base, (visit) => servicePage(visit));
    pages.post(`${base}/keys/rotate`, rotateKeys, { shownAt: base, returns: 'everything' });
    const keyRemoval = `${base}/keys/:kid/remove`;
    pages.get(keyRemoval, (visit) => removeKeyPage(visit));
    pages.post(keyRemoval, removeKey, { shownAt: keyRemoval, returns: 'nothing' });
    pages.post(`${base}/features`, changeFeatures, { shownAt: base, returns: 'everything' });
    pages.post(`${base}/roles`, giveRole, { shownAt: base, returns: 'nothing' });
    const roleRemoval = `${base}/roles/:id/remove`;
    pages.get(roleRemoval, (visit) => removeRolePage(visit));
    pages.post(roleRemoval, removeRole, { shownAt: roleRemoval, returns: 'nothing' });
  };
}
