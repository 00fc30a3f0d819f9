import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '#src/config.js';

const strictTransport = `max-age=${365 * 24 * 3600}`;

/**
 * Sets the headers of every response. No cache keeps it, unless its route says otherwise. No browser guesses another media
 * type. If the base URL has https, browsers use only https for a year (RFC 6797).
 */
export function setSafeHeaders({ baseUrl }: Pick<Config, 'baseUrl'>, reply: FastifyReply): void {
  reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
  if (baseUrl.startsWith('https://')) reply.header('strict-transport-security', strictTransport);
}

/** Calls {@link setSafeHeaders} for every response that passes the hooks. */
export function demandSafeHeaders(app: FastifyInstance, config: Pick<Config, 'baseUrl'>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    setSafeHeaders(config, reply);
    done();
  });
}
