import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { createLru } from '#src/platform/lru.js';
import { authenticatedOrganization } from './auth/bearer-auth.js';
import { acceptsGzip } from './bodies/content-encoding.js';

/** A shorter text saves no packet of the network. In bytes. */
const leastBytes = 1_024;

/** Half of the work of the usual level, for a tenth more bytes. */
const level = 3;

/** The most memory for the compressed forms of public documents, with their texts, in bytes. */
const rememberedBytes = 16_777_216;

/**
 * Compresses responses of the routes with the fact `compressible`, if the client accepts gzip. Only they may have no secret. A
 * thread of Node.js does the work. What callers without a token get is compressed once, so that nobody can spend these threads,
 * which also hash passwords. Call it before the routes are added.
 */
export function compressResponses(app: FastifyInstance): void {
  const publicForms = createLru<Buffer>({
    maxSize: rememberedBytes,
    sizeCalculation: (compressed, text) => compressed.length + 2 * text.length,
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.routeOptions.config.compressible) return done(null, payload);
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    if (typeof payload !== 'string' || Buffer.byteLength(payload) < leastBytes) return done(null, payload);
    if (!acceptsGzip(request.headers['accept-encoding'])) return done(null, payload);
    const send = (compressed: Buffer) => {
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      done(null, compressed);
    };
    const isPublic = authenticatedOrganization(request) === undefined;
    const known = isPublic ? publicForms.get(payload) : undefined;
    if (known !== undefined) return send(known);
    return gzip(payload, { level }, (error, compressed) => {
      if (error !== null) return done(error);
      if (isPublic) publicForms.set(payload, compressed);
      return send(compressed);
    });
  });
}
