import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';

export type SlowClientSettings = Pick<
  Config,
  'headersTimeoutSeconds' | 'bodyTimeoutSeconds' | 'maxConnections'
>;

/** How often connections are looked through for those that are late with their headers. */
const checkEveryMs = 5_000;
/** Room for the longest id_token_hint in an address, beside cookies. */
const maxHeaderSize = 32_768;
/** No request takes longer to come in, however it is read. */
const longestMs = 24 * 3600 * 1000;

/** Bodies that are read as they come and may be of any size: only standing still ends them. */
const streamed: ReadonlySet<string> = new Set(['POST /admin/v1/import']);

/**
 * Options of the server against clients that send a byte now and then. An idle connection outlives that of a
 * balancer, so that the balancer never uses one that just closed.
 */
export function slowClientOptions({ headersTimeoutSeconds }: SlowClientSettings) {
  const headersTimeout = headersTimeoutSeconds * 1000;
  return {
    requestTimeout: longestMs,
    keepAliveTimeout: 75_000,
    http: {
      headersTimeout,
      connectionsCheckingInterval: Math.min(checkEveryMs, headersTimeout),
      maxHeaderSize,
    },
  };
}

/** Cuts off bodies that are late, and connections above the limit, which a balancer takes elsewhere. */
export function cutOffSlowClients(app: FastifyInstance, { config }: { config: SlowClientSettings }): void {
  const limitMs = config.bodyTimeoutSeconds * 1000;
  app.server.maxConnections = config.maxConnections;
  app.addHook('preParsing', ({ raw, method, headers, routeOptions }, _reply, payload, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
    // A small body is there when its headers are.
    if (raw.complete || (length === '0' && encoding === undefined)) return done(null, payload);
    const cutOff = () => raw.destroy();
    if (streamed.has(`${method} ${routeOptions.url}`)) {
      // Requests that are injected have no connection that could stand still; one that was destroyed knows none any more.
      const { socket } = raw;
      socket.setTimeout?.(limitMs, cutOff);
      const finish = () => socket.setTimeout?.(0, cutOff);
      raw.once('end', finish).once('close', finish);
    } else {
      const timer = setTimeout(cutOff, limitMs);
      raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    }
    return done(null, payload);
  });
}
