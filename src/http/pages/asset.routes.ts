import type { FastifyInstance, FastifyReply } from 'fastify';
import { stylesheet, stylesheetPath } from './stylesheet.js';

/** Registers the style sheet of the pages. */
export function assetRoutes(app: FastifyInstance): void {
  const options = { config: { compressible: true, page: true }, schema: { hide: true } } as const;
  app.get(stylesheetPath, options, async (_request, reply) =>
    sendStylesheet(reply.header('cache-control', 'public, max-age=31536000, immutable')),
  );
}

function sendStylesheet(reply: FastifyReply): FastifyReply {
  return reply.header('x-content-type-options', 'nosniff').type('text/css; charset=utf-8').send(stylesheet);
}
