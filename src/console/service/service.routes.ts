import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { consolePages } from '../http/pages.js';
import { changeFeatures } from './features.js';
import { giveRole, removeRole, removeRolePage } from './instance-roles.js';
import { servicePage } from './service-page.js';
import { removeKey, removeKeyPage, rotateKeys } from './signing-keys.js';

/** `/console/service`: the service itself, for its owners. */
export function serviceRoutes(container: Container): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, container, 'instance');
    const base = '/console/service';
    pages.get(base, (visit) => servicePage(visit));
    pages.post(`${base}/keys/rotate`, rotateKeys);
    pages.get(`${base}/keys/:kid/remove`, (visit) => removeKeyPage(visit));
    pages.post(`${base}/keys/:kid/remove`, removeKey);
    pages.post(`${base}/features`, changeFeatures);
    pages.post(`${base}/roles`, giveRole);
    pages.get(`${base}/roles/:id/remove`, (visit) => removeRolePage(visit));
    pages.post(`${base}/roles/:id/remove`, removeRole);
  };
}
