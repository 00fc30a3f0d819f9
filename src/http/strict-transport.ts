import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '#src/config.js';

const policy = `max-age=${365 * 24 * 3600}`;

/** Tells browsers for a year to come by https alone (RFC 6797), where that is how clients come. */
export function setStrictTransport({ baseUrl }: Pick<Config, 'baseUrl'>, reply: FastifyReply): void {
  if (baseUrl.startsWith('https://')) reply.header('strict-transport-security', policy);
}

/** {@link setStrictTransport} for every answer that comes by the hooks. */
export function demandStrictTransport(app: FastifyInstance, config: Pick<Config, 'baseUrl'>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    setStrictTransport(config, reply);
    done();
  });
}
