import type { FastifyReply } from 'fastify';
import { limitCaller, type RateLimitDeps } from '#src/http/rate-limit.js';
import { type Client, clientId, clientOrgId } from '../clients/client.js';

/** Limits the requests of a client that has proved who it is. @throws AppError `http.rateLimited` */
export function limitClient(deps: RateLimitDeps, reply: FastifyReply, client: Client): void {
  limitCaller(deps, reply, { clientId: clientId(client), orgId: clientOrgId(client) });
}
