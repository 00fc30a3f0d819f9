import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';

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
  setCookie(config, reply, `${path}; Max-Age=${maxAgeSeconds}`);
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
  const pattern = new RegExp(`(?:^|;)\\s*${cookieName(config)}=([\\w/-]+)\\s*(?:;|$)`);
  const path = pattern.exec(request.headers.cookie ?? '')?.[1];
  if (path === undefined) return undefined;
  setCookie(config, reply, '; Max-Age=0');
  return request.server.returnPlaces.has(path) ? path : undefined;
}

function setCookie(config: Deps['config'], reply: FastifyReply, value: string): void {
  const secure = isHttps(config) ? '; Secure' : '';
  reply.header('set-cookie', `${cookieName(config)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

function cookieName(config: Deps['config']): string {
  return isHttps(config) ? '__Host-muster-place' : 'muster-place';
}

function isHttps({ baseUrl }: Deps['config']): boolean {
  return baseUrl.startsWith('https:');
}
