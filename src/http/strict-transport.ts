import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '#src/config.js';

const policy = `max-age=${365 * 24 * 3600}`;

/** Tells browsers to use only https for a year (RFC 6797), if the base URL has https. */
export function setStrictTransport({ baseUrl }: Pick<Config, 'baseUrl'>, reply: FastifyReply): void {
  if (baseUrl.startsWith('https://')) reply.header('strict-transport-security', policy);
}

/** Calls {@link setStrictTransport} for every response that passes the hooks. */
export function demandStrictTransport(app: FastifyInstance, config: Pick<Config, 'baseUrl'>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    setStrictTransport(config, reply);
    done();
  });
}
