import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';
import { authenticatedOrganization } from '../auth/bearer-auth.js';
import { isAnswering } from './bound-pipelines.js';

type SlowClientSettings = Pick<Config, 'headersTimeoutSeconds' | 'bodyTimeoutSeconds' | 'maxConnections'>;

/** How often the server looks for connections whose headers are late. */
const checkEveryMs = 5_000;
/** Room for the longest id_token_hint in an address, and for cookies. */
export const maxHeaderSize = 32_768;
/** A form arrives within a moment, even over a slow line. */
const unauthenticatedMs = 10_000;
/** No request may take longer to arrive, however it is read. */
const longestMs = 24 * 3600 * 1000;

/**
 * Options of the server against clients that send or read a byte now and then. An idle connection lives
 * longer than at a balancer, so that the balancer never uses one that the server has just closed.
 */
export function slowClientOptions({ headersTimeoutSeconds, bodyTimeoutSeconds }: SlowClientSettings) {
  const headersTimeout = headersTimeoutSeconds * 1000;
  return {
    requestTimeout: longestMs,
    // Time in which no byte arrives or leaves. The hooks below decide what that means for a request or a
    // response.
    connectionTimeout: bodyTimeoutSeconds * 1000,
    keepAliveTimeout: 75_000,
    http: {
      headersTimeout,
      connectionsCheckingInterval: Math.min(checkEveryMs, headersTimeout),
      maxHeaderSize,
      // `refuse-ambiguous.ts` answers a request without a host, as every other error is answered.
      requireHostHeader: false,
    },
  };
}

/**
 * Cuts off late request bodies, responses that the client does not read, and connections above the limit. A
 * balancer takes those elsewhere.
 */
export function cutOffSlowClients(app: FastifyInstance, { config }: { config: SlowClientSettings }): void {
  const limitMs = config.bodyTimeoutSeconds * 1000;
  app.server.maxConnections = config.maxConnections;
  // One listener for all connections: one for each response would cost every request most of a microsecond.
  app.server.on('timeout', cutOffUnread);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, headers, routeOptions } = request;
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
    // A small body has arrived when its headers have.
    if (raw.complete || (length === '0' && encoding === undefined)) return done(null, payload);
    if (routeOptions.config.streamed) {
      raw.on('timeout', (socket: Socket) => {
        // Bytes arrived that the service has not read: the service is late, so the client gets its time
        // again.
        if (raw.readableLength > 0) socket.setTimeout(limitMs);
        else raw.destroy();
      });
    } else {
      const isKnown = authenticatedOrganization(request) !== undefined;
      cutOffLate(raw, isKnown ? limitMs : Math.min(limitMs, unauthenticatedMs));
    }
    return done(null, payload);
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // The response was sent before the whole body had arrived. Nobody needs the rest, but the client reads
    // the response only after sending it.
    if (raw.complete === false && !raw.destroyed) cutOffLate(raw.resume(), limitMs);
    done();
  });
}

/** Ends the connection unless the body arrives in time. */
function cutOffLate(request: IncomingMessage, limitMs: number): void {
  const timer = setTimeout(() => request.destroy(), limitMs).unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/**
 * Ends a connection on which nothing goes on, or whose client reads nothing of a pending response. Before the response exists, nothing is
 * pending, and the client waits for the service.
 */
function cutOffUnread(socket: Socket): void {
  if (!isAnswering(socket) || socket.writableLength > 0) socket.destroy();
}
