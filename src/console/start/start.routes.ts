import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { startPage } from './start-page.js';

/** `/console`: what happened, what runs, and what needs attention. */
export function startRoutes(
  deps: Pick<ConsoleNeeds, 'clock' | 'config' | 'consoleDrafts' | 'refusedPages' | 'consoleSealer'>,
): FastifyPluginAsync {
  return async (app) => {
    consolePages(app, deps, 'anyone').get('/console', startPage);
  };
}
