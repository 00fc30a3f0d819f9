import type { FastifyReply } from 'fastify';

/**
 * Sends a JSON object that is already text. No schema could serialize it, because the names of claims are
 * free.
 */
export function sendClaims(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
