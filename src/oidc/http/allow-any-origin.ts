import type { FastifyInstance } from 'fastify';

/** How long a browser may remember that it may ask, in seconds. */
const preflightSeconds = 86_400;

/**
 * Lets pages of every origin call the endpoints of this scope, for applications that run in a browser (Fetch section
 * 3.2). Nothing here depends on cookies, and browsers send none to `*`. Call it before the routes are added.
 */
export function allowAnyOrigin(scope: FastifyInstance): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'www-authenticate, retry-after');
    done();
  });
  const asked = new Set<string>();
  scope.addHook('onRoute', ({ url, method }) => {
    if (method === 'OPTIONS' || asked.has(url)) return;
    asked.add(url);
    scope.options(url, { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'authorization, content-type')
        .header('access-control-max-age', String(preflightSeconds))
        .send(),
    );
  });
}
