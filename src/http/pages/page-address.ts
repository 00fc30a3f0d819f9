import type { FastifyReply } from 'fastify';
import type { Config } from '#src/config.js';
import { withoutTraces } from './html.js';

/** The address of a page. Empty parameters are left out. */
export function pageAddress(
  { config }: { readonly config: Pick<Config, 'baseUrl'> },
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(entries).toString();
  return `${config.baseUrl}${path}${search === '' ? '' : `?${search}`}`;
}

/**
 * Answers a POST with a redirect to a GET, so that reloading posts nothing again (RFC 9110 section 15.4.4).
 */
export function goTo(reply: FastifyReply, address: string): FastifyReply {
  return withoutTraces(reply).redirect(address, 303);
}

/** The page that says to somebody that the sign-out is done. */
export function signedOutPage({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return `${baseUrl}/oidc/v1/end_session/confirm?ended=done`;
}
