import type { FastifyReply, FastifyRequest } from 'fastify';

/** A request and the reply to it. */
export interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}
