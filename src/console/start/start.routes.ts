import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/rooms.js';
import { consolePages } from '../http/pages.js';
import { startPage } from './start-page.js';

/** `/console`: what happened, what runs, and what needs attention. */
export function startRoutes(container: Container): FastifyPluginAsync {
  return async (app) => {
    consolePages(app, container, 'anyone').get('/console', startPage);
  };
}
