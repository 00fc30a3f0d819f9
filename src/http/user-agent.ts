import type { FastifyRequest } from 'fastify';

/** Longest text that is kept, in characters. Those of browsers have about 150. */
const maxLength = 200;

/** What the client says that it is: bounded, and without control characters. Undefined if it says nothing. */
export function userAgentOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const text = headers['user-agent']?.slice(0, maxLength).replace(/\p{C}/gu, '').trim();
  return text === '' ? undefined : text;
}
