import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
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

/**
 * Options of the server against clients that send or read a byte now and then. An idle connection outlives that of a
 * balancer, so that the balancer never uses one that just closed.
 */
export function slowClientOptions({ headersTimeoutSeconds, bodyTimeoutSeconds }: SlowClientSettings) {
  const headersTimeout = headersTimeoutSeconds * 1000;
  return {
    requestTimeout: longestMs,
    // Time in which nothing comes in or goes out; what it means is for the request and the answer to say.
    connectionTimeout: bodyTimeoutSeconds * 1000,
    keepAliveTimeout: 75_000,
    http: {
      headersTimeout,
      connectionsCheckingInterval: Math.min(checkEveryMs, headersTimeout),
      maxHeaderSize,
    },
  };
}

/** Cuts off bodies that are late, answers that are not read, and connections above the limit, which a balancer takes elsewhere. */
export function cutOffSlowClients(app: FastifyInstance, { config }: { config: SlowClientSettings }): void {
  const limitMs = config.bodyTimeoutSeconds * 1000;
  app.server.maxConnections = config.maxConnections;
  app.addHook('onRequest', (_request, { raw }, done) => {
    raw.on('timeout', cutOffUnread);
    done();
  });
  app.addHook('preParsing', ({ raw, headers, routeOptions }, _reply, payload, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
    // A small body is there when its headers are.
    if (raw.complete || (length === '0' && encoding === undefined)) return done(null, payload);
    if (routeOptions.config.streamed) {
      raw.on('timeout', (socket: Socket) => {
        // What has come and was not taken yet: it is the service that stands still, and the client has its time anew.
        if (raw.readableLength > 0) socket.setTimeout(limitMs);
        else raw.destroy();
      });
    } else {
      cutOffLate(raw, limitMs);
    }
    return done(null, payload);
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // What was answered before it was all there: the rest is of no use, but its client reads the answer after it.
    if (raw.complete === false && !raw.destroyed) cutOffLate(raw.resume(), limitMs);
    done();
  });
}

/** Ends the connection unless the body has come to its end in time. */
function cutOffLate(request: IncomingMessage, limitMs: number): void {
  const timer = setTimeout(() => request.destroy(), limitMs).unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Ends a connection that took nothing of what waits to be sent. While the answer is still being made, nothing waits. */
function cutOffUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
