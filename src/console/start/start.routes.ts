import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { startPage } from './start-page.js';

/** `/console`: what happened, what runs, and what needs attention. */
export function startRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    consolePages(app, deps, 'anyone').get('/console', startPage);
  };
}
