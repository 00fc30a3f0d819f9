import type { FastifyReply } from 'fastify';
import type { Container } from '#src/container.js';
import type { HttpExchange } from '#src/http/http-exchange.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { type PageContent, showPage } from '#src/http/pages/show-page.js';
import type { Visit } from './visit.js';

/** The address of a page. Empty parameters are left out. */
export function pageAddress(
  { config }: Pick<Container, 'config'>,
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

/** Shows a page of a visit. */
export function showVisit(
  { config }: Pick<Container, 'config'>,
  { reply }: Pick<HttpExchange, 'reply'>,
  { visit, ...page }: PageContent & { visit: Visit },
): FastifyReply {
  const { language, organization, waiting } = visit;
  const look = { baseUrl: config.baseUrl, language, organization, redirectUri: waiting?.redirectUri };
  return showPage(reply, look, page);
}
