import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';

type Deps = { readonly config: Pick<Config, 'baseUrl'> };

const maxAgeSeconds = 3_600;

/** Browsers store cookies of 4 KiB. */
const maxLength = 3_500;

/** The only page that reads the cookie. */
const path = '/login/password';

/**
 * Makes the browser remember the sign-in that it began last, so that the page behind a link in a mail leads back into it.
 * A sign-in that is too long for a cookie is not remembered.
 */
export function rememberFlow({ config }: Deps, reply: FastifyReply, flow: string): void {
  if (flow.length > maxLength) return;
  const { protocol, pathname } = new URL(config.baseUrl);
  const place = `Path=${pathname.replace(/\/$/, '')}${path}`;
  const secure = protocol === 'https:' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookieName(config)}=${flow}; ${place}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

/** The sign-in that the browser began last. It may have ended. */
export function latestFlow({ config }: Deps, request: FastifyRequest): string | undefined {
  const pattern = new RegExp(`(?:^|;)\\s*${cookieName(config)}=([\\w-]+)\\s*(?:;|$)`);
  return pattern.exec(request.headers.cookie ?? '')?.[1];
}

function cookieName({ baseUrl }: Deps['config']): string {
  return baseUrl.startsWith('https:') ? '__Secure-muster-flow' : 'muster-flow';
}
