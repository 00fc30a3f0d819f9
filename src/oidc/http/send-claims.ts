import type { FastifyReply } from 'fastify';

/** Answers with a JSON object that is text already: claims have names that no schema knows. */
export function sendClaims(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
