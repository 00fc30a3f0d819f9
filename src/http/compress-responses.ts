import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { acceptsGzip } from './bodies/content-encoding.js';

/** A shorter text saves no packet of the network. In bytes. */
const leastBytes = 1_024;

/** Half of the work of the usual level, for a tenth more bytes. */
const level = 3;

/**
 * Compresses responses of the routes with the fact `compressible`, if the client accepts gzip. Only they may have no secret. A
 * thread of Node.js does the work. Call it before the routes are added.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.routeOptions.config.compressible) return done(null, payload);
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    if (typeof payload !== 'string' || Buffer.byteLength(payload) < leastBytes) return done(null, payload);
    if (!acceptsGzip(request.headers['accept-encoding'])) return done(null, payload);
    return gzip(payload, { level }, (error, compressed) => {
      if (error !== null) return done(error);
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      return done(null, compressed);
    });
  });
}
