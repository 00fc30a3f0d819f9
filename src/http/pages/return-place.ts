import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';

/**
 * Pages to which a sign-in may lead back. A cookie holds only the name, so that no one can make it lead
 * elsewhere.
 */
const places = { operations: '/operations/jobs' } as const;

const maxAgeSeconds = 600;

type Deps = { readonly config: Pick<Config, 'baseUrl'> };

/** Makes the next sign-in of this browser that is not for an application lead to the page. */
export function rememberPlace({ config }: Deps, reply: FastifyReply, place: keyof typeof places): void {
  setCookie(config, reply, `${place}; Max-Age=${maxAgeSeconds}`);
}

/** The path to which a sign-in leads this browser back. The browser forgets it with the response. */
export function takePlace(
  { config }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const pattern = new RegExp(`(?:^|;)\\s*${cookieName(config)}=(\\w+)\\s*(?:;|$)`);
  const name = pattern.exec(request.headers.cookie ?? '')?.[1];
  if (name === undefined) return undefined;
  setCookie(config, reply, '; Max-Age=0');
  return Object.entries(places).find(([place]) => place === name)?.[1];
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
