import type { FastifyReply } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { type PageContent, showPage } from '#src/http/pages/page-frame.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { Visit } from './visit.js';

/** Shows a page of a visit. */
export function showVisit(
  { config }: Pick<LoginNeeds, 'config'>,
  { reply }: Pick<HttpExchange, 'reply'>,
  { visit, ...page }: PageContent & { visit: Visit },
): FastifyReply {
  const { language, organization, timeZone, waiting } = visit;
  const look = { baseUrl: config.baseUrl, language, organization, timeZone };
  return showPage(reply, look, { leadsAway: waiting !== undefined, ...page });
}
