import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { hostCookie } from '../base/cookies.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The paths of the routes with the fact `returnPlace`. */
    readonly returnPlaces: ReadonlySet<string>;
  }
}

const maxAgeSeconds = 600;

/** Collects the routes to which a sign-in may lead back. Call it before the routes are added. */
export function collectReturnPlaces(app: FastifyInstance): void {
  const places = new Set<string>();
  app.decorate('returnPlaces', places);
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.returnPlace) places.add(url);
  });
}

type Deps = { readonly config: Pick<Config, 'baseUrl'> };

/**
 * Makes the next sign-in of this browser that is not for an application lead to the page. A cookie holds the path.
 * @param path of a route with the fact `returnPlace`
 */
export function rememberPlace({ config }: Deps, reply: FastifyReply, path: string): void {
  cookieOf(config).write(reply, path, maxAgeSeconds);
}

/**
 * The path to which a sign-in leads this browser back. Whatever the cookie holds, it is one of the collected routes. The
 * browser forgets it with the response.
 */
export function takePlace(
  { config }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const path = cookieOf(config).read(request);
  if (path === undefined || path === '') return undefined;
  cookieOf(config).write(reply, '', 0);
  return request.server.returnPlaces.has(path) ? path : undefined;
}

function cookieOf(config: Deps['config']) {
  return hostCookie(config, 'muster-place');
}
