import type { FastifyInstance } from 'fastify';

/** How long a browser may cache the answer to a preflight request, in seconds. */
const preflightSeconds = 86_400;

/**
 * Lets pages of every origin call the endpoints of this scope, for applications that run in a browser (Fetch
 * section 3.2). These endpoints use no cookies, and browsers send none when the origin is `*`. Call it before
 * the routes are added.
 */
export function allowAnyOrigin(scope: FastifyInstance): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'www-authenticate, retry-after, x-error-id');
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
