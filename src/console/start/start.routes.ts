import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { html } from '#src/http/pages/html.js';
import { consolePages } from '../pages.js';

/** `/console`: what happened, what runs, and what needs attention. */
export function startRoutes(container: Container): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, container, 'anyone');
    pages.get('/console', async (visit) => ({ title: visit.t.nav.start, content: html`` }));
  };
}
