import type { FastifyReply } from 'fastify';
import { limitCaller, type RateLimitDeps } from '#src/http/limits/rate-limit.js';
import { type Client, clientId, clientOrgId } from '../clients/client.js';

/**
 * Limits the requests of an authenticated client. A public client is not limited here: otherwise anyone who
 * knows its client_id could use up its requests and those of its organization.
 * @throws AppError `http.rateLimited`
 */
export function limitClient(deps: RateLimitDeps, reply: FastifyReply, client: Client): void {
  if (client.kind === 'application' && client.application.authMethod === 'none') return;
  limitCaller(deps, reply, { clientId: clientId(client), orgId: clientOrgId(client) });
}
