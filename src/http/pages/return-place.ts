import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';

/** Pages that sign-in may lead back to. A browser keeps the name alone, so that nobody can make it lead elsewhere. */
const places = { operations: '/operations/jobs' } as const;

const maxAgeSeconds = 600;

type Deps = { readonly config: Pick<Config, 'baseUrl'> };

/** Lets the next sign-in of this browser without an application lead back to the page. */
export function rememberPlace({ config }: Deps, reply: FastifyReply, place: keyof typeof places): void {
  setCookie(config, reply, `${place}; Max-Age=${maxAgeSeconds}`);
}

/** The path that this browser is to be led back to, once. */
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
